import type { Actor } from '#features/applications/index.ts';
import { contactKey } from '#features/contacts/index.ts';
import { Batcher } from '#platform/batch.ts';
import type { Db } from '#platform/database.ts';
import type { Reserved } from '#platform/http/serve.ts';
import type { Draft, ExtraWrites, MessageContent, NewMessage } from '../content.ts';
import type { WriteDeps } from '../deps.ts';
import { insertPermitted } from '../insert-queries.ts';
import { type Recipient, refuseFromBot, refuseGroupId } from '../rules.ts';
import { findMissingQuotes, findStored, isQuotePossible, type SendPermission, sendBatch } from './batch.ts';

/** A message to a person, a bot or a group, whatever its kind. */
export interface Sending {
  to: string;
  /** The field of the request that names the recipient. */
  field: string;
  content: MessageContent;
  extraWrites?: ExtraWrites | undefined;
  /** The further writes may refuse the message: it shares no transaction with others. */
  isAlone?: boolean;
}

interface PrivateDraft extends Draft {
  recipientId: string;
  field: string;
}

/**
 * Sends of bots to people (contract §4, `POST /v1/messages`). Concurrent sends are checked and stored by one
 * statement; only those that it refuses are examined.
 *
 * @returns the message, or undefined if an earlier request with its Idempotency-Key stored it
 */
export function createPrivateSender(deps: WriteDeps) {
  const permission = privatePermission(deps);
  const batcher = new Batcher<PrivateDraft, NewMessage | undefined>(
    (drafts) => sendBatch(deps, permission, drafts),
    { runsAtOnce: 2 },
  );
  return async (
    { accountId: senderId, cachedKey }: Pick<Actor, 'accountId' | 'cachedKey'>,
    { to, field, content, extraWrites }: Sending,
    { id: msgId, isResumed }: Reserved,
  ): Promise<NewMessage | undefined> => {
    refuseGroupId(to, field);
    const { bucket, conversationId } = contactKey(to, senderId);
    const key = { bucket, conversationId, msgId };
    if (isResumed && (await findStored(deps.db, [key])).size > 0) return undefined;
    const draft: PrivateDraft = {
      kind: 'private',
      ...key,
      senderId,
      recipientId: to,
      field,
      content,
      cachedKey,
      topics: [to],
      receivers: [],
      extraWrites,
    };
    return batcher.submit(draft, deps.shards.of(bucket));
  };
}

/** Whether a bot may write to a person, in SQL and as a rule; a property test checks that the two agree. */
export function privatePermission(deps: WriteDeps): SendPermission<PrivateDraft> {
  return {
    prepare: async (drafts) => drafts.filter(isQuotePossible),
    insert: (tx, rows, recording) => insertPermitted(tx, rows, deps.shards, recording),
    async keep(tx, drafts) {
      // On Citus, a change between check and insert counts as later than both.
      if (deps.shards.isDistributed) return;
      await deps.contacts.keep(tx, drafts.map(sideOf));
    },
    refuse: (drafts, db) => refuseBatch(deps, drafts, db),
  };
}

function sideOf({ bucket, conversationId, recipientId }: PrivateDraft) {
  return { bucket, conversationId, accountId: recipientId };
}

async function refuseBatch(
  { accounts, contacts }: WriteDeps,
  drafts: PrivateDraft[],
  db: Db,
): Promise<(Error | undefined)[]> {
  const [sides, isQuoteMissing] = await Promise.all([
    contacts.find(drafts.map(sideOf), db),
    findMissingQuotes(db, drafts),
  ]);
  const contactOf = new Map(sides.map((side) => [side.conversationId + side.accountId, side]));
  const found = drafts.map((draft) => ({
    draft,
    contact: contactOf.get(draft.conversationId + draft.recipientId),
  }));
  // An account that wrote to the bot must be a person's.
  const strangerIds = found.flatMap(({ draft, contact }) =>
    contact?.wroteAt == null ? draft.recipientId : [],
  );
  const strangers = await accounts.findAll(strangerIds, db);
  const recipientOf = new Map<string, Recipient>(
    strangers.map(({ accountId, isBot, deletedAt }) => [accountId, { exists: deletedAt === null, isBot }]),
  );
  return found.map(({ draft, contact }) => {
    const known = { exists: contact?.wroteAt != null, isBot: false };
    const recipient = recipientOf.get(draft.recipientId) ?? known;
    return refuseFromBot(recipient, contact, isQuoteMissing(draft), draft.field);
  });
}
