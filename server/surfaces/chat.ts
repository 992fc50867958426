import type { PersonLimits } from '#features/accounts/person-limits.ts';
import { groupChatRoutes } from '#features/groups/chat-routes.ts';
import { mediaChatRoutes } from '#features/media/chat-routes.ts';
import { chatRoutes, conversationRoutes } from '#features/messages/chat-routes.ts';
import { groupMessageChatRoutes } from '#features/messages/group-routes.ts';
import { liveRoutes } from '#features/messages/live-routes.ts';
import { oauthChatRoutes } from '#features/oauth/chat-routes.ts';
import { type Polls, pollChatRoutes } from '#features/polls/index.ts';
import { storyChatRoutes } from '#features/stories/chat-routes.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { personRoutes, requirePerson } from './person.ts';

/** The door at `/api/chat`: what people do with their conversations. */
export async function chat(
  app: App,
  platform: Platform & { limits: PersonLimits; polls: Polls },
): Promise<void> {
  requirePerson(app, platform);
  chatRoutes(app, platform);
  conversationRoutes(app, platform, platform.polls.withResults);
  liveRoutes(app, platform);
  mediaChatRoutes(app, platform);
  pollChatRoutes(personRoutes(app, platform, 'chat'), platform.polls);
  storyChatRoutes(app, platform);
  groupChatRoutes(app, platform);
  groupMessageChatRoutes(app, platform);
  oauthChatRoutes(app, platform);
}
