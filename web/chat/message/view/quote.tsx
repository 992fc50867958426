import type { Quote } from '#contract/chat.ts';
import { useAccount } from '../../../ui/session/session.ts';
import { useTexts } from '../../../ui/texts.ts';
import { kindOf, wordsOf } from '../../conversations/excerpt.ts';
import { personName } from '../../conversations/names.ts';
import classes from '../message.module.css';
import { useThread } from '../thread-context.ts';

/** The quoted message; a click scrolls to it. */
export function QuoteView({ quote }: { quote: Quote }) {
  const { jumpTo } = useThread();
  return (
    <button type="button" className={classes.quote} onClick={() => jumpTo(quote.msgId)}>
      <QuotedWords quote={quote} />
    </button>
  );
}

export function QuotedWords({ quote }: { quote: Quote }) {
  const t = useTexts();
  const { people } = useThread();
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
