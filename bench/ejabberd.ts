import { systemClock } from '#platform/clock.ts';
import { createIds } from '#platform/ids.ts';
import { systemRandom } from '#platform/random.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch } from '../tests/scratch.ts';
import { type Ejabberd, startEjabberd } from './ejabberd-server.ts';
import { type LoadRequest, type LoadResult, loadServer } from './load.ts';
import { privateSend, ratio, resultRow, TABLE_HEAD } from './report.ts';
import { seedBots } from './seed.ts';

const CONNECTIONS = 64;
const BOTS = 1000;
const ROUNDS = 5;
const SECONDS = 8;
const AT_ONCE = 20;
const BAR = 3;

/**
 * `POST /v1/messages` and ejabberd's `send_message`, alternating, each to a thousand offline people, so that both store the
 * messages. Parley checks a key and a quota and waits for the disk; ejabberd does none of these.
 */
export async function benchEjabberd(): Promise<string[]> {
  await using ejabberd = await startEjabberd();
  await using scratch = await createScratch();
  await using parley = await startParley(scratch.environment);
  const bots = await seedBots(scratch.db, createIds(systemClock, systemRandom), BOTS);
  const theirs: LoadResult[] = [];
  const ours: LoadResult[] = [];
  const subjects = [
    { server: ejabberd, requests: await registerPeople(ejabberd, BOTS), results: theirs },
    { server: parley, requests: bots.map(privateSend), results: ours },
  ];
  for (const { server, requests } of subjects) {
    await loadServer(server, requests, { connections: CONNECTIONS, seconds: 3 });
  }
  for (let round = 0; round < ROUNDS; round++) {
    for (const { server, requests, results } of subjects) {
      results.push(await loadServer(server, requests, { connections: CONNECTIONS, seconds: SECONDS }));
    }
  }
  return [
    ...TABLE_HEAD,
    resultRow('ejabberd: send_message, Mnesia', theirs),
    resultRow('POST /v1/messages, durable', ours),
    '',
    `Ratio to ejabberd ${ratio(ours, theirs)} (bar ${BAR}).`,
  ];
}

/** Returns the requests of the bots to them, all with the same text. */
async function registerPeople(ejabberd: Ejabberd, count: number): Promise<LoadRequest[]> {
  const numbers = Array.from({ length: count }, (_, i) => i);
  for (let from = 0; from < count; from += AT_ONCE) {
    await Promise.all(
      numbers
        .slice(from, from + AT_ONCE)
        .map((i) =>
          ejabberd.call('register', { user: `person${i}`, host: 'localhost', password: 'irrelevant' }),
        ),
    );
  }
  return numbers.map((i) => ({
    method: 'POST',
    path: '/api/send_message',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      type: 'chat',
      from: `bot${i}@localhost`,
      to: `person${i}@localhost`,
      subject: '',
      body: 'Your parcel leaves the depot at 9:40 today.',
    }),
  }));
}
