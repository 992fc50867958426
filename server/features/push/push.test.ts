import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLog, type Log } from '#platform/log.ts';
import { columnsOf } from '#testing/columns.ts';
import { startPushService } from '#testing/push-service.ts';
import { eventually } from '#testing/waits.ts';
import { createWorld, type Person } from '#testing/world.ts';
import { composeFeatures, createHttp } from '../../app.ts';

const PATH = '/api/chat/notifications';

/** Bob's phone is notified of what Ada writes to him. */
async function scene(t: TestContext, log?: Log) {
  const stack = new AsyncDisposableStack();
  t.after(() => stack.disposeAsync());
  const service = stack.use(await startPushService());
  const { trustedHost, ca } = service.receiver;
  const config = { webhookTrustedHosts: [trustedHost] };
  const world = stack.use(await createWorld(config, { extraAuthorities: [ca], ...(log && { log }) }));
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const { publicKey } = (await bob.calls('GET', PATH)).body.data;
  assert.equal((await bob.calls('PUT', `${PATH}/device`, service.subscribe('phone'))).status, 200);
  /** Waits for `count` notifications of a subscription. */
  const pushed = async (name: string, count: number): Promise<object[]> => {
    await service.receiver.waitFor(count);
    return service.read(name, publicKey);
  };
  return { world, service, ada, bob, pushed };
}

async function sentBy(sender: Person, reader: Person): Promise<string> {
  const [latest] = await reader.reads(sender);
  return latest?.conversationId ?? assert.fail();
}

test('a push message names the sender, has the text only if the person wants it, and is encrypted for the browser', async (t) => {
  const { service, ada, bob, pushed } = await scene(t);
  const first = await ada.writes(bob, 'the key is under the mat');
  const conversationId = await sentBy(ada, bob);
  const named = { conversationId, msgId: first.msgId, language: 'en', isSilent: false, title: 'Ada' };
  assert.deepEqual(await pushed('phone', 1), [named]);
  const [request] = service.receiver.requests;
  assert.equal(request?.rawBody.includes('mat'), false);
  assert.equal(request?.headers['content-encoding'], 'aes128gcm');
  assert.equal(request?.headers['urgency'], 'high');

  await bob.calls('PATCH', PATH, { detail: 'text', hasSound: false });
  const { msgId } = await ada.writes(bob, `**${'x'.repeat(4092)}**`);
  // Without the marks of its formatting.
  const long = { ...named, msgId, isSilent: true, kind: 'text', text: `${'x'.repeat(399)}…` };
  assert.deepEqual((await pushed('phone', 2)).at(-1), long);

  await bob.calls('PATCH', PATH, { detail: 'nothing' });
  const last = await ada.writes(bob, 'hello');
  const bare = { conversationId, msgId: last.msgId, language: 'en', isSilent: true };
  assert.deepEqual((await pushed('phone', 3)).at(-1), bare);
});

test('open pages of the person are told of changed settings', async (t) => {
  const { world, bob } = await scene(t);
  const told: string[] = [];
  t.after(world.live.subscribe(bob.accountId, ({ type }) => told.push(type)));
  assert.equal((await bob.calls('PATCH', PATH, { hasSound: false })).status, 200);
  assert.deepEqual(told, ['profile.changed']);
});

