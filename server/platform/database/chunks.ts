const LARGEST = 64;
/** Rows of a statement that imports: few statements are worth more than few texts of them. */
export const IMPORTED_AT_ONCE = 1024;

/**
 * Splits rows into chunks whose sizes are powers of two. Each size gives a statement its own text, which every connection
 * prepares; this way there are few of them.
 *
 * @param largest a power of two
 */
export function inChunks<T>(rows: readonly T[], largest = LARGEST): T[][] {
  const chunks: T[][] = [];
  let size = largest;
  for (let from = 0; from < rows.length; from += size) {
    while (size > rows.length - from) size /= 2;
    chunks.push(rows.slice(from, from + size));
  }
  return chunks;
}
