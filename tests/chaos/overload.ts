import { type ChildProcess, spawn } from 'node:child_process';
import os from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { findFreePort } from '#testing/free-port.ts';
import { OneConnection } from '../one-connection.ts';
import { type ServerProcess, startParley } from '../processes.ts';
import { type Answer, askApart, type Load, type Wish } from './clients.ts';
import { openHostsScene } from './hosts-scene.ts';
import { connections, loops, seconds, seed } from './options.ts';
import { planOf } from './plans.ts';
import { countUnheard, createPairs, type Pair, signedInHeaders, startHearing } from './population.ts';

const PAIRS = 24;
const FEW_CONNECTIONS = 64;
const RECOVERED_AFTER_MS = 10_000;
const RECOVERED_FOR_MS = 10_000;
const EVENTS_WITHIN_MS = 240_000;
/** A run waits this long for the end of the server, to say how long it takes. */
const LONGEST_STOP_MS = 120_000;

const LEAST_CARRIED = 0.7;
const MOST_P99_MS = 2_000;
const MOST_SESSIONS_PER_SECOND = 2;
const MOST_STOP_MS = 30_000;
/** Shorter phases show what is lost or answered wrongly, but the figures of one vary too much to be judged. */
const LEAST_SECONDS = 30;
/** What Fastify logs when an answer is sent twice. */
const TWICE = /Reply was already sent|reply\.sent/;

/**
 * More clients than the server can serve, with a mix of pages, sends, groups and webhooks, beside busy loops, with and without
 * hosts of the database that stand still now and then: what is accepted stays quick, the rest is refused and not stored.
 */
const plan = planOf('overload', seed);
const faults: string[] = [];
await using receiver = await startHearing();
await using scene = await openHostsScene();
const environment = {
  ...scene.environment,
  // The same for every server: the wishes carry its origin.
  PORT: String(await findFreePort()),
  WEBHOOK_TRUSTED_HOSTS: receiver.trustedHost,
};
const acknowledged = new Set<string>();
const events = new Set<string>();
const wishes = await (async () => {
  await using server = await startParley(environment);
  return await createWishes(server.url);
})();
console.log(`${scene.count} hosts, phases of ${seconds} s`);
for (const count of loops) for (const areStill of [false, true]) await run(count, areStill);
{
  await using _server = await startParley(environment);
  const unheard = await countUnheard(events, receiver.heard, EVENTS_WITHIN_MS);
  if (unheard > 0) faults.push(`${unheard} of ${events.size} events were not delivered`);
}
const stored = new Set(
  (await scene.db<{ msgId: string }[]>`select msg_id from messages`).map((row) => row.msgId),
);
const lost = [...acknowledged].filter((msgId) => !stored.has(msgId)).length;
if (lost > 0) faults.push(`${lost} of ${acknowledged.size} acknowledged messages are lost`);
console.log(`${acknowledged.size} acknowledged messages, ${lost} lost; ${events.size} events`);
if (faults.length > 0) throw new Error(`the bar does not hold:\n${faults.join('\n')}`);
receiver.heard.expectSameBytes();

