import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Slots } from '../../concurrency/slots.ts';
import { currentTurn, inTurn, Turn } from '../../concurrency/turn.ts';
import type { Database } from '../../database.ts';
import { unavailable } from '../../errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route also works while the database does not answer. */
    withoutDatabase?: true;
  }
  interface FastifyRequest {
    /** Of a request that was let in and needs the database. */
    turn: Turn | null;
    turnSlot: number;
  }
}

const TICK_MS = 250;
const NOWHERE = -1;
/** Waits of this share of the limit are a sign that too many were let in. */
const LONG_SHARE = 0.4;
/** The number of requests shrinks and grows by these factors in each interval. */
const SHRINK = 0.75;
const GROW = 1.1;
/** Nobody waits any more. */
const GROW_AT_REST = 2;
const MOST = 8_192;
const FEWEST = 32;
/** If only this process is slow, since others use the processor, fewer requests would not make it faster. */
const FEWEST_BY_LAG = 128;
/** A request that neither waits nor is answered after this time is a stream, or waits for something else. */
const LONG_REQUEST_MS = 2_000;
/** This process refuses so many requests a second without much work. */
const EASILY_REFUSED = 1_000;
const LONGEST_RETRY_SECONDS = 10;

/**
 * Refuses requests that would wait too long for the database, before any work is done for them. What is let in gets its true
 * answer: nothing is abandoned because time has passed. The number of requests in progress is adapted to the time that they
 * wait before something is sent, and to the delay of this process; how long a refused client should wait, to the number of
 * the refused.
 */
export function limitLoad(
  app: Pick<FastifyInstance, 'addHook' | 'decorateRequest'>,
  db: Pick<Database, 'isAnswering' | 'waitTimeoutMs'>,
): void {
  const turns = new Slots<Turn>();
  let [count, others, most] = [0, 0, MOST];
  let [refused, refusedASecond, lagMs] = [0, 0, 0];
  let lastTickAt = performance.now();

  const tick = () => {
    const now = performance.now();
    lagMs = Math.max(0, now - lastTickAt - TICK_MS);
    lastTickAt = now;
    refusedASecond = refused * (1000 / (TICK_MS + lagMs));
    refused = 0;
    let longestMs = 0;
    others = 0;
    for (const [, turn] of turns) {
      longestMs = Math.max(longestMs, turn.waitingMs);
      if (turn.waitingMs === 0 && turn.ageMs > LONG_REQUEST_MS) others++;
    }
    const longMs = db.waitTimeoutMs * LONG_SHARE;
    const isLong = longestMs > longMs;
    if (isLong || lagMs > longMs)
      most = Math.max(isLong ? FEWEST : FEWEST_BY_LAG, Math.min(most, count - others) * SHRINK);
    else most = Math.min(MOST, most * (longestMs > 0 ? GROW : GROW_AT_REST));
  };
  const ticking = setInterval(tick, TICK_MS).unref();

  const retrySeconds = () => {
    const seconds = Math.round((refusedASecond / EASILY_REFUSED) * (1 + lagMs / TICK_MS));
    return Math.min(LONGEST_RETRY_SECONDS, Math.max(1, seconds));
  };
  const leave = (request: FastifyRequest) => {
    if (request.turnSlot === NOWHERE) return;
    turns.remove(request.turnSlot);
    request.turnSlot = NOWHERE;
    count--;
    request.turn?.end();
  };

  app.decorateRequest('turn', null);
  app.decorateRequest('turnSlot', NOWHERE);
  app.addHook('onRequest', (request, _reply, done) => {
    // A request of this server to itself belongs to the one that it is made for.
    if (request.is404 || request.route.config.withoutDatabase || currentTurn()) return done();
    if (!db.isAnswering || count - others >= most) {
      refused++;
      return done(unavailable('service.unavailable', undefined, retrySeconds()));
    }
    request.turn = new Turn(db.waitTimeoutMs);
    request.turnSlot = turns.add(request.turn);
    count++;
    inTurn(request.turn, done);
  });
  // A body arrives outside the request's context.
  app.addHook('preValidation', ({ turn }, _reply, done) => {
    if (turn) inTurn(turn, done);
    else done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    leave(request);
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(ticking);
    done();
  });
}
