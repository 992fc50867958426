import type { FileDetails } from '#contract/messages.ts';

/** The width of an album in a wide window, and the gap of album.module.css. */
export const ALBUM_PX = 384;
const GAP_PX = 3;
/** Longer pictures are cropped. */
const [NARROWEST, WIDEST] = [2 / 3, 16 / 9];
const MOST_IN_ROW = 3;
/** The number of layouts grows exponentially; a longer album, which this page does not send, is laid out in parts. */
const MOST_AT_ONCE = 10;
/** Another layout must be this much nearer to a square, as a share of its side. */
const NOTABLY = 0.01;

/** A row of an album: the ratio of width to height of each picture. All of them have one height. */
export type AlbumRow = readonly number[];

/** The rows of an album, which fill its width; as a whole it is as nearly square as possible, with the larger pictures first. */
export function rowsOfAlbum(files: readonly (FileDetails | undefined)[]): AlbumRow[] {
  if (files.length > MOST_AT_ONCE)
    return [...rowsOfAlbum(files.slice(0, MOST_AT_ONCE)), ...rowsOfAlbum(files.slice(MOST_AT_ONCE))];
  const offSquare = (rows: readonly AlbumRow[]) => Math.abs(heightOf(rows) - 1);
  return layoutsOf(files.map(ratioOf)).reduce((best, one) =>
    offSquare(one) < offSquare(best) - NOTABLY ? one : best,
  );
}

/** The height of an album in a wide window. */
export function albumHeight(files: readonly (FileDetails | undefined)[]): number {
  const rows = rowsOfAlbum(files);
  return heightOf(rows) * ALBUM_PX + (rows.length - 1) * GAP_PX;
}

/** The sum of the ratios is the ratio of the row. */
export function rowRatio(row: AlbumRow): number {
  return row.reduce((sum, ratio) => sum + ratio, 0);
}

/** As a share of the width. */
function heightOf(rows: readonly AlbumRow[]): number {
  return rows.reduce((sum, row) => sum + 1 / rowRatio(row), 0);
}

/** All ways to divide pictures into rows, those with few pictures in the first rows first. */
function layoutsOf(ratios: readonly number[]): AlbumRow[][] {
  if (ratios.length === 0) return [[]];
  const counts = Array.from({ length: Math.min(MOST_IN_ROW, ratios.length) }, (_, i) => i + 1);
  return counts.flatMap((count) =>
    layoutsOf(ratios.slice(count)).map((below) => [ratios.slice(0, count), ...below]),
  );
}

function ratioOf({ width, height }: FileDetails = {}): number {
  if (width === undefined || height === undefined) return 1;
  return Math.min(WIDEST, Math.max(NARROWEST, width / height));
}
