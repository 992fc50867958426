type Absent = null | undefined;

/** The same fields, of which those that may be null are optional. */
type WithoutAbsent<T> = {
  [K in keyof T as Extract<T[K], Absent> extends never ? K : never]: T[K];
} & { [K in keyof T as Extract<T[K], Absent> extends never ? never : K]?: Exclude<T[K], Absent> };

/** Leaves out the fields that are null or undefined, as answers do (decisions: Webhooks). */
export function withoutAbsent<T extends object>(fields: T): WithoutAbsent<T> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as WithoutAbsent<T>;
}

/** The row of a table that a view shows: null in it is what the view leaves out. */
export type RowOf<View> = {
  [K in keyof View]-?: undefined extends View[K] ? Exclude<View[K], undefined> | null : View[K];
};
