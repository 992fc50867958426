import type { Database, Tx } from '#platform/database.ts';

/**
 * The open transaction with the interface of a database, for services that begin their own: their writes commit or roll back
 * together with the response that reports them.
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
