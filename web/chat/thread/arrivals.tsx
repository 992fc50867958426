import { useEffect, useRef, useState } from 'react';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { excerptOf } from '../conversations/excerpt.ts';
import { personName } from '../conversations/names.ts';
import type { ThreadWindow } from '../history/window.ts';
import { useThread } from '../message/thread-context.ts';

/** If more arrive at once, only their number is announced. */
const MOST_ANNOUNCED = 5;

/** Announces new messages of others to screen readers. Messages loaded by scrolling are not new. */
export function Arrivals({ shown: { messages, hasNewer } }: { shown: ThreadWindow }) {
  const t = useTexts();
  const { accountId } = useAccount();
  const { people } = useThread();
  /** The newest message so far; undefined while the end is not loaded. */
  const known = useRef<string>(undefined);
  const [said, setSaid] = useState({ key: '', words: '' });
  useEffect(() => {
    const newest = messages.at(-1)?.msgId ?? '';
    const { current: before } = known;
    if (hasNewer || before === undefined) {
      known.current = hasNewer ? undefined : newest;
      return;
    }
    const arrived = messages.filter(
      ({ msgId, from, type }) => msgId > before && from !== accountId && type !== 'notice',
    );
    if (arrived.some(({ from }) => personName(people[from]) === '')) return;
    known.current = newest;
    if (arrived.length === 0) return;
    const words =
      arrived.length > MOST_ANNOUNCED
        ? t('chat.thread.someNew', { count: arrived.length })
        : arrived
            .map((one) => `${personName(people[one.from])}: ${excerptOf(one, people[one.from])}`)
            .join('\n');
    setSaid({ key: newest, words });
  }, [messages, hasNewer, people, accountId, t]);
  return (
    <div className="visually-hidden" role="status">
      {/* Anew, so that the same words are announced again. */}
      <span key={said.key}>{said.words}</span>
    </div>
  );
}
