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
const MOST = 8_192;
const FEWEST = 64;
/** By which the number of requests grows in each interval: while many of them are in progress, and otherwise. */
const GROW = 1.25;
const GROW_AT_REST = 1.05;
/** How fast the highest rate of late is forgotten, in each interval: a host that stands still for a second changes little. */
const FORGET = 0.9;
/** A request that neither waits nor is answered after this time is a stream, or waits for something else. */
const LONG_REQUEST_MS = 2_000;
/** The refused are told to return one after another, at half the rate at which others are served: refusing costs little. */
const RETURN_SHARE = 0.5;
const FEWEST_RETURNS_A_SECOND = 64;
const LONGEST_RETRY_MS = 30_000;

/**
 * Refuses requests that would wait too long for the database, before any work is done for them. What is let in gets its true
 * answer: nothing is abandoned because time has passed. When requests wait long, or this process lags, as many are let in as
 * are served, at the rate of late, in the time that they should wait; otherwise as many as come.
 */
export function limitLoad(
  app: Pick<FastifyInstance, 'addHook' | 'decorateRequest'>,
  db: Pick<Database, 'isAnswering' | 'waitTimeoutMs'>,
): void {
  const turns = new Slots<Turn>();
  const longMs = db.waitTimeoutMs * LONG_SHARE;
  let [count, others, most] = [0, 0, MOST];
  let [served, servedASecond] = [0, 0];
  let lastTickAt = performance.now();
  let lastReturnAt = 0;

  const tick = () => {
    const now = performance.now();
    const tookMs = now - lastTickAt;
    lastTickAt = now;
    servedASecond = Math.max((served * 1000) / tookMs, servedASecond * FORGET);
    [served, others] = [0, 0];
    let longestMs = 0;
    for (const [, turn] of turns) {
      longestMs = Math.max(longestMs, turn.waitingMs);
      if (turn.waitingMs === 0 && turn.ageMs > LONG_REQUEST_MS) others++;
    }
    if (longestMs > longMs || tookMs - TICK_MS > longMs)
      most = Math.max(FEWEST, Math.min(most, (servedASecond * longMs) / 1000));
    else most = Math.min(MOST, most * (count > most / 2 ? GROW : GROW_AT_REST));
  };
  const ticking = setInterval(tick, TICK_MS).unref();

  const retrySeconds = () => {
    const now = performance.now();
    const everyMs = 1000 / Math.max(FEWEST_RETURNS_A_SECOND, servedASecond * RETURN_SHARE);
    lastReturnAt = Math.min(Math.max(lastReturnAt, now) + everyMs, now + LONGEST_RETRY_MS);
    return Math.ceil((lastReturnAt - now) / 1000);
  };
  const leave = (request: FastifyRequest, status: number) => {
    if (request.turnSlot === NOWHERE) return;
    if (status !== 503) served++;
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
    if (!db.isAnswering || count - others >= most)
      return done(unavailable('service.unavailable', undefined, retrySeconds()));
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
  app.addHook('onResponse', (request, reply, done) => {
    leave(request, reply.statusCode);
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(ticking);
    done();
  });
}
