import { V1 } from '#contract/api/v1.ts';
import type { StoredMessage, StoredMessages } from '#contract/webhooks/events.ts';
import { eventMessage } from '#features/webhooks/index.ts';
import { failedPrecondition, notFound } from '#platform/errors.ts';
import { readCursor } from '#platform/http/cursor.ts';
import { serve } from '#platform/http/serve.ts';
import { isId } from '#platform/ids.ts';
import { type BotConversation, findBotConversation } from './access/bot-conversation.ts';
import { deleteMessage } from './changes/delete.ts';
import { editMessage } from './changes/edit.ts';
import { reactToMessage, readEmoji } from './changes/react.ts';
import { readEdit } from './changes/rules.ts';
import { type MessageContent, openBodyIfReadable, publicContent } from './content.ts';
import { showProfileToBot } from './conversations/profiles.ts';
import { readRows } from './conversations/thread.ts';
import type { MessageDeps } from './deps.ts';
import type { KeptDrafts } from './live/kept-drafts.ts';
import { ShownDrafts } from './live/show-draft.ts';
import { findMessage, type MessageRow } from './queries.ts';
import { findConcerning, isQuiet } from './quiet-bots.ts';
import { findReactions } from './reactions.ts';
import { tellTyping } from './receipts/receipts.ts';
import { refuseMissing } from './rules.ts';

/** Calls of bots besides sending (extensions of the contract). */
export function botRoutes(deps: MessageDeps, kept: KeptDrafts) {
  const drafts = new ShownDrafts(deps, kept);
  const find = (botId: string, conversationId: string) => findBotConversation(deps, botId, conversationId);
  const findRead = async ({ accountId, appId }: { accountId: string; appId: string }, id: string) => {
    const conversation = await find(accountId, id);
    const isFiltered = conversation.kind === 'group' && (await isQuiet(deps.applications, appId));
    return { ...conversation, isFiltered };
  };
  return serve(V1, {
    'GET /v1/people/:userId': ({ actor, params }) => showProfileToBot(deps, actor.accountId, params.userId),
    'POST /v1/messages/typing': async ({ actor, body }) =>
      tellTyping(deps, await find(actor.accountId, body.conversationId)),
    'PUT /v1/messages/draft': ({ actor, toAdmissionCheck, body }) =>
      drafts.show(actor, body, toAdmissionCheck),
    'GET /v1/messages/:msgId': async ({ actor, params, query }) =>
      readStored(deps, await findRead(actor, query.conversationId), params.msgId),
    'GET /v1/conversations/:conversationId/messages': async ({ actor, params, query }) => {
      const before = readCursor('msg', 'before', query.before, 'not-a-message-id');
      return listStored(deps, await findRead(actor, params.conversationId), before);
    },
    'PATCH /v1/messages/:msgId': async ({ actor, params, body }) => {
      const conversation = await find(actor.accountId, body.conversationId);
      const row = await editMessage(deps, { ...conversation, ...params }, (type) => readEdit(type, body));
      return showStored(deps, conversation, row);
    },
    'PUT /v1/messages/:msgId/reactions': async ({ actor, params, body }) => {
      const emoji = readEmoji(body.emoji);
      const conversation = await findRead(actor, body.conversationId);
      await readStored(deps, conversation, params.msgId);
      const { given } = await reactToMessage(deps, { ...conversation, ...params }, emoji);
      return { reactions: given };
    },
    'DELETE /v1/messages/:msgId': async ({ actor, params, body }) =>
      deleteMessage(deps, { ...(await find(actor.accountId, body.conversationId)), ...params }),
  });
}

/** A conversation that a bot reads: if it is quiet there, only what concerns it. */
type ReadByBot = BotConversation & { isFiltered: boolean };

async function filterRows(deps: MessageDeps, { isFiltered, accountId }: ReadByBot, rows: MessageRow[]) {
  const present = rows.filter((row) => !refuseMissing(row));
  if (!isFiltered) return present;
  const reaching = present.flatMap((row) => {
    const body = openBodyIfReadable(deps.keyring, row);
    return body ? [{ row, message: { ...row, body } }] : [];
  });
  const concerns = await findConcerning(
    deps.db,
    reaching.map(({ message }) => message),
  );
  return reaching.flatMap(({ row, message }) => (concerns(message, accountId) ? row : []));
}

/** A page of a conversation as a bot sees it, newest first: no tombstones, no notices, and nothing that cannot be read. */
async function listStored(
  deps: MessageDeps,
  conversation: ReadByBot,
  before: string | undefined,
): Promise<StoredMessages> {
  const { rows, hasOlder } = await readRows(deps, conversation, before === undefined ? {} : { before });
  const oldest = rows.at(-1);
  return {
    messages: await viewStored(deps, conversation, await filterRows(deps, conversation, rows)),
    ...(hasOlder && oldest && { nextBefore: oldest.msgId }),
  };
}

/**
 * A message of a conversation as a bot sees it.
 *
 * @throws ApiError 404, 400 if it cannot be read
 */
async function readStored(deps: MessageDeps, conversation: ReadByBot, msgId: string): Promise<StoredMessage> {
  const isVisible = isId('msg', msgId) && msgId > conversation.hiddenMsgId;
  const row = isVisible ? await findMessage(deps.db, { ...conversation, msgId }) : undefined;
  const [shown] = row ? await filterRows(deps, conversation, [row]) : [];
  if (!shown) throw notFound('conversation.no-message');
  return showStored(deps, conversation, shown);
}

/** @throws ApiError 400 if it cannot be read */
async function showStored(
  deps: MessageDeps,
  conversation: BotConversation,
  row: MessageRow,
): Promise<StoredMessage> {
  const [shown] = await viewStored(deps, conversation, [row]);
  if (!shown) throw failedPrecondition('message.unreadable');
  return shown;
}

/** Those of the messages that can be read, with the reactions to them. */
async function viewStored(
  deps: MessageDeps,
  conversation: BotConversation,
  rows: MessageRow[],
): Promise<StoredMessage[]> {
  const reactionsTo = await findReactions(deps, rows);
  return rows.flatMap((row) => {
    const shown = viewRow(deps, conversation, row);
    const given = reactionsTo.get(row.msgId)?.given ?? [];
    return shown ? { ...shown, ...(given.length > 0 && { reactions: given }) } : [];
  });
}

/** The fields that an event has of a message, with uploads as links to this server; undefined if it cannot be read. */
function viewRow(
  { config, keyring }: MessageDeps,
  { kind, accountId, conversationId, peerId }: BotConversation,
  row: MessageRow,
): StoredMessage | undefined {
  const body = openBodyIfReadable(keyring, row);
  if (!body) return undefined;
  const { msgId, senderId: from, sentAt, replyToMsgId } = row;
  const { mentionedUserIds = [], editedAt, quickReplyValue } = body;
  const content = { type: row.type as MessageContent['type'], body, replyToMsgId: replyToMsgId ?? undefined };
  const place =
    kind === 'private'
      ? { chatId: peerId as string }
      : { groupId: conversationId, mentionedUserIds, isMentioned: mentionedUserIds.includes(accountId) };
  return {
    ...eventMessage(publicContent(config, content), { msgId, from, sentAt }, place),
    ...(editedAt !== undefined && { editedAt }),
    ...(quickReplyValue !== undefined && { quickReplyValue }),
  };
}
