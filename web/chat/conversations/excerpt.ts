import type { ChatMessage } from '#contract/chat.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { language } from '../../ui/texts.ts';
import { conversationTexts } from './texts.ts';

/** A message in one line: its kind where that is not text, and its own words. */
export function excerptOf({ type, isUnreadable, content, caption, poll, location }: ChatMessage): string {
  if (isUnreadable) return commonTexts[language()].unreadableMessage;
  if (type === 'text') return content ?? '';
  const words = caption || poll?.question || location?.name;
  return words ? `${kindOf(type)}: ${words}` : kindOf(type);
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
