import { systemClock } from '#platform/clock.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startRedis } from '#testing/redis.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch } from '../tests/scratch.ts';
import { type LoadRequest, type LoadResult, loadServer } from './load.ts';
import { privateSend, ratio, resultRow, TABLE_HEAD } from './report.ts';
import { type SeededBot, seedBots } from './seed.ts';
import { seedGroups } from './seed-groups.ts';

const CONNECTIONS = 64;
const GROUPS = 100;
const ROUNDS = 5;
const SECONDS = 5;
const BAR = 0.65;
const SHAPES = [
  { people: 10, memberBots: 0 },
  { people: 1000, memberBots: 0 },
  { people: 1000, memberBots: 1, isFetching: true },
  { people: 1000, memberBots: 1 },
  { people: 1000, memberBots: 10 },
];

/** `POST /v1/messages/group` by group size and number of member bots, alternating with `POST /v1/messages`. */
export async function benchGroups(): Promise<string[]> {
  await using scratch = await createScratch();
  // No worker: this measures sending, not attempts. So events of webhooks are queued as well, which they are not where a worker has
  // them in memory.
  await using redis = await startRedis();
  const settings = { ...scratch.environment, ROLES: 'api', REDIS_URL: redis.url };
  await using parley = await startParley(settings);
  const newId = createIds(systemClock, systemRandom);
  const writers = await seedBots(scratch.db, newId, GROUPS);
  const subjects: { name: string; requests: LoadRequest[]; results: LoadResult[] }[] = [
    { name: 'POST /v1/messages', requests: writers.map(privateSend), results: [] },
  ];
  for (const shape of SHAPES) {
    const groups = await seedGroups(scratch.db, newId, writers, shape);
    const webhooks = shape.isFetching ? '' : ', webhooks without a worker';
    const name = `group of ${shape.people} people, other bots: ${shape.memberBots}${shape.memberBots > 0 ? webhooks : ''}`;
    subjects.push({
      name,
      requests: groups.map(({ groupId, writer }) => groupSend(writer, groupId)),
      results: [],
    });
  }
  await scratch.db`analyze`;
  for (const { requests } of subjects)
    await loadServer(parley, requests, { connections: CONNECTIONS, seconds: 2 });
  for (let round = 0; round < ROUNDS; round++) {
    for (const subject of subjects) {
      const { requests, results } = subject;
      results.push(await loadServer(parley, requests, { connections: CONNECTIONS, seconds: SECONDS }));
    }
  }
  const [sends = [], ...groups] = subjects.map(({ results }) => results);
  return [
    ...TABLE_HEAD,
    ...subjects.map(({ name, results }) => resultRow(name, results)),
    '',
    `Ratio to private sends ${groups.map((results) => ratio(results, sends)).join(', ')} (bar ${BAR} for 1000 people and a bot that fetches its events).`,
  ];
}

function groupSend({ key }: SeededBot, groupId: string): LoadRequest {
  return {
    method: 'POST',
    path: '/v1/messages/group',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ groupId, type: 'text', content: 'Your parcel leaves the depot at 9:40 today.' }),
  };
}
