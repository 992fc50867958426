import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

const HANDLED = Symbol('handled');

/** A response; no listener retains the request, since a stream lasts for days. */
type Answer = ServerResponse & { [HANDLED]?: true };

/**
 * Fastify runs its onResponse hooks once a response has been written, which it never is if the client disconnects first. What
 * they release and record must not depend on that: here they run as soon as such a request has been handled.
 */
export function endWithoutClient(app: Pick<FastifyInstance, 'addHook'>): void {
  app.addHook('onRequest', (_request, { raw }, done) => {
    raw.once('close', breakOff);
    done();
  });
  app.addHook('onSend', (_request, { raw }, payload, done) => {
    if (raw.destroyed) runOnResponseHooks(raw);
    else (raw as Answer)[HANDLED] = true;
    done(null, payload);
  });
}

function breakOff(this: Answer): void {
  if (this[HANDLED] && !this.writableFinished) runOnResponseHooks(this);
}

/** At most once: Fastify's listener, the one for both the end of a response and its errors, removes itself. */
export function runOnResponseHooks(raw: ServerResponse): void {
  const failed = raw.listeners('error');
  for (const listener of raw.listeners('finish')) if (failed.includes(listener)) listener.call(raw);
}
