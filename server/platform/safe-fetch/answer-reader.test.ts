import assert from 'node:assert/strict';
import http from 'node:http';
import { Duplex } from 'node:stream';
import { describe, it } from 'node:test';
import { AnswerFault, AnswerReader } from './answer-reader.ts';

interface Outcome {
  status?: number;
  bytes: number;
  end?: 'whole' | 'cut' | 'protocol' | 'too_large';
}

/** The reader's result for these pieces and a disconnect, and whether the connection could be reused. */
function read(pieces: string[]): Outcome & { isReusable: boolean } {
  const outcome: Outcome = { bytes: 0 };
  const reader = new AnswerReader();
  const watcher = {
    onStatus: (status: number) => {
      outcome.status = status;
    },
    onBody: (bytes: number) => {
      outcome.bytes += bytes;
    },
    onEnd: () => {
      outcome.end = 'whole';
    },
  };
  reader.expect();
  try {
    for (const piece of pieces) if (outcome.end === undefined) reader.read(piece, watcher);
    const { isReusable } = reader;
    if (outcome.end === undefined && !reader.close(watcher)) outcome.end = 'cut';
    return { ...outcome, isReusable };
  } catch (error) {
    assert.ok(error instanceof AnswerFault);
    return { ...outcome, end: error.reason, isReusable: false };
  }
}

