import type { Db } from '../database.ts';
import { type Shards, withinShard } from './shards.ts';

/** The columns of texts that, with the bucket, identify a row. */
type TextColumn<Key> = { [Name in keyof Key & string]: Key[Name] extends string ? Name : never }[keyof Key &
  string];

/**
 * The condition that a row has one of these keys, each of which is searched for by itself. An `any` for each column would accept
 * every combination of their values, which takes PostgreSQL 18 ten times as long for 30 keys in a large table, and 15 a hundred
 * times.
 *
 * @param columns those of the key besides the bucket
 * @param table required if the statement has several
 * @param shards if given, a single PostgreSQL is spared what only Citus needs
 */
export function isOneOf<Key extends { bucket: number }>(
  db: Db,
  keys: readonly Key[],
  columns: readonly TextColumn<Key>[],
  {
    table,
    shards = { isDistributed: true },
  }: { table?: string; shards?: Pick<Shards, 'isDistributed'> } = {},
) {
  const column = (name: string) => (table === undefined ? db`${db(name)}` : db`${db(table)}.${db(name)}`);
  const names = columns.reduce((before, name) => db`${before}, ${column(name)}`, column('bucket'));
  const values = columns.reduce(
    (before, name) => db`${before}, ${keys.map((key) => key[name] as string)}::text[]`,
    db`${keys.map(({ bucket }) => bucket)}::integer[]`,
  );
  return db`(${names}) in (select * from unnest(${values})) ${withinShard(db, shards, keys, table)}`;
}
