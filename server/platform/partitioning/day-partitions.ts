import type { IdKind } from '#contract/ids.ts';
import type { Database } from '../database.ts';
import { firstIdAt } from '../ids.ts';
import type { Platform } from '../platform.ts';

/** A table partitioned by the day of its IDs, which sort by time, with a default partition. */
export interface DayPartitioned {
  table: string;
  idKind: IdKind;
  /**
   * The rows to keep of an expired day: a condition on the row `past`, given the IDs of the day as SQL. They are moved to
   * the default partition.
   */
  kept?: (day: { from: string; to: string }) => string;
}

const DAY_MS = 24 * 3_600_000;
/** How long in advance partitions are created: rows of a day that has begun may already be in the default partition. */
const DAYS_AHEAD = 2;
/** Creating and dropping lock the table briefly; after a timeout, the next step tries again. */
const LOCK_TIMEOUT = '1s';
/** PostgreSQL cancels an autovacuum once somebody has waited for it for a second. */
const VACUUM_TIMEOUT = '3s';

/**
 * One step of the expiry worker: creates the partitions of the coming days, and drops those whose rows are all from before
 * the given time. Returns the names of both.
 */
export async function turnDayPartitions(
  deps: Pick<Platform, 'db' | 'clock' | 'shards'>,
  { table, idKind, kept }: DayPartitioned,
  before: number,
): Promise<{ made: string[]; dropped: string[] }> {
  const { db, clock } = deps;
  const existing = new Set(await findPartitions(db, table));
  const today = Math.floor(clock.now() / DAY_MS);
  const wanted = Array.from({ length: DAYS_AHEAD }, (_, i) => today + 1 + i);
  const made = wanted.filter((day) => !existing.has(nameOf(table, day)));
  for (const day of made) {
    const { from, to } = idsOf(idKind, day);
    await change(deps, table, [
      `create table if not exists ${nameOf(table, day)} partition of ${table} for values from (${from}) to (${to})`,
    ]);
  }
  const dropped = [...existing].filter((name) => {
    const day = dayOfName(table, name);
    return day !== undefined && (day + 1) * DAY_MS <= before;
  });
  const drop = async (name: string) => {
    const day = dayOfName(table, name);
    if (kept === undefined || day === undefined) return change(deps, table, [`drop table if exists ${name}`]);
    // Another worker may have been faster.
    if (!(await findPartitions(db, table)).includes(name)) return;
    await change(deps, table, [
      // Only this worker waits for a vacuum to end; locking the whole table would block everybody.
      `set local lock_timeout = '${VACUUM_TIMEOUT}'`,
      `lock table ${name} in share update exclusive mode`,
      `set local lock_timeout = '${LOCK_TIMEOUT}'`,
      `alter table ${table} detach partition ${name}`,
      `insert into ${table} select * from ${name} past where ${kept(idsOf(idKind, day))}`,
      `drop table ${name}`,
    ]);
  };
  for (const name of dropped) await drop(name);
  return { made: made.map((day) => nameOf(table, day)), dropped };
}

/** As SQL. */
function idsOf(kind: IdKind, day: number): { from: string; to: string } {
  return {
    from: `'${firstIdAt(kind, day * DAY_MS)}'`,
    to: `'${firstIdAt(kind, (day + 1) * DAY_MS)}'`,
  };
}

async function change(
  { db, shards }: Pick<Platform, 'db' | 'shards'>,
  table: string,
  statements: string[],
): Promise<void> {
  const all = [
    `set local lock_timeout = '${LOCK_TIMEOUT}'`,
    // Of two concurrent workers, the second sees the changes of the first. Without `only`, the lock would wait for a vacuum
    // of any day.
    `lock table ${shards.isDistributed ? '' : 'only '}${table} in share update exclusive mode`,
    ...statements,
  ];
  if (shards.isDistributed) return onCoordinator(db, `do $changes$ begin ${all.join('; ')}; end $changes$`);
  await db.begin(async (tx) => {
    for (const statement of all) await tx.unsafe(statement);
  });
}

/** Runs a command that Citus accepts only on the coordinator, from any node. */
async function onCoordinator(db: Database, command: string): Promise<void> {
  const [done] = await db<{ success: boolean; result: string }[]>`
    select success, result from run_command_on_coordinator(${command})`;
  if (!done?.success) throw new Error(`the coordinator of Citus refused a change of tables: ${done?.result}`);
}

async function findPartitions(db: Database, table: string): Promise<string[]> {
  const rows = await db<{ name: string }[]>`
    select child.relname::text as name
    from pg_inherits
    join pg_class child on child.oid = inhrelid
    join pg_class parent on parent.oid = inhparent
    where parent.relname = ${table} and parent.relnamespace = 'public'::regnamespace`;
  return rows.map(({ name }) => name);
}

function nameOf(table: string, day: number): string {
  return `${table}_${new Date(day * DAY_MS).toISOString().slice(0, 10).replaceAll('-', '_')}`;
}

function dayOfName(table: string, name: string): number | undefined {
  const date = /^_(\d{4})_(\d\d)_(\d\d)$/.exec(name.slice(table.length));
  return date ? Date.UTC(Number(date[1]), Number(date[2]) - 1, Number(date[3])) / DAY_MS : undefined;
}
