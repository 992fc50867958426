import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Slots } from '../../concurrency/slots.ts';
import type { Database } from '../../database.ts';
import { unavailable } from '../../errors.ts';
import { answerError } from '../error-handler.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers also while the database does not. */
    withoutDatabase?: true;
  }
  interface FastifyRequest {
    /** Where it stands among those that wait for the database. */
    waitingSlot: number;
  }
}

const TICK_MS = 250;
/** Whoever has waited so long is answered: 1.5 s, so that 2 s are kept (security design). */
const TIMEOUT_TICKS = 6;
const NOWHERE = -1;

/**
 * A database that hangs sends no error: while it does, new requests are refused at once with 503, and those that wait
 * for it are answered in its stead. So are those that wait while others have waited in vain for a lock or a connection:
 * a request that asks several times could else wait as often. One interval watches them all.
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
