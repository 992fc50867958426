import type { Quote } from '#contract/chat.ts';
import { useAccount } from '../../../ui/session/session.ts';
import { useTexts } from '../../../ui/texts.ts';
import { kindOf, wordsOf } from '../../conversations/excerpt.ts';
import { personName } from '../../conversations/names.ts';
import type { People } from '../../conversations/people.ts';
import classes from '../message.module.css';
import { useThread } from '../thread-context.ts';

/** The quoted message; a click scrolls to it. */
export function QuoteView({ quote, people }: { quote: Quote; people: People }) {
  const { jumpTo } = useThread();
  return (
    <button type="button" className={classes.quote} onClick={() => jumpTo(quote.msgId)}>
      <QuotedWords quote={quote} people={people} />
    </button>
  );
}

export function QuotedWords({ quote, people }: { quote: Quote; people: People }) {
  const t = useTexts();
  const { from, type, isUnreadable, excerpt } = quote;
  const { accountId } = useAccount();
  return (
    <>
      <b className="one-line">{from === accountId ? t('chat.message.you') : personName(people[from])}</b>
      <span className="one-line">
        {isUnreadable ? t('ui.common.unreadableMessage') : wordsOf(excerpt, people[from]) || kindOf(type)}
      </span>
    </>
  );
}
