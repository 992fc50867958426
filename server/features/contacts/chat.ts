import { CHAT } from '#contract/api/chat.ts';
import { serve } from '#platform/http/serve.ts';
import type { Contacts } from './index.ts';

/** The accounts that a person blocks. */
export function contactChatRoutes(contacts: Contacts) {
  return [
    serve(CHAT, {
      'GET /blocks': ({ person }) => contacts.listBlocked(person.accountId),
      'POST /blocks': async ({ person, body: { userId } }) => {
        await contacts.changeBlock(person.accountId, { userId, isBlocked: true });
        return { isBlocked: true };
      },
      'DELETE /blocks': async ({ person, body: { userId } }) => {
        await contacts.changeBlock(person.accountId, { userId, isBlocked: false });
        return { isBlocked: false };
      },
    }),
  ];
}
