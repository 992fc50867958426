import { CHAT } from '#contract/api/chat.ts';
import type { FoundMessages, SearchMessages } from '#contract/chat/search.ts';
import { foldText } from '#contract/fold-text.ts';
import { viewPeer } from '#features/accounts/index.ts';
import type { Db } from '#platform/database.ts';
import { invalidArgument } from '#platform/errors.ts';
import { readCursor } from '#platform/http/cursor.ts';
import { serve } from '#platform/http/serve.ts';
import { firstIdAt } from '#platform/ids.ts';
import { readByShard, type Shards, withinShard } from '#platform/partitioning/shards.ts';
import { findOwnConversation } from '../access/own-conversation.ts';
import { selectListed, withoutHidden } from '../access/queries.ts';
import { type MessageBody, openBodyIfReadable } from '../content.ts';
import type { MessageDeps } from '../deps.ts';
import { type MessageRow, messageColumns } from '../queries.ts';
import { complete, viewMessage } from '../view.ts';

/** Per request, so that none takes long. The page continues where the request ended. */
const MOST_LOOKED_AT = 20_000;
const MOST_MS = 300;
/** The first hits are shown as soon as there are some. */
const FIRST_MS = 60;
const MOST_FOUND = 30;
/** For all conversations together, in one statement. */
const STRETCH = 2_000;
const LEAST_OF_ONE = 20;
/** After every id of a message. */
const END = 'msg_~';

interface Criteria {
  words: readonly string[];
  from: string | undefined;
  kind: SearchMessages['kind'];
}

/**
 * Searches what a person may read, newest first, a bounded number at a time. Messages are sealed and their
 * words are not indexed, so each is decrypted and compared.
 *
 * @throws ApiError 400 without criteria, 404, 429
 */
export async function searchMessages(
  deps: MessageDeps,
  accountId: string,
  { words = '', conversationId, from, kind, since, until, before }: SearchMessages,
): Promise<FoundMessages> {
  readCursor('msg', 'before', before, 'not-a-message-id');
  const criteria = { words: wordsOf(words), from, kind };
  if (criteria.words.length === 0 && from === undefined && kind === undefined)
    throw invalidArgument('words', 'required');
  await deps.limits.searches.count(accountId);
  const listed = conversationId
    ? [await findOwnConversation(deps.db, { accountId, conversationId })]
    : await selectListed(deps.db, accountId);
  const oldest = since === undefined ? '' : firstIdAt('msg', Number(since));
  const searched = listed.map(({ bucket, conversationId, hiddenMsgId }) => {
    const after = hiddenMsgId !== null && hiddenMsgId > oldest ? hiddenMsgId : oldest;
    return { bucket, conversationId, after };
  });
  const newest = until === undefined ? END : firstIdAt('msg', Number(until));
  const start = before !== undefined && before < newest ? before : newest;
  const { rows, looked, nextBefore } = await look(deps, searched, criteria, start);
  const seen = await withoutHidden(deps.db, accountId, rows);
  const shown = seen.map((row) => viewMessage(deps.keyring, row));
  const messages = await complete(deps, accountId, shown);
  const people = await deps.accounts.findAll(messages.map(({ from }) => from));
  return { messages, people: people.map(viewPeer), looked, ...(nextBefore && { nextBefore }) };
}

async function look(deps: MessageDeps, searched: readonly Searched[], criteria: Criteria, start: string) {
  const startedAt = performance.now();
  const found: MessageRow[] = [];
  let looked = 0;
  let before: string | undefined = start;
  while (before !== undefined && searched.length > 0) {
    const stretch = await readStretch(deps, searched, before);
    looked += stretch.rows.length;
    for (const [i, row] of stretch.rows.entries()) {
      if (!matches(deps, row, criteria)) continue;
      found.push(row);
      if (found.length === MOST_FOUND && (i + 1 < stretch.rows.length || stretch.before !== undefined))
        return { rows: found, looked, nextBefore: row.msgId };
    }
    before = stretch.before;
    const ms = performance.now() - startedAt;
    if (looked >= MOST_LOOKED_AT || ms > MOST_MS || (found.length > 0 && ms > FIRST_MS)) break;
  }
  return { rows: found, looked, nextBefore: searched.length > 0 ? before : undefined };
}

