import { CHAT } from '#contract/api/chat.ts';
import type { AccountHook } from '#features/accounts/index.ts';
import { serve } from '#platform/http/serve.ts';
import {
  changeSettings,
  keepDevice,
  type PushDeps,
  removeDevice,
  showNotifications,
  viewSettings,
} from './devices.ts';
import { createNotifier } from './notifier.ts';
import { createPoster, createServiceKey } from './post.ts';
import { deleteSettings, selectSettings } from './queries.ts';

export type { Notification } from './rules.ts';

/** Notifications of people's browsers while no page is open (Web Push). */
export type Push = ReturnType<typeof createPush>['api'];

export function createPush(platform: PushDeps) {
  const deps = { ...platform, serviceKey: createServiceKey(platform) };
  const poster = createPoster(deps, deps.serviceKey);
  const notifier = createNotifier(deps, poster);
  return {
    api: { notifier, [Symbol.dispose]: () => poster[Symbol.dispose]() },
    routes: [
      serve(CHAT, {
        'GET /notifications': ({ person }) => showNotifications(deps, person.accountId),
        'PATCH /notifications': ({ person, body }) => changeSettings(deps, person.accountId, body),
        'PUT /notifications/device': async ({ person, body }) => {
          await keepDevice(deps, person, body);
          notifier.use();
        },
        'DELETE /notifications/device': ({ person }) => removeDevice(deps, person),
      }),
    ],
    hooks: {
      account: {
        sections: {
          async *notifications(accountId) {
            const [row] = await selectSettings(platform.db, [accountId]);
            if (row) yield viewSettings(row);
          },
        },
        deleted: (tx, { accountId }) => deleteSettings(tx, accountId),
      } satisfies AccountHook,
    },
  };
}
