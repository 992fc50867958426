import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ReceiverAnswer, ShownEvent } from '#contract/webhooks.ts';
import { damage } from '#testing/damage.ts';
import { createDeliveryWorld, type DeliveryWorld } from '#testing/delivery-world.ts';
import type { Reply } from '#testing/receiver.ts';
import { openConsole, ownConsole } from '#testing/webhook-console.ts';
import { removeExpiredEvents } from '../log/expiry.ts';
import { forgetMessages } from '../revise-events.ts';

const HEADERS = { 'content-type': 'text/plain', date: 'Sun, 01 Nov 2026 00:00:00 GMT', connection: 'close' };

/** One event whose only attempt got this answer; as its owner sees it. */
async function answered(world: DeliveryWorld, reply: Reply) {
  const own = await world.application();
  await using owner = await openConsole(world, own);
  world.respond = () => ({ ...reply, headers: { ...HEADERS, ...reply.headers } });
  const msgId = await world.event(own);
  await world.deliver(world.sender());
  const [{ eventId }] = (await owner.call('GET', '/events')).body.data;
  const { body } = await owner.call('GET', `/events/${eventId}`);
  const [attempt = assert.fail()] = (body.data as ShownEvent).attemptLog;
  return { own, msgId, eventId: String(eventId), attempt };
}

async function bodyOf(world: DeliveryWorld, body: string | Buffer) {
  const {
    headers: _,
    areHeadersCut,
    ...answer
  } = (await answered(world, { status: 500, body })).attempt.answer as ReceiverAnswer;
  assert.equal(areHeadersCut, false);
  return answer;
}

test('what a receiver answered to a failed attempt is kept sealed, and shown with the event', async () => {
  await using world = await createDeliveryWorld();
  const { attempt } = await answered(world, {
    status: 422,
    headers: { 'x-trace': 'canary-trace' },
    body: '{"error":"canary-body"}',
  });
  assert.deepEqual(attempt.answer, {
    headers: [
      { name: 'content-type', value: 'text/plain' },
      { name: 'date', value: HEADERS.date },
      { name: 'connection', value: 'close' },
      { name: 'x-trace', value: 'canary-trace' },
      { name: 'Transfer-Encoding', value: 'chunked' },
    ],
    areHeadersCut: false,
    body: '{"error":"canary-body"}',
    isBinary: false,
    isCut: false,
  });
  const [{ row }] = await world.platform.db<[{ row: string }]>`
    select encode(answer, 'escape') || attempt::text as row from event_attempts`;
  assert.equal(row.includes('canary'), false);
});

test('nothing is kept of what delivers an event', async () => {
  await using world = await createDeliveryWorld();
  const { attempt } = await answered(world, { status: 202, body: 'thank you' });
  assert.equal('answer' in attempt, false);
  const [row] = await world.platform.db`select answer, answer_key_id from event_attempts`;
  assert.deepEqual(row, { answer: null, answerKeyId: null });
});

test('the first 2 KiB of the body are kept, up to the last whole character', async () => {
  await using world = await createDeliveryWorld();
  const text = { isBinary: false, isCut: false };
  assert.deepEqual(await bodyOf(world, ''), { ...text, body: '' });
  assert.deepEqual(await bodyOf(world, '€'.repeat(682)), { ...text, body: '€'.repeat(682) });
  assert.deepEqual(await bodyOf(world, 'a'.repeat(2_048)), { ...text, body: 'a'.repeat(2_048) });
  assert.deepEqual(await bodyOf(world, 'a'.repeat(2_049)), { ...text, body: 'a'.repeat(2_048), isCut: true });
  // The 683rd one begins at byte 2,046 and ends after byte 2,048.
  assert.deepEqual(await bodyOf(world, '€'.repeat(700)), { ...text, body: '€'.repeat(682), isCut: true });
  assert.deepEqual(await bodyOf(world, 'a'.repeat(100_000)), {
    ...text,
    body: 'a'.repeat(2_048),
    isCut: true,
  });
});

