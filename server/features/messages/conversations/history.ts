import type { StoredMessage, StoredMessages } from '#contract/webhooks/events.ts';
import { eventMessage } from '#features/webhooks/index.ts';
import { failedPrecondition, notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { BotConversation } from '../access/bot-conversation.ts';
import { type MessageContent, openBodyIfReadable, publicContent } from '../content.ts';
import type { MessageDeps } from '../deps.ts';
import { findMessage, type MessageRow } from '../queries.ts';
import { refuseMissing } from '../rules.ts';
import { readRows } from './thread.ts';

/** A page of a conversation as a bot sees it, newest first: no tombstones, no notices, and nothing that cannot be read. */
export async function listStored(
  deps: MessageDeps,
  conversation: BotConversation,
  { before }: { before?: string },
): Promise<StoredMessages> {
  const { rows, hasOlder } = await readRows(deps, conversation, before === undefined ? {} : { before });
  const oldest = rows.at(-1);
  return {
    messages: rows.flatMap((row) => (refuseMissing(row) ? [] : (viewStored(deps, conversation, row) ?? []))),
    ...(hasOlder && oldest && { nextBefore: oldest.msgId }),
  };
}

/**
 * A message of a conversation as a bot sees it.
 *
 * @throws ApiError 404, 400 if it cannot be read
 */
export async function readStored(
  deps: MessageDeps,
  conversation: BotConversation,
  msgId: string,
): Promise<StoredMessage> {
  const isVisible = isId('msg', msgId) && msgId > conversation.hiddenMsgId;
  const row = isVisible ? await findMessage(deps.db, { ...conversation, msgId }) : undefined;
  if (!row || refuseMissing(row)) throw notFound('conversation.no-message');
  return requireStored(deps, conversation, row);
}

/** @throws ApiError 400 if it cannot be read */
export function requireStored(
  deps: MessageDeps,
  conversation: BotConversation,
  row: MessageRow,
): StoredMessage {
  const shown = viewStored(deps, conversation, row);
  if (!shown) throw failedPrecondition('message.unreadable');
  return shown;
}

/** The fields that an event has of a message, with uploads as links to this server; undefined if it cannot be read. */
function viewStored(
  { config, keyring }: MessageDeps,
  { kind, accountId, conversationId, peerId }: BotConversation,
  row: MessageRow,
): StoredMessage | undefined {
  const body = openBodyIfReadable(keyring, row);
  if (!body) return undefined;
  const { msgId, senderId: from, sentAt, replyToMsgId } = row;
  const { mentionedUserIds = [], editedAt } = body;
  const content = { type: row.type as MessageContent['type'], body, replyToMsgId: replyToMsgId ?? undefined };
  const place =
    kind === 'private'
      ? { chatId: peerId as string }
      : { groupId: conversationId, mentionedUserIds, isMentioned: mentionedUserIds.includes(accountId) };
  return {
    ...eventMessage(publicContent(config, content), { msgId, from, sentAt }, place),
    ...(editedAt !== undefined && { editedAt }),
  };
}
