import type { Accounts } from '#features/accounts/index.ts';
import { type Contacts, contactChatRoutes } from '#features/contacts/index.ts';
import { type Groups, groupChatRoutes } from '#features/groups/index.ts';
import { type IncomingWebhooks, incomingWebhookChatRoutes } from '#features/incoming-webhooks/index.ts';
import { type Media, mediaChatRoutes } from '#features/media/index.ts';
import {
  changeChatRoutes,
  conversationChatRoutes,
  draftChatRoutes,
  type Messages,
  messageChatRoutes,
  receiptChatRoutes,
  searchChatRoutes,
} from '#features/messages/index.ts';
import { type OAuth, oauthChatRoutes } from '#features/oauth/index.ts';
import { type Polls, pollChatRoutes } from '#features/polls/index.ts';
import { type Push, pushChatRoutes } from '#features/push/index.ts';
import { type Reports, reportChatRoutes } from '#features/reports/index.ts';
import { type Stories, storyChatRoutes } from '#features/stories/index.ts';
import type { App } from '#platform/http/app.ts';
import type { Platform } from '#platform/platform.ts';
import { personRoutes, requirePerson, requireTerms } from './people/person.ts';

/** The surface at `/api/chat`: conversations of people. */
export async function chat(
  app: App,
  platform: Platform & {
    accounts: Accounts;
    media: Media;
    contacts: Contacts;
    groups: Groups;
    push: Push;
    messages: Messages;
    polls: Polls;
    reports: Reports;
    stories: Stories;
    oauth: OAuth;
    incomingWebhooks: IncomingWebhooks;
  },
): Promise<void> {
  requirePerson(app, platform);
  requireTerms(app, platform);
  const routes = personRoutes(app, platform, 'chat');
  messageChatRoutes(routes, platform.messages, platform.media);
  conversationChatRoutes(routes, platform.messages, platform.polls.withResults);
  changeChatRoutes(routes, platform.messages);
  receiptChatRoutes(routes, platform.messages);
  searchChatRoutes(routes, platform.messages);
  draftChatRoutes(routes, platform.messages);
  contactChatRoutes(routes, platform.contacts);
  mediaChatRoutes(routes, platform.media);
  pollChatRoutes(routes, platform.polls);
  storyChatRoutes(routes, platform.stories, platform.media);
  groupChatRoutes(routes, platform.groups, platform.media);
  incomingWebhookChatRoutes(routes, platform.incomingWebhooks);
  reportChatRoutes(routes, platform.reports);
  pushChatRoutes(routes, platform.push);
  oauthChatRoutes(routes, platform.oauth);
}
