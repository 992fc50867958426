import { CHAT } from '#contract/api/chat.ts';
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
import { mount } from '#platform/http/serve.ts';
import type { Platform } from '#platform/platform.ts';
import { forPeople, requirePerson, requireTerms } from './people/person.ts';

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
  mount(app, platform, forPeople('chat'), CHAT, [
    ...messageChatRoutes(platform.messages, platform.media),
    ...conversationChatRoutes(platform.messages, platform.polls.withResults),
    ...changeChatRoutes(platform.messages),
    ...receiptChatRoutes(platform.messages),
    ...searchChatRoutes(platform.messages),
    ...draftChatRoutes(platform.messages),
    ...contactChatRoutes(platform.contacts),
    ...mediaChatRoutes(platform.media),
    ...pollChatRoutes(platform.polls),
    ...storyChatRoutes(platform.stories, platform.media),
    ...groupChatRoutes(platform.groups, platform.media),
    ...incomingWebhookChatRoutes(platform.incomingWebhooks),
    ...reportChatRoutes(platform.reports),
    ...pushChatRoutes(platform.push),
    ...oauthChatRoutes(platform.oauth),
  ]);
}
