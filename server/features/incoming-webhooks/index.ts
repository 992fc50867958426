import type { ChosenIncomingWebhook, CreateIncomingWebhook } from '#contract/webhooks/incoming-webhooks.ts';
import type { Accounts } from '#features/accounts/index.ts';
import type { ApplicationHook, Applications, Owned } from '#features/applications/index.ts';
import type { Bots } from '#features/bots/index.ts';
import type { Groups } from '#features/groups/index.ts';
import type { Messages } from '#features/messages/index.ts';
import type { Platform } from '#platform/platform.ts';
import { incomingWebhookChatRoutes } from './chat.ts';
import { incomingWebhookConsoleRoutes } from './console.ts';
import {
  createWebhook,
  listOfApplication,
  listOfGroup,
  renewWebhook,
  revokeOwnWebhook,
  revokeWebhook,
} from './manage.ts';
import { type Addressed, admitPost, findAddressed, postToGroup } from './post.ts';
import { deleteAllWebhooks } from './queries.ts';
import type { Posted } from './render/render.ts';

export type { Addressed } from './post.ts';
export { readPosted } from './read-body.ts';

/** Addresses for tools, each of which posts into one group as one application's bot. */
export type IncomingWebhooks = ReturnType<typeof openIncomingWebhooks>['api'];

function openIncomingWebhooks(
  platform: Platform,
  features: {
    accounts: Accounts;
    applications: Applications;
    bots: Bots;
    groups: Groups;
    messages: Messages;
  },
) {
  const deps = { ...platform, ...features };
  const applicationHook: ApplicationHook = { deleted: (tx, { appId }) => deleteAllWebhooks(tx, appId) };
  const api = {
    listOfGroup: (personId: string, groupId: string) => listOfGroup(deps, personId, groupId),
    create: (personId: string, asked: CreateIncomingWebhook) => createWebhook(deps, personId, asked),
    renew: (personId: string, chosen: ChosenIncomingWebhook) => renewWebhook(deps, personId, chosen),
    revoke: (personId: string, chosen: ChosenIncomingWebhook) => revokeWebhook(deps, personId, chosen),
    listOfApplication: (own: Owned) => listOfApplication(deps, own),
    revokeOwn: (own: Owned, webhookId: string) => revokeOwnWebhook(deps, own, webhookId),

    find: (secret: string) => findAddressed(deps, secret),
    admit: admitPost,
    post: (addressed: Addressed, given: { posted: Posted; gitHubEvent: string | undefined }) =>
      postToGroup(deps, addressed, given),
  };
  return { api, hooks: { application: applicationHook } };
}

export function createIncomingWebhooks(
  platform: Platform,
  features: Parameters<typeof openIncomingWebhooks>[1],
) {
  const { api, hooks } = openIncomingWebhooks(platform, features);
  return { api, hooks, routes: [...incomingWebhookChatRoutes(api), ...incomingWebhookConsoleRoutes(api)] };
}
