import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../metrics.ts';

/** Counts answers and their time by route: the pattern, so that no id or secret of a path becomes a label. */
export function measureRequests(app: Pick<FastifyInstance, 'addHook'>, metrics: Metrics): void {
  const answers = metrics.counter('parley_http_requests_total', 'Answers, by route and status.');
  const durations = metrics.histogram('parley_http_request_duration_seconds', 'Time to answer, by route.');
  app.addHook('onResponse', (request, reply, done) => {
    const { url = 'unknown' } = request.routeOptions;
    const route = { method: request.method, route: url };
    answers.add({ ...route, status: String(reply.statusCode) });
    // A stream lasts as long as somebody listens.
    const isStream = reply.getHeader('content-type') === 'text/event-stream';
    if (!isStream) durations.observe(route, reply.elapsedTime / 1000);
    done();
  });
}
