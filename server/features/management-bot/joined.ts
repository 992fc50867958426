import type { Database, Tx } from '#platform/database.ts';

/**
 * The open transaction in the shape of a database, for services that begin one of their own: what they write commits,
 * or not, together with the answer that tells of it.
 */
export function joined(tx: Tx): Database {
  const own: Partial<Record<string | symbol, unknown>> = {
    begin: (work: (tx: Tx) => Promise<unknown>) => work(tx),
    shared: tx,
  };
  return new Proxy(tx, {
    get: (target, name) => own[name] ?? Reflect.get(target, name),
  }) as unknown as Database;
}
