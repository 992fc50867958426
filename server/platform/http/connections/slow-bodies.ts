import { Socket } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Slots } from '../../concurrency/slots.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The body may be large and its sender slow: an upload. */
    takesLong?: true;
  }
  interface FastifyRequest {
    arrivingSlot: number;
  }
}

/** After this time even an upload is cut off. */
export const LONGEST_REQUEST_MS = 10 * 60_000;
const NOWHERE = -1;

/**
 * Ends requests whose bodies do not arrive in time. Node has one such limit for all; this one excepts marked routes. The
 * response is the same as Node's. One interval checks them all: a timer for each would cost more than reading the body.
 */
export function cutSlowBodies(
  app: Pick<FastifyInstance, 'addHook' | 'decorateRequest' | 'server'>,
  { requestMs, checkEveryMs }: { requestMs: number; checkEveryMs: number },
): void {
  const arriving = new Slots<{ request: FastifyRequest; since: number }>();
  const waitTimeoutTicks = Math.ceil(requestMs / checkEveryMs);
  let ticks = 0;
  const leave = (request: FastifyRequest, slot: number) => {
    request.arrivingSlot = NOWHERE;
    arriving.remove(slot);
  };
  const ticking = setInterval(() => {
    ticks++;
    for (const [slot, { request, since }] of arriving) {
      const { raw } = request;
      // Injected requests, such as an assistant's tool call, are never `complete`, and do not arrive over a network.
      const isInjected = !(raw.socket instanceof Socket);
      if (isInjected || raw.complete || raw.readableEnded || raw.destroyed) leave(request, slot);
      else if (ticks - since > waitTimeoutTicks) {
        leave(request, slot);
        const error = Object.assign(new Error('Request timeout'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
        app.server.emit('clientError', error, raw.socket);
      }
    }
  }, checkEveryMs).unref();

  app.decorateRequest('arrivingSlot', NOWHERE);
  app.addHook('onRequest', (request, _reply, done) => {
    if (hasBody(request) && !request.route.config?.takesLong) {
      request.arrivingSlot = arriving.add({ request, since: ticks });
    }
    done();
  });
  app.addHook('onResponse', (request, _reply, done) => {
    // A client that gets an early response may continue sending, within the same limit.
    if (request.raw.complete) {
      if (request.arrivingSlot !== NOWHERE) leave(request, request.arrivingSlot);
    } else if (request.arrivingSlot === NOWHERE && hasBody(request)) {
      request.arrivingSlot = arriving.add({ request, since: ticks });
    }
    done();
  });
  app.addHook('onClose', (_app, done) => {
    clearInterval(ticking);
    done();
  });
}

function hasBody({ raw: { headers } }: FastifyRequest): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;
}
