import { Type } from 'typebox';
import { openSessionOf } from '#features/accounts/index.ts';
import { createSessionCheck } from '#features/accounts/sessions/session-check.ts';
import type { App } from '#platform/http/app.ts';
import { openEventStream } from '#platform/http/event-stream.ts';
import type { Platform } from '#platform/platform.ts';
import { LivePages } from './live-stream.ts';

/** What happens to a person and in the person's conversations, as server-sent events. */
export function liveRoutes(app: App, deps: Platform): void {
  const pages = new LivePages(deps, createSessionCheck(deps));
  app.addHook('onClose', async () => pages[Symbol.dispose]());

  app.get(
    '/live',
    { schema: { querystring: Type.Object({ after: Type.Optional(Type.String({ maxLength: 64 })) }) } },
    async ({ person, headers, query }, reply) => {
      // A browser that connects again by itself brings a newer place than the address it was given at first.
      const cursor = String(headers['last-event-id'] ?? query.after ?? '');
      const page = await pages.join(openSessionOf(person), cursor);
      // Whoever hung up meanwhile would never be noticed as gone.
      if (reply.raw.destroyed) return page.onClose();
      await page.attach(openEventStream(reply, page));
    },
  );
}
