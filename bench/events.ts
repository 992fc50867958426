import { setTimeout as sleep } from 'node:timers/promises';
import { removeExpiredEvents } from '#features/webhooks/log/expiry.ts';
import { systemClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import { Keyring, parseKeys } from '#platform/crypto/keyring.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createIds, firstIdAt } from '#platform/ids.ts';
import { UNSHARDED } from '#platform/partitioning/shards.ts';
import { systemRandom } from '#platform/random.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch, type Scratch } from '../tests/scratch.ts';
import { median } from './load.ts';
import { nextMessage, type ReceiverAddress, startReceiver } from './receiver.ts';
import { type SeededBot, seedBots } from './seed.ts';
import { pointWebhooksAt, recordBacklog } from './seed-webhooks.ts';
import { environmentFor, measureRound, ROUNDS_HEAD, type Round, roundsRow } from './webhooks.ts';

const DAY_MS = 24 * 3_600_000;
const RETENTION_DAYS = 30;
const TABLES = ['events', 'event_attempts'] as const;
const LOOK_EVERY_MS = 5;

/** The sizes of the measurement. */
export interface EventsBench {
  stored: number;
  bots: number;
  events: number;
  rounds: number;
}

const FULL: EventsBench = { stored: 10_000_000, bots: 100, events: 20_000, rounds: 5 };

/**
 * Delivery over http with no event stored and with 10,000,000 delivered on the day before, alternating between two
 * databases; then the time to remove that day. The stored events are written by SQL, with random bytes as bodies.
 */
export async function benchEvents(size: EventsBench = FULL, ready?: () => Promise<void>): Promise<string[]> {
  using receiver = startReceiver('plain');
  const arrival = await nextMessage<ReceiverAddress>(receiver.child);
  await using few = await startWith({ ...size, stored: 0 }, arrival);
  await using many = await startWith(size, arrival);
  await ready?.();
  for (let round = 0; round < size.rounds; round++)
    for (const { record, rounds, scratch, environment } of [few, many]) {
      await record();
      const start = () => startParley(environment);
      rounds.push(await measureRound(receiver.child, scratch.directory, size.events, start));
    }
  const rate = ({ rounds }: { rounds: Round[] }) => median(rounds.map(({ perSecond }) => perSecond));
  const { seconds, filesSeconds, dead } = await forgetAll(many.scratch);
  return [
    ...ROUNDS_HEAD,
    roundsRow('no event stored', few.rounds, []),
    roundsRow(`${size.stored.toLocaleString('en')} stored`, many.rounds, [
      (rate(many) / rate(few)).toFixed(2),
    ]),
    '',
    `Bar: within 5 %. The day with its ${size.stored.toLocaleString('en')} events and attempts was gone after ${seconds.toFixed(2)} s (bar 1), its files after ${filesSeconds.toFixed(2)} s, and left ${dead} dead rows.`,
  ];
}

async function startWith({ stored, bots: count, events }: EventsBench, arrival: ReceiverAddress) {
  await using started = new AsyncDisposableStack();
  const scratch = started.use(await createScratch());
  const newId = createIds(systemClock, systemRandom);
  const keyring = new Keyring(parseKeys(scratch.environment['MASTER_KEYS'] ?? ''), systemRandom);
  const deps = { db: scratch.db, keyring, newId };
  const bots = await seedBots(scratch.db, newId, count);
  await pointWebhooksAt(deps, bots, arrival.url);
  if (stored > 0) await seedDelivered(scratch.db, bots, stored);
  const environment = await environmentFor(scratch, arrival);
  const rounds: Round[] = [];
  const kept = started.move();
  return {
    scratch,
    environment,
    rounds,
    record: () => recordBacklog(deps, bots, events),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function yesterday(): { at: number; name: string } {
  const at = Math.floor(systemClock.now() / DAY_MS) * DAY_MS - DAY_MS;
  return { at, name: new Date(at).toISOString().slice(0, 10).replaceAll('-', '_') };
}

/** Events of yesterday, each with its successful attempt, in the partitions of their day. */
async function seedDelivered(db: Database, bots: SeededBot[], count: number): Promise<void> {
  const { at, name: day } = yesterday();
  const [from, to] = [firstIdAt('dlv', at), firstIdAt('dlv', at + DAY_MS)];
  const attempt = { attempt: 1, at, status: 200, timings: [null, null, null, 1.5, 1.7] };
  const appIds = bots.map(({ appId }) => appId);
  const id = `'${from}' || lpad(n::text, 8, '0') || left(md5(n::text), 6)`;
  const bucket = `('x' || left(md5(n::text), 4))::bit(16)::integer % 1024`;
  const rows = {
    events: `select ${bucket}, ${id}, ('{${appIds.join()}}'::text[])[1 + n % ${appIds.length}], 'message.received',
      'msg_' || left(md5(n::text), 24), decode(repeat(md5(n::text), 28), 'hex'), 1, ${at} + n / 200, n`,
    event_attempts: `select ${bucket}, ${id}, 1, '{"at": 0, "attempt": 1}'::jsonb, null, null, null,
      '${JSON.stringify(attempt)}'::json`,
  };
  // Without a timeout.
  const run = (text: string) =>
    db.begin(async (tx) => {
      await tx.unsafe('set local statement_timeout = 0');
      await tx.unsafe(text);
    });
  for (const table of TABLES) {
    const partition = `${table}_${day}`;
    // Its indexes are built once it is full; its first vacuum would otherwise run during the measurement.
    await run(`create table ${partition} (like ${table}) with (autovacuum_enabled = false)`);
    await run(`insert into ${partition} ${rows[table]} from generate_series(1, ${count}) n`);
    await run(`alter table ${table} attach partition ${partition} for values from ('${from}') to ('${to}')`);
    await run(`analyze ${partition}`);
  }
}

/** As the worker does after the day has passed. PostgreSQL removes the files last, when nothing waits for it anymore. */
async function forgetAll({ db, databaseUrl }: Pick<Scratch, 'db' | 'databaseUrl'>) {
  const at = Math.ceil(systemClock.now() / DAY_MS) * DAY_MS + (RETENTION_DAYS - 1) * DAY_MS;
  const platform = {
    db,
    clock: { now: () => at },
    config: { eventRetentionDays: RETENTION_DAYS } as Config,
    shards: UNSHARDED,
  };
  const startedAt = performance.now();
  const secondsSince = () => (performance.now() - startedAt) / 1_000;
  const onlooker = openDatabase({ url: databaseUrl, poolSize: 1 });
  const days = TABLES.map((table) => `${table}_${yesterday().name}`);
  const goneAfter = async () => {
    for (;;) {
      const [row] = await onlooker<{ left: number }[]>`
        select count(to_regclass(name)) as left from unnest(${days}::text[]) as name`;
      if (row?.left === 0) return secondsSince();
      await sleep(LOOK_EVERY_MS);
    }
  };
  const removed = removeExpiredEvents(platform, { limit: 1_000 }).then(secondsSince);
  const [seconds, filesSeconds] = await Promise.all([goneAfter(), removed]);
  await onlooker.end({ timeout: 1 });
  const [row] = await db<{ dead: number }[]>`
    select coalesce(sum(n_dead_tup), 0)::integer as dead from pg_stat_user_tables
    where relname like 'events%' or relname like 'event_attempts%'`;
  return { seconds, filesSeconds, dead: row?.dead ?? 0 };
}
