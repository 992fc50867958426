import { systemClock } from '#platform/clock.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { oneUrl } from '../tests/cluster.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch, type Scratch } from '../tests/scratch.ts';
import { cpuMicroseconds, postgresPids, processesOf } from './cpu.ts';
import { type LoadRequest, type LoadResult, loadServer, median } from './load.ts';
import { privateSend, ratio, resultRow, TABLE_HEAD } from './report.ts';
import { seedBots } from './seed.ts';

const CONNECTIONS = 64;
const BOTS = 1000;
const WARM_UP_SECONDS = 6;
const SECONDS = 5;
const ROUNDS = 4;
const BAR = 0.2;

/** The target of one kind of send, and its cost. */
interface Subject {
  results: LoadResult[];
  /** CPU time of PostgreSQL's processes per send, a list for each node. */
  nodes: number[][];
  run(): Promise<void>;
}

/**
 * `POST /v1/messages` on the Citus cluster at CITUS_URL, alternating with a single PostgreSQL, all on this machine; and the
 * cost of a send on each node, the coordinator first.
 */
export async function benchCluster(): Promise<string[]> {
  if (!process.env['CITUS_URL']) return ['Left out: CITUS_URL names no Citus cluster.'];
  await using started = new AsyncDisposableStack();
  const plain = started.use(await createScratch({ isOnCluster: false }));
  const cluster = started.use(await createScratch({ isOnCluster: true }));
  const { nodes } = cluster;
  const [coordinator = ''] = nodes;
  const masters = await Promise.all(nodes.map(findMaster));
  const pidsOfPlain = async () => [await postgresPids(plain.directory)];
  const pidsOfNodes = () => Promise.all(masters.map(processesOf));

  const one = await subject(plain, plain.environment, await seed(plain.db), pidsOfPlain);
  const requests = await seed(cluster.db);
  const all = await subject(cluster, cluster.environment, requests, pidsOfNodes);
  for (let round = 0; round < ROUNDS; round++) for (const { run } of [one.subject, all.subject]) await run();
  await all.stop();
  const entry = { ...cluster.environment, DATABASE_URL: oneUrl([coordinator]) };
  const central = await subject(cluster, entry, requests, pidsOfNodes);
  for (let round = 0; round < ROUNDS; round++)
    for (const { run } of [one.subject, central.subject]) await run();
  await central.stop();
  await one.stop();

  const row = (name: string, { subject }: Started) => resultRow(name, subject.results);
  return [
    ...TABLE_HEAD,
    row('one PostgreSQL', one),
    row('Citus, through every node', all),
    row('Citus, through the coordinator', central),
    '',
    `Through every node ${ratio(all.subject.results, one.subject.results)} of one PostgreSQL (bar ${BAR}), through the coordinator ` +
      `${ratio(central.subject.results, one.subject.results)}.`,
    `CPU µs of PostgreSQL for a send: one ${costs(one)}; coordinator and ${nodes.length - 1} workers, through every node ` +
      `${costs(all)}, through the coordinator ${costs(central)}.`,
  ];
}

interface Started {
  subject: Subject;
  stop(): PromiseLike<void>;
}

async function subject(
  scratch: Scratch,
  environment: Record<string, string>,
  requests: LoadRequest[],
  findPids: () => Promise<number[][]>,
): Promise<Started> {
  const parley = await startParley({ ...scratch.environment, ...environment });
  const load = (seconds: number) => loadServer(parley, requests, { connections: CONNECTIONS, seconds });
  const look = async () => Promise.all((await findPids()).map(cpuMicroseconds));
  await load(WARM_UP_SECONDS);
  const [results, nodes]: [LoadResult[], number[][]] = [[], []];
  const run = async () => {
    const before = await look();
    const result = await load(SECONDS);
    const sends = result.requestsPerSecond * SECONDS;
    nodes.push((await look()).map((spent, i) => (spent - (before[i] as number)) / sends));
    results.push(result);
  };
  return { subject: { results, nodes, run }, stop: () => parley[Symbol.asyncDispose]() };
}

async function seed(db: Database): Promise<LoadRequest[]> {
  return (await seedBots(db, createIds(systemClock, systemRandom), BOTS)).map(privateSend);
}

async function findMaster(url: string): Promise<number> {
  const db = openDatabase({ url, poolSize: 1 });
  const [row] = await db<{ file: string }[]>`select pg_read_file('postmaster.pid') as file`;
  await db.end({ timeout: 1 });
  return Number.parseInt(row?.file ?? '', 10);
}

/** The medians of each node, such as `5 + 60 + 61`. */
function costs({ subject: { nodes } }: Started): string {
  const [first = []] = nodes;
  return first.map((_, node) => median(nodes.map((one) => one[node] as number)).toFixed(0)).join(' + ');
}
