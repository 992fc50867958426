import { LARGEST_BODY_BYTES, type Receiver, type ReceiverAnswer } from '../receiver.ts';

/** The part of a request of `node:http` or Express that the adapter uses. */
export interface NodeRequest extends AsyncIterable<unknown> {
  method?: string | undefined;
  headers: { [name: string]: string | string[] | undefined };
  /** The body, if a body parser has already read it. */
  body?: unknown;
}

/** The part of a response of `node:http` or Express that the adapter uses. */
export interface NodeResponse {
  statusCode: number;
  setHeader(name: string, value: string): unknown;
  end(text?: string): unknown;
}

export function nodeHandler(receiver: Receiver): (request: NodeRequest, response: NodeResponse) => void {
  return (request, response) => {
    answer(receiver, request)
      .catch((error: unknown) => {
        receiver.report(error);
        return { status: 500 };
      })
      .then(({ status, text }: ReceiverAnswer) => {
        response.statusCode = status;
        if (text !== undefined) response.setHeader('content-type', 'text/plain; charset=utf-8');
        response.end(text);
      });
  };
}

const PARSED = 'the raw body is needed: mount the webhook handler before any body parser';

async function answer(receiver: Receiver, request: NodeRequest): Promise<ReceiverAnswer> {
  if (request.method !== 'POST') return { status: 405 };
  if (request.body !== undefined && !(request.body instanceof Uint8Array)) {
    receiver.report(new Error(PARSED));
    return { status: 500, text: PARSED };
  }
  const body = request.body ?? (await rawBody(request));
  if (!body) return { status: 413 };
  return receiver.receive(body, (name) => request.headers[name]);
}

/** The raw body; undefined if it is too large. */
async function rawBody(request: NodeRequest): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Uint8Array<ArrayBuffer>>) {
    size += chunk.length;
    if (size > LARGEST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
