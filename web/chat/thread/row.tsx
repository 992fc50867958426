import { memo } from 'react';
import type { Conversation } from '#contract/chat.ts';
import { useNow } from '../../ui/parts/moment.tsx';
import { useTexts } from '../../ui/texts.ts';
import { dayOf } from '../../ui/times.ts';
import { noticeText } from '../conversations/notice.ts';
import type { People } from '../conversations/people.ts';
import { daysBetween } from '../conversations/when.ts';
import { Message } from '../message/view/message.tsx';
import { UnsentMessage } from '../message/view/unsent-message.tsx';
import { messagesOf, type Row } from './rows.ts';
import { Selectable } from './selection.tsx';
import { threadTexts } from './texts.ts';
import classes from './thread.module.css';

/** One row of a thread. */
export const RowView = memo(function RowView({
  row,
  accountId,
  people,
  kind,
  isMarked,
}: {
  row: Row;
  accountId: string;
  people: People;
  kind: Conversation['kind'];
  isMarked: boolean;
}) {
  const t = useTexts(threadTexts);
  switch (row.kind) {
    case 'day':
      return <Day at={row.at} />;
    case 'unread':
      return <div className={`${classes.line} ${classes.unread}`}>{t.unread}</div>;
    case 'notice':
      return (
        <div className={classes.line} data-msg-id={row.message.msgId}>
          {noticeText(row.message, people, accountId)}
        </div>
      );
    case 'unsent':
      return <UnsentMessage {...row} accountId={accountId} people={people} />;
    default:
      return (
        <Selectable messages={messagesOf(row)}>
          <Message
            {...row}
            isOwn={row.message.from === accountId}
            isGroup={kind === 'group'}
            people={people}
            isMarked={isMarked}
          />
        </Selectable>
      );
  }
});

function Day({ at }: { at: number }) {
  const t = useTexts(threadTexts);
  const days = daysBetween(at, useNow());
  return <div className={classes.line}>{days === 0 ? t.today : days === 1 ? t.yesterday : dayOf(at)}</div>;
}