test('of a body that is not text, only that is kept', async () => {
  await using world = await createDeliveryWorld();
  const binary = { body: '', isBinary: true, isCut: false };
  assert.deepEqual(await bodyOf(world, Buffer.from('gr\xfc\xdfe', 'latin1')), binary, 'not UTF-8');
  assert.deepEqual(await bodyOf(world, Buffer.from('caf\xc3', 'latin1')), binary, 'ends within a character');
  assert.deepEqual(await bodyOf(world, 'a\0b'), binary);
});

test('of a huge list of headers, the first 2 KiB are kept', async () => {
  await using world = await createDeliveryWorld();
  const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x-${i}`, 'v'.repeat(90)]));
  const { headers, areHeadersCut } = (await answered(world, { status: 500, headers: many })).attempt
    .answer as ReceiverAnswer;
  assert.equal(areHeadersCut, true);
  assert.deepEqual(headers[3], { name: 'x-0', value: 'v'.repeat(90) });
  const kept = headers.reduce((sum, { name, value }) => sum + `${name}: ${value}\r\n`.length, 0);
  assert.ok(kept > 1_900 && kept <= 2_050, String(kept));
});

test('only those who may see the event see the answer', async () => {
  await using world = await createDeliveryWorld();
  const { own, eventId } = await answered(world, { status: 500, body: 'canary' });
  const { db, clock } = world.platform;
  const sees = async (accountId: string) => {
    await using person = await openConsole(world, { actorId: accountId, appId: own.appId });
    const { status, body } = await person.call('GET', `/events/${eventId}`);
    return [status, JSON.stringify(body).includes('canary')];
  };
  const { actorId: other } = await world.application();
  assert.deepEqual(await sees(other), [404, false]);
  for (const role of ['viewer', 'developer']) {
    await db`delete from teammates where account_id = ${other}`;
    await db`
      insert into teammates ${db([{ appId: own.appId, accountId: other, role, joinedAt: clock.now() }])}`;
    assert.deepEqual(await sees(other), [200, true], role);
  }
  await using owner = await openConsole(world, own);
  for (const path of ['/events', '/events/search', '/overview', '/audit']) {
    const { status, body } = await owner.call('GET', path);
    assert.deepEqual([status, JSON.stringify(body).includes('canary')], [200, false], path);
  }
});

test('the answer is gone with the event, and with a message whose text it may repeat', async () => {
  await using world = await createDeliveryWorld();
  const { platform } = world;
  const { db, clock } = platform;
  const { msgId } = await answered(world, { status: 500, body: 'hello' });
  const [{ bucket }] = await db<[{ bucket: number }]>`select bucket from events`;
  await db.begin((tx) => forgetMessages(tx, bucket, [{ msgId, sentAt: clock.now() }]));
  assert.deepEqual([...(await db`select from event_attempts`)], []);

  await answered(world, { status: 500, body: 'hello' });
  await db`update event_queue set state = 'abandoned'`;
  clock.advance({ days: 7 });
  await removeExpiredEvents(platform, { limit: 100 });
  assert.deepEqual([...(await db`select from event_attempts`)], []);
});

test('a ping shows the answer, too; one that cannot be read is left out', async (t) => {
  const { world, owner } = await ownConsole(t);
  world.respond = () => ({ status: 401, body: 'wrong secret' });
  const { eventId, attemptLog } = (await owner.call('POST', '/webhook/ping')).body.data;
  assert.equal(attemptLog[0].answer.body, 'wrong secret');
  await damage(world.platform.db, { table: 'event_attempts', column: 'answer' }, 'all');
  const { status, body } = await owner.call('GET', `/events/${eventId}`);
  assert.deepEqual([status, 'answer' in body.data.attemptLog[0]], [200, false]);
});