test('no notification for a muted conversation, in quiet hours, or for the sender', async (t) => {
  const { world, service, ada, bob, pushed } = await scene(t);
  await ada.writes(bob, 'one');
  await pushed('phone', 1);
  const eve = await world.person('Eve');
  await eve.writes(bob, 'two');
  await pushed('phone', 2);

  const conversationId = await sentBy(ada, bob);
  const path = `/api/chat/conversations/${conversationId}`;
  await bob.calls('PATCH', path, { isMuted: true, mutedForSeconds: 3600 });
  await ada.writes(bob, 'while muted');
  await bob.writes(eve, 'by Bob himself');
  await eve.writes(bob, 'three');
  await pushed('phone', 3);

  // It is 12:00 in UTC and 13:00 in Berlin.
  const quietHours = { from: '12:30', until: '13:30', timeZone: 'Europe/Berlin' };
  await bob.calls('PATCH', PATH, { quietHours });
  const laptop = service.subscribe('laptop');
  const { publicKey } = (await bob.calls('GET', PATH)).body.data;
  await ada.calls('PUT', `${PATH}/device`, laptop);
  await eve.writes(bob, 'in quiet hours');
  await bob.writes(ada, 'to somebody who is not quiet');
  await service.receiver.waitFor(4);
  const titles = (await pushed('phone', 4)).map((one) => (one as { title: string }).title);
  assert.deepEqual(titles, ['Ada', 'Eve', 'Eve']);
  assert.equal(service.read('laptop', publicKey).length, 1);

  world.clock.advance({ minutes: 30 });
  await eve.writes(bob, 'when they are over');
  assert.equal((await pushed('phone', 5)).length, 4);
  await ada.writes(bob, 'still muted');
  world.clock.advance({ minutes: 30 });
  await bob.calls('PATCH', path, { hasSound: false });
  await ada.writes(bob, 'muted no more');
  const last = (await pushed('phone', 6)).at(-1) as { title: string; isSilent: boolean };
  assert.deepEqual([last.title, last.isSilent], ['Ada', true]);
});

test('with notifications for mentions only, other messages in the group cause none', async (t) => {
  const { ada, bob, pushed } = await scene(t);
  const groupId = await ada.makesGroup([bob]);
  await bob.calls('PATCH', `/api/chat/conversations/${groupId}`, { notifyOf: 'mentions' });
  await bob.calls('PATCH', PATH, { detail: 'text' });
  const says = (content: string, mentionedUserIds: string[] = []) =>
    ada.writesIn(groupId, { type: 'text', content, mentionedUserIds });
  await says('for all');
  await says('for @Ada', [ada.accountId]);
  await says('for @Bob', [bob.accountId]);
  const notifications = (await pushed('phone', 1)) as { text: string }[];
  assert.deepEqual(
    notifications.map(({ text }) => text),
    ['for @Bob'],
  );
});

test('a group: everybody but the sender, with the name of both; a later message replaces an earlier one', async (t) => {
  const { world, service, ada, bob, pushed } = await scene(t);
  const eve = await world.person('Eve');
  const groupId = await ada.makesGroup([bob, eve]);
  const msgIds: string[] = [];
  for (const content of ['one', 'two']) msgIds.push((await ada.writesIn(groupId, content)).msgId);
  const shown = { language: 'en', isSilent: false, title: 'Team', sender: 'Ada' };
  const arrived = (await pushed('phone', 2)) as { msgId: string }[];
  assert.deepEqual(
    arrived.toSorted((one, other) => (one.msgId < other.msgId ? -1 : 1)),
    msgIds.map((msgId) => ({ ...shown, conversationId: groupId, msgId })),
  );
  const topics = () => new Set(service.receiver.requests.map(({ headers }) => headers['topic'])).size;
  assert.equal(topics(), 1);

  // The push service does not learn that both devices are of the same group.
  await eve.calls('PUT', `${PATH}/device`, service.subscribe('tablet'));
  await ada.writesIn(groupId, 'three');
  await pushed('tablet', 4);
  assert.equal(topics(), 2);
});

test('a device is removed with its session, when its browser unsubscribes, and at the person’s request', async (t) => {
  const { world, service, ada, bob } = await scene(t);
  const devices = async () => (await world.db`select device_id from push_devices`).length;
  assert.equal(await devices(), 1);
  await bob.calls('DELETE', `${PATH}/device`);
  assert.equal(await devices(), 0);

  await bob.calls('PUT', `${PATH}/device`, service.subscribe('gone'));
  service.answer = 410;
  await ada.writes(bob, 'to a browser that is gone');
  await service.receiver.waitFor(1);
  await eventually(async () => (await devices()) === 0);

  // A new subscription outlives the answer about the one before.
  await bob.calls('PUT', `${PATH}/device`, service.subscribe('gone'));
  const { promise, resolve } = Promise.withResolvers<number>();
  service.answer = promise;
  await ada.writes(bob, 'to the same browser');
  await service.receiver.waitFor(2);
  await bob.calls('PUT', `${PATH}/device`, service.subscribe('laptop'));
  resolve(410);
  await eventually(async () =>
    (await world.metrics.render()).includes('parley_push_total{outcome="gone"} 2'),
  );
  assert.equal(await devices(), 1);
  await bob.calls('POST', '/api/auth/sign-out');
  assert.equal(await devices(), 0);
});

