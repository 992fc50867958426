import { Type } from 'typebox';
import { Peer } from '#contract/chat.ts';
import { UserId } from '#contract/ids.ts';
import type { ChatRoutes } from '#features/accounts/index.ts';
import type { Contacts } from './index.ts';

const Target = Type.Object({ userId: UserId });
const BlockState = Type.Object({ isBlocked: Type.Boolean() });

/** The accounts that a person blocks. */
export function contactChatRoutes(chat: ChatRoutes, contacts: Contacts): void {
  chat.get('/blocks', { reply: Type.Array(Peer), message: 'whom you block' }, ({ person }) =>
    contacts.listBlocked(person.accountId),
  );

  chat.post(
    '/blocks',
    { body: Target, reply: BlockState, message: 'blocked' },
    async ({ person, body: { userId } }) => {
      await contacts.changeBlock(person.accountId, { userId, isBlocked: true });
      return { isBlocked: true };
    },
  );

  chat.delete(
    '/blocks',
    { body: Target, reply: BlockState, message: 'unblocked' },
    async ({ person, body: { userId } }) => {
      await contacts.changeBlock(person.accountId, { userId, isBlocked: false });
      return { isBlocked: false };
    },
  );
}
