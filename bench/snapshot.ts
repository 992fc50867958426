import type { ChildProcess } from 'node:child_process';
import { systemClock } from '#platform/clock.ts';
import { Keyring, parseKeys } from '#platform/crypto/keyring.ts';
import type { Database } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { type ServerProcess, startParley } from '../tests/processes.ts';
import { createScratch, type Scratch } from '../tests/scratch.ts';
import { cpuMicroseconds, postgresPids } from './cpu.ts';
import { type LoadRequest, load } from './load.ts';
import { PacedLoad } from './paced-load.ts';
import { nextMessage, type ReceiverAddress, startReceiver } from './receiver.ts';
import { seedBots } from './seed.ts';
import { seedSessions } from './seed-sessions.ts';
import { pointWebhooksAt } from './seed-webhooks.ts';
import { environmentFor } from './webhooks.ts';

/** The sizes of the measurement. */
export interface SnapshotBench {
  minutes: number;
  /** Of one measurement. */
  minuteSeconds: number;
  bots: number;
  connections: number;
}

const FULL: SnapshotBench = { minutes: 10, minuteSeconds: 60, bots: 200, connections: 48 };
const BAR = { ratio: 0.95 };

/** One minute: sends per second, deliveries per second, and the CPU time of both processes for each send. */
interface Minute {
  sent: number;
  delivered: number;
  server: number;
  database: number;
}

interface Bench {
  scratch: Scratch;
  parley: ServerProcess;
  receiver: ChildProcess;
  requests: LoadRequest[];
  size: SnapshotBench;
}

/**
 * People write to bots with webhooks, at full and at half load, while another session holds a snapshot, as every backup does:
 * what was deleted or updated since then cannot be cleaned up.
 */
export async function benchSnapshot(size: SnapshotBench = FULL): Promise<string[]> {
  await using scratch = await createScratch();
  const newId = createIds(systemClock, systemRandom);
  const keyring = new Keyring(parseKeys(scratch.environment['MASTER_KEYS'] ?? ''), systemRandom);
  const bots = await seedBots(scratch.db, newId, size.bots);
  using receiver = startReceiver('tls');
  const arrival = await nextMessage<ReceiverAddress>(receiver.child);
  await pointWebhooksAt({ db: scratch.db, keyring, newId }, bots, arrival.url);
  const cookies = await seedSessions(
    scratch.db,
    bots.map(({ personId }) => personId),
  );
  const requests = bots.map(({ accountId }, i) => ({
    method: 'POST' as const,
    path: '/api/chat/messages',
    headers: { cookie: cookies[i] as string, 'content-type': 'application/json' },
    body: JSON.stringify({ to: accountId, type: 'text', content: 'Where is my parcel? It should be here.' }),
  }));
  await using parley = await startParley(await environmentFor(scratch, arrival));
  const bench = { scratch, parley, receiver: receiver.child, requests, size };
  await measureMinute(bench);
  const alone = await measureMinute(bench);
  const full = await whileHolding(bench);
  const half = await whileHolding(bench, Math.round((full.minutes[0]?.sent ?? 0) / 2));
  return [
    '| load | minute | sends/s | delivered/s | server, CPU µs per send | PostgreSQL |',
    '| --- | --- | --- | --- | --- | --- |',
    minuteRow('full, no snapshot held', '', alone),
    ...rowsOf('full', full.minutes),
    ...rowsOf('half', half.minutes),
    '',
    ...[full, half].flatMap(({ minutes, dead }, i) => [
      `${i === 0 ? 'Full' : 'Half'} load: the last minute has ${ratioOf(minutes).toFixed(2)} of the rate of the first (bar ${BAR.ratio}). Dead rows afterwards: ${dead}.`,
      '',
    ]),
    `${size.connections} connections, ${size.bots} bots, https. A minute has ${size.minuteSeconds} s.`,
  ];
}

function ratioOf(minutes: Minute[]): number {
  return (minutes.at(-1)?.delivered ?? 0) / (minutes[0]?.delivered ?? 1);
}

function rowsOf(name: string, minutes: Minute[]): string[] {
  return minutes.map((minute, i) => minuteRow(name, String(i + 1), minute));
}

function minuteRow(name: string, minute: string, { sent, delivered, server, database }: Minute): string {
  return `| ${[name, minute, ...[sent, delivered, server, database].map(Math.round)].join(' | ')} |`;
}

async function whileHolding(bench: Bench, perSecond?: number): Promise<{ minutes: Minute[]; dead: string }> {
  const { db } = bench.scratch;
  const measured = Promise.withResolvers<void>();
  const began = Promise.withResolvers<void>();
  const holding = db.begin(async (tx) => {
    await tx`set transaction isolation level repeatable read`;
    await tx`set local idle_in_transaction_session_timeout = 0`;
    await tx`select count(*) from accounts`;
    began.resolve();
    await measured.promise;
  });
  await began.promise;
  const minutes: Minute[] = [];
  while (minutes.length < bench.size.minutes) minutes.push(await measureMinute(bench, perSecond));
  const dead = await findDeadRows(db);
  measured.resolve();
  await holding;
  return { minutes, dead };
}

async function measureMinute(
  { scratch, parley, receiver, requests, size }: Bench,
  perSecond?: number,
): Promise<Minute> {
  const seconds = size.minuteSeconds;
  const costs = async () => [
    await cpuMicroseconds([parley.pid]),
    await cpuMicroseconds(await postgresPids(scratch.directory)),
  ];
  receiver.send({});
  const before = await costs();
  let sent: number;
  if (perSecond === undefined) {
    const { requestsPerSecond, failures } = await load(parley.url, requests, {
      connections: size.connections,
      seconds,
    });
    if (failures > 0) throw new Error(`${failures} sends failed`);
    sent = requestsPerSecond;
  } else {
    const paced = new PacedLoad(parley.url, requests, perSecond);
    await paced.run(seconds);
    if (paced.failed > 0) throw new Error(`${paced.failed} sends failed`);
    sent = paced.succeeded / seconds;
  }
  const after = await costs();
  receiver.send({ report: true });
  const { delays } = await nextMessage<{ delays: number[] }>(receiver);
  const [server, database] = after.map((cost, i) => (cost - (before[i] as number)) / (sent * seconds)) as [
    number,
    number,
  ];
  return { sent, delivered: delays.length / seconds, server, database };
}

/** The tables with dead rows, as PostgreSQL counts them. */
async function findDeadRows(db: Database): Promise<string> {
  const rows = await db<{ name: string; dead: number; bytes: number }[]>`
    select relname::text as name, n_dead_tup as dead, pg_total_relation_size(relid) as bytes
    from pg_stat_user_tables where n_dead_tup > 100 order by n_dead_tup desc`;
  const shown = rows.map(
    ({ name, dead, bytes }) => `${name} ${dead} (${(Number(bytes) / 1e6).toFixed(0)} MB)`,
  );
  return shown.join(', ') || 'none';
}
