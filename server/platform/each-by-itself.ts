/**
 * Does each, one after another: what fails in one keeps the others from nothing.
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
