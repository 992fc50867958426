import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { buildSdk } from './built-sdk.ts';
import { createSdkScene, type SdkScene, webhookOf } from './sdk-scene.ts';

/** Where a receiver may die between receiving and responding, and how often its handler then runs. */
const RUNS = { received: 1, claimed: 1, replied: 2, handled: 2, done: 1 } as const;
type DeathPoint = keyof typeof RUNS;
const POINTS = Object.keys(RUNS) as DeathPoint[];
const DEATHS = 4 * POINTS.length;

/** The status of the receiver's response to a message from Ada; undefined if it died instead. */
async function deliver({ bot, ada, world }: SdkScene, port: number, msgId: string, sentAt: number) {
  const of = { from: ada.accountId, chatId: ada.accountId, sentAt };
  const data = { msgId, type: 'text', textMsg: 'Hello', ...of } as const;
  const request = webhookOf(bot, { type: 'message.received', data }, world.clock.now());
  return fetch(`http://127.0.0.1:${port}/`, request).then(
    ({ status }) => status,
    () => undefined,
  );
}

test('a receiver killed again and again between receiving and answering handles each event once', async (t) => {
  const directory = await scratchFolder(t);
  using sdk = buildSdk();
  await using scene = await createSdkScene();
  const { baseUrl, bot, ada, world } = scene;
  const log = join(directory, 'runs');
  const settings = { baseUrl, apiKey: bot.key, webhookSecret: bot.webhookSecret, now: world.clock.now() };
  const start = async (doomed?: string, point?: DeathPoint): Promise<[ChildProcess, number]> => {
    const given = {
      ...settings,
      sdk: sdk.url,
      sdkForNode: sdk.urlForNode,
      directory: join(directory, 'events'),
      log,
      doomed,
      point,
    };
    const child = fork('tests/sdk/mortal-receiver.mjs', [JSON.stringify(given)]);
    const [port] = (await once(child, 'message')) as [number];
    return [child, port];
  };

  const pointOf = new Map<string, DeathPoint>();
  let undelivered: readonly [msgId: string, sentAt: number] | undefined;
  const prepare = async (i: number) => {
    const point = POINTS[i % POINTS.length] as DeathPoint;
    const { msgId, sentAt } = await ada.writes(bot, `event ${i}`);
    pointOf.set(msgId, point);
    const [child, port] = await start(msgId, point);
    return { point, event: [msgId, sentAt] as const, port, died: once(child, 'exit') };
  };
  let next = prepare(0);
  for (let i = 0; i < DEATHS; i++) {
    const { point, event, port, died } = await next;
    // The next one starts meanwhile, which halves the time of the test.
    if (i + 1 < DEATHS) next = prepare(i + 1);
    if (undelivered) assert.equal(await deliver(scene, port, ...undelivered), 204);
    assert.equal(await deliver(scene, port, ...event), undefined, `it dies when it has ${point} the event`);
    assert.equal((await died)[1], 'SIGKILL');
    undelivered = event;
  }
  const [last, port] = await start();
  assert.equal(await deliver(scene, port, ...(undelivered ?? assert.fail())), 204);
  for (const msgId of pointOf.keys()) assert.equal(await deliver(scene, port, msgId, 0), 204, 'a replay');
  last.kill();

  const messages = await ada.reads(bot);
  const answered = messages
    .filter(({ from }) => from === bot.accountId)
    .map(({ replyToMsgId }) => replyToMsgId);
  assert.deepEqual(answered.sort(), [...pointOf.keys()].sort(), 'one answer to each message');
  const runs = Map.groupBy(readFileSync(log, 'utf8').trim().split('\n'), (msgId) => msgId);
  for (const [msgId, point] of pointOf) assert.equal(runs.get(msgId)?.length, RUNS[point], point);
});
