import { type Media, mediaPublicRoutes } from '#features/media/index.ts';
import type { App } from '#platform/http/app.ts';
import { createRoutes } from '#platform/http/routes.ts';
import type { Platform } from '#platform/platform.ts';

/** The surface at `/media`: files, for anyone with a link to one. */
export async function media(app: App, platform: Platform & { media: Media }): Promise<void> {
  const routes = createRoutes<object, object>(app, platform, {
    describe: () => ({ schema: { hide: true } }),
    run: (_request, _reply, handle) => handle({}),
  });
  mediaPublicRoutes(routes, platform.media);
}
