import { type KeyboardEvent, type RefObject, useLayoutEffect, useRef } from 'react';
import { type Format, formatted, markOf } from './marks.ts';

/**
 * Formats the selected text of a field, and selects a part of it. The selection is set in the commit that shows the new text: the
 * browser moves the caret to the end, and the next key may come before the next frame.
 */
export function useFormatting(
  field: RefObject<HTMLTextAreaElement | null>,
  text: string,
  change: (text: string) => void,
) {
  const next = useRef<[number, number]>(undefined);
  useLayoutEffect(() => {
    if (!next.current) return;
    field.current?.setSelectionRange(...next.current);
    next.current = undefined;
  });
  const select = (start: number, end = start) => {
    next.current = [start, end];
  };
  const format = (how: Format) => {
    if (!field.current) return;
    const { selectionStart: start, selectionEnd: end } = field.current;
    const after = formatted({ text, start, end }, how);
    change(after.text);
    select(after.start, after.end);
  };
  const formatByKey = (event: KeyboardEvent) => {
    const mark = markOf(event);
    if (mark === undefined) return;
    event.preventDefault();
    format(mark);
  };
  return { select, format, formatByKey };
}
