import { type RefObject, useLayoutEffect, useRef } from 'react';

/**
 * Selects part of a field whose text changes with it. The selection is set in the commit that shows the new text: the browser
 * moves the caret to the end, and the next key may come before the next frame.
 */
export function useSelection(
  field: RefObject<HTMLTextAreaElement | null>,
): (start: number, end?: number) => void {
  const next = useRef<[number, number]>(undefined);
  useLayoutEffect(() => {
    if (!next.current) return;
    field.current?.setSelectionRange(...next.current);
    next.current = undefined;
  });
  return (start, end = start) => {
    next.current = [start, end];
  };
}
