import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may be large and its sender slow: an upload. */
    takesLong?: true;
  }
}

/** After so long even an upload is cut. */
export const LONGEST_REQUEST_MS = 10 * 60_000;

/**
 * Cuts requests whose bodies do not arrive in time. Node has one such limit for all; this one spares the routes that say
 * so. What is cut is answered like what Node cuts. One interval watches them all: a timer for each would cost more than
 * reading the body.
 */
export function cutSlowBodies(
  app: Pick<FastifyInstance, 'addHook' | 'server'>,
  { requestMs, checkEveryMs }: { requestMs: number; checkEveryMs: number },
): void {
  const arriving = new Map<IncomingMessage, number>();
  const patienceTicks = Math.ceil(requestMs / checkEveryMs);
  let ticks = 0;
  const ticking = setInterval(() => {
    ticks++;
    for (const [raw, since] of arriving) {
      if (raw.complete || raw.destroyed) arriving.delete(raw);
      else if (ticks - since > patienceTicks) {
        arriving.delete(raw);
        const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        app.server.emit('clientError', error, raw.socket);
      }
    }
  }, checkEveryMs).unref();

  app.addHook('onRequest', ({ raw, routeOptions }, _reply, done) => {
    const hasBody =
      raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0;
    if (hasBody && !routeOptions.config?.takesLong) arriving.set(raw, ticks);
    done();
  });
  app.addHook('onResponse', ({ raw }, _reply, done) => {
    // Whoever is answered early goes on sending, for as long as the others may.
    if (raw.complete) arriving.delete(raw);
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(ticking);
    done();
  });
}
