import { systemClock } from '#platform/clock.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startRedis } from '#testing/redis.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch } from '../tests/scratch.ts';
import { startEcho } from './echo.ts';
import { type LoadResult, load, median } from './load.ts';
import { privateSend, resultRow, TABLE_HEAD } from './report.ts';
import { seedBots } from './seed.ts';

const ROUNDS = 5;
const SECONDS = 5;
const BOTS = 1000;
const CONNECTIONS = 64;

/** `POST /v1/messages` with a single process, and with 1, 2 and 4 that share quotas and live events through Redis. */
export async function benchProcesses(): Promise<string[]> {
  await using scratch = await createScratch();
  await using redis = await startRedis();
  await using echo = await startEcho();
  const requests = (await seedBots(scratch.db, createIds(systemClock, systemRandom), BOTS)).map(privateSend);
  const forms = [
    { name: '1 process, alone', settings: {} },
    ...[1, 2, 4].map((processes) => ({
      name: `${processes} ${processes === 1 ? 'process' : 'processes'}, Redis`,
      settings: { PROCESSES: String(processes), REDIS_URL: redis.url },
    })),
  ];
  const echoed: LoadResult[] = [];
  const rows: string[] = [];
  const medians: number[] = [];
  for (const { name, settings } of forms) {
    await using parley = await startParley({ ...scratch.environment, DATABASE_POOL_SIZE: '8', ...settings });
    await load(parley.url, requests, { connections: CONNECTIONS, seconds: 3 });
    const results: LoadResult[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      echoed.push(await load(echo.url, requests, { connections: CONNECTIONS, seconds: 2 }));
      results.push(await load(parley.url, requests, { connections: CONNECTIONS, seconds: SECONDS }));
    }
    rows.push(resultRow(name, results));
    medians.push(median(results.map(({ requestsPerSecond }) => requestsPerSecond)));
  }
  const rate = median(echoed.map(({ requestsPerSecond }) => requestsPerSecond));
  const ratios = medians.map((one) => (one / rate).toFixed(2)).join(', ');
  return [
    ...TABLE_HEAD,
    resultRow('Fastify echo, 1 process', echoed),
    ...rows,
    '',
    `Of the echo: ${ratios}. Load generator, database and Redis are on the same machine.`,
  ];
}
