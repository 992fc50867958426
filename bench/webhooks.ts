import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { signedHeaders } from '#features/webhooks/delivery/attempt.ts';
import { systemClock } from '#platform/clock.ts';
import { Keyring, parseKeys } from '#platform/crypto/keyring.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch, type Scratch } from '../tests/scratch.ts';
import { cpuMicroseconds, postgresPids } from './cpu.ts';
import { median, percentile, spread } from './load.ts';
import { QUEUES, type QueueName, recordJobs, startQueueSender } from './queue-yardsticks.ts';
import { nextMessage, type ReceiverAddress, startReceiver } from './receiver.ts';
import { timeReplacement } from './replacement.ts';
import { type SeededBot, seedBots } from './seed.ts';
import { bodyOf, pointWebhooksAt, recordBacklog } from './seed-webhooks.ts';

/** The sizes of the measurement. */
export interface WebhookBench {
  bots: number;
  /** In each round, for the yardsticks as well. */
  events: number;
  rounds: number;
  /** Events one after another, for the time from commit to first attempt. */
  singles: number;
  protocols: readonly ('tls' | 'plain')[];
}

const FULL: WebhookBench = {
  bots: 100,
  events: 20_000,
  rounds: 5,
  singles: 200,
  protocols: ['tls', 'plain'],
};
const YARDSTICK_CONNECTIONS = 64;
/** Connections to the database, at most. */
const QUEUE_CONNECTIONS = 40;
const SINGLE_EVERY_MS = 50;
/** The share of each round that is not measured: processes that have just started are slow. */
const WARM_UP = 0.2;
const BAR = {
  httpRatio: 0.38,
  httpsRatio: 0.35,
  databaseMicroseconds: 35,
  p50Ms: 20,
  repeats: 300,
  replacementSeconds: 20,
};

/** One round, without its warm-up. */
export interface Round {
  perSecond: number;
  /** CPU time per event, in microseconds. */
  sender: number;
  database: number;
  receiver: number;
  /** All connections that the sender opened, including the warm-up. */
  connections: number;
}

/**
 * Events per second from the database to the receiver's 200, by one worker process, alternating with a bare undici loop that
 * posts the same bytes to the same receiver, and with the queues that a team would use; then the latency of a single event.
 */
export async function benchWebhooks(size: WebhookBench = FULL): Promise<string[]> {
  await using scratch = await createScratch({ connections: QUEUE_CONNECTIONS });
  const newId = createIds(systemClock, systemRandom);
  const keyring = new Keyring(parseKeys(scratch.environment['MASTER_KEYS'] ?? ''), systemRandom);
  const bots = await seedBots(scratch.db, newId, size.bots);
  const deps = { db: scratch.db, keyring, newId };
  const rows: string[] = [];
  const kills: string[] = [];
  const replacements: number[] = [];
  for (const protocol of size.protocols) {
    using receiver = startReceiver(protocol);
    const arrival = await nextMessage<ReceiverAddress>(receiver.child);
    const environment = await environmentFor(scratch, arrival);
    await pointWebhooksAt(deps, bots, arrival.url);
    const [delivered, posted]: [Round[], Round[]] = [[], []];
    const queued: [QueueName, Round[]][] = QUEUES.map((queue) => [queue, []]);
    const jobs = Array.from({ length: size.events }, (_, i) => ({
      body: bodyOf(deps, bots[i % bots.length] as SeededBot),
    }));
    for (let round = 0; round < size.rounds; round++) {
      const measure = (start: () => Promise<Sender>) =>
        measureRound(receiver.child, scratch.directory, size.events, start);
      posted.push(await measure(() => startBare(arrival, deps, bots, size)));
      await recordBacklog(deps, bots, size.events);
      delivered.push(await measure(() => startParley(environment)));
      for (const [queue, rounds] of queued) {
        await recordJobs(queue, scratch.databaseUrl, jobs);
        const task = { queue, databaseUrl: scratch.databaseUrl, ...arrival };
        rounds.push(await measure(async () => startQueueSender(task)));
      }
    }
    const name = protocol === 'tls' ? 'https' : 'http';
    await recordBacklog(deps, bots, size.events);
    const repeats = await countRepeats(environment, receiver.child, size.events);
    kills.push(`${repeats} over ${name}`);
    replacements.push(await timeReplacement(deps, environment, receiver.child, bots));
    const delays = await timeSingles(environment, receiver.child, bots, size.singles);
    const p50 = percentile(delays, 0.5).toFixed(1);
    const p99 = percentile(delays, 0.99).toFixed(1);
    rows.push(
      roundsRow(`${name}, bare undici loop`, posted, []),
      roundsRow(`${name}, Parley`, delivered, [ratioOf(delivered, posted), p50, p99]),
      ...queued.map(([queue, rounds]) => roundsRow(`${name}, ${queue}`, rounds, [ratioOf(rounds, posted)])),
    );
  }
  return [
    ...ROUNDS_HEAD,
    ...rows,
    '',
    `Events sent twice, of ${size.events}, after a kill -9 at full load (bar ${BAR.repeats}): ${kills.join(', ')}.`,
    `When one of two workers was killed, all of its applications were served again after ${replacements.map((ms) => (ms / 1000).toFixed(1)).join(' and ')} s (bar ${BAR.replacementSeconds}).`,
    `Bars: ratio ${BAR.httpRatio} over http and ${BAR.httpsRatio} over https, ${BAR.databaseMicroseconds} µs of the database, p50 ${BAR.p50Ms} ms. One worker process, ${size.bots} applications, ${size.events} events a round.`,
  ];
}

