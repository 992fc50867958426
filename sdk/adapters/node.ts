import type { Receiver } from '../receiver.ts';

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
  return async (request, response) => {
    const { method, headers, body = request } = request;
    const { status, text } = await receiver.answer({ method, body }, (name) => headers[name]);
    response.statusCode = status;
    if (text !== undefined) response.setHeader('content-type', 'text/plain; charset=utf-8');
    response.end(text);
  };
}
