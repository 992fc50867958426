import { Button, Center } from '@mantine/core';
import { IconArrowDown, IconMessageCircle } from '@tabler/icons-react';
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { Conversation } from '#contract/chat.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { showError } from '../../ui/parts/faults.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { usePeople } from '../conversations/people.ts';
import type { ThreadWindow } from '../history/window.ts';
import { shownAs } from '../outbox/shown-as.ts';
import { useUnsent } from '../outbox/use-unsent.ts';
import { Arrivals } from './arrivals.tsx';
import { RowView } from './row.tsx';
import { toRows } from './rows.ts';
import { threadTexts } from './texts.ts';
import classes from './thread.module.css';
import { useReading } from './use-reading.ts';
import { useScroller } from './use-scroller.ts';

/** The messages of a conversation; only those in view, and a few around them, are rendered. */
export function Messages({
  conversation,
  shown,
  jump,
}: {
  conversation: Conversation;
  shown: ThreadWindow;
  /** Set to a function that scrolls to a message of this thread. */
  jump: RefObject<(msgId: string) => void>;
}) {
  const t = useTexts(threadTexts);
  const { accountId } = useAccount();
  const { conversationId, peer, unreadCount } = conversation;
  const unsent = useUnsent(conversationId);
  const people = usePeople(conversationId);
  const [unreadAfter] = useState(unreadCount > 0 ? (conversation.readMsgId ?? '') : undefined);
  const rows = useMemo(
    // Unsent messages are at the end, which is not shown while newer messages are not loaded.
    () => toRows(shown.messages, shown.hasNewer ? [] : unsent, { accountId, unreadAfter, keyOf: shownAs }),
    [shown, unsent, accountId, unreadAfter],
  );
  const scroller = useScroller(conversationId, rows, shown);
  const { virtualizer, isAtEnd } = scroller;
  useReading(conversation, scroller.seenMsgId);
  const { jumpTo, toEnd } = scroller;
  jump.current = jumpTo;
  // The target of a search result.
  const [search] = useSearchParams();
  const at = search.get('at');
  useEffect(() => {
    if (at !== null) jumpTo(at);
  }, [at, jumpTo]);
  // A new message is at the end, which may not be loaded.
  const written = unsent.at(-1)?.key;
  const known = useRef(written);
  useEffect(() => {
    if (written === known.current) return;
    known.current = written;
    if (written !== undefined && shown.hasNewer) toEnd().catch(showError);
  }, [written, shown.hasNewer, toEnd]);
  return (
    <div className={classes.area}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard. */}
      <section ref={scroller.element} className={classes.scroller} tabIndex={0} aria-label={t.messages}>
        {rows.length === 0 && (
          <Center h="100%">
            <Empty icon={<IconMessageCircle />} title={t.emptyTitle}>
              {peer?.isBot ? t.emptyBotText : t.emptyText}
            </Empty>
          </Center>
        )}
        <div
          className={classes.rows}
          role="log"
          aria-live="off"
          style={{ height: virtualizer.getTotalSize() }}
        >
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              row && (
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={classes.row}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  <RowView
                    row={row}
                    accountId={accountId}
                    people={people}
                    kind={conversation.kind}
                    isMarked={row.key === scroller.marked}
                  />
                </div>
              )
            );
          })}
        </div>
      </section>
      <Arrivals shown={shown} people={people} accountId={accountId} />
      {(!isAtEnd || shown.hasNewer) && rows.length > 0 && (
        <Button
          className={classes.newest}
          size="xs"
          radius="xl"
          variant={unreadCount > 0 ? 'filled' : 'default'}
          leftSection={<IconArrowDown size={16} />}
          onClick={() => toEnd().catch(showError)}
        >
          {unreadCount > 0 ? t.someNew(unreadCount) : t.toNewest}
        </Button>
      )}
    </div>
  );
}
