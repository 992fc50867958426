import postgres from 'postgres';
import { readAddress } from '#platform/database.ts';

/** A table as a backup holds it. */
export interface Table {
  name: string;
  columns: string[];
  /** Its primary key as SQL; rows are read in this order, whatever the language of the database. */
  key: string[];
}

/** The migrations themselves write it. */
const LEDGER = 'schema_migrations';

/** A client for bulk work; the server's pool has no COPY. */
export function openForCopy(address: string): postgres.Sql {
  const { url, ...way } = readAddress(address);
  return postgres(url, {
    ...way,
    max: 1,
    idle_timeout: 0,
    max_lifetime: null,
    onnotice: () => {},
    connection: { application_name: 'parley backup', statement_timeout: 0, lock_timeout: 0 },
  });
}

/** Every table, each after those that its foreign keys name. */
export async function listTables(sql: postgres.ISql): Promise<Table[]> {
  const rows = await sql<(Table & { parents: string[] })[]>`
    select c.relname as name,
      (select array_agg(attname::text order by attnum) from pg_attribute
        where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns,
      (select coalesce(
          array_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end
            order by k.place), '{}')
        from pg_index i cross join unnest(i.indkey) with ordinality as k(attnum, place)
        join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary) as key,
      (select coalesce(array_agg(distinct p.relname::text), '{}') from pg_constraint f
        join pg_class p on p.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> c.oid) as parents
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname <> ${LEDGER}
    order by c.relname`;
  const placed = new Map<string, Table>();
  while (placed.size < rows.length) {
    const ready = rows.filter(
      ({ name, parents }) => !placed.has(name) && parents.every((parent) => placed.has(parent)),
    );
    if (ready.length === 0) throw new Error('the foreign keys of the tables go in a circle');
    for (const { name, columns, key } of ready) placed.set(name, { name, columns, key });
  }
  return [...placed.values()];
}

/** Names of the migrations that the database has; empty for one without Parley's tables. */
export async function listMigrations(sql: postgres.ISql): Promise<string[]> {
  const [ledger] = await sql`select 1 from pg_tables where tablename = ${LEDGER} and schemaname = 'public'`;
  if (!ledger) return [];
  const rows = await sql<{ name: string }[]>`select name from schema_migrations order by name`;
  return rows.map(({ name }) => name);
}

/** The binary form keeps bytes as they are, so that what is sealed does not grow. */
export function copyOut(sql: postgres.ISql, { name, columns, key }: Table) {
  return sql.unsafe(
    `copy (select ${columns.map(quote).join(', ')} from ${quote(name)}
      order by ${key.join(', ')}) to stdout (format binary)`,
  );
}

export function copyIn(sql: postgres.ISql, { name, columns }: Pick<Table, 'name' | 'columns'>) {
  return sql.unsafe(`copy ${quote(name)} (${columns.map(quote).join(', ')}) from stdin (format binary)`);
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
