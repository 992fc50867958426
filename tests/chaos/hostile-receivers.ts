import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { createAuthority } from '#testing/certificates.ts';
import type { TestApplication } from '#testing/delivery-world.ts';
import { type Respond, startReceiver } from '#testing/receiver.ts';
import { startParley } from '../processes.ts';
import { createScratch } from '../scratch.ts';
import { nth } from './plans.ts';
import { createScene } from './webhook-scene.ts';

const HOSTILE = 500;
const WARM_UP = 2000;
const HEALTHY_EVENTS = 200;
const EVERY_MS = 80;
const LONGEST_ATTEMPT_MS = 10_500;

/** What a hostile receiver may do. All but the redirect take over the response and never end it. */
const BEHAVIOURS: Respond[] = [
  (_, __, response) => trickle(response),
  (_, __, response) => flood(response),
  () => undefined,
  (_, __, response) => {
    response.writeHead(307, { location: 'https://127.0.0.1:1/elsewhere' }).end();
    return undefined;
  },
];

function trickle(response: ServerResponse): undefined {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 1000);
  response.on('close', () => clearInterval(timer));
}

function flood(response: ServerResponse): undefined {
  response.writeHead(200);
  const chunk = Buffer.alloc(16 * 1024);
  const pour = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.on('drain', pour);
  pour();
}

/**
 * 500 receivers that trickle, flood, never respond or redirect, beside a healthy one, which gets its events within 2 s;
 * memory stays bounded, and no attempt takes longer than 10.5 s.
 */
const authority = createAuthority();
await using stack = new AsyncDisposableStack();
const start = async (respond: Respond) =>
  stack.use(await startReceiver({ host: '127.0.0.1', authority, respond }));
const receivedAt = new Map<string, number>();
const healthy = await start(({ rawBody, receivedAt: at }) => {
  receivedAt.set(JSON.parse(rawBody.toString()).data.msgId, at);
  return { status: 204 };
});
const heldMs: number[] = [];
const hostile = await Promise.all(
  BEHAVIOURS.map((behave) =>
    start((request, n, response) => {
      response.on('close', () => heldMs.push(Date.now() - request.receivedAt));
      return behave(request, n, response);
    }),
  ),
);
const scratch = stack.use(await createScratch());
const scene = stack.use(await createScene(scratch, authority));
const healthyApp = await scene.world.application(healthy.url);
const hostileApps: TestApplication[] = [];
for (let i = 0; i < HOSTILE; i++)
  hostileApps.push(await scene.world.application(`${nth(hostile, i).url}/${i}`));
const worker = stack.use(await startParley(scene.environment));
// The memory of a process grows under any load; that growth is not caused by the hostile receivers.
await scene.record(Array.from({ length: WARM_UP }, () => healthyApp));
await healthy.waitFor(WARM_UP);
const megabytesBefore = await worker.residentMegabytes();

const recordedAt = new Map<string, number>();
let mostMegabytes = 0;
for (let i = 0; i < HEALTHY_EVENTS; i++) {
  if (i % 100 === 0) await scene.record(hostileApps);
  const [msgId = ''] = await scene.record([healthyApp]);
  recordedAt.set(msgId, Date.now());
  if (i % 10 === 0) mostMegabytes = Math.max(mostMegabytes, await worker.residentMegabytes());
  await pause(EVERY_MS);
}
await healthy.waitFor(WARM_UP + HEALTHY_EVENTS);

const latencies = [...recordedAt]
  .map(([msgId, at]) => (receivedAt.get(msgId) ?? Number.POSITIVE_INFINITY) - at)
  .sort((one, other) => one - other);
const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.POSITIVE_INFINITY;
const [{ longest, attempted }] = await scene.db<[{ longest: number; attempted: number }]>`
  select max((attempt -> 'timings' ->> -1)::double precision) as longest, count(distinct app_id)::integer as attempted
  from events join event_attempts using (bucket, delivery_id)`;
const grownBy = mostMegabytes - megabytesBefore;
const figures = { p99, grownBy, longest, longestHeld: Math.max(...heldMs), attempted };
console.log(figures);
assert.ok(p99 < 2_000, `p99 ${p99} ms`);
assert.ok(grownBy < 100, `memory grew by ${grownBy} MB`);
assert.ok(longest < LONGEST_ATTEMPT_MS, `an attempt took ${longest} ms`);
assert.ok(
  figures.longestHeld < LONGEST_ATTEMPT_MS,
  `the connection to a receiver was held for ${figures.longestHeld} ms`,
);
assert.equal(attempted, HOSTILE + 1, 'not every application got an attempt');
