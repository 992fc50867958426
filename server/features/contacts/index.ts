import { CHAT } from '#contract/api/chat.ts';
import type { Peer } from '#contract/chat.ts';
import { type Account, type Accounts, viewPeer } from '#features/accounts/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { invalidArgument, notFound } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { bucketOf, privateConversationId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { withDeps } from '#platform/with-deps.ts';
import {
  type ContactKey,
  deleteContacts,
  findContacts,
  insertWrote,
  keepContacts,
  lockContacts,
  selectBlocked,
  selectParticipants,
  setBlocked,
} from './queries.ts';

export { type ContactRow as Contact, importContacts, insertWrote } from './queries.ts';

/** Whether one account wrote to another, and whether it blocks it. */
export type Contacts = ReturnType<typeof createContacts>['api'];

export function createContacts(deps: ContactDeps) {
  return {
    api: {
      find: (sides: ContactKey[], at: Db = deps.db) => findContacts(at, sides, deps.shards),
      findParticipants: selectParticipants,
      lock: lockContacts,
      keep: keepContacts,
      addWritten: insertWrote,
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

/** A feature that is told of blocks. */
export interface ContactHook {
  /** Called in the transaction of the change; the function that it returns is called after the commit. */
  blocked(
    tx: Tx,
    block: { bucket: number; accountId: string; peer: Account; isBlocked: boolean; at: number },
  ): Promise<() => void>;
}

type ContactDeps = Platform & { accounts: Accounts; hooks: readonly ContactHook[] };

/** The side of `accountId` in its private conversation with `peerId`. */
export function contactKey(accountId: string, peerId: string): ContactKey {
  const conversationId = privateConversationId(accountId, peerId);
  return { bucket: bucketOf(conversationId), conversationId, accountId };
}

/** A person blocks (or no longer blocks) a bot or another person. Groups that both are in are not affected. */
async function changeBlock(
  { db, clock, live, accounts, hooks }: ContactDeps,
  accountId: string,
  { userId, isBlocked }: { userId: string; isBlocked: boolean },
): Promise<void> {
  if (userId === accountId) throw invalidArgument('userId', 'yourself');
  const peer = await accounts.find(userId);
  // A block outlives the account, and can be ended: the person sees it in their list.
  if (!peer || (isBlocked && peer.deletedAt !== null))
    throw notFound('recipient.unknown', { field: 'userId' });
  const at = clock.now();
  const key = contactKey(accountId, userId);
  const shows = await db.begin(async (tx) => {
    // In the order of the ids, since the two may block each other.
    for (const id of [accountId, userId].sort())
      if (id === accountId) await accounts.lockActor(tx, id);
      // After what the person is writing now, and before what they write next.
      else if (isBlocked && !peer.isBot) await accounts.lock(tx, id);
    if (!(await setBlocked(tx, { ...key, peerId: userId, at: isBlocked ? at : null }))) return [];
    const block = { bucket: key.bucket, accountId, peer, isBlocked, at };
    return Promise.all(hooks.map((hook) => hook.blocked(tx, block)));
  });
  live.publish(accountId, { type: 'block.changed', data: { userId, isBlocked } });
  for (const show of shows) show();
}

/** The accounts that a person blocks, most recent first. */
async function listBlocked({ db, accounts }: ContactDeps, accountId: string): Promise<Peer[]> {
  const blockedIds = await selectBlocked(db, accountId);
  const accountOf = await accounts.findByIds(blockedIds);
  return blockedIds.flatMap((blockedId) => accountOf.get(blockedId) ?? []).map(viewPeer);
}

/** Removes that an account wrote to these others, and whom it blocked. */
async function removeContacts(tx: Tx, accountId: string, peerIds: string[]): Promise<void> {
  const all = new Set([...peerIds, ...(await selectBlocked(tx, accountId))]);
  const sides = Array.from(all, (peerId) => contactKey(accountId, peerId));
  await deleteContacts(tx, sides);
}
