import type { Accounts } from '#features/accounts/index.ts';
import type { Db } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import { contactChatRoutes } from './chat.ts';
import { type ContactKey, findContacts, lockContacts, selectParticipants } from './queries.ts';
import { changeBlock, listBlocked, noteWrote, removeContacts } from './service.ts';

export type { ContactRow as Contact } from './queries.ts';
export { contactKey } from './service.ts';

/** Whether one account wrote to another, and whether it blocks it. */
export type Contacts = ReturnType<typeof openContacts>['api'];

function openContacts(platform: Platform, features: { accounts: Accounts }) {
  const deps = { ...platform, ...features };
  const api = {
    /** The given sides of private conversations; several at once, for sends in a batch. */
    find: (sides: ContactKey[], at: Db = platform.db) => findContacts(at, sides),
    /** Both accounts of a private conversation in which somebody has written. */
    findParticipants: selectParticipants,
    lock: lockContacts,
    /** Records that one side wrote to the other; only the first time counts. */
    noteWrote,
    /** Removes that an account wrote to these others or blocked them. */
    remove: removeContacts,
    ...withDeps(deps, { changeBlock, listBlocked }),
  };
  return { api, hooks: {} };
}

export function createContacts(platform: Platform, features: Parameters<typeof openContacts>[1]) {
  const { api, hooks } = openContacts(platform, features);
  return { api, hooks, routes: [...contactChatRoutes(api)] };
}
