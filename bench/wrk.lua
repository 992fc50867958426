-- Makes wrk send the requests in a file, one after another. If a pattern follows the file's name, each request contains a
-- value from the response to an earlier one; the file then has the head, the beginning of the body, and the first values.
-- UNIQUE in a request is another number each time.

local pieces = {}

function init(arguments)
  local file = assert(io.open(arguments[1], 'rb'))
  for length in function() return file:read('*n') end do
    file:read(1)
    pieces[#pieces + 1] = file:read(length)
  end
  file:close()
  if arguments[2] then ask_in_chains(arguments[2]) end
  if pieces[1]:find('UNIQUE') then number_requests() end
end

local asked = 0

function request()
  asked = asked % #pieces + 1
  return pieces[asked]
end

function number_requests()
  local next_request, number = request, os.time() * 1e6
  function request()
    number = number + 1
    return (next_request():gsub('UNIQUE', string.format('%d', number)))
  end
end

function ask_in_chains(pattern)
  local head, beginning = table.remove(pieces, 1), table.remove(pieces, 1)

  function request()
    local body = beginning .. table.remove(pieces)
    return head .. 'content-length: ' .. #body .. '\r\n\r\n' .. body
  end

  -- A response without a value breaks its chain: the next request fails, and is counted.
  function response(_, _, body)
    pieces[#pieces + 1] = body:match(pattern) or ''
  end
end

function done(summary, latency)
  local errors = summary.errors
  print(string.format(
    '{"requests":%d,"microseconds":%d,"p50":%d,"p99":%d,"failures":%d}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99),
    errors.connect + errors.read + errors.write + errors.status + errors.timeout
  ))
end
