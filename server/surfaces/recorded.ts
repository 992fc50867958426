import type { FastifyReply, FastifyRequest } from 'fastify';

/** What the application's console shows of every request: the route instead of the path, which may be secret. */
export function recorded({ id, method, route }: FastifyRequest, { statusCode, elapsedTime }: FastifyReply) {
  return { requestId: id, method, route: route.url as string, status: statusCode, durationMs: elapsedTime };
}
