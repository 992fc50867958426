import type { Receiver } from '../receiver.ts';

export function fetchHandler(receiver: Receiver): (request: Request) => Promise<Response> {
  return async ({ method, body, headers }) => {
    const { status, text = null } = await receiver.answer({ method, body }, (name) => headers.get(name));
    return new Response(text, { status, headers: { allow: 'POST' } });
  };
}
