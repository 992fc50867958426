import { quoteOf } from '#contract/chat/quotes.ts';
import type { ChatMessage, Quote, ShownQuickReplies } from '#contract/chat.ts';
import type { QuickReplies } from '#contract/messages.ts';
import type { Poll } from '#contract/polls.ts';
import type { EventPoll } from '#contract/webhooks/events.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { bucketOf } from '#platform/ids.ts';
import type { LiveEvent } from '#platform/live.ts';
import type { Platform } from '#platform/platform.ts';
import { type MessageBody, type NewMessage, openBodyIfReadable } from './content.ts';
import type { MessageDeps } from './deps.ts';
import { findMessages, type MessageRow } from './queries.ts';

/** Adds data of later features to messages, as the given person sees it: the results of polls. */
export async function complete(
  { hooks }: Pick<MessageDeps, 'hooks'>,
  accountId: string,
  messages: ChatMessage[],
): Promise<ChatMessage[]> {
  let completed = messages;
  for (const hook of hooks) completed = (await hook.complete?.(accountId, completed)) ?? completed;
  return completed;
}

export function viewMessage(keyring: Keyring, row: MessageRow): ChatMessage {
  return viewOpened(row, openBodyIfReadable(keyring, row));
}

/** The same for one that has just been written. */
export function viewNewMessage(message: NewMessage): ChatMessage {
  const { type, body, replyToMsgId = null } = message.content;
  return viewOpened({ ...message, type, replyToMsgId }, body);
}

function viewOpened(
  message: Omit<MessageRow, 'body' | 'bodyKeyId'>,
  opened: MessageBody | undefined,
): ChatMessage {
  const { msgId, conversationId, senderId, type, replyToMsgId, sentAt } = message;
  const { poll, quickReplies, quickReplyValue: _, ...body } = opened ?? {};
  return {
    msgId,
    conversationId,
    from: senderId,
    type,
    ...(!opened && { isUnreadable: true as const }),
    ...(body satisfies Pick<ChatMessage, keyof typeof body>),
    ...(poll && { poll: unansweredPoll(message, poll) }),
    ...(quickReplies && { quickReplies: showButtons(quickReplies) }),
    ...(replyToMsgId !== null && { replyToMsgId }),
    sentAt,
  };
}

/** Values are for the bot alone. */
function showButtons({ buttons, mentionedOnly }: QuickReplies): ShownQuickReplies {
  return {
    buttons: buttons.map(({ label, url }) => ({ label, ...(url != null && { url }) })),
    ...(mentionedOnly && { mentionedOnly }),
  };
}

/** A poll before the first vote, from its message alone. */
export function unansweredPoll(
  { msgId, senderId, sentAt }: Pick<MessageRow, 'msgId' | 'senderId' | 'sentAt'>,
  { id, question, options, allowMultipleAnswers, isAnonymous }: EventPoll,
): Poll {
  return {
    id,
    msgId,
    question,
    options: options.map((option) => ({ ...option, votes: 0, ...(!isAnonymous && { voters: [] }) })),
    allowMultipleAnswers,
    isAnonymous,
    closed: false,
    creatorId: senderId,
    totalVotes: 0,
    totalVoters: 0,
    createdAt: sentAt,
    myOptionIds: [],
  };
}

/**
 * Shows a new message on the open pages of a person or of a group's members; costs nothing if there are none. A
 * message with a quote is shown once the quoted message is read, or without it while the database is
 * unreachable.
 */
export function showMessage(deps: Platform, topic: string, written: NewMessage): void {
  deps.live.publish(topic, () => {
    const { sender } = written;
    const message = { ...viewNewMessage(written), ...(sender && { people: [sender] }) };
    const show = (data: ChatMessage): LiveEvent => ({ type: 'message', data });
    if (message.replyToMsgId === undefined) return show(message);
    return withQuotes(deps, [message]).then(
      ([quoting = message]) => show(quoting),
      () => show(message),
    );
  });
}

/** Adds previews of the quoted messages to those that quote them. */
export async function withQuotes({ db, keyring }: Platform, messages: ChatMessage[]): Promise<ChatMessage[]> {
  const keys = messages.flatMap(({ conversationId, replyToMsgId }) =>
    replyToMsgId === undefined
      ? []
      : { bucket: bucketOf(conversationId), conversationId, msgId: replyToMsgId },
  );
  if (keys.length === 0) return messages;
  const rows = await findMessages(db, keys);
  const quotes = new Map(rows.map((row) => [row.msgId, viewQuote(keyring, row)]));
  return messages.map((message) => {
    const quote = quotes.get(message.replyToMsgId ?? '');
    return quote ? { ...message, quote } : message;
  });
}

/** The part of a quoted message that is shown. */
export function viewQuote(keyring: Keyring, row: MessageRow): Quote {
  const { msgId, senderId: from, type } = row;
  const opened = openBodyIfReadable(keyring, row);
  return quoteOf({ msgId, from, type, ...(opened ?? { isUnreadable: true }) });
}
