import type { CopyConnection } from '#platform/database/copy.ts';

/** A table as a backup holds it. */
export interface Table {
  name: string;
  columns: string[];
  /** Its primary key as SQL; rows are read in this order, whatever the language of the database. */
  key: string[];
}

/** The migrations themselves write it. */
const LEDGER = 'schema_migrations';

/** Every table, each after those that its foreign keys name. */
export async function listTables(connection: CopyConnection): Promise<Table[]> {
  const rows = await connection.rows<Table & { parents: string[] }>(
    `
    select c.relname as name,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select coalesce(
          array_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
            order by k.position), '{}')
        from pg_index i cross join unnest(i.indkey) with ordinality as k(attnum, position)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary) as key,
      (select coalesce(array_agg(distinct p.relname::text), '{}') from pg_constraint f
        join pg_class p on p.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> $1
    order by c.relname`,
    [LEDGER],
  );
  const sorted = new Map<string, Table>();
  while (sorted.size < rows.length) {
    const ready = rows.filter(
      ({ name, parents }) => !sorted.has(name) && parents.every((parent) => sorted.has(parent)),
    );
    if (ready.length === 0) throw new Error('the foreign keys of the tables form a cycle');
    for (const { name, columns, key } of ready) sorted.set(name, { name, columns, key });
  }
  return [...sorted.values()];
}

/** Names of the migrations that the database has; empty for one without Parley's tables. */
export async function listMigrations(connection: CopyConnection): Promise<string[]> {
  const ledger = await connection.rows(
    "select 1 from pg_tables where tablename = $1 and schemaname = 'public'",
    [LEDGER],
  );
  if (ledger.length === 0) return [];
  const rows = await connection.rows<{ name: string }>('select name from schema_migrations order by name');
  return rows.map(({ name }) => name);
}

/** The binary form keeps bytes as they are, so that what is sealed does not grow. */
export function copyOutOf({ name, columns, key }: Table): string {
  return `copy (select ${columns.map(quote).join(', ')} from ${quote(name)} order by ${key.join(', ')})
    to stdout (format binary)`;
}

export function copyInto({ name, columns }: Pick<Table, 'name' | 'columns'>): string {
  return `copy ${quote(name)} (${columns.map(quote).join(', ')}) from stdin (format binary)`;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
