import type { Quote } from '../chat.ts';

const EXCERPT_LENGTH = 140;

/** The part of a quoted message that is shown. No TypeBox here, because pages import it. */
export function quoteOf({
  msgId,
  from,
  type,
  isUnreadable,
  ...said
}: Pick<Quote, 'msgId' | 'from' | 'type' | 'isUnreadable'> & {
  content?: string;
  caption?: string;
  poll?: { question: string };
  location?: { name?: string | null };
}): Quote {
  const text = said.content ?? said.caption ?? said.poll?.question ?? said.location?.name ?? '';
  return {
    msgId,
    from,
    type,
    ...(isUnreadable && { isUnreadable }),
    excerpt: [...text.slice(0, EXCERPT_LENGTH * 2)].slice(0, EXCERPT_LENGTH).join(''),
  };
}
