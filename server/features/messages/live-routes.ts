import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { hasSession, type Person, sessionIdOf } from '#features/accounts/session.ts';
import type { App } from '#platform/http/app.ts';
import { type EventStream, openEventStream } from '#platform/http/event-stream.ts';
import type { Platform } from '#platform/platform.ts';
import { type Joined, LivePages } from './live-stream.ts';

/** What happens to a person and in the person's conversations, as server-sent events. */
export function liveRoutes(app: App, deps: Platform): void {
  const pages = new LivePages(deps);
  app.addHook('onClose', async () => pages[Symbol.dispose]());

  app.get(
    '/live',
    { schema: { querystring: Type.Object({ after: Type.Optional(Type.String({ maxLength: 64 })) }) } },
    async ({ person, headers, query }, reply) => {
      // A browser that connects again by itself brings a newer place than the address it was given at first.
      const cursor = String(headers['last-event-id'] ?? query.after ?? '');
      const page = await pages.join(person.accountId, cursor);
      // Whoever hung up meanwhile would never be noticed as gone.
      if (reply.raw.destroyed) return page.leave(undefined);
      await attach(deps, reply, { page, person });
    },
  );
}

/** Apart from the request, of which a connection that stays open for days must hold nothing. */
async function attach(
  deps: Pick<Platform, 'db' | 'clock'>,
  reply: FastifyReply,
  { page, person }: { page: Joined; person: Person },
): Promise<void> {
  const opened = openEventStream(reply, {
    onClose: () => page.leave(stream),
    isAllowed: () => hasSession(deps, person),
  });
  const stream = endingWith(sessionIdOf(person), opened);
  page.attach(stream);
  // It may have ended between its check and the listening.
  if (!(await hasSession(deps, person))) stream.close();
}

/** The same stream; it ends with the session that opened it. */
function endingWith(sessionId: string, stream: EventStream): EventStream {
  return {
    ...stream,
    send(event) {
      stream.send(event);
      const isOwnEnd =
        event.type === 'session.ended' && (event.data as { sessionId: string }).sessionId === sessionId;
      if (isOwnEnd) stream.close();
    },
  };
}
