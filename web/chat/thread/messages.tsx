import { Button, Center } from '@mantine/core';
import { IconArrowDown, IconMessageCircle } from '@tabler/icons-react';
import {
  lazy,
  memo,
  type RefObject,
  Suspense,
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { useSearchParams } from 'react-router';
import type { Conversation } from '#contract/chat.ts';
import { ApiError } from '../../ui/api.ts';
import { Empty } from '../../ui/parts/empty.tsx';
import { showError } from '../../ui/parts/faults.tsx';
import { useNow } from '../../ui/parts/moment.tsx';
import { useAccount } from '../../ui/session/session.ts';
import { useTexts } from '../../ui/texts.ts';
import { dayOf } from '../../ui/times.ts';
import { excerptOf } from '../conversations/excerpt.ts';
import { personName } from '../conversations/names.ts';
import { noticeText } from '../conversations/notice.ts';
import { markRead } from '../conversations/queries.ts';
import { daysBetween } from '../conversations/when.tsx';
import type { ThreadWindow } from '../history/window.ts';
import { useDraftsOfBots } from '../live/drafts-of-bots.ts';
import { useThread } from '../message/thread-context.ts';
import { DraftOfBot, Message } from '../message/view/message.tsx';
import { outbox } from '../outbox/outbox.ts';
import { shownAs } from '../outbox/shown-as.ts';
import type { Unsent } from '../outbox/store.ts';
import { messagesOf, type Row, toRows } from './rows.ts';
import { Selectable } from './selection.tsx';
import classes from './thread.module.css';
import { useScroller } from './use-scroller.ts';

const Alone = lazy(() => import('../groups/alone.tsx'));

/** One row of a thread. */
const RowView = memo(function RowView({ row, isMarked }: { row: Row; isMarked: boolean }) {
  const t = useTexts();
  const { accountId } = useAccount();
  const { people } = useThread();
  switch (row.kind) {
    case 'day':
      return <Day at={row.at} />;
    case 'unread':
      return <div className={`${classes.line} ${classes.unread}`}>{t('chat.thread.unread')}</div>;
    case 'notice':
      return (
        <div className={`${classes.line} ${classes.notice}`} data-msg-id={row.message.msgId}>
          {noticeText(row.message, people, accountId)}
        </div>
      );
    case 'draft':
      return <DraftOfBot draft={row.draft} />;
    default:
      return (
        <Selectable messages={messagesOf(row)}>
          <Message {...row} isMarked={isMarked} />
        </Selectable>
      );
  }
});

function Day({ at }: { at: number }) {
  const t = useTexts();
  const days = daysBetween(at, useNow());
  return (
    <div className={classes.line}>
      {days === 0 ? t('chat.thread.today') : days === 1 ? t('chat.thread.yesterday') : dayOf(at)}
    </div>
  );
}

/** A message visible for less than this does not count as read. */
const GLANCE_MS = 400;
/** If the server does not say when to repeat a request that failed. */
const REPEAT_AFTER_S = 5;

/** Marks messages as read while they are on screen in a visible window: everything up to `seenMsgId`. */
function useReading(
  { conversationId, unreadCount, readMsgId = '' }: Conversation,
  seenMsgId: string | undefined,
): void {
  const isUnread = unreadCount > 0 && seenMsgId !== undefined && seenMsgId > readMsgId;
  useEffect(() => {
    if (!isUnread) return;
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const look = (waitMs = GLANCE_MS) => {
      clearTimeout(timer);
      // The live stream reports the result.
      if (!document.hidden)
        timer = setTimeout(() => markRead(conversationId, seenMsgId).catch(lookLater), waitMs);
    };
    const lookLater = (error: unknown) => {
      const isTemporary = error instanceof ApiError && error.isTemporary;
      if (isTemporary && !isOver) look(1_000 * (error.retryAfterSeconds ?? REPEAT_AFTER_S));
    };
    const change = () => look();
    look();
    document.addEventListener('visibilitychange', change);
    return () => {
      isOver = true;
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', change);
    };
  }, [conversationId, isUnread, seenMsgId]);
}

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
  const t = useTexts();
  const { accountId } = useAccount();
  const { conversationId, peer, unreadCount, group, isAdmin, mayWrite } = conversation;
  const isAlone = isAdmin && group?.memberCount === 1;
  const unsent = useUnsent(conversationId);
  const drafts = useDraftsOfBots(conversationId);
  // A bot that was blocked or deleted does not finish what it was writing.
  const hasDrafts = !shown.hasNewer && (mayWrite || !peer);
  const [unreadAfter] = useState(unreadCount > 0 ? (conversation.readMsgId ?? '') : undefined);
  const rows = useMemo(
    // Unsent messages are at the end, which is not shown while newer messages are not loaded.
    () =>
      toRows(shown.messages, shown.hasNewer ? [] : unsent, {
        accountId,
        unreadAfter,
        hasOlder: shown.hasOlder,
        drafts: hasDrafts ? drafts : [],
        keyOf: shownAs,
      }),
    [shown, unsent, drafts, hasDrafts, accountId, unreadAfter],
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
      <section
        ref={scroller.element}
        className={classes.scroller}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be scrollable by keyboard.
        tabIndex={0}
        aria-label={t('chat.thread.messages')}
      >
        {rows.length === 0 && (
          <Center h="100%">
            {isAlone ? (
              <Suspense>
                <Alone groupId={conversationId} />
              </Suspense>
            ) : (
              <Empty icon={<IconMessageCircle />} title={t('chat.thread.emptyTitle')}>
                {mayWrite && (peer?.isBot ? t('chat.thread.emptyBotText') : t('chat.thread.emptyText'))}
              </Empty>
            )}
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
                // biome-ignore lint/a11y/noStaticElementInteractions: it does nothing but notice where the focus is.
                <div
                  key={key}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={classes.row}
                  style={{ transform: `translateY(${start}px)` }}
                  onFocus={() => scroller.keep(key)}
                >
                  <RowView row={row} isMarked={row.key === scroller.marked} />
                </div>
              )
            );
          })}
        </div>
      </section>
      <Arrivals shown={shown} />
      {(!isAtEnd || shown.hasNewer) && rows.length > 0 && (
        <Button
          className={classes.newest}
          size="xs"
          radius="xl"
          variant={unreadCount > 0 ? 'filled' : 'default'}
          leftSection={<IconArrowDown size={16} />}
          onClick={() => toEnd().catch(showError)}
        >
          {unreadCount > 0 ? t('chat.thread.someNew', { count: unreadCount }) : t('chat.thread.toNewest')}
        </Button>
      )}
    </div>
  );
}

/** The unsent messages of a conversation, in the order in which they were written. */
function useUnsent(conversationId: string): Unsent[] {
  const all = useSyncExternalStore(outbox.subscribe, outbox.all);
  return useMemo(
    () => all.filter((unsent) => unsent.conversationId === conversationId),
    [all, conversationId],
  );
}

/** If more arrive at once, only their number is announced. */
const MOST_ANNOUNCED = 5;

/** Announces new messages of others to screen readers. Messages loaded by scrolling are not new. */
function Arrivals({ shown: { messages, hasNewer } }: { shown: ThreadWindow }) {
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
