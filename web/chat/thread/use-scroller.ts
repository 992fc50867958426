import { CancelledError, useMutation, useQueryClient } from '@tanstack/react-query';
import { defaultRangeExtractor, useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { type Key, type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { tell } from '../../ui/parts/faults.tsx';
import { text } from '../../ui/texts.ts';
import { goTo, notePosition, positionIn, readOn } from '../history/queries.ts';
import type { Side, ThreadWindow } from '../history/window.ts';
import { albumHeight } from '../message/attachments/album-grid.ts';
import { frameOf } from '../message/attachments/media-frame.ts';
import { messagesOf, type Row } from './rows.ts';

/** Within this distance of the end, the view counts as being at the end, and follows new messages. */
const NEAR_PX = 80;

/** Events by which the person takes over scrolling. */
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** The place kept in view while rows are added, grow and are measured: the end, or the row with this key. */
type Held = 'end' | { key: string; align: 'start' | 'center' } | undefined;

/**
 * Opens a thread at its first unread message, where it was left, or at its end, and keeps that in view until the person
 * scrolls away. Returns the ref that holds the row kept in view.
 */
function useHold(
  element: RefObject<HTMLElement | null>,
  virtualizer: Virtualizer<HTMLElement, Element>,
  rows: readonly Row[],
  { hasNewer, isAtEnd, start }: { hasNewer: boolean; isAtEnd: boolean; start: number },
): { current: Held } {
  const held = useRef<Held>(undefined);
  const isOpened = useRef(false);
  const isWindowEnd = useRef(!hasNewer);
  isWindowEnd.current = !hasNewer;

  const last = rows.at(-1);
  const isOwnNew = last?.kind === 'message' && last.message.unsent !== undefined;
  const wasAtEnd = useRef(false);
  useLayoutEffect(() => {
    // The person's own new message is always shown, wherever they were reading.
    const isFollowed = isOwnNew || wasAtEnd.current;
    if (last?.key !== undefined && isOpened.current && isFollowed) held.current = 'end';
  }, [last?.key, isOwnNew]);
  useEffect(() => {
    wasAtEnd.current = isAtEnd;
  });

  const height = virtualizer.scrollRect?.height;
  const totalSize = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when heights or rows change; `start` matters only once.
  useLayoutEffect(() => {
    if (rows.length === 0) return;
    const opensAt = rows[start];
    if (!isOpened.current) held.current = opensAt ? { key: opensAt.key, align: 'start' } : 'end';
    isOpened.current = true;
    const { current: hold } = held;
    if (hold === 'end') {
      if (!hasNewer) virtualizer.scrollToEnd();
    } else if (hold) {
      const index = rows.findIndex(({ key }) => key === hold.key);
      if (index !== -1) virtualizer.scrollToIndex(index, { align: hold.align });
    }
  }, [height, totalSize, rows, hasNewer, virtualizer]);

  useEffect(() => {
    const scrolled = element.current;
    if (!scrolled) return;
    const ending = new AbortController();
    const options = { passive: true, signal: ending.signal };
    let { scrollTop: top, scrollHeight: height } = scrolled;
    const note = () => {
      const { scrollTop, scrollHeight, clientHeight } = scrolled;
      const isNear = scrollHeight - clientHeight - scrollTop <= NEAR_PX;
      // Content can also move the end away, but never scrolls the view up.
      if (held.current === 'end' && scrollTop < top && scrollHeight >= height && !isNear)
        held.current = undefined;
      if (held.current === undefined && isNear && isWindowEnd.current) held.current = 'end';
      top = scrollTop;
      height = scrollHeight;
    };
    const release = () => {
      if (held.current !== 'end') held.current = undefined;
    };
    scrolled.addEventListener('scroll', note, options);
    for (const hand of HANDS) scrolled.addEventListener(hand, release, options);
    // The composer grows by a line, say. The virtualizer renders only if there is room for other rows.
    let { clientHeight: room } = scrolled;
    const resizing = new ResizeObserver(() => {
      if (scrolled.clientHeight === room) return;
      room = scrolled.clientHeight;
      if (wasAtEnd.current) held.current = 'end';
      if (held.current === 'end' && isWindowEnd.current) virtualizer.scrollToEnd();
    });
    resizing.observe(scrolled);
    ending.signal.addEventListener('abort', () => resizing.disconnect());
    return () => ending.abort();
  }, [element, virtualizer]);

  return held;
}

const LINE_PX = 22;
const LINE_CHARACTERS = 60;

/** The estimated height of a row until it is measured. */
function estimateHeight(row: Row | undefined): number {
  if (!row || row.kind === 'day' || row.kind === 'unread' || row.kind === 'notice') return 42;
  if (row.kind === 'draft') return 42 + Math.ceil(row.draft.content.length / LINE_CHARACTERS) * LINE_PX;
  const { content, caption, quote, reactions } = row.message;
  const text = content ?? caption ?? '';
  return (
    34 +
    (reactions?.given.length ? 31 : 0) +
    Math.ceil(text.length / LINE_CHARACTERS) * LINE_PX +
    (row.album ? albumHeight(row.album.map(({ fileDetails }) => fileDetails)) : mediaHeight(row.message)) +
    (quote ? 48 : 0) +
    (row.isFirst ? 8 : 0)
  );
}

function mediaHeight(shown: Parameters<typeof frameOf>[0]): number {
  switch (shown.type) {
    case 'image':
    case 'gif':
    case 'video':
      return frameOf(shown).height;
    case 'text':
      return 0;
    case 'audio':
    case 'doc':
      return 56;
    default:
      return 216;
  }
}

/** Loads what comes next at one side while it is wanted. */
function useMore(conversationId: string, side: Side, isWanted: boolean): void {
  const client = useQueryClient();
  const { mutate, isPending } = useMutation({
    mutationFn: () => readOn(client, conversationId, side),
    retry: 3,
  });
  useEffect(() => {
    if (isWanted && !isPending) mutate();
  }, [isWanted, isPending, mutate]);
}

/** More rows are loaded when this many or fewer are left beyond the view. */
const AHEAD = 20;
const MARKED_MS = 1_600;

/** The scrolling of a thread: it sticks to the end, loads more in both directions, and scrolls to a message. */
export function useScroller(conversationId: string, rows: readonly Row[], shown: ThreadWindow) {
  const client = useQueryClient();
  const element = useRef<HTMLElement>(null);
  const [marked, setMarked] = useState<string>();
  const [target, setTarget] = useState<string>();
  const [left] = useState(() => positionIn(conversationId));
  const start = startOf(rows, left);
  // The row with the focus, or with what was opened from it, stays while the thread moves on.
  const [kept, keep] = useState<Key>();
  const keptIndex = kept === undefined ? -1 : rows.findIndex(({ key }) => key === kept);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => element.current,
    estimateSize: (index) => estimateHeight(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    initialOffset: () => {
      const above = start === -1 ? rows : rows.slice(0, start);
      return above.reduce((sum, row) => sum + estimateHeight(row), 0);
    },
    overscan: 8,
    rangeExtractor: (range) => {
      const near = defaultRangeExtractor(range);
      if (keptIndex === -1 || near.includes(keptIndex)) return near;
      return [...near, keptIndex].sort((one, other) => one - other);
    },
    paddingStart: 12,
    paddingEnd: 12,
    anchorTo: 'end',
    scrollEndThreshold: NEAR_PX,
  });
  const items = virtualizer.getVirtualItems();
  const [isAtEnd, setAtEnd] = useState(true);
  // Before layout, a thread has no end.
  const isLaidOut = items.length > 0;
  const isEnd = isLaidOut && virtualizer.isAtEnd(NEAR_PX) && !shown.hasNewer;
  useEffect(() => {
    if (isLaidOut) setAtEnd(isEnd);
  }, [isEnd, isLaidOut]);

  const held = useHold(element, virtualizer, rows, {
    hasNewer: shown.hasNewer,
    isAtEnd: isEnd,
    start,
  });

  const { startIndex: first, endIndex: last } = virtualizer.range ?? {};
  useMore(conversationId, 'before', first !== undefined && first < AHEAD && shown.hasOlder);
  useMore(conversationId, 'after', last !== undefined && last > rows.length - AHEAD && shown.hasNewer);

  // A reload begins where the person is reading.
  const inView = items.find(({ end }) => end > (virtualizer.scrollOffset ?? 0));
  const top = rows.slice(inView?.index ?? first ?? 0).find((row) => messagesOf(row).length > 0);
  const position = isEnd ? undefined : messagesOf(top)[0]?.msgId;
  useEffect(() => {
    if (isLaidOut) notePosition(conversationId, position);
  }, [conversationId, position, isLaidOut]);

  const { hasNewer } = shown;
  const toEnd = useCallback(async () => {
    setTarget(undefined);
    held.current = 'end';
    if (hasNewer) await goTo(client, conversationId);
    virtualizer.scrollToEnd();
  }, [held, hasNewer, client, conversationId, virtualizer]);

  const jumpTo = useCallback((msgId: string) => {
    setTarget(msgId);
  }, []);
  const isTarget = ({ msgId }: { msgId: string }) => msgId === target;
  const index = target === undefined ? -1 : rows.findIndex((row) => messagesOf(row).some(isTarget));
  const soughtId = index === -1 ? target : undefined;
  useEffect(() => {
    if (soughtId === undefined) return;
    const giveUp = () => setTarget((now) => (now === soughtId ? undefined : now));
    goTo(client, conversationId, soughtId)
      .then(({ messages }) => {
        if (messages.some(({ msgId }) => msgId === soughtId)) return;
        giveUp();
        tell(text('chat.thread.quoteGone'));
      })
      // Where the thread is loaded again meanwhile, it begins there, too.
      .catch((error) => error instanceof CancelledError || giveUp());
  }, [soughtId, client, conversationId]);
  useEffect(() => {
    if (index === -1) return;
    const key = rows[index]?.key;
    // The rows above it have not been measured yet, and more may be loaded.
    held.current = key === undefined ? undefined : { key, align: 'center' };
    virtualizer.scrollToIndex(index, { align: 'center' });
    setTarget(undefined);
    setMarked(key);
  }, [index, rows, virtualizer, held]);
  const isMarkShown = marked !== undefined && items.some(({ index }) => rows[index]?.key === marked);
  useEffect(() => {
    if (marked === undefined || !isMarkShown) return;
    const timer = setTimeout(() => setMarked(undefined), MARKED_MS);
    return () => clearTimeout(timer);
  }, [marked, isMarkShown]);

  const bottom = (virtualizer.scrollOffset ?? 0) + (virtualizer.scrollRect?.height ?? 0);
  const seen = items.filter(({ end }) => end <= bottom).flatMap(({ index }) => messagesOf(rows[index]));
  // Deleted messages of an album are below the rest of it, so rows are not ordered by id.
  const seenMsgId = seen
    .map(({ msgId }) => msgId)
    .sort()
    .at(-1);

  return { element, virtualizer, isAtEnd, seenMsgId, marked, jumpTo, toEnd, keep };
}

/** The row at which a thread opens: the first unread one, or where it was left; -1 for its end. */
function startOf(rows: readonly Row[], left: string | undefined): number {
  const unread = rows.findIndex(({ kind }) => kind === 'unread');
  if (unread !== -1 || left === undefined) return unread;
  return rows.findIndex((row) => messagesOf(row).some(({ msgId }) => msgId === left));
}
