import type { PushDevice } from '#contract/chat/push.ts';
import type { AccountHook, Person } from '#features/accounts/index.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { pushChatRoutes } from './chat.ts';
import { changeSettings, keepDevice, removeDevice, showNotifications, viewSettings } from './devices.ts';
import { Notifier } from './notifier.ts';
import { PushPoster } from './post.ts';
import { deleteSettings, selectSettings } from './queries.ts';
import { createServiceKey } from './service-key.ts';

export type { Notification } from './rules.ts';

/** Notifications of people's browsers while no page is open (Web Push). */
export type Push = ReturnType<typeof openPush>['api'];

function openPush(platform: Platform) {
  const deps = { ...platform, serviceKey: createServiceKey(platform) };
  const poster = new PushPoster(deps, deps.serviceKey);
  const notifier = new Notifier(deps, poster);
  const api = {
    ...withDeps(deps, { showNotifications, changeSettings, removeDevice }),
    async keepDevice(person: Person, device: PushDevice) {
      await keepDevice(deps, person, device);
      notifier.use();
    },
    notifier,
    [Symbol.dispose]: () => poster[Symbol.dispose](),
  };
  return {
    api,
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

export function createPush(platform: Platform) {
  const { api, hooks } = openPush(platform);
  return { api, hooks, routes: [...pushChatRoutes(api)] };
}
