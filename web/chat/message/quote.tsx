import type { Quote } from '#contract/chat.ts';
import { commonTexts } from '../../ui/common-texts.ts';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { kindOf } from '../conversations/excerpt.ts';
import { type People, personName } from '../thread/people.ts';
import { threadTexts } from '../thread/texts.ts';
import { useThread } from '../thread/thread-context.ts';
import classes from './message.module.css';

/** What a message answers; leads there. */
export function QuoteView({ quote, people }: { quote: Quote; people: People }) {
  const { jumpTo } = useThread();
  return (
    <button type="button" className={classes.quote} onClick={() => jumpTo(quote.msgId)}>
      <QuotedWords quote={quote} people={people} />
    </button>
  );
}

export function QuotedWords({ quote, people }: { quote: Quote; people: People }) {
  const t = { ...useTexts(commonTexts), ...useTexts(threadTexts) };
  const { from, type, isUnreadable, excerpt } = quote;
  const { accountId } = useAccount();
  return (
    <>
      <b>{from === accountId ? t.you : personName(people[from], t.somebody)}</b>
      <span>{isUnreadable ? t.unreadableMessage : excerpt || kindOf(type)}</span>
    </>
  );
}
