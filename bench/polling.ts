import { setTimeout as pause } from 'node:timers/promises';
import { globalSetup, globalTeardown } from '#testing/global-setup.ts';
import { createWorld } from '#testing/world.ts';
import { Bot } from '../sdk/index.ts';

const CONVERSATIONS = 100;
const MESSAGES = 3;
const SLOW_MS = 10_000;

/**
 * A polling bot with 100 conversations of three messages each. Its handler throws for one person and takes 10 s for another;
 * the other 98 must be answered at once, and in order.
 */
export async function benchPolling(): Promise<string[]> {
  await globalSetup();
  try {
    return await measure();
  } finally {
    await globalTeardown();
  }
}

async function measure(): Promise<string[]> {
  await using world = await createWorld({ requestsPerMinute: 1_000_000 });
  const baseUrl = await world.app.listen({ host: '127.0.0.1', port: 0 });
  const account = await world.bot();
  const people = [];
  for (let i = 0; i < CONVERSATIONS; i++) people.push(await world.person(`Person ${i}`));
  const [broken, slow, ...others] = people.map(({ accountId }) => accountId);

  const writtenAt = new Map<string, number>();
  const answered = new Map<string, string[]>();
  const latenciesMs: number[] = [];
  const stop = new AbortController();
  const bot = new Bot({ baseUrl, apiKey: account.key, now: () => world.clock.now() });
  bot.catch(() => undefined);
  bot.on('message', async (message) => {
    if (message.from === broken) throw new TypeError('the handler fails');
    if (message.from === slow) await pause(SLOW_MS, undefined, { signal: stop.signal });
    await message.reply(message.textMsg);
    if (message.from === slow) return;
    latenciesMs.push(performance.now() - (writtenAt.get(message.msgId) ?? 0));
    answered.set(message.from, [...(answered.get(message.from) ?? []), message.textMsg]);
  });
  const polling = bot.poll({ signal: stop.signal });
  for (let n = 1; n <= MESSAGES; n++) {
    for (const person of people) {
      const at = performance.now();
      const { msgId } = await person.writes(account, `${n}`);
      writtenAt.set(msgId, at);
    }
  }
  while (latenciesMs.length < others.length * MESSAGES) await pause(10);
  stop.abort();
  await polling;

  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const percentile = (p: number) => Math.round(sorted[Math.ceil(sorted.length * p) - 1] ?? 0);
  const expected = Array.from({ length: MESSAGES }, (_, n) => `${n + 1}`).join();
  const inOrder = others.filter((from) => answered.get(from)?.join() === expected).length;
  return [
    `${sorted.length} answers to ${others.length} people: p50 ${percentile(0.5)} ms, p99 ${percentile(0.99)} ms; in order: ${inOrder}`,
  ];
}
