import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Slots } from '../../concurrency/slots.ts';
import type { Database } from '../../database.ts';
import { unavailable } from '../../errors.ts';
import { answerError } from '../error-handler.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also works while the database does not answer. */
    withoutDatabase?: true;
  }
  interface FastifyRequest {
    /** Its slot among the requests that wait for the database. */
    waitingSlot: number;
  }
}

const TICK_MS = 250;
/** Requests are refused after waiting this long: 1.5 s, to stay below 2 s (security design). */
const TIMEOUT_TICKS = 6;
const NOWHERE = -1;

/**
 * A database that hangs sends no error: while it does, new requests are refused at once with 503, and waiting ones are
 * refused after a timeout. Waiting requests are also refused while others time out waiting for a lock or a connection;
 * otherwise a request with several queries could wait several times. One interval checks them all.
 */
export function answerWhileDatabaseHangs(
  app: Pick<FastifyInstance, 'addHook' | 'decorateRequest'>,
  db: Pick<Database, 'isAnswering' | 'isObstructed'>,
): void {
  const waiting = new Slots<{ reply: FastifyReply; since: number }>();
  let ticks = 0;
  const leave = (request: FastifyRequest, slot: number) => {
    request.waitingSlot = NOWHERE;
    waiting.remove(slot);
  };
  const isHopeless = ({ route }: FastifyRequest) =>
    !db.isAnswering || (db.isObstructed && !route.config.takesLong);
  const tick = () => {
    ticks++;
    for (const [slot, { reply, since }] of waiting) {
      if (reply.sent || reply.raw.destroyed) leave(reply.request, slot);
      else if (ticks - since >= TIMEOUT_TICKS && isHopeless(reply.request)) {
        answerError(unavailable(), reply.request, reply);
      }
    }
  };
  const ticking = setInterval(tick, TICK_MS).unref();

  app.decorateRequest('waitingSlot', NOWHERE);
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || request.route.config.withoutDatabase) return done();
    if (!db.isAnswering) return done(unavailable());
    request.waitingSlot = waiting.add({ reply, since: ticks });
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    if (request.waitingSlot !== NOWHERE) leave(request, request.waitingSlot);
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(ticking);
    done();
  });
}
