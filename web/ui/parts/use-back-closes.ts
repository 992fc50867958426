import { useLayoutEffect, useRef } from 'react';

/** While something lies over the page, "back" closes it and stays on the page: on a phone that is the way out of everything. */
export function useBackCloses(isOpen: boolean, onClose: () => void): void {
  const close = useRef(onClose);
  close.current = onClose;
  useLayoutEffect(() => {
    if (!isOpen) return;
    const overlay = crypto.randomUUID();
    // Everything else in it is the router's, for which the place stays the same.
    history.pushState({ ...history.state, overlay }, '');
    const isOnTop = () => history.state?.overlay === overlay;
    const hear = () => {
      if (!isOnTop() && !isBelow(overlay)) close.current();
    };
    open.push(overlay);
    addEventListener('popstate', hear);
    return () => {
      removeEventListener('popstate', hear);
      open.splice(open.indexOf(overlay), 1);
      // A link in it may have led on.
      if (!isOnTop()) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      goingBack = promise;
      addEventListener('popstate', () => resolve(), { once: true });
      history.back();
    };
  }, [isOpen]);
}

let goingBack = Promise.resolve();

/** Until what was closed has left the history: a page that is gone to before would be left again by the step back. */
export function historySettled(): Promise<void> {
  return goingBack;
}

/** Those that are open, the topmost last. */
const open: string[] = [];

/** Whether it was one further up that "back" closed. */
function isBelow(overlay: string): boolean {
  return open.indexOf(overlay) <= open.indexOf(history.state?.overlay);
}
