import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Database } from '../database.ts';
import { unavailable } from '../errors.ts';
import { answerError } from './error-door.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route answers also while the database does not. */
    withoutDatabase?: true;
  }
}

const TICK_MS = 250;
/** Whoever has waited so long is answered: 1.5 s, so that 2 s are kept (security design). */
const PATIENCE_TICKS = 6;

/**
 * A database that hangs sends no error: while it does, new requests are refused at once with 503, and those that wait
 * for it are answered in its stead. One interval watches them all.
 */
export function answerWhileDatabaseHangs(
  app: Pick<FastifyInstance, 'addHook'>,
  db: Pick<Database, 'isAnswering'>,
): void {
  const waiting = new Map<FastifyReply, number>();
  let ticks = 0;
  const tick = () => {
    ticks++;
    for (const [reply, since] of waiting) {
      if (reply.sent || reply.raw.destroyed) waiting.delete(reply);
      else if (!db.isAnswering && ticks - since >= PATIENCE_TICKS) {
        answerError(unavailable(), reply.request, reply);
      }
    }
  };
  const ticking = setInterval(tick, TICK_MS).unref();

  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404 || request.routeOptions.config.withoutDatabase) return done();
    if (!db.isAnswering) return done(unavailable());
    waiting.set(reply, ticks);
    done();
  });
  app.addHook('onResponse', (_request, reply, done) => {
    waiting.delete(reply);
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(ticking);
    done();
  });
}
