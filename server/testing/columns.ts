/** These fields of each row. */
export function columnsOf<Row extends object>(rows: readonly Row[], ...names: (keyof Row)[]): unknown[][] {
  return rows.map((row) => names.map((name) => row[name]));
}

/** One field of each row. */
export function columnOf<Row extends object>(rows: readonly Row[], name: keyof Row): unknown[] {
  return rows.map((row) => row[name]);
}
