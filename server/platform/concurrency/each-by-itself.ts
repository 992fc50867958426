/**
 * Runs the work for each item in turn; a failure does not stop the others.
 *
 * @throws AggregateError with the message, once all are done
 */
export async function eachByItself<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
  message: string,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) await work(item).catch((error) => errors.push(error));
  if (errors.length > 0) throw new AggregateError(errors, message);
}

/** The same for a few, all at once. */
export async function eachAtOnce<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
  message: string,
): Promise<void> {
  const errors: unknown[] = [];
  await Promise.all(Array.from(items, (item) => work(item).catch((error) => errors.push(error))));
  if (errors.length > 0) throw new AggregateError(errors, message);
}
