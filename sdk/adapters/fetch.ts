import { LARGEST_BODY_BYTES, type Receiver } from '../receiver.ts';

export function fetchHandler(receiver: Receiver): (request: Request) => Promise<Response> {
  return async (request) => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } });
    if (Number(request.headers.get('content-length')) > LARGEST_BODY_BYTES) {
      return new Response(null, { status: 413 });
    }
    try {
      const body = new Uint8Array(await request.arrayBuffer());
      const { status, text = null } = await receiver.receive(body, (name) => request.headers.get(name));
      return new Response(text, { status });
    } catch (error) {
      receiver.report(error);
      return new Response(null, { status: 500 });
    }
  };
}
