import { useLayoutEffect, useRef } from 'react';

/**
 * When an overlay closes, focus returns to what opened it, or else to what is around that: otherwise the keyboard and a screen
 * reader would start again at the top of the page. Mantine does this only for overlays that were rendered before they opened.
 */
export function useReturnsFocus(isOpen: boolean): void {
  const wasOpen = useRef(false);
  const before = useRef<HTMLElement[]>([]);
  if (isOpen !== wasOpen.current) {
    wasOpen.current = isOpen;
    // Already here: the menu that an overlay is opened from closes in the same rendering.
    if (isOpen) before.current = withAncestors(opener());
  }
  // Before the overlay is gone, and the focus with it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    return () => {
      const atClose = document.activeElement;
      // Whatever closed the overlay may move the focus itself.
      setTimeout(() => {
        const { activeElement } = document;
        if (activeElement === document.body || activeElement === atClose) before.current.some(takesFocus);
      });
    };
  }, [isOpen]);
}

let lastFocused: Element | undefined;
addEventListener('focusin', ({ target }) => {
  lastFocused = target as Element;
});

/** The focused element, or the button that lost the focus while it was busy; of a menu, the button that opened it. */
function opener(): Element | null {
  const { activeElement } = document;
  if (activeElement === document.body && lastFocused?.matches(':disabled')) return lastFocused;
  const menu = activeElement?.closest('[role=menu]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : activeElement;
}

function withAncestors(element: Element | null): HTMLElement[] {
  return element instanceof HTMLElement ? [element, ...withAncestors(element.parentElement)] : [];
}

/** An element that was rendered anew is recognised by its id. */
function takesFocus(known: HTMLElement): boolean {
  const element = known.isConnected ? known : document.getElementById(known.id);
  element?.focus({ preventScroll: true });
  return element !== null && element === document.activeElement;
}
