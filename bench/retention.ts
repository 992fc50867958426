import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { systemClock } from '#platform/clock.ts';
import { formatKey, KEY_BYTES } from '#platform/crypto/keyring.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { createIds, firstIdAt } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { migrate } from '#platform/schema/migrate.ts';
import { type ServerProcess, startParley, UNLIMITED } from '../tests/processes.ts';
import { PacedLoad, shown } from './paced-load.ts';
import { privateSend } from './report.ts';
import { type SeededBot, seedBots } from './seed.ts';

const BOTS = 1_000;
/** A folder that keeps the filled database between runs: filling takes longer than measuring. */
const FOLDER = process.env['BENCH_FOLDER'];
const MESSAGES = Number(process.env['BENCH_MESSAGES'] ?? 10_000_000);
/** Messages beyond the retention: as many as are removed within a few minutes, one batch every 50 ms. */
const EXPIRED_SHARE = 0.03;
/** After a run, nothing in the folder is over 30 days old; with a retention one day shorter, as many messages expire again. */
const RETENTION_DAYS = Number(process.env['BENCH_RETENTION_DAYS'] ?? 30);
const STEPS_PER_STATEMENT = 200;
const REQUESTS_PER_SECOND = 200;
const WARM_UP_SECONDS = 10;
const BASELINE_SECONDS = 40;
const KILLED_AFTER_SECONDS = 20;
const LONGEST_SECONDS = 200;
const DAY_MS = 86_400_000;
const BAR_MS = 50;

/** Requests while messages expire, with a worker killed meanwhile, and the disk space that is freed. */
export async function benchRetention(): Promise<string[]> {
  await using started = new AsyncDisposableStack();
  const folder = FOLDER ?? (await mkdtemp(join(tmpdir(), 'parley-retention-')));
  if (FOLDER === undefined) started.defer(() => rm(folder, { recursive: true, force: true }));
  const log = pino({ level: 'warn' });
  const { url, socketUrl } = started.use(
    await startEmbeddedPostgres({ dataDir: folder, log, connections: 0 }),
  );
  const db = openDatabase({ url, poolSize: 2 });
  started.defer(() => db.end({ timeout: 5 }));
  const bots = await fill(db, folder);
  if (process.argv.includes('--fill')) return [`${folder} is filled.`];

  const settings = {
    ...UNLIMITED,
    DATABASE_URL: socketUrl,
    MASTER_KEYS: formatKey(1, systemRandom.bytes(KEY_BYTES)).trim(),
  };
  await db`delete from encryption_keys`;
  const before = await count(db);
  const load = (parley: ServerProcess) =>
    new PacedLoad(parley.url, bots.map(privateSend), REQUESTS_PER_SECOND);
  const [warmUp, baseline] = await (async () => {
    await using parley = await startParley(settings);
    const [first, measured] = [load(parley), load(parley)];
    await first.run(WARM_UP_SECONDS);
    await measured.run(BASELINE_SECONDS);
    return [first, measured];
  })();

  const due = await countExpired(db);
  const retaining = { ...settings, MESSAGE_RETENTION_DAYS: String(RETENTION_DAYS) };
  const startedAt = performance.now();
  const killed = await startParley(retaining);
  const first = load(killed);
  await first.run(KILLED_AFTER_SECONDS);
  await killed.kill();
  const leftAtKill = await countExpired(db);
  await using parley = await startParley(retaining);
  const second = load(parley);
  let left = leftAtKill;
  const isOver = () => left === 0 || performance.now() - startedAt > LONGEST_SECONDS * 1000;
  const watching = (async () => {
    while (!isOver()) {
      await pause(2_000);
      left = await countExpired(db);
    }
  })();
  await second.run(LONGEST_SECONDS, isOver);
  await watching;
  const seconds = (performance.now() - startedAt) / 1000;
  const sent = warmUp.succeeded + baseline.succeeded + first.succeeded + second.succeeded;
  const after = await count(db);
  const lost = before - (due - left) + sent - after;
  const disk = await measureDisk(db, due - left);
  const rows = [
    ['without retention', baseline],
    ['while messages expire, until the worker is killed', first],
    ['while messages expire, afterwards', second],
  ] as const;
  return [
    `${MESSAGES.toLocaleString('en')} messages in ${BOTS.toLocaleString('en')} conversations, ${due.toLocaleString('en')} of them over ${RETENTION_DAYS} days old; \`POST /v1/messages\` ${REQUESTS_PER_SECOND} times a second, however long the answers take.`,
    '',
    '| | requests | p50 ms | p99 ms | slowest ms | failures |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(([name, paced]) => `| ${name} | ${shown(paced)} |`),
    '',
    `${(due - left).toLocaleString('en')} messages expired in ${seconds.toFixed(0)} s, ${left.toLocaleString('en')} are left; bar: p99 ${BAR_MS} ms. The process was killed (SIGKILL) after ${KILLED_AFTER_SECONDS} s with ${leftAtKill.toLocaleString('en')} left; missing or surplus messages: ${lost}.`,
    '',
    disk,
  ];
}

