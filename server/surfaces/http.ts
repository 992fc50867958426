import { type App, createApp } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { v1 } from './v1.ts';

/** The whole HTTP application, every door registered; it does not listen yet. */
export async function createHttp(platform: Platform): Promise<App> {
  const app = createApp(platform);
  await app.register((door) => v1(door as unknown as App, platform));
  return app;
}
