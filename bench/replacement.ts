import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { startRedis } from '#testing/redis.ts';
import { startParley } from '../tests/processes.ts';
import { nextMessage } from './receiver.ts';
import type { SeededBot } from './seed.ts';
import { recordBacklog } from './seed-webhooks.ts';

/** Long enough for two workers to divide the applications. */
const DIVIDED_MS = 5_000;
const GIVE_UP_MS = 60_000;

/**
 * Kills one of two workers and gives each application an event at that moment: the last event arrives once the other worker
 * has taken over all applications of the dead one. Returns the time until then, in milliseconds.
 */
export async function timeReplacement(
  deps: Parameters<typeof recordBacklog>[0],
  environment: Record<string, string>,
  receiver: ChildProcess,
  bots: SeededBot[],
): Promise<number> {
  await using redis = await startRedis();
  const worker = { ...environment, ROLES: 'worker', REDIS_URL: redis.url };
  const killed = await startParley(worker);
  await using _other = await startParley(worker);
  await sleep(DIVIDED_MS);
  receiver.send({});
  await killed.kill();
  await recordBacklog(deps, bots, bots.length);
  const until = Date.now() + GIVE_UP_MS;
  const delays: number[] = [];
  while (delays.length < bots.length) {
    if (Date.now() > until) throw new Error(`only ${delays.length} of ${bots.length} events have arrived`);
    await sleep(1_000);
    receiver.send({ report: true });
    delays.push(...(await nextMessage<{ delays: number[] }>(receiver)).delays);
  }
  return Math.max(...delays);
}