async function run(loopCount: number, areStill: boolean): Promise<void> {
  const name = `${loopCount} busy loops${areStill ? ', hosts that stand still' : ''}`;
  const expect = (isGood: boolean, fault: string) => {
    if (!isGood) faults.push(`${name}: ${fault}`);
  };
  const server = await startParley(environment);
  // Compiled code and open connections are a matter of the start, not of the load.
  await phase(server, { connections: FEW_CONNECTIONS });
  using _loops = startLoops(loopCount);
  using _priority = takePriority();
  const still = new AbortController();
  const standing = areStill ? scene.standStill(plan.hosts, still.signal) : undefined;
  try {
    const few = await phase(server, { connections: FEW_CONNECTIONS });
    const carried = accepted(few).length / seconds;
    console.log(`${name}\n  ${FEW_CONNECTIONS} connections: ${describe(few, seconds)}`);

    const [storedBefore, lostBefore] = [await countStored(), await scene.countLostSessions()];
    const counting = new AbortController();
    const sessions = scene.countNewSessions(counting.signal);
    const many = await phase(server, { connections });
    counting.abort();
    const perSecond = (await sessions) / seconds / scene.count;
    const [storedCount, lostSessions] = [
      (await countStored()) - storedBefore,
      (await scene.countLostSessions()) - lostBefore,
    ];
    const refusedButStored = storedCount - many.filter(({ status }) => status === 201).length;
    console.log(
      `  ${connections} connections: ${describe(many, seconds)}; ${refusedButStored} stored among the refused, ` +
        `${lostSessions} lost sessions, ${perSecond.toFixed(2)} new sessions per second and host`,
    );
    const share = accepted(many).length / seconds / carried;
    const isLong = seconds >= LEAST_SECONDS;
    expect(!isLong || share >= LEAST_CARRIED, `carries ${share.toFixed(2)} of what ${FEW_CONNECTIONS} carry`);
    const p99 = percentile(accepted(many), 0.99);
    expect(!isLong || p99 < MOST_P99_MS, `the 99th percentile of what is accepted is ${Math.round(p99)} ms`);
    expect(
      refusedButStored === 0 || (refusedButStored > 0 && lostSessions > 0),
      `${refusedButStored} stored messages were refused, with ${lostSessions} lost sessions`,
    );
    expect(perSecond <= MOST_SESSIONS_PER_SECOND, `${perSecond.toFixed(2)} new sessions per second and host`);
    const odd = many.filter(({ status }) => status !== 503 && !isAccepted(status));
    expect(odd.length === 0, `answers other than success and 503: ${counts(odd)}`);

    const half = await phase(
      server,
      { connections: FEW_CONNECTIONS, perSecond: carried / 2 },
      RECOVERED_AFTER_MS + RECOVERED_FOR_MS,
    );
    const recovered = half.filter(({ atMs }) => atMs > RECOVERED_AFTER_MS);
    console.log(`  half load, 10 s later: ${describe(recovered, RECOVERED_FOR_MS / 1000)}`);
    const failed = recovered.filter(({ status }) => !isAccepted(status)).length;
    expect(
      (!isLong || failed === 0) && recovered.length > 0,
      `${failed} of ${recovered.length} fail at half load 10 s later`,
    );

    const stopMs = await stopUnderLoad(server);
    console.log(`  SIGTERM under the same load: ended after ${(stopMs / 1000).toFixed(1)} s`);
    expect(stopMs < MOST_STOP_MS, `ended ${Math.round(stopMs / 1000)} s after SIGTERM`);
    const lines = server.printed().split('\n');
    console.log(`  ${lines.length} lines of log`);
    expect(!lines.some((line) => TWICE.test(line)), 'the log speaks of answers that were sent twice');
  } finally {
    still.abort();
    await standing;
    await server.kill();
  }
}

async function phase(
  server: ServerProcess,
  load: Omit<Load, 'signal' | 'seed'>,
  ms = seconds * 1000,
): Promise<Answer[]> {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), ms);
  return note(await askApart(server.url, wishes, { ...load, seed: plan.clients, signal: stop.signal }));
}

async function stopUnderLoad(server: ServerProcess): Promise<number> {
  const stop = new AbortController();
  const asking = askApart(server.url, wishes, { connections, seed: plan.clients, signal: stop.signal });
  await pause(Math.min(seconds * 1000, 10_000));
  const begun = performance.now();
  const killing = setTimeout(() => void server.kill(), LONGEST_STOP_MS);
  await server[Symbol.asyncDispose]();
  clearTimeout(killing);
  const tookMs = performance.now() - begun;
  stop.abort();
  note(await asking);
  return tookMs;
}

