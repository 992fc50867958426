import type { Database, Tx } from '#platform/database.ts';

/**
 * The open transaction in the shape of a database, for services that begin one of their own: what they write commits,
 * or not, together with the answer that tells of it.
 */
export function joined(tx: Tx): Database {
  // A proxy has the type of its target, which lacks `begin`.
  return new Proxy(tx, {
    get(target, name) {
      if (name === 'begin' || name === 'write') return (work: (tx: Tx) => Promise<unknown>) => work(tx);
      return name === 'shared' ? tx : Reflect.get(target, name);
    },
  }) as unknown as Database;
}
