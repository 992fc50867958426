import { useEffect, useRef, useState } from 'react';
import { excerptOf } from '../conversations/excerpt.ts';
import { type People, personName } from '../conversations/people.ts';
import type { ThreadWindow } from '../history/window.ts';

/** Announces new messages of others to screen readers. Messages loaded by scrolling are not new. */
export function Arrivals({
  shown,
  people,
  accountId,
}: {
  shown: ThreadWindow;
  people: People;
  accountId: string;
}) {
  const newest = shown.messages.at(-1);
  const known = useRef(newest?.msgId ?? '');
  const [words, setWords] = useState('');
  useEffect(() => {
    if (!newest || shown.hasNewer || newest.msgId <= known.current || newest.type === 'notice') return;
    const name = personName(people[newest.from]);
    if (!name) return;
    known.current = newest.msgId;
    if (newest.from !== accountId) setWords(`${name}: ${excerptOf(newest, people[newest.from])}`);
  }, [newest, shown.hasNewer, people, accountId]);
  return (
    <div className="visually-hidden" role="status">
      {words}
    </div>
  );
}
