const TAKES_FOCUS = 'a[href], button:not(:disabled, [tabindex="-1"]), [tabindex="0"]';

/** Without the body: what is elsewhere on the page is not around it. */
export function withAncestors(node: Node | null): Node[] {
  return node === null || node === document.body ? [] : [node, ...withAncestors(node.parentNode)];
}

/** The first element in a place that takes the focus; none if the place is the whole page, which begins with a link that skips it. */
export function focusableIn(place: Node | null): HTMLElement | undefined {
  if (!(place instanceof Element)) return undefined;
  const all = [place as HTMLElement, ...place.querySelectorAll<HTMLElement>('*')];
  const first = all.find((one) => one.matches(TAKES_FOCUS) && one.checkVisibility());
  return first?.matches('.skip-link') ? undefined : first;
}
