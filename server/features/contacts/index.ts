import { CHAT } from '#contract/api/chat.ts';
import type { Db } from '#platform/database.ts';
import { serve } from '#platform/http/serve.ts';
import { withDeps } from '#platform/with-deps.ts';
import { type ContactKey, findContacts, insertWrote, lockContacts, selectParticipants } from './queries.ts';
import { type ContactDeps, changeBlock, listBlocked, removeContacts } from './service.ts';

export type { ContactRow as Contact } from './queries.ts';
export { contactKey } from './service.ts';

/** Whether one account wrote to another, and whether it blocks it. */
export type Contacts = ReturnType<typeof createContacts>['api'];

export function createContacts(deps: ContactDeps) {
  return {
    api: {
      /** The given sides of private conversations; several at once, for sends in a batch. */
      find: (sides: ContactKey[], at: Db = deps.db) => findContacts(at, sides),
      /** Both accounts of a private conversation in which somebody has written. */
      findParticipants: selectParticipants,
      lock: lockContacts,
      /** Records that sides wrote to the others; only the first time counts. */
      addWritten: insertWrote,
      /** Removes that an account wrote to these others or blocked them. */
      remove: removeContacts,
      ...withDeps(deps, { changeBlock }),
    },
    routes: [
      serve(CHAT, {
        'GET /blocks': ({ person }) => listBlocked(deps, person.accountId),
        'POST /blocks': async ({ person, body: { userId } }) => {
          await changeBlock(deps, person.accountId, { userId, isBlocked: true });
          return { isBlocked: true };
        },
        'DELETE /blocks': async ({ person, body: { userId } }) => {
          await changeBlock(deps, person.accountId, { userId, isBlocked: false });
          return { isBlocked: false };
        },
      }),
    ],
    hooks: {},
  };
}
