import type { FastifyReply, FastifyRequest } from 'fastify';

/** For the application's console: the route of a request instead of its path, which may be secret. */
export function recorded({ id, method, route }: FastifyRequest, { statusCode, elapsedTime }: FastifyReply) {
  return { requestId: id, method, route: route.url as string, status: statusCode, durationMs: elapsedTime };
}
