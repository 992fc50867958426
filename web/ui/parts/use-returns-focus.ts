import { useLayoutEffect, useRef } from 'react';
import { focusableIn, withAncestors } from '../focus.ts';

/**
 * When an overlay closes, focus returns to what opened it, or else to its neighbour or what is around it: otherwise the keyboard
 * and a screen reader would start again at the top of the page. Mantine does this only for overlays that were rendered before
 * they opened.
 */
export function useReturnsFocus(isOpen: boolean): void {
  const wasOpen = useRef(false);
  const places = useRef<Place[]>([]);
  if (isOpen !== wasOpen.current) {
    wasOpen.current = isOpen;
    // Already here: the menu that an overlay is opened from closes in the same rendering.
    if (isOpen) places.current = withAncestors(opener()).map(toPlace);
  }
  // Before the overlay is gone, and the focus with it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    return () => {
      const atClose = document.activeElement;
      // Whatever closed the overlay may move the focus itself.
      setTimeout(() => {
        const { activeElement } = document;
        if (activeElement === document.body || activeElement === atClose) places.current.some(takesFocus);
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

interface Place {
  node: Node;
  /** For when it is gone. */
  neighbours: (Node | null)[];
}

function toPlace(node: Node): Place {
  return { node, neighbours: [node.nextSibling, node.previousSibling] };
}

function takesFocus({ node, neighbours }: Place): boolean {
  const known = present(node);
  return (known ? [known] : neighbours.map(focusableIn)).some((one) => {
    if (one instanceof HTMLElement) one.focus({ preventScroll: true });
    return one === document.activeElement;
  });
}

/** An element that was rendered anew is recognised by its id. */
function present(node: Node): Node | null {
  if (node.isConnected) return node;
  return node instanceof Element ? document.getElementById(node.id) : null;
}
