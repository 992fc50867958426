import { focusableIn, withAncestors } from '../focus.ts';

/** They return the focus when they close. */
const OVERLAYS = '[role=dialog], [role=menu], [role=listbox]';

let focused: { element: HTMLElement; address: string } | undefined;

/** Keeps the focus near where it was: without it, the keyboard and a screen reader would start again at the top of the page. */
export function keepFocus(): void {
  document.addEventListener('focusin', ({ target }) => {
    focused = { element: target as HTMLElement, address: location.href };
  });
  // The person has moved on.
  for (const moved of ['pointerdown', 'wheel'])
    document.addEventListener(moved, () => {
      focused = undefined;
    });
  new MutationObserver((changes) => {
    for (const change of changes) {
      if (change.type === 'attributes') returnFromBusy(change);
      else handOn(change);
    }
  }).observe(document, { subtree: true, childList: true, attributeFilter: ['disabled'] });
}

/** A button is disabled while it is busy, which takes the focus from it. */
function returnFromBusy({ target }: MutationRecord): void {
  const { element } = focused ?? {};
  if (target === element && isLost()) element.focus({ preventScroll: true });
}

/** A row of a list, or anything else, that disappears with the focus in it hands it on to its neighbour, or to what is around it. */
function handOn({ removedNodes, nextSibling, previousSibling, target }: MutationRecord): void {
  if (!focused || focused.element.isConnected) return;
  const { element, address } = focused;
  if (![...removedNodes].some((one) => one.contains(element))) return;
  focused = undefined;
  // Another screen has a beginning of its own.
  if (location.href !== address || element.closest(OVERLAYS)) return;
  // Whatever removed it may move the focus itself.
  setTimeout(() => {
    const inItsPlace = previousSibling ? previousSibling.nextSibling : target.firstChild;
    const places = [inItsPlace, nextSibling, previousSibling, ...withAncestors(target)];
    const next = places.map(focusableIn).find(Boolean);
    if (isLost()) next?.focus({ preventScroll: true });
  });
}

function isLost(): boolean {
  return document.activeElement === document.body;
}
