import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { signedHeaders } from '#features/webhooks/delivery/attempt.ts';
import { buildSdk } from './built-sdk.ts';
import { createSdkScene, type SdkScene } from './sdk-scene.ts';

/** Where a receiver may die between receiving and responding, and how often its handler then runs. */
const RUNS = { received: 1, claimed: 1, replied: 2, handled: 2, done: 1 } as const;
type DeathPoint = keyof typeof RUNS;
const POINTS = Object.keys(RUNS) as DeathPoint[];
const DEATHS = 4 * POINTS.length;

/** A message from Ada as the service sends it to the bot. */
async function writeEvent({ ada, bot }: SdkScene, text: string): Promise<{ msgId: string; body: string }> {
  const { msgId, sentAt } = await ada.writes(bot, text);
  const data = { msgId, type: 'text', textMsg: text, from: ada.accountId, chatId: ada.accountId, sentAt };
  return { msgId, body: JSON.stringify({ type: 'message.received', data }) };
}

/** The status of the receiver's response; undefined if it died instead. */
async function deliver({ bot, world }: SdkScene, port: number, body: string): Promise<number | undefined> {
  const headers = signedHeaders({
    secrets: [bot.webhookSecret],
    eventId: 'evt',
    type: 'message.received',
    body: Buffer.from(body),
    at: world.clock.now(),
    serviceName: undefined,
  });
  return fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => undefined,
  );
}

test('a receiver killed again and again between receiving and answering handles each event once', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'parley-sdk-mortal-'));
  t.after(() => rmSync(directory, { recursive: true }));
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
  let undelivered: string | undefined;
  const prepare = async (i: number) => {
    const point = POINTS[i % POINTS.length] as DeathPoint;
    const { msgId, body } = await writeEvent(scene, `event ${i}`);
    pointOf.set(msgId, point);
    const [child, port] = await start(msgId, point);
    return { point, body, port, died: once(child, 'exit') };
  };
  let next = prepare(0);
  for (let i = 0; i < DEATHS; i++) {
    const { point, body, port, died } = await next;
    // The next one starts meanwhile, which halves the time of the test.
    if (i + 1 < DEATHS) next = prepare(i + 1);
    if (undelivered) assert.equal(await deliver(scene, port, undelivered), 204);
    assert.equal(await deliver(scene, port, body), undefined, `it dies when it has ${point} the event`);
    assert.equal((await died)[1], 'SIGKILL');
    undelivered = body;
  }
  const [last, port] = await start();
  assert.equal(await deliver(scene, port, undelivered as string), 204);
  for (const msgId of pointOf.keys()) {
    const again = JSON.stringify({ type: 'message.received', data: { msgId } });
    assert.equal(await deliver(scene, port, again), 204, 'a replay');
  }
  last.kill();

  const messages = await ada.reads(bot);
  const answered = messages
    .filter(({ from }) => from === bot.accountId)
    .map(({ replyToMsgId }) => replyToMsgId);
  assert.deepEqual(answered.sort(), [...pointOf.keys()].sort(), 'one answer to each message');
  const runs = Map.groupBy(readFileSync(log, 'utf8').trim().split('\n'), (msgId) => msgId);
  for (const [msgId, point] of pointOf) assert.equal(runs.get(msgId)?.length, RUNS[point], point);
});
