import type { ChatMessage, Peer } from '#contract/chat.ts';
import { plainText } from '#contract/formatting.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { language } from '../../ui/texts.ts';
import { conversationTexts } from './texts.ts';

/** A message on one line: its kind unless it is text, and its text without formatting marks. */
export function excerptOf(message: ChatMessage, sender: Peer | null | undefined): string {
  const { type, isUnreadable, content, caption, poll, location } = message;
  if (isUnreadable) return commonTexts[language()].unreadableMessage;
  if (type === 'text') return wordsOf(content ?? '', sender);
  const words = caption ? wordsOf(caption, sender) : poll?.question || location?.name;
  return words ? `${kindOf(type)}: ${words}` : kindOf(type);
}

/** A text without formatting marks; a bot can send its text unformatted, which is kept as it is. */
export function wordsOf(text: string, sender: Peer | null | undefined): string {
  return sender?.isPlainText ? text : plainText(text);
}

/** The name of a message type. */
export function kindOf(type: string): string {
  const t = conversationTexts[language()];
  switch (type) {
    case 'image':
    case 'video':
    case 'audio':
    case 'doc':
    case 'gif':
    case 'sticker':
    case 'location':
    case 'poll':
    case 'deleted':
    case 'notice':
      return t[type];
    default:
      return t.unknown;
  }
}
