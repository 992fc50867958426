import { openPersonLimits } from '#features/accounts/person-limits.ts';
import { Throttle } from '#features/accounts/throttle.ts';
import { RequestRecorder } from '#features/applications/monitoring/recorder.ts';
import { mediaRoutes } from '#features/media/routes.ts';
import { type App, createApp } from '#platform/http/app.ts';
import { measureRequests } from '#platform/http/request-metrics.ts';
import type { Platform } from '#platform/platform.ts';
import { auth } from './auth.ts';
import { authorize } from './authorize.ts';
import { chat } from './chat.ts';
import { consoleDoor } from './console.ts';
import { docs } from './docs/door.ts';
import { health } from './health.ts';
import { metricsDoor } from './metrics.ts';
import { oauth } from './oauth.ts';
import { signInPages } from './pages/sign-in.ts';
import { reference } from './reference.ts';
import { v1 } from './v1.ts';
import { web } from './web.ts';

/** The whole HTTP application, every door registered; it does not listen yet. */
export async function createHttp(platform: Platform, app: App = createApp(platform)): Promise<App> {
  measureRequests(app, platform.metrics);
  const open = (door: (app: App, platform: Platform) => Promise<void>, prefix = '') =>
    app.register((scope) => door(scope as unknown as App, platform), { prefix });
  await reference(app, platform.config);
  await open(health);
  await open(metricsDoor);
  // One for what is noted and what is shown, so that the console sees the latest.
  const recorder = new RequestRecorder(platform);
  app.addHook('onClose', () => recorder[Symbol.asyncDispose]());
  // What a person does counts once, through whichever surface.
  const limits = openPersonLimits(platform);
  await open((door) => v1(door, { ...platform, recorder, limits }));
  // One for both ways in, so that nobody gets twice as many guesses.
  const throttle = new Throttle(platform.clock, platform.config, platform.redis);
  await open((door) => auth(door, { ...platform, throttle }), '/api/auth');
  await open((door) => signInPages(door, { ...platform, throttle }));
  await open(authorize);
  await open((door) => oauth(door, { ...platform, recorder }));
  await open((door) => consoleDoor(door, { ...platform, recorder, limits }), '/api/console');
  await open((door) => chat(door, { ...platform, limits }), '/api/chat');
  await open(async (door) => mediaRoutes(door, platform));
  await open(docs);
  await open(web);
  return app;
}
