/** Heights of an album's rows by the number of pictures in each, and the gap below. The same values as in album.module.css. */
const HEIGHTS_PX: Record<number, number> = { 1: 208, 2: 160, 3: 112 };
const GAP_PX = 3;

/** The number of pictures in each row of an album: three, with the remainder in the rows above. */
export function rowsOfAlbum(count: number): number[] {
  if (count === 3) return [1, 2];
  const full = Array.from({ length: Math.floor(count / 3) }, () => 3);
  return count % 3 === 0 ? full : [count % 3, ...full];
}

export function albumHeight(count: number): number {
  return rowsOfAlbum(count).reduce((sum, inRow) => sum + (HEIGHTS_PX[inRow] ?? 0) + GAP_PX, 0);
}
