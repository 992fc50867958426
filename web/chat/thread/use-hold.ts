import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Row } from './rows.ts';

/** Within this distance of the end, the view counts as being at the end, and follows new messages. */
export const NEAR_PX = 80;

/** Events by which the person takes over scrolling. */
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** The row kept in view while rows are added, grow and are measured: the end, or the one with this key at the top. */
type Held = 'end' | { key: string } | undefined;

/**
 * Opens a thread at its first unread message, where it was left, or at its end, and keeps that in view until the person
 * scrolls away. Returns the ref that holds the row kept in view.
 */
export function useHold(
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
  const wasAtEnd = useRef(false);
  useLayoutEffect(() => {
    // The person's own new message is always shown, wherever they were reading.
    const isFollowed = last?.kind === 'unsent' || wasAtEnd.current;
    if (last?.key !== undefined && isOpened.current && isFollowed) held.current = 'end';
  }, [last?.key, last?.kind]);
  useEffect(() => {
    wasAtEnd.current = isAtEnd;
  });

  const height = virtualizer.scrollRect?.height;
  const totalSize = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when heights or rows change; `start` matters only once.
  useLayoutEffect(() => {
    if (rows.length === 0) return;
    const opensAt = rows[start];
    if (!isOpened.current) held.current = opensAt ? { key: opensAt.key } : 'end';
    isOpened.current = true;
    const { current: hold } = held;
    if (hold === 'end') {
      if (!hasNewer) virtualizer.scrollToEnd();
    } else if (hold) {
      const index = rows.findIndex(({ key }) => key === hold.key);
      if (index !== -1) virtualizer.scrollToIndex(index, { align: 'start' });
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
    return () => ending.abort();
  }, [element]);

  return held;
}
