import type { Accounts, PersonLimits } from '#features/accounts/index.ts';
import { type Contacts, contactChatRoutes } from '#features/contacts/index.ts';
import { type Groups, groupChatRoutes } from '#features/groups/index.ts';
import { mediaChatRoutes } from '#features/media/chat-routes.ts';
import type { Media } from '#features/media/index.ts';
import { chatRoutes, conversationRoutes } from '#features/messages/chat-routes.ts';
import { groupMessageChatRoutes } from '#features/messages/group-routes.ts';
import { liveRoutes } from '#features/messages/live-routes.ts';
import { oauthChatRoutes } from '#features/oauth/chat-routes.ts';
import { type Polls, pollChatRoutes } from '#features/polls/index.ts';
import { type Stories, storyChatRoutes } from '#features/stories/index.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { personRoutes, requirePerson } from './person.ts';

/** The door at `/api/chat`: what people do with their conversations. */
export async function chat(
  app: App,
  platform: Platform & {
    accounts: Accounts;
    limits: PersonLimits;
    media: Media;
    contacts: Contacts;
    groups: Groups;
    polls: Polls;
    stories: Stories;
  },
): Promise<void> {
  requirePerson(app, platform);
  const routes = personRoutes(app, platform, 'chat');
  chatRoutes(app, platform);
  conversationRoutes(app, platform, platform.polls.withResults);
  contactChatRoutes(routes, platform.contacts);
  liveRoutes(app, platform);
  mediaChatRoutes(app, platform);
  pollChatRoutes(routes, platform.polls);
  storyChatRoutes(routes, platform.stories, platform.media);
  groupChatRoutes(routes, platform.groups, platform.media);
  groupMessageChatRoutes(app, platform);
  oauthChatRoutes(app, platform);
}
