import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startReceiver } from '#testing/receiver.ts';
import { startRedis } from '#testing/redis.ts';
import { eventually } from '#testing/waits.ts';
import { createChance } from '../../chance.ts';
import { postmasterPid, startParley, UNLIMITED } from '../../processes.ts';
import { defect, seed } from '../options.ts';
import { type Plan, planOf } from '../plans.ts';
import { checkHistory } from './check.ts';
import { startClients } from './clients.ts';
import { withDefect } from './defects.ts';
import { TAKE_OVER_MS } from './events.ts';
import { Load } from './load.ts';
import type { Heard, History } from './operations.ts';
import { populate } from './population.ts';
import { eventsOf } from './threads.ts';
import { createTransport } from './transport.ts';

const PROCESSES = 2;
/** At the end of the load, no webhook may be repeated for this long. */
const CALM_MS = 5_000;
const SHOWN_FAULTS = 10;

const { clients, defects, kills } = planOf('history', seed);
await using opened = new AsyncDisposableStack();
const scratch = await mkdtemp(join(tmpdir(), 'parley-history-'));
opened.defer(() => rm(scratch, { recursive: true, force: true }));
const dataDir = join(scratch, 'data');
const heard: (Omit<Heard, 'by'> & { bot: number })[] = [];
/** The same, whatever a defect makes of it: bot and message. */
const arrived = new Set<string>();
const receiver = opened.use(
  await startReceiver({
    tls: 'plain',
    host: 'localhost',
    respond({ path, rawBody }) {
      const body = rawBody.toString();
      const bot = Number(path.split('/').at(-1));
      const { msgId } = JSON.parse(body).data;
      arrived.add(`${bot} ${msgId}`);
      for (let times = timesHeard(); times > 0; times--) {
        const at = performance.now();
        heard.push({ kind: 'heard', bot, msgId, body, invoked: at, completed: at });
      }
      return { status: 204 };
    },
  }),
);
const redis = opened.use(await startRedis());
const environment = {
  ...UNLIMITED,
  DATA_DIR: dataDir,
  LOG_LEVEL: 'fatal',
  PROCESSES: String(PROCESSES),
  REDIS_URL: redis.url,
  WEBHOOK_TRUSTED_HOSTS: receiver.trustedHost,
};
let server = await startParley(environment);
opened.defer(() => server[Symbol.asyncDispose]());
const origin = () => server.url;
const direct = createTransport(origin);
const { transport, timesHeard } = withDefect(defect, createChance(defects), direct);

const stop = new AbortController();
const load = new Load(transport, clients, stop.signal);
const population = await populate(server.url, receiver.url, load);
const running = startClients(load, origin, population);
const outages: History['outages'] = [];
for (const kill of kills) outages.push(await Promise.race([strike(kill), running.then(unexpectedEnd)]));
await pause(TAKE_OVER_MS + CALM_MS);
stop.abort();
await running;

const history = await readAll();
const faults = checkHistory(history);
const { operations } = history;
const counts = Object.entries(Object.groupBy(operations, ({ kind }) => kind)).map(
  ([kind, all = []]) => `${all.length} ${kind}`,
);
const unanswered = operations.filter(({ completed }) => completed === undefined).length;
const repeats = heard.length - new Set(heard.map(({ bot, msgId }) => `${bot} ${msgId}`)).size;
console.log(
  `${kills.length} kills; ${counts.join(', ')}; ${unanswered} unanswered, ${repeats} webhooks repeated`,
);
if (defect === undefined && faults.length > 0)
  throw new Error(`${faults.length} faults:\n${faults.slice(0, SHOWN_FAULTS).join('\n')}`);
if (defect !== undefined && faults.length === 0) throw new Error(`the defect ${defect} was not found`);
console.log(
  defect
    ? `${defect} was found:\n${faults.slice(0, SHOWN_FAULTS).join('\n')}`
    : 'Nothing is wrong with the history.',
);

/** From a kill until everything runs again. */
async function strike({ victim, afterMs, process: number }: Plan<'history'>['kills'][number]) {
  await pause(afterMs);
  const from = performance.now();
  const child = await eventually(async () => (await server.childPids())[number]);
  if (victim === 'process') process.kill(child, 'SIGKILL');
  else if (victim === 'database') process.kill(await postmasterPid(dataDir), 'SIGKILL');
  else {
    await server.kill();
    server = await startParley(environment);
  }
  await eventually(async () => {
    const pids = await server.childPids();
    const isWhole = pids.length === PROCESSES && (victim !== 'process' || !pids.includes(child));
    return isWhole && (await direct({ method: 'GET', path: '/health/ready', headers: {} }))?.status === 200;
  });
  return { from, until: performance.now() };
}

/** After the load: every thread of every reader, every feed, and all events that receivers heard until none is missing. */
async function readAll(): Promise<History> {
  const { threads, people, bots } = population;
  const reading = new Load((request) => eventually(() => direct(request)), clients, stop.signal);
  for (const [thread, { readers }] of Object.entries(threads))
    for (const person of people)
      if (readers.includes(person.id)) {
        await reading.read(person, thread, true);
        await reading.mark(person, thread);
      }
  const known = { threads, operations: [...load.operations, ...reading.operations], outages };
  const expected = bots.flatMap(({ id }, bot) =>
    [...eventsOf(known, id).keys()].map((msgId) => `${bot} ${msgId}`),
  );
  let isSending = true;
  while (isSending && expected.some((event) => !arrived.has(event)))
    isSending = await receiver.waitFor(receiver.requests.length + 1).then(
      () => true,
      () => false,
    );
  for (const bot of bots) await reading.fetch(bot, 0, true);
  const events = heard.map(({ bot, ...event }): Heard => ({ ...event, by: bots[bot]?.id ?? '' }));
  return { threads, operations: [...load.operations, ...reading.operations, ...events], outages };
}

function unexpectedEnd(): never {
  throw new Error('the load ended early');
}
