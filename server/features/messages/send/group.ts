import type { Peer } from '#contract/chat.ts';
import type { Actor } from '#features/applications/index.ts';
import {
  type Groups,
  groupKey,
  groupNotFound,
  refuseMentions,
  refuseToPost,
} from '#features/groups/index.ts';
import { Batcher } from '#platform/batch.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Reserved } from '#platform/http/serve.ts';
import { submitById } from '#platform/partitioning/shards.ts';
import { insertMentions } from '../access/mention-queries.ts';
import type { OwnMessage } from '../access/own-conversation.ts';
import { moveReadMarkers } from '../access/read-markers.ts';
import type { Draft, NewMessage } from '../content.ts';
import type { WriteDeps } from '../deps.ts';
import { insertPermittedInGroups } from '../insert-queries.ts';
import { withoutQuietBots } from '../quiet-bots.ts';
import { quoteNotFound } from '../rules.ts';
import { findMissingQuotes, findStored, isQuotePossible, type SendPermission, sendBatch } from './batch.ts';
import type { Sending } from './private.ts';

interface GroupDraft extends Draft {
  groupId: string;
}

/** Who writes: a person on a page is read with their name. */
type GroupSender = Pick<Actor, 'kind' | 'accountId' | 'cachedKey'> & { peer?: Peer | undefined };

/**
 * Sends of bots and people into groups and broadcast lists (contract §4). One row and one publication, however
 * many are in the group: its members are never read, except for the sender, those mentioned, and the bots.
 * Concurrent sends are checked and stored by one statement, and their events by another in its transaction.
 *
 * @returns the message, or undefined if an earlier request with its Idempotency-Key stored it
 */
export function createGroupSender(deps: WriteDeps) {
  const permission = groupPermission(deps);
  const mark = createMarker(deps);
  // With events a batch needs several round trips to the database.
  const batcher = new Batcher<GroupDraft, NewMessage | undefined>(
    (drafts) => sendBatch(deps, permission, drafts),
    { runsAtOnce: 2 },
  );
  const sendAlone = async (draft: GroupDraft): Promise<NewMessage | undefined> => {
    const [answer] = await sendBatch(deps, permission, [draft]);
    if (answer instanceof Error) throw answer;
    return answer;
  };
  return async (
    { kind, accountId, cachedKey, peer: sender }: GroupSender,
    { to: groupId, content, extraWrites, isAlone = false }: Omit<Sending, 'field'>,
    { id: msgId, isResumed }: Reserved,
  ): Promise<NewMessage | undefined> => {
    const key = groupKey(groupId);
    if (!key) throw groupNotFound(groupId);
    const draft: GroupDraft = {
      kind: 'group',
      ...key,
      conversationId: groupId,
      msgId,
      senderId: accountId,
      sender,
      content,
      cachedKey,
      topics: [groupId],
      receivers: [],
      extraWrites,
    };
    if (kind === 'user') await deps.accounts.limits.messages.count(accountId);
    const isStored = isResumed && (await findStored(deps.db, [draft])).size > 0;
    const send = () => (isAlone ? sendAlone(draft) : batcher.submit(draft, deps.shards.of(key.bucket)));
    const message = isStored ? undefined : await send();
    if (kind === 'user') await mark({ accountId, conversationId: groupId, msgId });
    return message;
  };
}

/**
 * Writing into a group counts as having read everything in it. Concurrent writers are marked together. The message is stored:
 * what fails here is not its error.
 */
function createMarker({ db, log, shards }: WriteDeps) {
  const marks = new Batcher<OwnMessage, void>(async (read) => {
    await moveReadMarkers(db, shards, read);
    return read.map(() => undefined);
  });
  return (written: OwnMessage) =>
    submitById(shards, marks, written, { table: 'accounts', id: written.accountId }).catch((err) =>
      log.warn({ err, ...written }, 'a group stays unread for the sender of a message'),
    );
}

