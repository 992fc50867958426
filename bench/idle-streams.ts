import http from 'node:http';
import type { Database } from '#platform/database.ts';
import { startParley } from '../tests/processes.ts';
import { createScratch } from '../tests/scratch.ts';
import { seedSessions } from './seed-sessions.ts';

const STREAMS = 10_000;
const AT_ONCE = 100;
const SETTLE_MS = 25_000;
const BAR_MEGABYTES = 400;

/** The memory of one process with open streams for 10,000 people, after a heartbeat on each. */
export async function benchIdleStreams(): Promise<string[]> {
  await using scratch = await createScratch();
  const cookies = await seedSessions(scratch.db, await seedPeople(scratch.db, STREAMS));
  await using parley = await startParley(scratch.environment);
  const before = await parley.residentMegabytes();
  const requests: http.ClientRequest[] = [];
  let refused = 0;
  for (let from = 0; from < cookies.length; from += AT_ONCE) {
    const some = cookies
      .slice(from, from + AT_ONCE)
      .map((cookie) => open(`${parley.url}/api/chat/live`, cookie));
    for (const { request, status } of some) {
      requests.push(request);
      if ((await status) !== 200) refused++;
    }
  }
  const opened = await parley.residentMegabytes();
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  const settled = await parley.residentMegabytes();
  for (const request of requests) request.destroy();
  const perStream = ((settled - before) * 1024) / STREAMS;
  return [
    '| | MB |',
    '| --- | --- |',
    `| started | ${before.toFixed(0)} |`,
    `| ${STREAMS} idle streams, just opened | ${opened.toFixed(0)} |`,
    `| after a heartbeat on each | ${settled.toFixed(0)} |`,
    '',
    `${perStream.toFixed(1)} KiB a stream; ${refused} refused. Bar: ${BAR_MEGABYTES} MB.`,
  ];
}

function open(url: string, cookie: string): { request: http.ClientRequest; status: Promise<number> } {
  const request = http.get(url, { agent: false, headers: { cookie, accept: 'text/event-stream' } });
  const { promise: status, resolve } = Promise.withResolvers<number>();
  request.once('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  request.on('error', () => resolve(0));
  return { request, status };
}

async function seedPeople(db: Database, count: number): Promise<string[]> {
  const accountIds = Array.from({ length: count }, (_, i) => `usr_${String(i).padStart(24, '0')}`);
  for (let from = 0; from < count; from += 1000) {
    const rows = accountIds
      .slice(from, from + 1000)
      .map((accountId) => ({ accountId, isBot: false, name: 'Person', createdAt: Date.now() }));
    await db`insert into accounts ${db(rows)}`;
  }
  return accountIds;
}
