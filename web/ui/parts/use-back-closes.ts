import { useLayoutEffect, useRef } from 'react';
import { uniqueId } from '../secure-context.ts';

/** While an overlay is open, "back" closes it and stays on the page, as people expect on a phone. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    if (!isOpen) return;
    const overlay = uniqueId();
    const isOnTop = () => history.state?.overlay === overlay;
    const onPopState = () => {
      if (!isOnTop() && !isBelow(overlay)) close.current();
    };
    const enter = () => {
      // The rest of the state is the router's, for which the location stays the same.
      history.pushState({ ...history.state, overlay }, '');
      open.push(overlay);
      addEventListener('popstate', onPopState);
    };
    const left = new AbortController();
    // The pending step back of an overlay that has just closed would otherwise close this one, too.
    if (goingBack) void goingBack.then(() => left.signal.aborted || enter());
    else enter();
    return () => {
      left.abort();
      if (!open.includes(overlay)) return;
      removeEventListener('popstate', onPopState);
      open.splice(open.indexOf(overlay), 1);
      // A link in the overlay may have navigated away.
      if (!isOnTop()) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      goingBack = promise;
      addEventListener(
        'popstate',
        () => {
          goingBack = undefined;
          resolve();
        },
        { once: true },
      );
      history.back();
    };
  }, [isOpen]);
}

let goingBack: Promise<void> | undefined;

/** Waits until a closed overlay has left the history: its pending step back would undo a navigation started before that. */
export async function historySettled(): Promise<void> {
  await goingBack;
}

/** Closes the topmost overlay as "back" does: a navigation then replaces the page, and not the overlay in the history. */
export async function closeOverlay(): Promise<void> {
  await historySettled();
  if (open.length === 0) return;
  const { promise, resolve } = Promise.withResolvers<unknown>();
  addEventListener('popstate', resolve, { once: true });
  history.back();
  await promise;
  // The focus returns before what was changed is shown anew.
  await new Promise((returned) => setTimeout(returned));
}

/** The open overlays, the topmost last. */
const open: string[] = [];

/** Whether an overlay is open: Escape closes it, and not what is below it. */
export function isOverlayOpen(): boolean {
  return open.length > 0;
}

/** Whether "back" closed an overlay above this one. */
function isBelow(overlay: string): boolean {
  return open.indexOf(overlay) <= open.indexOf(history.state?.overlay);
}
