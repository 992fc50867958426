import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { inTurn } from '../concurrency/turn.ts';
import { invalidArgument, unavailable } from '../errors.ts';
import type { App } from './app.ts';
import { RequestSlot } from './connections/request-slot.ts';
import { newestLines } from './parsing/lines.ts';
import { parseStrictJson } from './parsing/strict-json.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a body of lines the handler gets each as it arrives. */
    takesLines?: true;
  }
}

/** A request that goes on with further bodies; disposed of when it ends. */
export interface GoingOn extends Disposable {
  /** Admits it again, before each of them. */
  admit(): Promise<void>;
}

interface LinesOptions {
  /** From the answer to a line until the next one is looked at. */
  everyMs: number;
  /** @throws ApiError 429 */
  goOn(request: FastifyRequest): GoingOn;
  answer(request: FastifyRequest, reply: FastifyReply, body: unknown): Promise<unknown>;
}

/**
 * Opens a route that takes a JSON body or lines of them in one request, each of which counts as a body of its own. Its answer is
 * that to the last line, or the first error.
 */
export function openWithLines(
  app: App,
  route: Omit<RouteOptions, 'handler'>,
  { everyMs, goOn, answer }: LinesOptions,
): void {
  interface Open {
    lines: AsyncGenerator<Buffer, void>;
    goingOn: GoingOn;
    stop: (reason: unknown) => void;
  }
  const slot = new RequestSlot<Open>();
  const open = new Set<Open>();
  const parse = ({ routeOptions: { bodyLimit } }: FastifyRequest, line: Buffer) =>
    parseStrictJson(line, { bodyLimit });
  // Its sender goes on with another request, possibly at another server.
  app.addHook('preClose', async () => {
    for (const { stop } of open) stop(unavailable());
  });
  app.route({
    ...route,
    config: { ...route.config, takesLines: true },
    async preValidation(request) {
      const { body } = request;
      if (!(body instanceof Readable)) return;
      const { promise: stopped, reject: stop } = Promise.withResolvers<never>();
      // Nothing may be waiting for it.
      stopped.catch(() => undefined);
      const one = { lines: newestLines(body, everyMs, stopped), goingOn: goOn(request), stop };
      slot.set(request, one);
      open.add(one);
      const { value: first } = await one.lines.next();
      if (!first) throw invalidArgument('body', 'missing');
      request.body = parse(request, first);
    },
    async onResponse(request) {
      const one = slot.find(request);
      if (!one) return;
      open.delete(one);
      one.goingOn[Symbol.dispose]();
    },
    async handler(request, reply) {
      let answered = await answer(request, reply, request.body);
      const { lines = [], goingOn } = slot.find(request) ?? {};
      for await (const line of lines) {
        await goingOn?.admit();
        const body = parse(request, line);
        refuseUnlessValid(request, body);
        // Its waits do not add up with those of the lines before.
        answered = await inTurn(undefined, () => answer(request, reply, body));
      }
      return answered;
    },
  });
}

/** The same error as for a body of its own. */
function refuseUnlessValid(request: FastifyRequest, body: unknown): void {
  if (request.validateInput(body, 'body')) return;
  const validation = request.getValidationFunction('body')?.errors;
  throw Object.assign(new Error('a line is not valid'), { validation, validationContext: 'body' });
}
