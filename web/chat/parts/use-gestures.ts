import { type TouchEvent, useRef } from 'react';

/** How long a finger must rest to open the menu. */
const HOLD_MS = 450;
/** Movement up to this counts as resting. */
const REST_PX = 10;
/** How far a swipe must go to count. */
const SWIPE_PX = 56;
/** Touches that start left of this are the browser's back gesture. */
const EDGE_PX = 24;
/** Elements with touch handling of their own. */
const TAKEN = 'pre, audio, video, input, [role=slider]';

interface Touched {
  x: number;
  y: number;
  timer: ReturnType<typeof setTimeout>;
  /** The gesture that a touch is recognised as. */
  does?: 'hold' | 'swipe' | 'scroll';
}

/** Touch gestures on a message or conversation: a long press, which Safari does not report as a right click, and a swipe to the right. */
export function useGestures({
  onHold,
  onSwipe,
}: {
  onHold: (target: Element) => void;
  onSwipe?: (() => void) | undefined;
}) {
  const touched = useRef<Touched>(undefined);
  const end = (element: HTMLElement) => {
    clearTimeout(touched.current?.timer);
    touched.current = undefined;
    element.style.removeProperty('translate');
    delete element.dataset['swiped'];
  };
  return {
    onTouchStart({ touches, target, currentTarget }: TouchEvent<HTMLElement>) {
      end(currentTarget);
      const touch = touches[0];
      // Overlays, such as an open picture, are not part of the message.
      if (!currentTarget.contains(target as Element)) return;
      if (!touch || touches.length > 1 || touch.clientX < EDGE_PX || (target as Element).closest(TAKEN))
        return;
      const begun: Touched = {
        x: touch.clientX,
        y: touch.clientY,
        timer: setTimeout(() => {
          begun.does = 'hold';
          onHold(target as Element);
        }, HOLD_MS),
      };
      touched.current = begun;
    },
    onTouchMove({ touches, currentTarget }: TouchEvent<HTMLElement>) {
      const { current: begun } = touched;
      const touch = touches[0];
      if (!begun || !touch || begun.does === 'hold') return;
      const [dx, dy] = [touch.clientX - begun.x, touch.clientY - begun.y];
      if (!begun.does && Math.hypot(dx, dy) > REST_PX) {
        clearTimeout(begun.timer);
        begun.does = onSwipe && dx > Math.abs(dy) ? 'swipe' : 'scroll';
      }
      if (begun.does !== 'swipe') return;
      currentTarget.style.setProperty('translate', `${Math.max(0, Math.min(dx, SWIPE_PX * 1.3))}px`);
      currentTarget.dataset['swiped'] = dx > SWIPE_PX ? 'far' : 'little';
    },
    onTouchEnd(event: TouchEvent<HTMLElement>) {
      const { currentTarget } = event;
      const does = touched.current?.does;
      const isFar = currentTarget.dataset['swiped'] === 'far';
      end(currentTarget);
      // The click after it would close the menu again, or open a picture.
      if (does === 'hold' && event.cancelable) event.preventDefault();
      if (does === 'swipe' && isFar) onSwipe?.();
    },
    onTouchCancel: ({ currentTarget }: TouchEvent<HTMLElement>) => end(currentTarget),
  };
}