/** Whether somebody may write in a group, in SQL and as a rule; a property test checks that the two agree. */
export function groupPermission({ applications, groups, shards }: WriteDeps): SendPermission<GroupDraft> {
  return {
    prepare: async (drafts, db) => withoutQuietBots(applications, await prepareBatch(groups, drafts, db), db),
    insert: (tx, rows, recording) => insertPermittedInGroups(tx, rows, shards, recording),
    keep: async (tx, drafts) => shards.isDistributed || drafts.length === 0 || groups.keep(tx, drafts),
    refuse: (drafts, db) => refuseBatch(groups, drafts, db),
  };
}

/** The bots of a group get an event of each message except their own (decisions: Webhooks), unless they are quiet there. */
async function prepareBatch(groups: Groups, drafts: GroupDraft[], db: Db): Promise<GroupDraft[]> {
  const distinct = new Map(drafts.map((draft) => [draft.groupId, draft]));
  const [bots, members] = await Promise.all([
    groups.findReceiverBots([...distinct.values()], db),
    groups.findMembers(mentionsIn(drafts), db),
  ]);
  const botsOf = Map.groupBy(bots, ({ groupId }) => groupId);
  const known = new Map(members.map((member) => [member.groupId + member.accountId, member]));
  const isPerson = (groupId: string, id: string) => known.get(groupId + id)?.botAppId === null;
  return drafts
    .filter(
      (draft) => isQuotePossible(draft) && mentionedIn(draft).every((id) => known.has(draft.groupId + id)),
    )
    .map((draft) => ({
      ...draft,
      receivers: botsOf.get(draft.groupId)?.filter(({ accountId }) => accountId !== draft.senderId) ?? [],
      extraWrites: notingMentions(
        groups,
        draft,
        mentionedIn(draft).filter((id) => id !== draft.senderId && isPerson(draft.groupId, id)),
      ),
    }));
}

/** Commits the unread mentions of these people with the message, unless they have left by then. */
function notingMentions(groups: Groups, draft: GroupDraft, mentioned: string[]) {
  const { conversationId, msgId, extraWrites } = draft;
  if (mentioned.length === 0) return extraWrites;
  return async (tx: Tx, message: NewMessage) => {
    const keys = mentioned.map((accountId) => ({ ...draft, accountId }));
    const present = await groups.findMembers(keys, tx);
    const mentions = present.map(({ accountId }) => ({ accountId, conversationId, msgId }));
    await insertMentions(tx, mentions);
    await extraWrites?.(tx, message);
  };
}

/** In the order of checks of the decisions page. */
async function refuseBatch(groups: Groups, drafts: GroupDraft[], db: Db): Promise<(Error | undefined)[]> {
  const senders = drafts.map((draft) => ({ ...draft, accountId: draft.senderId }));
  const [found, members, isQuoteMissing] = await Promise.all([
    groups.find(drafts, db),
    groups.findMembers([...senders, ...mentionsIn(drafts)], db),
    findMissingQuotes(db, drafts),
  ]);
  const groupOf = new Map(found.map((group) => [group.groupId, group]));
  const memberOf = new Map(members.map((member) => [member.groupId + member.accountId, member]));
  return drafts.map((draft) => {
    const { groupId, senderId } = draft;
    const group = groupOf.get(groupId);
    if (!group) return groupNotFound(groupId);
    return (
      refuseToPost(group, memberOf.get(groupId + senderId)) ??
      (isQuoteMissing(draft) ? quoteNotFound() : undefined) ??
      refuseMentions(mentionedIn(draft), (accountId) => memberOf.has(groupId + accountId))
    );
  });
}

function mentionsIn(drafts: GroupDraft[]) {
  return drafts.flatMap((draft) => mentionedIn(draft).map((accountId) => ({ ...draft, accountId })));
}

function mentionedIn({ content }: Draft): string[] {
  return content.body.mentionedUserIds ?? [];
}