export const ROUNDS_HEAD = [
  '| | events/s, median (range) | ratio | CPU µs per event: sender | database | receiver | connections | one event alone: p50 ms | p99 ms |',
  '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
];

export function roundsRow(name: string, rounds: Round[], [ratio = '', p50 = '', p99 = '']: string[]): string {
  const rates = spread(rounds.map(({ perSecond }) => perSecond));
  const costs = (['sender', 'database', 'receiver', 'connections'] as const).map((what) =>
    Math.round(median(rounds.map((round) => round[what]))),
  );
  return `| ${[name, rates, ratio, ...costs, p50, p99].join(' | ')} |`;
}

function ratioOf(delivered: Round[], posted: Round[]): string {
  const rate = (rounds: Round[]) => median(rounds.map(({ perSecond }) => perSecond));
  return (rate(delivered) / rate(posted)).toFixed(2);
}

export async function environmentFor(
  scratch: Scratch,
  { url, ca }: ReceiverAddress,
): Promise<Record<string, string>> {
  const caFile = join(scratch.directory, 'bench-ca.pem');
  await writeFile(caFile, ca);
  return { ...scratch.environment, WEBHOOK_TRUSTED_HOSTS: new URL(url).host, WEBHOOK_CA_FILE: caFile };
}

interface Sender extends AsyncDisposable {
  pid: number;
}

/** Measures the rate at which events arrive after the warm-up, and their cost. */
export async function measureRound(
  receiver: ChildProcess,
  directory: string,
  count: number,
  start: () => Promise<Sender>,
): Promise<Round> {
  const warmUp = Math.floor(count * WARM_UP);
  receiver.send({ count, warmUp });
  const warm = nextMessage(receiver);
  await using sender = await start();
  await warm;
  const ended = nextMessage<{ arrivals: number[]; connections: number }>(receiver);
  const costs = async () => [
    await cpuMicroseconds([sender.pid]),
    await cpuMicroseconds(await postgresPids(directory)),
    await cpuMicroseconds([receiver.pid as number]),
  ];
  const before = await costs();
  const { arrivals, connections } = await ended;
  const after = await costs();
  const measured = count - warmUp;
  const ms = (arrivals.at(-1) as number) - (arrivals[warmUp - 1] as number);
  const [sent, stored, received] = after.map((cost, i) => (cost - (before[i] as number)) / measured) as [
    number,
    number,
    number,
  ];
  return {
    perSecond: measured / (ms / 1000),
    sender: sent,
    database: stored,
    receiver: received,
    connections,
  };
}

/** The worker is killed after half of the events; another one delivers the rest, and again those whose delivery was not recorded. */
async function countRepeats(
  environment: Record<string, string>,
  receiver: ChildProcess,
  count: number,
): Promise<number> {
  receiver.send({ count, warmUp: Math.floor(count / 2), isDistinct: true });
  const half = nextMessage(receiver);
  const killed = await startParley(environment);
  await half;
  const ended = nextMessage<{ repeats: number }>(receiver);
  await killed.kill();
  await using _next = await startParley(environment);
  return (await ended).repeats;
}

async function startBare(
  { url, ca }: ReceiverAddress,
  deps: Parameters<typeof bodyOf>[0],
  bots: SeededBot[],
  { events }: WebhookBench,
): Promise<Sender> {
  const body = bodyOf(deps, bots[0] as SeededBot);
  const headers = signedHeaders({
    secrets: ['whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIzNDU2Nzg5MDE='],
    eventId: JSON.parse(body).data.msgId,
    type: 'message.received',
    body: Buffer.from(body),
    at: Date.now(),
    serviceName: undefined,
  });
  const loop = fork(new URL('./undici-loop.ts', import.meta.url));
  loop.send({ url, ca, headers, body, connections: YARDSTICK_CONNECTIONS, count: events });
  return {
    pid: loop.pid as number,
    [Symbol.asyncDispose]: async () => {
      const exited = once(loop, 'exit');
      loop.disconnect();
      await exited;
    },
  };
}

/** Latency from the event's own time, which is before its commit, to its arrival, with one complete, nearly idle server. */
async function timeSingles(
  environment: Record<string, string>,
  receiver: ChildProcess,
  bots: SeededBot[],
  count: number,
): Promise<number[]> {
  await using parley = await startParley(environment);
  const simulate = async (i: number) => {
    const { key } = bots[i % Math.min(10, bots.length)] as SeededBot;
    const response = await fetch(`${parley.url}/v1/events/simulate`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ event: 'message.received', type: 'text' }),
    });
    if (!response.ok) throw new Error(`the server did not simulate an event: ${await response.text()}`);
    await sleep(SINGLE_EVERY_MS);
  };
  for (let i = 0; i < count; i++) {
    // Everything is warm after the first quarter.
    if (i === Math.floor(count / 4)) receiver.send({});
    await simulate(i);
  }
  receiver.send({ report: true });
  return (await nextMessage<{ delays: number[] }>(receiver)).delays;
}
