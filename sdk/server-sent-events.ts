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
      for (const block of blocks) {
        const event = readBlock(block);
        if (event) yield event;
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function readBlock(block: string): ServerSentEvent | undefined {
  let id: string | undefined;
  let type = 'message';
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, field, value = ''] = /^([a-z]+): ?(.*)$/.exec(line) ?? [];
    if (field === 'id') id = value;
    if (field === 'event') type = value;
    if (field === 'data') data.push(value);
  }
  if (data.length > 0) return { id, type, data: data.join('\n') };
  return id === undefined ? undefined : { id, type, data: undefined };
}
