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
 * so. What is cut is answered like what Node cuts.
 */
export function cutSlowBodies(app: Pick<FastifyInstance, 'addHook' | 'server'>, requestMs: number): void {
  app.addHook('onRequest', ({ raw, routeOptions }, reply, done) => {
    const hasBody =
      raw.headers['transfer-encoding'] !== undefined || Number(raw.headers['content-length']) > 0;
    if (hasBody && !routeOptions.config?.takesLong) {
      const timer = setTimeout(() => {
        if (raw.complete) return;
        const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        app.server.emit('clientError', error, raw.socket);
      }, requestMs);
      const stop = () => clearTimeout(timer);
      raw.once('end', stop).once('close', stop);
      // Whoever is answered early goes on sending for as long as that may take.
      reply.raw.once('finish', () => raw.complete !== false && stop());
    }
    done();
  });
}
