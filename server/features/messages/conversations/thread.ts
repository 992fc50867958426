import type { ChatMessage, MessagePage, ReadMessages } from '#contract/chat.ts';
import type { Reactions } from '#contract/reactions.ts';
import { viewPeer } from '#features/accounts/index.ts';
import { invalidArgument } from '#platform/errors.ts';
import { readCursor } from '#platform/http/cursor.ts';
import { bucketOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { findOwnConversation } from '../access/own-conversation.ts';
import { withoutHidden } from '../access/queries.ts';
import type { NewMessage } from '../content.ts';
import type { MessageDeps } from '../deps.ts';
import { findMessage, findNewer, findOlder, type MessageRow, type ReadConversation } from '../queries.ts';
import { withReactions } from '../reactions.ts';
import { complete, viewMessage, viewNewMessage, withQuotes } from '../view.ts';

const PAGE_SIZE = 50;
const NAMED_REACTIONS = 20;

/** A page of rows, newest first, and whether there are more on either side. */
interface RowPage {
  rows: MessageRow[];
  hasOlder: boolean;
  hasNewer: boolean;
}

/**
 * Messages of one of a person's conversations, newest first, with the people they mention or quote.
 *
 * @throws ApiError 400 for two directions at once, 404
 */
export async function readThread(
  deps: MessageDeps,
  accountId: string,
  asked: ReadMessages & { conversationId: string },
): Promise<MessagePage> {
  const { conversationId, ...position } = asked;
  const { bucket, hiddenMsgId } = await findOwnConversation(deps.db, { accountId, conversationId });
  const conversation = { bucket, conversationId, hiddenMsgId: hiddenMsgId ?? '' };
  const { rows, hasOlder, hasNewer } = await readRows(deps, conversation, position);
  const [newest, oldest] = [rows[0], rows.at(-1)];
  const seen = await withoutHidden(deps.db, accountId, rows);
  if (seen.length === 0 && newest && oldest) {
    // Clients continue from the messages they are shown.
    const { after } = position;
    if (after !== undefined && hasNewer)
      return readThread(deps, accountId, { conversationId, after: newest.msgId });
    if (after === undefined && hasOlder)
      return readThread(deps, accountId, { conversationId, before: oldest.msgId });
  }
  const shown = seen.map((row) => viewMessage(deps.keyring, row));
  const messages = await complete(deps, accountId, await withReactions(deps, await withQuotes(deps, shown)));
  const people = await deps.accounts.findAll(messages.flatMap(peopleIn));
  return {
    messages,
    people: people.map(viewPeer),
    ...(hasOlder && oldest && { nextBefore: oldest.msgId }),
    ...(hasNewer && newest && { nextAfter: newest.msgId }),
  };
}

/** @throws ApiError 400 for two directions at once */
export async function readRows(
  { db }: MessageDeps,
  conversation: ReadConversation,
  asked: ReadMessages,
): Promise<RowPage> {
  const { before, after, around } = asked;
  if ([before, after, around].filter((msgId) => msgId !== undefined).length > 1) {
    throw invalidArgument('before', 'one-position');
  }
  // `around` may be any place, such as the beginning.
  for (const field of ['before', 'after'] as const)
    readCursor('msg', field, asked[field], 'not-a-message-id');
  if (around !== undefined) {
    const side = PAGE_SIZE / 2;
    const [older, newer] = await Promise.all([
      findOlder(db, conversation, { before: around, limit: side + 1 }),
      findNewer(db, conversation, { from: around, isIncluded: true, limit: side + 1 }),
    ]);
    return {
      rows: [...newer.slice(0, side).reverse(), ...older.slice(0, side)],
      hasOlder: older.length > side,
      hasNewer: newer.length > side,
    };
  }
  if (after !== undefined) {
    const newer = await findNewer(db, conversation, { from: after, isIncluded: false, limit: PAGE_SIZE + 1 });
    const rows = newer.slice(0, PAGE_SIZE).reverse();
    return { rows, hasOlder: true, hasNewer: newer.length > PAGE_SIZE };
  }
  const older = await findOlder(db, conversation, { before, limit: PAGE_SIZE + 1 });
  return {
    rows: older.slice(0, PAGE_SIZE),
    hasOlder: older.length > PAGE_SIZE,
    hasNewer: before !== undefined,
  };
}

function peopleIn({ from, quote, mentionedUserIds = [], notice, reactions }: ChatMessage): string[] {
  return [
    from,
    ...(quote ? [quote.from] : []),
    ...mentionedUserIds,
    ...(notice?.userIds ?? []),
    ...reactingIn(reactions),
  ];
}

/** At most this many are named. */
function reactingIn(reactions: Reactions | undefined): string[] {
  return reactions?.given.flatMap(({ userIds }) => userIds.slice(0, NAMED_REACTIONS)) ?? [];
}

/** A message as written, or read if an earlier request stored it. */
export async function showWritten(
  deps: Platform,
  key: { conversationId: string; msgId: string },
  written: NewMessage | undefined,
): Promise<ChatMessage> {
  const shown = written ? viewNewMessage(written) : await readMessage(deps, key);
  const [message] = await withQuotes(deps, [shown]);
  return message as ChatMessage;
}

async function readMessage(
  { db, keyring }: Platform,
  { conversationId, msgId }: { conversationId: string; msgId: string },
): Promise<ChatMessage> {
  const row = await findMessage(db, { bucket: bucketOf(conversationId), conversationId, msgId });
  if (!row) throw new Error(`message ${msgId} is gone`);
  return viewMessage(keyring, row);
}
