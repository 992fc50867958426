import { chatRoutes } from '#features/messages/chat-routes.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { requirePerson } from './person.ts';

/** The door at `/api/chat`: what people do with their conversations. */
export async function chat(app: App, platform: Platform): Promise<void> {
  requirePerson(app, platform);
  chatRoutes(app, platform);
}
