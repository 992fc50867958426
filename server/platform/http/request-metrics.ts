import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { CounterSeries, HistogramSeries } from '../monitoring/metrics.ts';
import type { Platform } from '../platform.ts';
import { hasLines } from './parsing/lines.ts';

/** Metrics of one route, with a series for each status of its responses. */
interface Counted {
  durations: HistogramSeries;
  answers: Map<number, CounterSeries>;
}

/**
 * Counts and times responses by route, and keeps the last failures. The label is the route's pattern, so that no ID or
 * secret of a path becomes a label.
 */
export function measureRequests(
  app: Pick<FastifyInstance, 'addHook'>,
  { metrics, errors, clock, notices }: Pick<Platform, 'metrics' | 'errors' | 'clock' | 'notices'>,
): void {
  const answers = metrics.counter('parley_http_requests_total', 'Answers, by route and status.');
  const durations = metrics.histogram('parley_http_request_duration_seconds', 'Time to answer, by route.');
  const routes = new Map<string, Map<string, Counted>>();
  const find = (method: string, url: string): Counted => {
    const known = routes.get(url)?.get(method);
    if (known) return known;
    const counted = { durations: durations.series({ method, route: url }), answers: new Map() };
    const methods = routes.get(url) ?? new Map<string, Counted>();
    routes.set(url, methods.set(method, counted));
    return counted;
  };
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request;
    const url = request.route?.url ?? 'unknown';
    const counted = find(method, url);
    const { statusCode } = reply;
    const isExpected = statusCode === 503 && notices.maintenance !== undefined;
    if (statusCode >= 500 && !isExpected)
      errors.add({ at: clock.now(), requestId: request.id, method, route: url, status: statusCode });
    let answered = counted.answers.get(statusCode);
    if (!answered) {
      answered = answers.series({ method, route: url, status: String(statusCode) });
      counted.answers.set(statusCode, answered);
    }
    answered.add();
    if (!isStream(request, reply)) counted.durations.observe(reply.elapsedTime / 1000);
    done();
  });
}

/** It lasts as long as somebody listens, or writes. */
export function isStream(request: FastifyRequest, reply: FastifyReply): boolean {
  return reply.getHeader('content-type') === 'text/event-stream' || hasLines(request);
}
