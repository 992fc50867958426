import { withoutDeleted } from '#features/accounts/index.ts';
import { findDeletedGroups } from '#features/groups/index.ts';
import {
  dropMissingQuotes,
  findImported,
  type ImportedMessage,
  importMessages,
  importPins,
} from '#features/messages/index.ts';
import { importPolls } from '#features/polls/index.ts';
import { hasStory, importStory } from '#features/stories/index.ts';
import { bucketOf } from '#platform/ids.ts';
import { readByShard } from '#platform/partitioning/shards.ts';
import type { BringDeps, Read } from './deps.ts';
import { checkAddresses, keepFiles, recordUses } from './files.ts';
import type { Message } from './format.ts';

interface Draft extends ImportedMessage {
  read: Read<'message'>;
  line: Message;
}

/** Stores messages that are new, with everything that belongs to them. Those that are here stay as they are. */
export async function bringMessages(deps: BringDeps, messages: readonly Read<'message'>[]): Promise<void> {
  const { db, report, isDry, ids } = deps;
  const all = messages.map((read) => toDraft(deps, read));
  const closed = await findClosed(deps, all);
  const drafts = all.filter(({ conversationId }) => !closed.has(conversationId));
  report.count('messages of conversations deleted here', all.length - drafts.length);
  const here = await findImported(deps, drafts);
  // Clocks differ: what quotes a message of a later id comes after it.
  const fresh = drafts
    .filter(({ msgId }) => !here.has(msgId))
    .toSorted((one, other) => Number(quotesLater(one)) - Number(quotesLater(other)));
  report.count('messages that are here', drafts.length - fresh.length);
  for (const { read } of fresh) await keepFiles(deps, read.line.files, read.where);
  report.count('messages', fresh.length);
  if (isDry || fresh.length === 0) return;
  report.count('quotes of missing messages', await dropMissingQuotes(deps, fresh));
  await db.begin(async (tx) => {
    const stored = await importMessages(tx, deps, fresh);
    const written = fresh.filter(({ msgId }) => stored.has(msgId));
    const pins = written.flatMap(({ line, ...key }) => (line.pinned ? { ...key, ...line.pinned } : []));
    await importPins(tx, deps, pins);
    const polls = written.flatMap(({ line, bucket, msgId, conversationId }) =>
      line.poll ? { ...line.poll, bucket, msgId, conversationId } : [],
    );
    await importPolls(tx, deps, polls, ids.accounts);
    for (const { line, msgId } of written)
      await recordUses(tx, deps, [line.body.fileUrl, line.body.thumbnailUrl], msgId);
  });
}

function toDraft({ ids }: BringDeps, read: Read<'message'>): Draft {
  const { where } = read;
  const line = ids.translate(read.line);
  const { conversationId, msgId, senderId, sentAt, type, body, replyToMsgId, reactions = [] } = line;
  const { fileUrl, thumbnailUrl, quickReplies } = body;
  const links = quickReplies?.buttons.map(({ url }) => url) ?? [];
  checkAddresses(where, [fileUrl, thumbnailUrl, ...links]);
  return {
    ...{ bucket: bucketOf(conversationId), conversationId, msgId, senderId, sentAt, reactions },
    content: { type, body, replyToMsgId },
    ...{ read, line },
  };
}

function quotesLater({ msgId, content: { replyToMsgId } }: Draft): boolean {
  return replyToMsgId !== undefined && replyToMsgId > msgId;
}

async function findClosed(
  { db, shards, ids }: BringDeps,
  drafts: readonly Draft[],
): Promise<ReadonlySet<string>> {
  const groupIds = new Set(
    drafts.flatMap(({ line, conversationId }) => (isGroup(line) ? conversationId : [])),
  );
  const groups = [...groupIds].map((groupId) => ({ groupId, bucket: bucketOf(groupId) }));
  if (groups.length === 0) return ids.closed;
  const deleted = await readByShard(shards, groups, (asked) => findDeletedGroups(db, asked));
  return new Set([...ids.closed, ...deleted]);
}

function isGroup({ conversationId }: Message): boolean {
  return conversationId.startsWith('grp_');
}

/** Stores the stories of people who have none here. */
export async function bringStories(deps: BringDeps, stories: readonly Read<'story'>[]): Promise<void> {
  const { db, ids, report, isDry } = deps;
  for (const { line, where } of stories) {
    const { kind: _, files, ...story } = ids.translate(line);
    if (ids.deleted.has(story.accountId)) continue;
    const urls = story.elements.map(({ elementId, body }) => ({
      elementId,
      urls: [body.imageUrl, body.videoUrl, body.thumbnailUrl],
    }));
    for (const one of urls) checkAddresses(where, one.urls);
    await keepFiles(deps, files, where);
    const isNew = isDry
      ? !(await hasStory(db, story.accountId))
      : await db.begin(async (tx) => {
          const [living] = await withoutDeleted(tx, [story]);
          if (!living || !(await importStory(tx, deps, living))) return false;
          for (const one of urls) await recordUses(tx, deps, one.urls, one.elementId);
          return true;
        });
    report.count(isNew ? 'stories' : 'stories that are here');
  }
}