/**
 * The newest messages before an id, and the id where the next stretch begins. Only a limited number is read
 * from each conversation: messages older than the last one read of any such conversation are left to the next
 * stretch, so that all come in order.
 */
async function readStretch(
  { db, shards }: MessageDeps,
  searched: readonly Searched[],
  before: string,
): Promise<{ rows: MessageRow[]; before: string | undefined }> {
  const limit = Math.max(LEAST_OF_ONE, Math.floor(STRETCH / searched.length));
  const rows = await selectStretch(db, shards, searched, { before, limit });
  let end = '';
  for (const ofOne of Map.groupBy(rows, ({ conversationId }) => conversationId).values()) {
    if (ofOne.length < limit) continue;
    const last = ofOne.reduce((least, { msgId }) => (msgId < least ? msgId : least), END);
    if (last > end) end = last;
  }
  const newest = rows.filter(({ msgId }) => msgId >= end);
  newest.sort((one, other) => (one.msgId < other.msgId ? 1 : -1));
  return { rows: newest, before: end || undefined };
}

const UNSOUGHT = new Set(['deleted', 'notice']);
const MEDIA = new Set(['image', 'gif', 'video']);
/** As the chat shows links; only those to the web. */
const LINK = /https?:\/\/[^\s<>"]|(?<![\w.@/-])www\.\w/i;

function matches({ keyring }: MessageDeps, row: MessageRow, { words, from, kind }: Criteria): boolean {
  if (UNSOUGHT.has(row.type)) return false;
  if (from !== undefined && row.senderId !== from) return false;
  const wantsLink = kind === 'link';
  if (kind === 'media' ? !MEDIA.has(row.type) : kind !== undefined && !wantsLink && row.type !== kind)
    return false;
  if (words.length === 0 && !wantsLink) return true;
  const body = openBodyIfReadable(keyring, row);
  return body !== undefined && (!wantsLink || LINK.test(textOf(body))) && holds(body, words);
}

/** The words of a search, normalised for comparison. */
export function wordsOf(text: string): string[] {
  return [...new Set(foldText(text).split(/\s+/u).filter(Boolean))];
}

/** Whether a message contains all of the words, anywhere. */
export function holds(body: MessageBody, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const text = foldText(textOf(body));
  return words.every((word) => text.includes(word));
}

function textOf({ content = '', caption = '', poll, location }: MessageBody): string {
  const parts = [content, caption];
  if (poll) parts.push(poll.question, ...poll.options.map((option) => option.text));
  if (location) parts.push(location.name ?? '', location.address ?? '');
  return parts.join('\n');
}

/** A conversation that is searched: its messages after one id. */
interface Searched {
  bucket: number;
  conversationId: string;
  after: string;
}

/** The newest messages of each conversation before an id, at most `limit` of each, in no order. */
function selectStretch(
  db: Db,
  shards: Shards,
  searched: readonly Searched[],
  { before, limit }: { before: string; limit: number },
): Promise<MessageRow[]> {
  return readByShard(
    shards,
    searched,
    async (asked) => db<MessageRow[]>`
      select found.*
      from unnest(${asked.map((one) => one.bucket)}::integer[], ${asked.map((one) => one.conversationId)}::text[],
        ${asked.map((one) => one.after)}::text[]) as asked (bucket, conversation_id, after)
      cross join lateral (
        select ${messageColumns(db)} from messages
        where bucket = asked.bucket and conversation_id = asked.conversation_id
          and msg_id > asked.after collate "C" and msg_id < ${before} ${withinShard(db, shards, asked)}
        order by msg_id desc
        limit ${db.constant(limit)}
      ) found`,
  );
}

/** People search what was written in their conversations. */
export function searchChatRoutes(deps: MessageDeps) {
  return serve(CHAT, {
    'GET /search': ({ person, query }) => searchMessages(deps, person.accountId, query),
  });
}
