import { useLayoutEffect, useRef } from 'react';
import { focusableIn, withAncestors } from '../focus.ts';

/**
 * When an overlay closes, focus returns to what opened it, or else to its neighbour or what is around it: otherwise the keyboard
 * and a screen reader would start again at the top of the page. Mantine does this only for overlays that were rendered before
 * they opened.
 */
export function useReturnsFocus(isOpen: boolean): void {
  const wasOpen = useRef(false);
  const places = useRef<Node[]>([]);
  if (isOpen !== wasOpen.current) {
    wasOpen.current = isOpen;
    // Already here: the menu that an overlay is opened from closes in the same rendering.
    if (isOpen) places.current = withAncestors(opener()).flatMap(withNeighbours);
  }
  // Before the overlay is gone, and the focus with it.
  useLayoutEffect(() => {
    if (!isOpen) return;
    return () => {
      const atClose = document.activeElement;
      // Whatever closed the overlay may move the focus itself.
      setTimeout(() => {
        const { activeElement } = document;
        if (activeElement !== document.body && activeElement !== atClose) return;
        const known = present(places.current[0]);
        (known ? withAncestors(known) : places.current.map(focusableIn)).some(takesFocus);
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

function withNeighbours(node: Node): Node[] {
  return [node, node.nextSibling, node.previousSibling].filter((one) => one !== null);
}

/** An element that was rendered anew is recognised by its id. */
function present(node: Node | undefined): Node | null {
  if (node?.isConnected) return node;
  return node instanceof Element ? document.getElementById(node.id) : null;
}

function takesFocus(node: Node | undefined): boolean {
  if (!(node instanceof HTMLElement)) return false;
  node.focus({ preventScroll: true });
  return node === document.activeElement;
}
