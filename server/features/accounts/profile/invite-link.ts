import { hash } from 'node:crypto';
import type { InviteLink } from '#contract/accounts/profiles.ts';
import type { Peer } from '#contract/chat.ts';
import type { Db, Tx } from '#platform/database.ts';
import { notFound } from '#platform/errors.ts';
import type { AccountDeps } from '../deps.ts';
import { deleteUniqueName, findNameOwner, insertUniqueName, lockAccount, selectAccount } from '../queries.ts';
import { sessionEnded } from '../sessions/session.ts';
import { viewPeer } from '../view.ts';

/** 144 bits: too many to guess. */
const TOKEN_BYTES = 18;
const TOKEN = /^[A-Za-z0-9_-]{24}$/;

/** The person's link; undefined if there is none, or it cannot be read. */
export async function findInviteLink(
  { db, keyring }: AccountDeps,
  accountId: string,
): Promise<InviteLink | undefined> {
  const row = await selectInviteLink(db, accountId);
  const token = row && openToken(keyring, row);
  return row && token !== undefined ? viewLink(token, row.createdAt) : undefined;
}

/** A new link. The previous one no longer works. */
export async function renewInviteLink(
  { db, clock, random, keyring, live }: AccountDeps,
  accountId: string,
): Promise<InviteLink> {
  const token = random.bytes(TOKEN_BYTES).toString('base64url');
  const createdAt = clock.now();
  const sealed = keyring.seal(contextOf(accountId), Buffer.from(token));
  await db.begin(async (tx) => {
    if (!(await lockAccount(tx, accountId))) throw sessionEnded();
    await freeName(tx, keyring, await selectInviteLink(tx, accountId));
    await insertUniqueName(tx, nameOf(token, accountId));
    const row = { accountId, token: sealed.ciphertext, tokenKeyId: sealed.keyId, createdAt };
    await tx`
      insert into invite_links ${tx(row)}
      on conflict (account_id) do update
      set token = excluded.token, token_key_id = excluded.token_key_id, created_at = excluded.created_at`;
  });
  live.publish(accountId, { type: 'profile.changed', data: {} });
  return viewLink(token, createdAt);
}

/** The person can no longer be found by the link; existing conversations stay. */
export async function removeInviteLink({ db, keyring, live }: AccountDeps, accountId: string): Promise<void> {
  await db.begin(async (tx) => {
    await lockAccount(tx, accountId);
    await deleteInviteLinkOf(tx, keyring, accountId);
  });
  live.publish(accountId, { type: 'profile.changed', data: {} });
}

/** The same, in a transaction that holds the account. */
export async function deleteInviteLinkOf(
  tx: Tx,
  keyring: AccountDeps['keyring'],
  accountId: string,
): Promise<void> {
  const [row] = await tx<InviteRow[]>`
    delete from invite_links where account_id = ${accountId}
    returning account_id, token, token_key_id, created_at`;
  await freeName(tx, keyring, row);
}

/**
 * The name of an unreadable link stays, but it no longer works, because it is not the owner's current link.
 */
async function freeName(tx: Tx, keyring: AccountDeps['keyring'], row: InviteRow | undefined): Promise<void> {
  const token = row && openToken(keyring, row);
  if (row && token !== undefined) await deleteUniqueName(tx, nameOf(token, row.accountId));
}

/** Whose link this is. @throws ApiError 404 */
export async function resolveInvite({ db, keyring }: AccountDeps, token: string): Promise<Peer> {
  const ownerId = TOKEN.test(token) ? await findNameOwner(db, nameOf(token, '')) : undefined;
  const row = ownerId === undefined ? undefined : await selectInviteLink(db, ownerId);
  const isCurrent = row !== undefined && openToken(keyring, row) === token;
  const account = isCurrent ? await selectAccount(db, row.accountId) : undefined;
  if (!account || account.deletedAt !== null) throw notFound('account.link-gone');
  return viewPeer(account);
}

/** Links are looked up by a fingerprint, so that the table alone reveals none. */
function nameOf(token: string, ownerId: string) {
  return { value: hash('sha256', token, 'base64url'), kind: 'invite', ownerId } as const;
}

function openToken(keyring: AccountDeps['keyring'], { accountId, token, tokenKeyId }: InviteRow) {
  const sealed = { keyId: tokenKeyId, ciphertext: token };
  return keyring.openIfReadable(contextOf(accountId), sealed)?.toString();
}

function contextOf(accountId: string) {
  return { table: 'invite_links', rowId: accountId };
}

function viewLink(token: string, createdAt: number): InviteLink {
  return { token, path: `/i/${token}`, createdAt };
}

interface InviteRow {
  accountId: string;
  token: Buffer;
  tokenKeyId: number;
  createdAt: number;
}

async function selectInviteLink(db: Db, accountId: string): Promise<InviteRow | undefined> {
  const [row] = await db<InviteRow[]>`
    select account_id, token, token_key_id, created_at from invite_links where account_id = ${accountId}`;
  return row;
}
