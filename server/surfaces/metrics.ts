import { hash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { notFound, unauthenticated } from '#platform/errors.ts';
import type { App } from '#platform/http/app.ts';
import type { Metrics } from '#platform/monitoring/metrics.ts';
import type { Platform } from '#platform/platform.ts';

const TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** `/metrics` on the main port, protected by the operator's token; without a token configured the route does not exist. */
export async function metricsRoute(app: App, { config, metrics }: Platform): Promise<void> {
  const { metricsToken } = config;
  app.get(
    '/metrics',
    { config: { withoutDatabase: true }, schema: { hide: true } },
    async (request, reply) => {
      if (metricsToken === undefined) throw notFound('service.no-metrics');
      if (!isSame(request.headers.authorization ?? '', `Bearer ${metricsToken}`)) {
        throw unauthenticated('service.metrics-token');
      }
      return reply.type(TYPE).send(await metrics.collect());
    },
  );
}

export interface MetricsServer extends AsyncDisposable {
  port: number;
}

/** Metrics without a token on a separate port, which must not be reachable from outside. */
export async function startMetricsServer(
  metrics: Pick<Metrics, 'collect'>,
  { host, port }: { host: string; port: number },
): Promise<MetricsServer> {
  const server = createServer(async (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    const text = await metrics.collect();
    response.writeHead(200, { 'content-type': TYPE }).end(text);
  });
  await once(server.listen(port, host), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** Compares hashes, so that timing reveals neither length nor content. */
function isSame(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'));
}
