import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Log } from '../log.ts';
import { clientAddress } from './client-address.ts';
import { requestFields } from './error-handler.ts';

/** As nginx has it: the client hung up before it was answered. */
const CLIENT_CLOSED_REQUEST = 499;

/**
 * One line for each request, whatever `LOG_LEVEL` says; a stream has its line when it begins. The route stands for the
 * path, and no header or query is in it, so that no secret is.
 */
export class AccessLog {
  readonly #log: Log;
  readonly #startTimes = new WeakMap<FastifyRequest, number>();

  constructor(log: Log) {
    this.#log = log.child({}, { level: 'info' });
  }

  /** Before any other hook, so that it hears of what the others refuse. */
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
    // A stream that ends has its line already.
    if (startedAt === undefined) return;
    this.#startTimes.delete(request);
    this.write(request, { status, durationMs: Math.round(performance.now() - startedAt) });
  }
}
