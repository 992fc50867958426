import type { Quote } from '#contract/chat.ts';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { kindOf } from '../conversations/excerpt.ts';
import { nameOf } from '../conversations/names.ts';
import type { People } from '../thread/people.ts';
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

export function QuotedWords({ quote: { from, type, excerpt }, people }: { quote: Quote; people: People }) {
  const t = useTexts(threadTexts);
  const { accountId } = useAccount();
  const author = people[from];
  const name = author ? nameOf(author) : t.somebody;
  return (
    <>
      <b>{from === accountId ? t.you : name}</b>
      <span>{excerpt || kindOf(type)}</span>
    </>
  );
}
