import { quoteOf } from '#contract/chat/quotes.ts';
import type { ChatMessage, Quote } from '#contract/chat.ts';
import type { Keyring } from '#platform/crypto/keyring.ts';
import { bucketOf } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { openBodyIfReadable } from './content.ts';
import { findMessages, type MessageRow } from './queries.ts';

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
