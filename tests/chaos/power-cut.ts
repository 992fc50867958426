import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Browser } from '../browser.ts';
import { postmasterPid, type ServerProcess, startParley, UNLIMITED } from '../processes.ts';
import { seed } from './options.ts';
import { type Plan, planOf } from './plans.ts';
import {
  countUnheard,
  createPair,
  type Pair,
  readMsgIds,
  sendAsBot,
  signIn,
  startHearing,
} from './population.ts';

const PAIRS = 6;
const EVENTS_WITHIN_MS = 40_000;

type Kill = Plan<'power-cut'>['kills'][number];

const { kills } = planOf('power-cut', seed);
/** Acknowledged messages and their events, none of which may be lost. */
const acknowledged = { messages: new Map<Pair, Set<string>>(), events: new Set<string>() };

const scratch = await mkdtemp(join(tmpdir(), 'parley-chaos-'));
const dataDir = join(scratch, 'data');
await using receiver = await startHearing({});
const caFile = join(scratch, 'ca.pem');
await writeFile(caFile, receiver.ca);
const environment = {
  DATA_DIR: dataDir,
  LOG_LEVEL: 'fatal',
  ...UNLIMITED,
  WEBHOOK_CA_FILE: caFile,
  WEBHOOK_TRUSTED_HOSTS: receiver.trustedHost,
};

try {
  let server = await startParley(environment);
  const pairs: Pair[] = [];
  for (let i = 0; i < PAIRS; i++) pairs.push(await createPair(server.url, i, receiver.url));
  for (const pair of pairs) acknowledged.messages.set(pair, new Set());
  for (const [round, kill] of kills.entries()) {
    await strike(server, pairs, kill);
    server = await startParley(environment);
    const total = await expectMessages(server, pairs);
    console.log(
      `round ${round + 1}: killed ${kill.victim.padEnd(8)} ${total} acknowledged messages, none lost`,
    );
  }
  const unheard = await countUnheard(acknowledged.events, receiver.heard, EVENTS_WITHIN_MS);
  if (unheard > 0) throw new Error(`${unheard} of ${acknowledged.events.size} events are lost`);
  receiver.heard.expectSameBytes();
  await server[Symbol.asyncDispose]();
  console.log(
    `\n${kills.length} kills: no acknowledged message and no event was lost; ${receiver.heard.repeats} events were repeated, byte for byte the same.`,
  );
} finally {
  await rm(scratch, { recursive: true, force: true });
}

/** Kills the victim while the server is under full load. */
async function strike(server: ServerProcess, pairs: Pair[], { victim, afterMs, withoutDatabaseMs }: Kill) {
  const browsers = await Promise.all(pairs.map((pair) => signIn(server.url, pair)));
  const stop = new AbortController();
  const load = pairs.flatMap((pair, i) => [
    repeat(stop.signal, () => personWrites(browsers[i] as Browser, pair)),
    repeat(stop.signal, () => botSends(server.url, pair)),
    repeat(stop.signal, () => botSends(server.url, pair)),
  ]);
  await pause(afterMs);
  if (victim !== 'server') process.kill(await postmasterPid(dataDir), 'SIGKILL');
  if (victim === 'database') await pause(withoutDatabaseMs);
  await server.kill();
  stop.abort();
  await Promise.all(load);
}

async function repeat(signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  while (!signal.aborted) await act().catch(() => pause(20));
}

async function personWrites(browser: Browser, pair: Pair): Promise<void> {
  const { msgId } = await browser.post('/api/chat/messages', {
    to: pair.botId,
    type: 'text',
    content: 'to the bot',
  });
  acknowledged.messages.get(pair)?.add(String(msgId));
  acknowledged.events.add(String(msgId));
}

async function botSends(origin: string, pair: Pair): Promise<void> {
  const msgId = await sendAsBot(origin, pair, 'to the person');
  acknowledged.messages.get(pair)?.add(msgId);
}

async function expectMessages(server: ServerProcess, pairs: Pair[]): Promise<number> {
  let total = 0;
  for (const pair of pairs) {
    const stored = await readMsgIds(server.url, pair);
    const expected = acknowledged.messages.get(pair) ?? new Set<string>();
    const lost = [...expected].filter((msgId) => !stored.has(msgId));
    if (lost.length > 0) throw new Error(`${lost.length} acknowledged messages are lost, such as ${lost[0]}`);
    total += expected.size;
  }
  return total;
}
