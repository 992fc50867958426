import { systemClock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch } from '../tests/scratch.ts';
import { startEcho } from './echo.ts';
import { type LoadResult, loadServer, spread, UNIQUE } from './load.ts';
import { privateSend, ratio, resultRow, TABLE_HEAD } from './report.ts';
import { seedBots } from './seed.ts';

const CONNECTIONS = 64;
const BOTS = 1000;
const WARM_UP_SECONDS = 8;
const SECONDS = 8;
const MOST_ROUNDS = 60;
const TOTAL_MESSAGES = 1_000_000;
const BAR = { ratio: 0.35, p99Ms: 50, residentMegabytes: 300 };

/**
 * `POST /v1/messages` beside the bare Fastify echo: one server process, keys checked in the database, quotas counted,
 * bodies encrypted, commits durable. The two alternate until a million messages are stored, so that drift of the machine
 * affects both alike.
 */
export async function benchMessages(): Promise<string[]> {
  await using scratch = await createScratch();
  await using parley = await startParley(scratch.environment);
  await using echo = await startEcho();
  const requests = (await seedBots(scratch.db, createIds(systemClock, systemRandom), BOTS)).map(privateSend);
  const sends = (seconds: number) => loadServer(parley, requests, { connections: CONNECTIONS, seconds });

  await sends(WARM_UP_SECONDS);
  const [echoed, sent]: [LoadResult[], LoadResult[]] = [[], []];
  const resident = [await parley.residentMegabytes()];
  const before = await countMessages(scratch.db);
  let total = before;
  for (; total < TOTAL_MESSAGES && sent.length < MOST_ROUNDS; total = await countMessages(scratch.db)) {
    echoed.push(await loadServer(echo, requests, { connections: CONNECTIONS, seconds: SECONDS }));
    sent.push(await sends(SECONDS));
    resident.push(await parley.residentMegabytes());
  }
  const alone = await loadServer(parley, requests, { connections: 1, seconds: SECONDS });
  const keyed = requests.map((one) => ({ ...one, headers: { ...one.headers, 'idempotency-key': UNIQUE } }));
  const once = await loadServer(parley, keyed, { connections: CONNECTIONS, seconds: SECONDS });

  return [
    ...TABLE_HEAD,
    resultRow('Fastify echo, 64 connections', echoed),
    resultRow('POST /v1/messages, 64 connections', sent),
    resultRow('POST /v1/messages, 1 connection', [alone]),
    resultRow('with an Idempotency-Key, as the SDK sends, 64 connections', [once]),
    '',
    `Ratio to the echo ${ratio(sent, echoed)} (bar ${BAR.ratio}); p99 bar ${BAR.p99Ms} ms; ` +
      `resident after ${total} messages ${resident.at(-1)?.toFixed(0)} MB (bar ${BAR.residentMegabytes} MB), ` +
      `${spread(resident)} MB since message ${before}.`,
  ];
}

async function countMessages(db: Database): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*) from messages`;
  return row?.count ?? 0;
}
