/** One block of a stream of server-sent events that has an id; without data it only says where the stream is. */
export interface ServerSentEvent {
  id: string;
  type: string;
  data: string | undefined;
}

/** Reads what Parley's event streams send: one line each of id, event and data. */
export async function* readEvents(response: Response): AsyncGenerator<ServerSentEvent> {
  if (!response.body) return;
  let text = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const event = parseBlock(text.slice(0, end));
      text = text.slice(end + 2);
      if (event) yield event;
    }
  }
}

function parseBlock(block: string): ServerSentEvent | undefined {
  const fields = new Map(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ');
      return [line.slice(0, colon), line.slice(colon + 2)] as const;
    }),
  );
  const id = fields.get('id');
  if (id === undefined) return undefined;
  return { id, type: fields.get('event') ?? 'message', data: fields.get('data') };
}
