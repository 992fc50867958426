import { Type } from 'typebox';
import {
  ChangeNotificationSettings,
  NotificationSettings,
  Notifications,
  PushDevice,
} from '#contract/chat/push.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Push } from './index.ts';

const Done = Type.Object({});

/** Notifications for a person while no page of the chat is open. */
export function pushChatRoutes(chat: ChatRoutes, push: Push): void {
  chat.get('/notifications', { reply: Notifications, message: 'how you are notified' }, ({ person }) =>
    push.showNotifications(person.accountId),
  );

  chat.patch(
    '/notifications',
    { body: ChangeNotificationSettings, reply: NotificationSettings, message: 'notifications changed' },
    ({ person, body }) => push.changeSettings(person.accountId, body),
  );

  chat.put(
    '/notifications/device',
    { body: PushDevice, reply: Done, message: 'this browser is notified' },
    async ({ person, body }) => {
      await push.keepDevice(person, body);
      return {};
    },
  );

  chat.delete('/notifications/device', { reply: Done, message: 'no longer notified' }, async ({ person }) => {
    await push.removeDevice(person);
    return {};
  });
}
