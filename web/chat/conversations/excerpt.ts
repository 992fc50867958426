import type { ChatMessage, Peer } from '#contract/chat.ts';
import { plainText } from '#contract/formatting.ts';
import { text } from '../../ui/texts.ts';

/** A message on one line: its kind unless it is text, and its text without formatting marks. */
export function excerptOf(message: ChatMessage, sender: Peer | null | undefined): string {
  const { type, isUnreadable, content, caption, poll, location } = message;
  if (isUnreadable) return text('ui.common.unreadableMessage');
  if (type === 'text') return wordsOf(content ?? '', sender);
  const words = caption ? wordsOf(caption, sender) : poll?.question || location?.name;
  return words ? `${kindOf(type)}: ${words}` : kindOf(type);
}

/** A text without formatting marks; a bot can send its text unformatted, which is kept as it is. */
export function wordsOf(text: string, sender: Peer | null | undefined): string {
  return sender?.isPlainText ? text : plainText(text);
}

// biome-ignore format: one line.
const KINDS = ['image', 'video', 'audio', 'doc', 'gif', 'sticker', 'location', 'poll', 'deleted', 'notice'] as const;

/** The name of a message type. */
export function kindOf(type: string): string {
  return text(`chat.conversation.${KINDS.find((kind) => kind === type) ?? 'unknown'}`);
}
