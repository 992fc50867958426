import { systemClock } from '#platform/clock.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch, type Scratch } from '../tests/scratch.ts';
import { cpuMicroseconds, postgresPids } from './cpu.ts';
import { type LoadRequest, load, median } from './load.ts';
import { privateSend } from './report.ts';
import { type SeededBot, seedBots } from './seed.ts';
import { seedGroups } from './seed-groups.ts';
import { seedSessions } from './seed-sessions.ts';

const ROUNDS = 5;
const SECONDS = 4;
const BOTS = 200;
const CONNECTIONS = 64;

interface Cost {
  serverMicroseconds: number;
  databaseMicroseconds: number;
  walBytes: number;
  storedBytes: number;
}

/** The cost of one request of each type: CPU time of the server and of PostgreSQL, WAL, and rows with their indexes. */
export async function benchCapacity(): Promise<string[]> {
  await using scratch = await createScratch();
  await using parley = await startParley(scratch.environment);
  const newId = createIds(systemClock, systemRandom);
  const bots = await seedBots(scratch.db, newId, BOTS);
  const people = await seedGroups(scratch.db, newId, bots, { people: 100, memberBots: 0 });
  const heard = await seedGroups(scratch.db, newId, bots.slice(0, 50), { people: 100, memberBots: 1 });
  // Deliveries are not measured here: the receivers' applications are disabled.
  await scratch.db`update applications set state = 'disabled' where sealed_webhook_url is not null`;
  const cookies = await seedSessions(
    scratch.db,
    bots.map(({ personId }) => personId),
  );
  const write = (i: number, to: string): LoadRequest => ({
    method: 'POST',
    path: '/api/chat/messages',
    headers: { cookie: cookies[i] as string, 'content-type': 'application/json' },
    body: JSON.stringify({ to, type: 'text', content: 'Your parcel leaves the depot at 9:40 today.' }),
  });
  const types: { name: string; requests: LoadRequest[] }[] = [
    {
      name: '`POST /api/chat/messages` to a person',
      requests: bots.map((_, i) => write(i, (bots.at(i - 1) as SeededBot).personId)),
    },
    {
      name: 'the same to a bot (its application has no webhook)',
      requests: bots.map(({ accountId }, i) => write(i, accountId)),
    },
    { name: '`GET /v1/me`', requests: bots.map(me) },
    { name: '`POST /v1/messages`', requests: bots.map(privateSend) },
    { name: '`POST /v1/messages/group`', requests: people.map(groupSend) },
    { name: 'the same, with a member bot (its application is off)', requests: heard.map(groupSend) },
    { name: '`GET /v1/groups/members`, 100 members', requests: people.map(members) },
  ];
  const rows: string[] = [];
  for (const { name, requests } of types) {
    await load(parley.url, requests, { connections: CONNECTIONS, seconds: 2 });
    const costs: Cost[] = [];
    for (let round = 0; round < ROUNDS; round++)
      costs.push(await measure(scratch, parley.pid, parley.url, requests));
    const of = (pick: (cost: Cost) => number) => Math.max(0, Math.round(median(costs.map(pick))));
    const server = of((cost) => cost.serverMicroseconds);
    const database = of((cost) => cost.databaseMicroseconds);
    rows.push(
      `| ${name} | ${server} | ${database} | ${of((cost) => cost.walBytes)} | ${of((cost) => cost.storedBytes)} | ${Math.round(1e6 / server)} | ${Math.round(1e6 / database)} |`,
    );
  }
  return [
    '| request | server, CPU µs | PostgreSQL, CPU µs | WAL bytes | stored bytes | per core of servers, /s | per core of PostgreSQL, /s |',
    '| --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    '',
    `At full load, medians of ${ROUNDS} rounds of ${SECONDS} s, ${CONNECTIONS} connections. CPU of these processes only, without the load generator beside them.`,
  ];
}

async function measure(
  { db, directory }: Scratch,
  serverPid: number,
  url: string,
  requests: LoadRequest[],
): Promise<Cost> {
  const look = async () => ({
    server: await cpuMicroseconds([serverPid]),
    database: await cpuMicroseconds(await postgresPids(directory)),
    wal: await readNumber(db`select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')::bigint as n`),
    stored: await readNumber(db`select pg_database_size(current_database()) as n`),
  });
  const before = await look();
  const { requestsPerSecond, failures } = await load(url, requests, {
    connections: CONNECTIONS,
    seconds: SECONDS,
  });
  if (failures > 0) throw new Error(`${failures} requests failed`);
  const after = await look();
  const count = Math.max(1, requestsPerSecond * SECONDS);
  return {
    serverMicroseconds: (after.server - before.server) / count,
    databaseMicroseconds: (after.database - before.database) / count,
    walBytes: (after.wal - before.wal) / count,
    storedBytes: (after.stored - before.stored) / count,
  };
}

async function readNumber(statement: PromiseLike<unknown>): Promise<number> {
  const [row] = (await statement) as { n: number }[];
  return Number(row?.n);
}

function authorized({ key }: SeededBot): Record<string, string> {
  return { authorization: `Bearer ${key}` };
}

function me(bot: SeededBot): LoadRequest {
  return { method: 'GET', path: '/v1/me', headers: authorized(bot) };
}

function members({ groupId, writer }: { groupId: string; writer: SeededBot }): LoadRequest {
  return { method: 'GET', path: `/v1/groups/members?groupId=${groupId}`, headers: authorized(writer) };
}

function groupSend({ groupId, writer }: { groupId: string; writer: SeededBot }): LoadRequest {
  return {
    method: 'POST',
    path: '/v1/messages/group',
    headers: { ...authorized(writer), 'content-type': 'application/json' },
    body: JSON.stringify({ groupId, type: 'text', content: 'Your parcel leaves the depot at 9:40 today.' }),
  };
}