test('the log says why a push service takes nothing, at most ten times a minute', async (t) => {
  const lines: { host?: string; reason?: number; msg: string }[] = [];
  const log = createLog('warn', { write: (line) => void lines.push(JSON.parse(line)) });
  const { world, service, ada, bob } = await scene(t, log);
  service.answer = 403;
  for (let i = 0; i < 12; i++) await ada.writes(bob, 'hello');
  const failed = async () =>
    Number(/^parley_push_total\{outcome="failed"\} (\d+)$/m.exec(await world.metrics.render())?.[1] ?? 0);
  await eventually(async () => (await failed()) === 12);
  const refusals = lines.filter(({ msg }) => msg === 'a push service did not take a notification');
  const { host } = new URL(service.receiver.url);
  assert.deepEqual(
    columnsOf(refusals, 'host', 'reason'),
    Array.from({ length: 10 }, () => [host, 403]),
  );
});

test('the first message after a start of the server is notified of, too', async (t) => {
  const { world, ada, bob, pushed } = await scene(t);
  await using app = await createHttp(world, composeFeatures(world));
  const to = { to: bob.accountId, type: 'text', content: 'Good morning' };
  const headers = { cookie: ada.cookie, 'sec-fetch-site': 'same-origin' };
  await app.inject({ method: 'POST', url: '/api/chat/messages', headers, payload: to });
  assert.equal((await pushed('phone', 1)).length, 1);
});

test('notifications that get no answer do not hold up the next ones', async (t) => {
  const { world, service, ada } = await scene(t);
  service.answer = new Promise(() => {});
  const people = await world.people(...Array.from({ length: 17 }, (_, i) => `Person ${i}`));
  for (const person of people) await person.calls('PUT', `${PATH}/device`, service.subscribe(person.name));
  const groupId = await ada.makesGroup(people);
  await ada.writesIn(groupId, 'to everybody');
  await service.receiver.waitFor(people.length);
  assert.doesNotMatch(await world.metrics.render(), /parley_push_total\{outcome="failed"/);
});

test('settings apply to all devices, and invalid ones are refused', async (t) => {
  const { service, bob } = await scene(t);
  const quietHours = { from: '22:00', until: '07:00', timeZone: 'Europe/Berlin' };
  const settings = { detail: 'text', hasSound: false, quietHours };
  assert.deepEqual((await bob.calls('PATCH', PATH, settings)).body.data, settings);
  assert.deepEqual((await bob.calls('GET', PATH)).body.data.settings, settings);
  const odd = { ...quietHours, timeZone: 'Mars/Olympus' };
  assert.equal((await bob.calls('PATCH', PATH, { quietHours: odd })).status, 400);
  assert.deepEqual((await bob.calls('PATCH', PATH, { quietHours: null })).body.data.quietHours, null);

  const device = service.subscribe('inside');
  const inside = await bob.calls('PUT', `${PATH}/device`, { ...device, endpoint: 'https://10.0.0.1/push' });
  assert.equal(inside.status, 400);
  assert.match(JSON.stringify(inside.body), /endpoint/);
});

test('the key for push services is created once, stored sealed, and stays the same', async (t) => {
  const { world, ada, bob } = await scene(t);
  const keyOf = async (person: Person) => (await person.calls('GET', PATH)).body.data.publicKey;
  assert.equal(await keyOf(ada), await keyOf(bob));
  const rows = await world.db<{ secret: Buffer }[]>`select secret from service_keys`;
  assert.equal(rows.length, 1);
});

test('changes of different settings at the same time all hold', async (t) => {
  const { ada } = await scene(t);
  for (const hasSound of [false, true, false]) {
    const detail = hasSound ? 'name' : 'text';
    await Promise.all([
      ada.calls('PATCH', PATH, { detail }),
      ada.calls('PATCH', PATH, { hasSound }),
      ada.calls('PATCH', PATH, { quietHours: null }),
    ]);
    const { settings } = (await ada.calls('GET', PATH)).body.data;
    assert.deepEqual([settings.detail, settings.hasSound], [detail, hasSound]);
  }
});
