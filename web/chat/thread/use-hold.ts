import type { Virtualizer } from '@tanstack/react-virtual';
import { type RefObject, useEffect, useLayoutEffect, useRef } from 'react';
import type { Row } from './rows.ts';

/** This near to the end one is at the end, and stays there when something new comes. */
export const NEAR_PX = 80;

/** How somebody takes the scrolling into their own hands. */
const HANDS = ['wheel', 'touchmove', 'pointerdown', 'keydown'] as const;

/** The row that stays in sight while rows come, grow and are measured: the end, or the one with this key at the top. */
type Held = 'end' | { key: string } | undefined;

/**
 * Opens a thread at its first unread message, where it was left, or at its end, and holds on to that until the person scrolls away from it. Gives
 * what changes the hold.
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
    // Whoever writes wants to see it, wherever they were reading.
    const isFollowed = last?.kind === 'unsent' || wasAtEnd.current;
    if (last?.key !== undefined && isOpened.current && isFollowed) held.current = 'end';
  }, [last?.key, last?.kind]);
  useEffect(() => {
    wasAtEnd.current = isAtEnd;
  });

  const height = virtualizer.scrollRect?.height;
  const totalSize = virtualizer.getTotalSize();
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the heights and the rows that change; it opens once.
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
      // Content moves the end away too, but never the place upwards.
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
