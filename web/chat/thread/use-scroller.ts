import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { tell } from '../../ui/parts/faults.tsx';
import { language } from '../../ui/texts.ts';
import { goTo, notePlace, readNewer, readOlder } from '../history/queries.ts';
import type { ThreadWindow } from '../history/window.ts';
import { estimateHeight } from './estimate.ts';
import type { Row } from './rows.ts';
import { threadTexts } from './texts.ts';

/** This near to the end one is at the end, and stays there when something new comes. */
const NEAR_PX = 80;
/** So many rows before the end of what was read, more is read. */
const AHEAD = 12;
const MARKED_MS = 1_600;

/** The scrolling of a thread: it holds on to its end, reads on in both directions, and finds a message. */
export function useScroller(conversationId: string, rows: readonly Row[], shown: ThreadWindow) {
  const client = useQueryClient();
  const element = useRef<HTMLElement>(null);
  const [marked, setMarked] = useState<string>();
  const [target, setTarget] = useState<string>();
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => element.current,
    estimateSize: (index) => estimateHeight(rows[index]),
    getItemKey: (index) => rows[index]?.key ?? index,
    overscan: 8,
    paddingStart: 12,
    paddingEnd: 12,
    anchorTo: 'end',
    scrollEndThreshold: NEAR_PX,
  });
  const items = virtualizer.getVirtualItems();
  const [isAtEnd, setAtEnd] = useState(true);
  const isEnd = virtualizer.isAtEnd(NEAR_PX) && !shown.hasNewer;
  useEffect(() => setAtEnd(isEnd), [isEnd]);

  const isOpened = useRef(false);
  // New rows, measured heights, and the growing input field and phone keyboard: the end stays in sight until
  // the person scrolls away from it. Content moves the end away too, but never the place upwards.
  const holdsEnd = useRef(true);
  useEffect(() => {
    if (isEnd) holdsEnd.current = true;
  });
  useEffect(() => {
    const scrolled = element.current;
    if (!scrolled) return;
    let { scrollTop: top, scrollHeight: height } = scrolled;
    const note = () => {
      const { scrollTop, scrollHeight } = scrolled;
      if (scrollTop < top && scrollHeight >= height && !virtualizer.isAtEnd(NEAR_PX))
        holdsEnd.current = false;
      top = scrollTop;
      height = scrollHeight;
    };
    scrolled.addEventListener('scroll', note, { passive: true });
    return () => scrolled.removeEventListener('scroll', note);
  }, [virtualizer]);
  // Whoever writes wants to see it, wherever they were reading.
  const lastRow = rows.at(-1);
  const written = lastRow?.kind === 'unsent' ? lastRow.key : undefined;
  useLayoutEffect(() => {
    if (written !== undefined) holdsEnd.current = true;
  }, [written]);
  const height = virtualizer.scrollRect?.height;
  const totalSize = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the heights and the rows that change.
  useLayoutEffect(() => {
    if (holdsEnd.current && !shown.hasNewer && isOpened.current) virtualizer.scrollToEnd();
  }, [height, totalSize, rows, shown.hasNewer, virtualizer]);

  useLayoutEffect(() => {
    if (isOpened.current || rows.length === 0) return;
    isOpened.current = true;
    const unread = rows.findIndex(({ kind }) => kind === 'unread');
    holdsEnd.current = unread === -1;
    if (unread === -1) virtualizer.scrollToEnd();
    else virtualizer.scrollToIndex(unread, { align: 'start' });
  }, [rows, virtualizer]);

  const older = useMutation({ mutationFn: () => readOlder(client, conversationId), retry: 3 });
  const newer = useMutation({ mutationFn: () => readNewer(client, conversationId), retry: 3 });
  const [first, last] = [items[0]?.index, items.at(-1)?.index];
  const wantsOlder = first !== undefined && first < AHEAD && shown.hasOlder && isOpened.current;
  const wantsNewer = last !== undefined && last > rows.length - AHEAD && shown.hasNewer;
  const { mutate: askOlder, isPending: isAskingOlder } = older;
  const { mutate: askNewer, isPending: isAskingNewer } = newer;
  useEffect(() => {
    if (wantsOlder && !isAskingOlder) askOlder();
  }, [wantsOlder, isAskingOlder, askOlder]);
  useEffect(() => {
    if (wantsNewer && !isAskingNewer) askNewer();
  }, [wantsNewer, isAskingNewer, askNewer]);

  // A thread that has to be read again is read where the person is.
  const top = rows.slice(first ?? 0).find((row) => row.kind === 'message');
  const place = isEnd ? undefined : top?.message.msgId;
  useEffect(() => notePlace(conversationId, place), [conversationId, place]);

  const jumpTo = useCallback((msgId: string) => {
    setTarget(msgId);
  }, []);
  useEffect(() => {
    if (target === undefined) return;
    const index = rows.findIndex((row) => row.kind === 'message' && row.message.msgId === target);
    if (index === -1) {
      goTo(client, conversationId, target)
        .then(({ messages }) => {
          if (messages.some(({ msgId }) => msgId === target)) return;
          setTarget(undefined);
          tell(threadTexts[language()].quoteGone);
        })
        .catch(() => setTarget(undefined));
      return;
    }
    holdsEnd.current = false;
    virtualizer.scrollToIndex(index, { align: 'center' });
    setTarget(undefined);
    setMarked(rows[index]?.key);
  }, [target, rows, virtualizer, client, conversationId]);
  useEffect(() => {
    if (marked === undefined) return;
    const timer = setTimeout(() => setMarked(undefined), MARKED_MS);
    return () => clearTimeout(timer);
  }, [marked]);

  return { element, virtualizer, isAtEnd, marked, jumpTo };
}
