import { setTimeout as pause } from 'node:timers/promises';
import { openDatabase } from '#platform/database.ts';
import type { Browser } from '../browser.ts';
import { startParley, UNLIMITED } from '../processes.ts';
import { createScratch } from '../scratch.ts';
import { seed } from './options.ts';
import { nth, planOf } from './plans.ts';
import { countUnheard, createPair, type Pair, readMsgIds, signIn, startHearing } from './population.ts';

const PAIRS = 8;
const SENDERS_PER_PAIR = 4;
const MS = 20_000;
const EVENTS_WITHIN_MS = 40_000;

interface Two {
  pair: Pair;
  person: Browser;
  /** The number of keys that the bot used, and the acknowledged messages among them. */
  keys: number;
  msgIds: Set<string>;
}

const { cancellations } = planOf('cancelled-statements', seed);
const twos: Two[] = [];
const events = new Set<string>();

await using scratch = await createScratch({ connections: 1 });
await using receiver = await startHearing();
await using server = await startParley({
  ...scratch.environment,
  LOG_LEVEL: 'fatal',
  ...UNLIMITED,
  WEBHOOK_TRUSTED_HOSTS: receiver.trustedHost,
});
for (let i = 0; i < PAIRS; i++) {
  const pair = await createPair(server.url, i, receiver.url);
  twos.push({ pair, person: await signIn(server.url, pair), keys: 0, msgIds: new Set() });
}

const until = Date.now() + MS;
const bots = twos.flatMap((two) => Array.from({ length: SENDERS_PER_PAIR }, () => answer(two)));
const [cancelled] = await Promise.all([cancel(), ...bots, ...twos.map(write)]);

let messages = 0;
for (const { pair, keys, msgIds } of twos) {
  const stored = await readMsgIds(server.url, pair);
  const lost = [...msgIds].filter((msgId) => !stored.has(msgId)).length;
  if (lost > 0) throw new Error(`${lost} of ${msgIds.size} acknowledged messages are lost`);
  const [row] = await scratch.db<{ count: number }[]>`
    select count(*) from messages where sender_id = ${pair.botId}`;
  if (row?.count !== keys) throw new Error(`${keys} messages were sent, but ${row?.count} are stored`);
  messages += msgIds.size;
}
const unheard = await countUnheard(events, receiver.heard, EVENTS_WITHIN_MS);
if (unheard > 0) throw new Error(`${unheard} of ${events.size} events were not delivered`);
receiver.heard.expectSameBytes();
console.log(
  `${cancelled} statements cancelled under load: ${messages} acknowledged messages, each stored once, and ` +
    `${events.size} events, none lost; refused requests got a 503.`,
);

/** Cancels running statements, as an operator or a timeout of PostgreSQL would. */
async function cancel(): Promise<number> {
  const admin = openDatabase({ url: scratch.databaseUrl, poolSize: 1 });
  let cancelled = 0;
  for (let number = 0; Date.now() < until; number++) {
    const { statements, thenMs } = nth(cancellations, number);
    const rows = await admin`
      select pg_cancel_backend(pid) from (
        select pid, row_number() over (order by pid) as place from pg_stat_activity
        where application_name = 'parley' and pid <> pg_backend_pid() and state = 'active'
      ) as running
      where (${statements}::integer >> (place % 8)::integer) & 1 = 1`;
    cancelled += rows.length;
    await pause(thenMs);
  }
  await admin.end({ timeout: 5 });
  return cancelled;
}

/** The bot writes, and repeats refused requests with the same key. */
async function answer(two: Two): Promise<void> {
  const { apiKey, userId } = two.pair;
  const body = JSON.stringify({ to: userId, type: 'text', content: 'x' });
  while (Date.now() < until) {
    two.keys++;
    const headers = {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': String(two.keys),
    };
    for (let isSent = false; !isSent; ) {
      const response = await fetch(`${server.url}/v1/messages`, { method: 'POST', headers, body });
      const { data, message } = (await response.json()) as { data: { msgId: string }; message: string };
      isSent = response.status === 201;
      if (isSent) two.msgIds.add(data.msgId);
      else if (response.status !== 503) throw new Error(`answered ${response.status} ${message}`);
    }
  }
}

/** The person writes, which creates events. */
async function write({ pair, person }: Two): Promise<void> {
  while (Date.now() < until) {
    const written = person.post('/api/chat/messages', { to: pair.botId, type: 'text', content: 'x' });
    const message = await written.catch((error: Error) => {
      if (!error.message.includes(': 503 ')) throw error;
    });
    if (message) events.add(String(message['msgId']));
  }
}
