/** Rows as a table for a terminal. */
export function toColumns(rows: string[][]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Text by people must not move the cursor of the operator's terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '�');
}

/** A moment as programs read it, too: UTC, ISO 8601. */
export function toTime(at: number): string {
  return new Date(at).toISOString();
}
