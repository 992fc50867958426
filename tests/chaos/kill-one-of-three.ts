import { setTimeout as pause } from 'node:timers/promises';
import { startRedis } from '#testing/redis.ts';
import { eventually, LONGEST_WAIT_MS } from '#testing/waits.ts';
import { OneConnection } from '../one-connection.ts';
import { peerPorts, type ServerProcess, startParley, UNLIMITED } from '../processes.ts';
import { createHome } from '../scratch.ts';
import type { Plan } from './plans.ts';
import {
  countUnheard,
  createPair,
  type Pair,
  readMsgIds,
  signedInHeaders,
  startHearing,
} from './population.ts';

const PROCESSES = 3;
const CLIENTS = 24;

type Kill = Plan<'killed-process'>['kills'][number];

/** Three processes under load; one after the other is killed while the others keep serving. */
export async function killOneOfThree(kills: readonly Kill[]) {
  await using started = new AsyncDisposableStack();
  const home = started.use(await createHome());
  const redis = started.use(await startRedis());
  const receiver = started.use(await startHearing());
  const server = started.use(
    await startParley({
      ...home.environment,
      LOG_LEVEL: 'fatal',
      ...UNLIMITED,
      PROCESSES: String(PROCESSES),
      REDIS_URL: redis.url,
      WEBHOOK_TRUSTED_HOSTS: receiver.trustedHost,
    }),
  );
  const pair = await createPair(server.url, 0, receiver.url);
  const acknowledged = { messages: new Set<string>(), events: new Set<string>() };
  const senders = await createSenders(server.url, pair, acknowledged);
  const broken: number[] = [];
  for (const [round, kill] of kills.entries()) {
    if (round > 0) await untilAllRun(server);
    broken.push(await strike(server, senders, acknowledged.events, kill));
  }
  const stored = await readMsgIds(server.url, pair);
  const unheard = await countUnheard(acknowledged.events, receiver.heard, LONGEST_WAIT_MS);
  receiver.heard.expectSameBytes();
  return {
    /** How many messages got a 201, and how many of those create events. */
    acknowledged: acknowledged.messages.size,
    events: acknowledged.events.size,
    clients: CLIENTS,
    /** How many clients lost their connection at each kill: only clients of the killed process may. */
    broken,
    lost: [...acknowledged.messages].filter((msgId) => !stored.has(msgId)).length,
    unheard,
  };
}

interface Acknowledged {
  messages: Set<string>;
  /** The person's messages, whose events the bot's webhook must receive. */
  events: Set<string>;
}

interface Sender {
  path: string;
  headers: Record<string, string>;
  body: object;
  acknowledged: Set<string>[];
}

/** Returns how many clients lost their connection; any other failure throws. */
async function strike(
  server: ServerProcess,
  senders: Sender[],
  events: Set<string>,
  { victim, afterEvents }: Kill,
): Promise<number> {
  const stop = new AbortController();
  using opened = new DisposableStack();
  // Ends the senders even after a failure.
  opened.defer(() => stop.abort());
  const connections = Array.from({ length: CLIENTS }, () => opened.use(new OneConnection(server.url)));
  const clients = connections.map((connection, i) =>
    send(connection, senders[i % senders.length] as Sender, stop.signal),
  );
  // The person's messages before the kill, and the same number after it.
  const more = async () => {
    for (const wanted = events.size + afterEvents; events.size < wanted; ) {
      await Promise.race([pause(50), ...clients]);
    }
  };
  await more();
  const pid = await eventually(async () => (await server.childPids())[victim]);
  const before = new Set(connections.map(({ localPort }) => localPort));
  const ofVictim = await peerPorts(pid);
  process.kill(pid, 'SIGKILL');
  await more();
  stop.abort();
  const brokenPorts = (await Promise.all(clients)).flat();
  // A connection opened since then may have been passed to the victim before its end was noticed.
  const strangers = brokenPorts.filter((port) => before.has(port) && !ofVictim.has(port ?? 0));
  if (strangers.length > 0) throw new Error(`${strangers.length} connections of other processes broke`);
  return brokenPorts.filter((port) => before.has(port)).length;
}

async function createSenders(
  origin: string,
  pair: Pair,
  { messages, events }: Acknowledged,
): Promise<Sender[]> {
  const { apiKey, userId, botId } = pair;
  const text = { type: 'text', content: 'x' };
  return [
    {
      path: '/v1/messages',
      headers: { authorization: `Bearer ${apiKey}` },
      body: { to: userId, ...text },
      acknowledged: [messages],
    },
    {
      path: '/api/chat/messages',
      headers: await signedInHeaders(origin, pair),
      body: { to: botId, ...text },
      acknowledged: [messages, events],
    },
  ];
}

/** Sends over one connection, and over a new one if that breaks. Returns the local ports of the broken connections. */
async function send(
  client: OneConnection,
  sender: Sender,
  signal: AbortSignal,
): Promise<(number | undefined)[]> {
  const brokenPorts: (number | undefined)[] = [];
  while (!signal.aborted) {
    const answer = await client.post(sender.path, sender.headers, sender.body).catch(() => undefined);
    if (answer === undefined) brokenPorts.push(client.localPort);
    // Refused on a busy machine: nothing is lost.
    else if (answer.status === 503) await pause(50);
    else if (answer.status !== 201) throw new Error(`answered ${answer.status} ${answer.body.message}`);
    else for (const msgIds of sender.acknowledged) msgIds.add(answer.body.data.msgId);
  }
  return brokenPorts;
}

async function untilAllRun(server: ServerProcess): Promise<void> {
  while ((await server.childPids()).length < PROCESSES) await pause(50);
  // A process that has started still has to open the port.
  await pause(3_000);
}
