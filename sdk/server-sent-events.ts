/** One event of a stream. */
export interface ServerSentEvent {
  id: string | undefined;
  type: string;
  /** Missing if it only contains the position in the stream. */
  data: string | undefined;
}

/**
 * Reads a `text/event-stream` (WHATWG HTML §9.2) as far as this service uses it: the package has no dependencies, not even
 * a full parser.
 *
 * @param silenceMs the stream counts as ended after this much silence: a connection may die silently
 */
export async function* readServerSentEvents(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
): AsyncGenerator<ServerSentEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = '';
  try {
    for (;;) {
      const timer = setTimeout(() => reader.cancel().catch(() => undefined), silenceMs);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      text += decoder.decode(value, { stream: true });
      const blocks = text.split('\n\n');
      text = blocks.pop() ?? '';
      for (const block of blocks) yield readBlock(block);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** Only a line feed ends a line: data may have other separators, such as U+2028. The service writes each field on one line. */
function readBlock(block: string): ServerSentEvent {
  const lines = block.split('\n').map((line) => line.split(/: ?(.*)/s));
  const { id, event: type = 'message', data } = Object.fromEntries(lines);
  return { id, type, data };
}