function note(answers: Answer[]): Answer[] {
  for (const { kind, status, msgId } of answers) {
    if (status !== 201 || !msgId) continue;
    acknowledged.add(msgId);
    if (kind === 'webhook') events.add(msgId);
  }
  return answers;
}

async function createWishes(origin: string): Promise<Wish[]> {
  const pairs = await createPairs(origin, PAIRS, receiver.url);
  const all = await Promise.all(pairs.map((pair) => wishesOf(origin, pair)));
  return all.flat();
}

async function wishesOf(origin: string, pair: Pair): Promise<Wish[]> {
  const { apiKey, userId, botId, conversationId } = pair;
  const [person, bot] = [await signedInHeaders(origin, pair), { authorization: `Bearer ${apiKey}` }];
  using client = new OneConnection(origin);
  const created = await client.post('/v1/groups', bot, { name: 'Group', members: [userId] });
  const text = { type: 'text', content: 'x' };
  const conversations = '/api/chat/conversations';
  const groupBody = { groupId: created.body.data.groupId, ...text };
  const send = { kind: 'send', method: 'POST', path: '/v1/messages', headers: bot } as const;
  const group = { kind: 'group', method: 'POST', path: '/v1/messages/group', headers: bot } as const;
  const webhook = { kind: 'webhook', method: 'POST', path: '/api/chat/messages', headers: person } as const;
  const page = { kind: 'page', method: 'GET', headers: person } as const;
  return [
    { ...page, path: conversations },
    { ...send, body: { to: userId, ...text } },
    { ...group, body: groupBody },
    { ...webhook, body: { to: botId, ...text } },
    { ...page, path: `${conversations}/${conversationId}/messages` },
    { ...send, body: { to: userId, ...text } },
    { ...group, body: groupBody },
    { ...webhook, body: { to: botId, ...text } },
  ];
}

async function countStored(): Promise<number> {
  const [row] = await scene.db<{ count: number }[]>`select count(*) from messages`;
  return row?.count ?? 0;
}

function isAccepted(status: number): boolean {
  return status === 200 || status === 201;
}

function accepted(answers: readonly Answer[]): Answer[] {
  return answers.filter(({ status }) => isAccepted(status));
}

function percentile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ tookMs }) => tookMs).sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

/** `300 a second, the 99th percentile 850 ms; 503: 1200 (…)`. */
function describe(answers: readonly Answer[], duration: number): string {
  const good = accepted(answers);
  const refused = answers.filter(({ status }) => !isAccepted(status));
  const [p50, p99, p99Refused] = [percentile(good, 0.5), percentile(good, 0.99), percentile(refused, 0.99)];
  return (
    `${Math.round(good.length / duration)} accepted a second, p50 ${Math.round(p50)} ms, p99 ${Math.round(p99)} ms; ` +
    `not accepted ${refused.length === 0 ? 0 : `${counts(refused)}, p99 ${Math.round(p99Refused)} ms`}`
  );
}

/** `503: 1234, 0: 2`. */
function counts(answers: readonly Answer[]): string {
  const byStatus = [...Map.groupBy(answers, ({ status }) => status)].sort(([a], [b]) => a - b);
  return byStatus.map(([status, all]) => `${status}: ${all.length}`).join(', ');
}

function startLoops(count: number): Disposable {
  const all: ChildProcess[] = Array.from({ length: count }, () =>
    spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' }),
  );
  return {
    [Symbol.dispose]() {
      for (const loop of all) loop.kill('SIGKILL');
    },
  };
}

/** The clients and the network between the hosts stand for other machines: the loops are not to slow them (as root only). */
function takePriority(): Disposable {
  const isAllowed = process.getuid?.() === 0;
  if (isAllowed) os.setPriority(os.constants.priority.PRIORITY_HIGH);
  return {
    [Symbol.dispose]() {
      if (isAllowed) os.setPriority(os.constants.priority.PRIORITY_NORMAL);
    },
  };
}
