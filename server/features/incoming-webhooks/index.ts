import type { ApplicationHook } from '#features/applications/index.ts';
import { withDeps } from '#platform/with-deps.ts';
import type { IncomingWebhookDeps } from './deps.ts';
import { createWebhook } from './manage.ts';
import { admitPost, findAddressed, postToGroup } from './post.ts';
import { deleteAllWebhooks } from './queries.ts';
import { incomingWebhookRoutes } from './routes.ts';

export type { Addressed } from './post.ts';
export { readPosted } from './read-body.ts';

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