/** The result of Node's own client. */
async function readByNode(text: string): Promise<Outcome> {
  const outcome: Outcome = { bytes: 0 };
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  const end = (how: 'whole' | 'cut') => resolve({ ...outcome, end: how });
  const socket = new Duplex({ read() {}, write: (_chunk, _encoding, written) => written() });
  const request = http.request({ method: 'POST', createConnection: () => socket });
  request.on('error', () => end('cut'));
  request.on('response', (answer) => {
    outcome.status = answer.statusCode as number;
    answer.on('data', (chunk: Buffer) => {
      outcome.bytes += chunk.length;
    });
    answer.on('error', () => end('cut'));
    answer.on('end', () => end(answer.complete ? 'whole' : 'cut'));
  });
  request.on('socket', () =>
    setImmediate(() => {
      socket.push(Buffer.from(text, 'latin1'));
      socket.push(null);
    }),
  );
  request.end();
  return promise;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;
const whole = (status: number, bytes: number, isReusable = true) => ({
  status,
  bytes,
  end: 'whole' as const,
  isReusable,
});
const fault = (end: 'protocol' | 'too_large') => ({ bytes: 0, end, isReusable: false });

/** Without a body; the length is that of its lines. */
function headOf(length: number): string {
  const start = `${OK}Content-Length: 0\r\nX-Long: `;
  return `${start.padEnd(length, 'a')}\r\n\r\n`;
}

/** A body of one byte; the length is that of everything else. */
function framedBy(length: number): string {
  const end = 'a\r\n0\r\n\r\n';
  return `${`${CHUNKED}1;`.padEnd(length - end.length - 1, 'a')}\r\n${end}`;
}

const ANSWERS: [what: string, text: string, outcome: ReturnType<typeof read>][] = [
  ['no body', `${OK}content-length: 0\r\n\r\n`, whole(200, 0)],
  ['every sign in a name', `${OK}!#$%&'*+-.^_\`|~9a: 1\r\nContent-Length: 0\r\n\r\n`, whole(200, 0)],
  ['a status without a reason', 'HTTP/1.1 202\r\nContent-Length:0 \r\n\r\n', whole(202, 0)],
  ['a status of its own', 'HTTP/1.1 999 -\r\nContent-Length: 0\r\n\r\n', whole(999, 0)],
  ['204, whatever its length', 'HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n', whole(204, 0)],
  ['a body with a length', `${OK}Content-Length: 11\r\n\r\nHTTP/1.1 20`, whole(200, 11)],
  ['chunks', `${CHUNKED}5\r\nhello\r\nA;why="a"\r\n0123456789\r\n0\r\n\r\n`, whole(200, 15)],
  ['chunks, then trailers', `${CHUNKED}1\r\na\r\n00\r\nDigest: 1\r\nMore: 2\r\n\r\n`, whole(200, 1)],
  [
    'several codings',
    `${OK}Transfer-Encoding: gzip\r\ntransfer-encoding: Chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n`,
    whole(200, 2),
  ],
  [
    'chunks within another coding',
    `${OK}Transfer-Encoding: chunked\r\nTransfer-Encoding: gzip\r\n\r\nhello`,
    whole(200, 5, false),
  ],
  ['chunks before another coding', `${OK}Transfer-Encoding: chunked, x\r\n\r\nhello`, whole(200, 5, false)],
  ['a name that ends like another', `${OK}X-Content-Length: 2\r\nContent-Length: 1\r\n\r\na`, whole(200, 1)],
  ['a body that ends with the connection', `${OK}\r\nhello`, whole(200, 5, false)],
  [
    'a coding that ends with the connection',
    `${OK}Transfer-Encoding: gzip\r\n\r\nhello`,
    whole(200, 5, false),
  ],
  ['the last of a connection', `${OK}Connection: Close\r\nContent-Length: 1\r\n\r\na`, whole(200, 1, false)],
  ['the version before', 'HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na', whole(200, 1, false)],
  [
    'the version before, kept',
    'HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na',
    whole(200, 1),
  ],
  [
    'interim answers',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${OK}Content-Length: 0\r\n\r\n`,
    whole(200, 0),
  ],
  [
    'a body that is cut',
    `${OK}Content-Length: 11\r\n\r\nhello`,
    { status: 200, bytes: 5, end: 'cut', isReusable: true },
  ],
  [
    'chunks that are cut',
    `${CHUNKED}5\r\nhello\r\n`,
    { status: 200, bytes: 5, end: 'cut', isReusable: true },
  ],
  ['a head that is cut', OK, { bytes: 0, end: 'cut', isReusable: false }],
  ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n', fault('protocol')],
  ['another version', 'HTTP/2.0 200 OK\r\n\r\n', fault('protocol')],
  [
    'another protocol from now on',
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n',
    fault('protocol'),
  ],
  ['two lengths', `${OK}Content-Length: 1\r\nContent-Length: 1\r\n\r\na`, fault('protocol')],
  [
    'a length and chunks',
    `${OK}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    fault('protocol'),
  ],
  ['a length that is none', `${OK}Content-Length: +5\r\n\r\nhello`, fault('protocol')],
  ['a length and more', `${OK}Content-Length: 5x\r\n\r\nhello`, fault('protocol')],
  ['a length of 16 digits', `${OK}Content-Length: 0000000000000005\r\n\r\nhello`, fault('protocol')],
  ['a version of two digits', `HTTP/1.10\r\n${OK}Content-Length: 0\r\n\r\n`, fault('protocol')],
  ['a line without a name', `${OK}nothing\r\n\r\n`, fault('protocol')],
  ['a line with an empty name', `${OK}: nothing\r\n\r\n`, fault('protocol')],
  ['a line that goes on', `${OK}X-Folded: a\r\n b\r\n\r\n`, fault('protocol')],
  ['a name and a blank', `${OK}Content-Length : 0\r\n\r\n`, fault('protocol')],
  ['the longest head', headOf(16 * 1024), whole(200, 0)],
  ['a head too long', headOf(16 * 1024 + 1), fault('too_large')],
  ['a head that goes on and on', `${OK}X-Long: ${'a'.repeat(16_400)}`, fault('too_large')],
  ...['', 'x5', '5 x', '000000005'].map((size): (typeof ANSWERS)[number] => [
    `a chunk of the size "${size}"`,
    `${CHUNKED}${size}\r\nhello\r\n0\r\n\r\n`,
    { ...fault('protocol'), status: 200 },
  ]),
  ['a size that ends early', `${CHUNKED}5;a\nhello\r\n0\r\n\r\n`, { ...fault('protocol'), status: 200 }],
  ['the longest framing', framedBy(128 * 1024), whole(200, 1)],
  ['a framing too long', framedBy(128 * 1024 + 1), { ...fault('too_large'), status: 200, bytes: 1 }],
  [
    'a chunk longer than its size',
    `${CHUNKED}1\r\nhello\r\n0\r\n\r\n`,
    { ...fault('protocol'), status: 200, bytes: 1 },
  ],
  [
    'a size that goes on and on',
    `${CHUNKED}1;${'a'.repeat(140_000)}`,
    { ...fault('too_large'), status: 200 },
  ],
];

describe('an answer', () => {
  for (const [what, text, outcome] of ANSWERS) {
    it(`${what}: the same in one piece, in two, and byte for byte`, () => {
      assert.deepEqual(read([text]), outcome);
      const cuts = text.length < 1_000 ? text.length : 0;
      for (let at = 1; at < cuts; at++)
        assert.deepEqual(read([text.slice(0, at), text.slice(at)]), outcome, `cut at ${at}`);
      if (cuts > 0) assert.deepEqual(read([...text]), outcome);
    });
  }

  it('interim responses without end are too long', () => {
    assert.deepEqual(
      read(Array(1_000).fill('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n')),
      fault('too_large'),
    );
  });

  it('that nobody has asked for is a fault', () => {
    const watcher = { onStatus() {}, onBody() {}, onEnd() {} };
    assert.throws(() => new AnswerReader().read(headOf(100), watcher), { reason: 'protocol' });
  });

  it('surplus bytes are not read as the next response', () => {
    const outcome = read([`${OK}Content-Length: 1\r\n\r\na${OK}Content-Length: 0\r\n\r\n`]);
    assert.deepEqual(outcome, whole(200, 1, false));
  });

  it('states how long its connection is kept', () => {
    const reader = new AnswerReader();
    for (const [line, seconds] of [
      ['Keep-Alive: timeout=5, max=100', 5],
      ['X-Other: timeout=5', undefined],
      ['Keep-Alive: max=100', undefined],
      ['Keep-Alive: timeout=1234567', undefined],
    ] as const) {
      reader.expect();
      reader.read(`${OK}${line}\r\nContent-Length: 0\r\n\r\n`, { onStatus() {}, onBody() {}, onEnd() {} });
      assert.equal(reader.idleSeconds, seconds);
    }
  });

  it('is read as Node reads it, whole or split anywhere', async () => {
    const lines = [
      '',
      'Date: Mon, 23 Nov 2026 15:00:00 GMT\r\n',
      'Connection: keep-alive\r\nKeep-Alive: timeout=5\r\n',
      'Connection: close\r\n',
    ];
    const bodies = [
      'Content-Length: 0\r\n\r\n',
      'Content-Length: 7\r\n\r\n{"a":1}',
      'Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'Transfer-Encoding: chunked\r\n\r\n7;a=b\r\n{"a":1}\r\n1f\r\n0123456789012345678901234567890\r\n0\r\nA: b\r\n\r\n',
      '\r\nuntil the end',
    ];
    const withBody = ['200 OK', '503 Service Unavailable', '103 Early Hints\r\n\r\nHTTP/1.1 201 -'].map(
      (status) => ({ status, bodies }),
    );
    const withoutBody = ['204 No Content', '304 Not Modified'].map((status) => ({
      status,
      bodies: ['\r\n', 'Content-Length: 7\r\n\r\n'],
    }));
    let compared = 0;
    for (const { status, bodies } of [...withBody, ...withoutBody])
      for (const line of lines)
        for (const body of bodies) {
          const text = `HTTP/1.1 ${status}\r\n${line}${body}`;
          for (const part of [
            text,
            text.slice(0, -1),
            text.slice(0, -3),
            text.slice(0, text.length - body.length),
          ]) {
            const { isReusable: _, ...outcome } = read([part]);
            assert.deepEqual(outcome, await readByNode(part), JSON.stringify(part));
            compared++;
          }
        }
    assert.equal(compared, 304);
  });
});
