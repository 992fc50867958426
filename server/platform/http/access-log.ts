import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { clientAddress } from './client-address.ts';
import { requestFields } from './error-handler.ts';

/** As in nginx: the client disconnected before it was answered. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * One line for each request, whatever the `LOG_LEVEL`; for a stream, when it begins. Logs the route instead of the path, and
 * neither headers nor the query, so that no secret is logged.
 */
export class AccessLog {
  readonly #log: Log;
  readonly #startTimes = new WeakMap<FastifyRequest, number>();

  constructor(log: Log) {
    this.#log = log.child({}, { level: 'info' });
  }

  /** Call it before other hooks are added, so that requests that these refuse are logged. */
  watch(app: Pick<FastifyInstance, 'addHook'>): void {
    app.addHook('onRequest', (request, _reply, done) => {
      this.#startTimes.set(request, performance.now());
      done();
    });
    app.addHook('onResponse', (request, reply, done) => {
      this.#end(request, reply.statusCode);
      done();
    });
    app.addHook('onRequestAbort', (request, done) => {
      this.#end(request, CLIENT_CLOSED_REQUEST);
      done();
    });
  }

  write(request: FastifyRequest, { status, durationMs }: { status: number; durationMs: number }): void {
    this.#log.info(
      { ...requestFields(request), status, durationMs, address: clientAddress(request) },
      'request',
    );
  }

  #end(request: FastifyRequest, status: number): void {
    const startedAt = this.#startTimes.get(request);
    // A stream was logged when it began.
    if (startedAt === undefined) return;
    this.#startTimes.delete(request);
    this.write(request, { status, durationMs: Math.round(performance.now() - startedAt) });
  }
}
