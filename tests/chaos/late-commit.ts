import { setTimeout as pause } from 'node:timers/promises';
import { startReceiver } from '#testing/receiver.ts';
import { eventually } from '#testing/waits.ts';
import { OneConnection } from '../one-connection.ts';
import { type ServerProcess, startParley, UNLIMITED } from '../processes.ts';
import { createScratch } from '../scratch.ts';
import { seed } from './options.ts';
import { type Plan, planOf } from './plans.ts';
import { createPair, type Pair, signedInHeaders, signIn } from './population.ts';

const PAIRS = 4;
/** Events in flight at a kill may be sent twice. */
const MOST_REPEATS_PER_ROUND = 300;

/**
 * Messages wait for a lock, and commit seconds after younger ones; meanwhile the server is killed, and some of what it had sent to
 * the database commits without it.
 */
const { rounds } = planOf('late-commit', seed);
const heard = new Set<string>();
let repeats = 0;
await using receiver = await startReceiver({
  tls: 'plain',
  host: 'localhost',
  respond: ({ path, rawBody }) => {
    // A message to the group is an event for every bot.
    const event = path + JSON.parse(rawBody.toString()).data.msgId;
    if (heard.has(event)) repeats++;
    heard.add(event);
    return { status: 204 };
  },
});
await using scratch = await createScratch();
const environment = {
  ...scratch.environment,
  LOG_LEVEL: 'fatal',
  ...UNLIMITED,
  WEBHOOK_TRUSTED_HOSTS: receiver.trustedHost,
};

let server = await startParley(environment);
const pairs: Pair[] = [];
for (let i = 0; i < PAIRS; i++) pairs.push(await createPair(server.url, i, `${receiver.url}/${i}`));
const groupId = await createGroup(server.url, pairs);
for (const round of rounds) {
  const stop = new AbortController();
  const locking = lockNowAndThen(round, stop.signal);
  const sending = await startSenders(server, stop.signal);
  const { lockedMs, freeMs, lock, at } = round;
  await pause(lock * freeMs + (lock - 1 + at) * lockedMs);
  await server.kill();
  server = await startParley(environment);
  stop.abort();
  await Promise.all([locking, ...sending]);
}
const [row] = await scratch.db<{ events: number }[]>`
  select count(*)::integer as events from events where type <> 'ping'`;
const events = row?.events ?? 0;
await eventually(() => heard.size >= events, `${events} events`);
await server[Symbol.asyncDispose]();
if (repeats > MOST_REPEATS_PER_ROUND * rounds.length)
  throw new Error(`${repeats} of ${events} events were sent twice`);
console.log(`${rounds.length} kills amid locks: ${events} events, all delivered; ${repeats} were repeated.`);

/** A group in which all bots hear what one of them says. */
async function createGroup(origin: string, all: Pair[]): Promise<string> {
  const browser = await signIn(origin, all[0] as Pair);
  const { groupId } = await browser.post('/api/chat/groups', {
    name: 'Depot',
    members: all.map(({ botId }) => botId),
  });
  return String(groupId);
}

async function lockNowAndThen(
  { freeMs, lockedMs }: Plan<'late-commit'>['rounds'][number],
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await pause(freeMs);
    await scratch.db.begin(async (tx) => {
      await tx`lock table messages in share mode`;
      await pause(lockedMs);
    });
  }
}

/** People write to their bots, and a bot into the group, each over a connection of its own, until the server is killed. */
async function startSenders({ url }: ServerProcess, signal: AbortSignal): Promise<Promise<void>[]> {
  const text = { type: 'text', content: 'x' };
  const asPeople = await Promise.all(
    pairs.map(async (pair) => ({
      path: '/api/chat/messages',
      headers: await signedInHeaders(url, pair),
      body: { to: pair.botId, ...text },
    })),
  );
  const asBot = {
    path: '/v1/messages/group',
    headers: { authorization: `Bearer ${pairs[0]?.apiKey}` },
    body: { groupId, ...text },
  };
  return [...asPeople, ...asPeople, asBot, asBot, asBot].map(async ({ path, headers, body }) => {
    using client = new OneConnection(url);
    while (!signal.aborted) {
      const answer = await client.post(path, headers, body).catch(() => undefined);
      if (answer === undefined) return;
      if (answer.status !== 201 && answer.status !== 503)
        throw new Error(`answered ${answer.status} ${answer.body.message}`);
    }
  });
}
