import type { IdKind } from '#contract/ids.ts';
import { invalidArgument } from '../errors.ts';
import { isId } from '../ids.ts';

/** How a refusal names the ids of a list; by default they are cursors. */
type Fault = 'not-a-cursor' | 'not-a-message-id' | 'not-a-request-id' | 'not-an-entry-id' | 'not-an-act-id';

/**
 * The entry of a list at which a page begins, if one was given. Other texts sort like ids, too, and would give the first page
 * or none.
 *
 * @throws ApiError 400
 */
export function readCursor(
  kind: IdKind,
  field: string,
  cursor: string | undefined,
  fault: Fault = 'not-a-cursor',
): string | undefined {
  if (cursor !== undefined && !isId(kind, cursor)) throw invalidArgument(field, fault);
  return cursor;
}

/** Sorts after every id: a list whose newest entries come first begins there. */
export const AFTER_ALL = '~';

/** The first rows; `last` is the last of them, if others follow. */
export function pageOf<R>(rows: readonly R[], size: number): { page: R[]; last: R | undefined } {
  return { page: rows.slice(0, size), last: rows.length > size ? rows[size - 1] : undefined };
}
