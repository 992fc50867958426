const LARGEST = 64;

/**
 * Rows in parts whose numbers are powers of two. A statement with the values of so many rows has a text of its own, which
 * every connection prepares; this way there are few of them.
 */
export function inChunks<T>(rows: readonly T[]): T[][] {
  const chunks: T[][] = [];
  let size = LARGEST;
  for (let from = 0; from < rows.length; from += size) {
    while (size > rows.length - from) size /= 2;
    chunks.push(rows.slice(from, from + size));
  }
  return chunks;
}