/** Ids and times of the last days, evenly spaced in all conversations; some of them are beyond the retention. */
function timesOf(perConversation: number, now: number): { ids: string[]; times: number[] } {
  const span = (RETENTION_DAYS * DAY_MS) / (1 - EXPIRED_SHARE);
  const times = Array.from({ length: perConversation }, (_, i) =>
    Math.floor(now - span + (i * span) / perConversation),
  );
  return { ids: times.map((at) => firstIdAt('msg', at)), times };
}

/**
 * In chronological order, as in real use: expiring rows are on the oldest pages, one of each conversation
 * in turn.
 */
async function fill(db: Database, folder: string): Promise<SeededBot[]> {
  const mark = join(folder, 'bench-filled.json');
  if (existsSync(mark)) return (await import(mark, { with: { type: 'json' } })).default;
  await migrate({ db, clock: systemClock });
  const bots = await seedBots(db, createIds(systemClock, systemRandom), BOTS);
  const { ids, times } = timesOf(MESSAGES / BOTS, Date.now());
  for (let i = 0; i < ids.length; i += STEPS_PER_STATEMENT) {
    await db`
      insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
      select bucket, conversation_id, id || left(md5(conversation_id || id), 14), peer_id, 'text',
        decode(repeat(md5(id), 6), 'hex'), 1, at
      from unnest(
        ${ids.slice(i, i + STEPS_PER_STATEMENT)}::text[], ${times.slice(i, i + STEPS_PER_STATEMENT)}::bigint[]
      ) as past (id, at) cross join contacts
      order by id`;
  }
  await db`vacuum (freeze, analyze) messages`;
  await writeFile(mark, JSON.stringify(bots));
  return bots;
}

async function count(db: Database): Promise<number> {
  const [row] = await db<{ messages: number }[]>`select count(*)::integer as messages from messages`;
  return row?.messages ?? 0;
}

async function countExpired(db: Database): Promise<number> {
  const before = firstIdAt('msg', Date.now() - RETENTION_DAYS * DAY_MS);
  const [row] = await db<{ messages: number }[]>`
    select coalesce(sum((
      select count(*) from messages
      where messages.bucket = contacts.bucket and messages.conversation_id = contacts.conversation_id
        and msg_id < ${before}
    )), 0)::integer as messages from contacts`;
  return row?.messages ?? 0;
}

/** Whether as many new messages as were removed fit into the table without growing it. */
async function measureDisk(db: Database, gone: number): Promise<string> {
  const size = async () => {
    const [row] = await db<{ bytes: number }[]>`
      select pg_total_relation_size('messages')::bigint as bytes`;
    return (row?.bytes ?? 0) / 2 ** 20;
  };
  await db`vacuum messages`;
  const before = await size();
  await db`
    insert into messages (bucket, conversation_id, msg_id, sender_id, type, body, body_key_id, sent_at)
    select bucket, conversation_id, ${firstIdAt('msg', Date.now() + DAY_MS)} || lpad(n::text, 14, '0'), peer_id, 'text',
      decode(repeat(md5(n::text), 6), 'hex'), 1, 0
    from contacts cross join generate_series(1, ${Math.floor(gone / BOTS)}::integer) as n`;
  const grown = (await size()) - before;
  const needed = (before * gone) / MESSAGES;
  return `The table with its indexes took ${before.toFixed(0)} MiB after a vacuum; as many new messages as had expired, about ${needed.toFixed(0)} MiB, made it grow by ${grown.toFixed(0)} MiB.`;
}
