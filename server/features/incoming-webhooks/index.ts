import { CHAT } from '#contract/api/chat.ts';
import { APPLICATION } from '#contract/api/console.ts';
import type { ApplicationHook } from '#features/applications/index.ts';
import { serve } from '#platform/http/serve.ts';
import { withDeps } from '#platform/with-deps.ts';
import type { IncomingWebhookDeps } from './deps.ts';
import {
  createWebhook,
  listOfApplication,
  listOfGroup,
  renewWebhook,
  revokeOwnWebhook,
  revokeWebhook,
} from './manage.ts';
import { admitPost, findAddressed, postToGroup } from './post.ts';
import { deleteAllWebhooks } from './queries.ts';

export type { Addressed } from './post.ts';
export { readPosted } from './post.ts';
export { bold, link, literal } from './render/markdown.ts';
export { CODE, fromMrkdwn } from './render/mrkdwn.ts';
export { renderPosted } from './render/render.ts';

/** Addresses for tools, each of which posts into one group as one application's bot. */
export type IncomingWebhooks = ReturnType<typeof createIncomingWebhooks>['api'];

export function createIncomingWebhooks(deps: IncomingWebhookDeps) {
  return {
    api: {
      ...withDeps(deps, { create: createWebhook, find: findAddressed, post: postToGroup }),
      admit: admitPost,
    },
    routes: incomingWebhookRoutes(deps),
    hooks: {
      application: {
        deleted: (tx, { appId }) => deleteAllWebhooks(tx, appId),
      } satisfies ApplicationHook,
    },
  };
}

/** Incoming webhooks of a group, for its administrators, and of an application, for whose bot they were created. */
function incomingWebhookRoutes(deps: IncomingWebhookDeps) {
  return [
    serve(CHAT, {
      'GET /groups/incoming-webhooks': ({ person, query }) =>
        listOfGroup(deps, person.accountId, query.groupId),
      'POST /groups/incoming-webhooks': ({ person, body }) => createWebhook(deps, person.accountId, body),
      'POST /groups/incoming-webhooks/renew': ({ person, body }) =>
        renewWebhook(deps, person.accountId, body),
      'POST /groups/incoming-webhooks/revoke': ({ person, body }) =>
        revokeWebhook(deps, person.accountId, body),
    }),
    serve(APPLICATION, {
      'GET /applications/:appId/incoming-webhooks': ({ own }) => listOfApplication(deps, own),
      'DELETE /applications/:appId/incoming-webhooks': ({ own, body: { webhookId } }) =>
        revokeOwnWebhook(deps, own, webhookId),
    }),
  ];
}
