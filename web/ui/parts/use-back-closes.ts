import { useLayoutEffect, useRef } from 'react';

/** While something lies over the page, "back" closes it and stays on the page: on a phone that is the way out of everything. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    if (!isOpen) return;
    const overlay = crypto.randomUUID();
    const isOnTop = () => history.state?.overlay === overlay;
    const hear = () => {
      if (!isOnTop() && !isBelow(overlay)) close.current();
    };
    const enter = () => {
      // Everything else in it is the router's, for which the place stays the same.
      history.pushState({ ...history.state, overlay }, '');
      open.push(overlay);
      addEventListener('popstate', hear);
    };
    const left = new AbortController();
    // The step back of one that has just closed would otherwise lead out of this one.
    if (goingBack) void goingBack.then(() => left.signal.aborted || enter());
    else enter();
    return () => {
      left.abort();
      if (!open.includes(overlay)) return;
      removeEventListener('popstate', hear);
      open.splice(open.indexOf(overlay), 1);
      // A link in it may have led on.
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

/** Until what was closed has left the history: a page that is gone to before would be left again by the step back. */
export async function historySettled(): Promise<void> {
  await goingBack;
}

/** Those that are open, the topmost last. */
const open: string[] = [];

/** Whether it was one further up that "back" closed. */
function isBelow(overlay: string): boolean {
  return open.indexOf(overlay) <= open.indexOf(history.state?.overlay);
}
