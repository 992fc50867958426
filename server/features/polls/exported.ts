import { IMPORTED_AT_ONCE, inChunks } from '#platform/database/chunks.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { type PollKey, type PollRow, selectPolls, selectVotes } from './queries.ts';
import { voterInStore, voterSecretContext } from './rules.ts';

/** The votes of a poll, in plain text. */
export interface ExportedPoll extends Pick<PollRow, 'optionVotes' | 'totalVoters'> {
  receiverId?: string | undefined;
  closedAt?: number | undefined;
  /** Of an open anonymous poll, in base64: it tells whether somebody has voted. */
  voterSecret?: string | undefined;
  votes: { voter: string; optionId: string }[];
}

export async function exportPolls(
  { db, keyring }: { db: Db; keyring: Platform['keyring'] },
  keys: PollKey[],
): Promise<Map<string, ExportedPoll>> {
  const polls = await selectPolls(db, keys);
  const votes = Map.groupBy(await selectVotes(db, keys), ({ msgId }) => msgId);
  return new Map(
    polls.map(({ msgId, receiverId, closedAt, voterSecret, voterSecretKeyId: keyId, ...poll }) => {
      const secret =
        voterSecret && keyId !== null
          ? keyring.openIfReadable(voterSecretContext(msgId), { keyId, ciphertext: voterSecret })
          : undefined;
      return [
        msgId,
        {
          ...(receiverId !== null && { receiverId }),
          ...(secret && { voterSecret: secret.toString('base64') }),
          optionVotes: poll.optionVotes,
          totalVoters: poll.totalVoters,
          ...(closedAt !== null && { closedAt }),
          votes: (votes.get(msgId) ?? []).map(({ voter, optionId }) => ({ voter, optionId })),
        },
      ];
    }),
  );
}

/**
 * Stores the votes of polls whose messages have just been stored.
 *
 * @param accountHere the accounts that have another id here, by the one there
 */
export async function importPolls(
  tx: Tx,
  { keyring }: Pick<Platform, 'keyring'>,
  polls: readonly (ExportedPoll & PollKey & { conversationId: string })[],
  accountHere: ReadonlyMap<string, string>,
): Promise<void> {
  const rows = polls.map(({ votes: _, receiverId = null, closedAt = null, voterSecret, ...poll }) => {
    const sealed =
      voterSecret === undefined
        ? undefined
        : keyring.seal(voterSecretContext(poll.msgId), Buffer.from(voterSecret, 'base64'));
    return {
      ...poll,
      receiverId,
      closedAt,
      voterSecret: sealed?.ciphertext ?? null,
      voterSecretKeyId: sealed?.keyId ?? null,
    };
  });
  const names = rows.map(({ msgId, conversationId }) => ({
    value: msgId,
    kind: 'poll',
    ownerId: conversationId,
  }));
  for (const part of inChunks(names, IMPORTED_AT_ONCE))
    await tx`insert into unique_names ${tx(part)} on conflict (value, kind) do nothing`;
  for (const part of inChunks(rows, IMPORTED_AT_ONCE))
    await tx`
      insert into polls ${tx(part, 'bucket', 'msgId', 'conversationId', 'receiverId', 'voterSecret', 'voterSecretKeyId', 'optionVotes', 'totalVoters', 'closedAt')}`;
  const votes = polls.flatMap(({ bucket, msgId, votes: cast, voterSecret }) => {
    const voterHere = pseudonymsOf(accountHere, voterSecret);
    return cast.map(({ voter, optionId }) => ({
      bucket,
      msgId,
      voter: voterHere.get(voter) ?? voter,
      optionId,
    }));
  });
  for (const part of inChunks(votes, IMPORTED_AT_ONCE))
    await tx`insert into poll_votes ${tx(part, 'bucket', 'msgId', 'voter', 'optionId')}`;
}

/** The voters of an anonymous poll whose accounts have other ids here. */
function pseudonymsOf(
  accountHere: ReadonlyMap<string, string>,
  voterSecret: string | undefined,
): ReadonlyMap<string, string> {
  if (voterSecret === undefined) return new Map();
  const secret = Buffer.from(voterSecret, 'base64');
  return new Map(
    [...accountHere].map(([there, here]) => [voterInStore(there, secret), voterInStore(here, secret)]),
  );
}
