import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { Push } from './index.ts';

/** Notifications for a person while no page of the chat is open. */
export function pushChatRoutes(push: Push) {
  return [
    serve(CHAT, {
      'GET /notifications': ({ person }) => push.showNotifications(person.accountId),
      'PATCH /notifications': ({ person, body }) => push.changeSettings(person.accountId, body),
      'PUT /notifications/device': async ({ person, body }) => {
        await push.keepDevice(person, body);
        return {};
      },
      'DELETE /notifications/device': async ({ person }) => {
        await push.removeDevice(person);
        return {};
      },
    }),
  ];
}
