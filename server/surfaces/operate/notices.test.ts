import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { installServiceAccount } from '#features/accounts/index.ts';
import { lookForNotices } from '#features/operators/index.ts';
import { CurrentNotices } from '#platform/live/notices.ts';
import { Live } from '#platform/live.ts';
import { PASSWORD, whileDeleting } from '#testing/account-scene.ts';
import { columnsOf } from '#testing/columns.ts';
import { listen } from '#testing/event-source.ts';
import { operatorScene } from '#testing/operator-scene.ts';
import { findRoutes } from '#testing/routes.ts';
import { composeFeatures } from '../../app.ts';
import { startWork } from '../../workers.ts';

const MINUTE_MS = 60_000;
const text = { en: 'We move tonight.', de: 'Wir ziehen heute Nacht um.' };

async function scene(t: TestContext) {
  const made = await operatorScene(t);
  await installServiceAccount(made.world);
  const { world, operator } = made;
  const starts = (until: number, more: object = {}) =>
    operator.calls('PUT', '/api/operate/maintenance', { until, ...more });
  return { ...made, starts, until: world.clock.now() + 30 * MINUTE_MS };
}

test('during maintenance every route that may write answers 503 with a time; reads and sign-in still work', async (t) => {
  const { world, operator, holder, stranger, starts, until } = await scene(t);
  const [ada, bot] = [await holder(), await world.bot()];
  const { groupId } = await ada.gets('POST', '/api/chat/groups', { name: 'Team' });
  assert.equal((await starts(until, { text })).status, 200);

  const answer = await world.app.inject({
    method: 'POST',
    url: '/v1/messages',
    headers: { authorization: `Bearer ${bot.key}` },
    payload: { to: ada.accountId, type: 'text', content: 'hi' },
  });
  assert.deepEqual([answer.statusCode, answer.headers['retry-after']], [503, '1800']);
  assert.equal(
    answer.body,
    `{"status":"error","code":"INTERNAL_ERROR","message":"maintenance is in progress, expected to end at ${new Date(until).toISOString()}: reading works, writing does not"}`,
  );
  assert.equal(answer.headers['ratelimit-limit'], undefined, 'it costs nothing of the quota');

  const open: string[] = [];
  for (const route of await findRoutes(world)) {
    if (route.method === 'GET') continue;
    if (route.config?.duringMaintenance) {
      if (!route.url.startsWith('/api/operate/')) open.push(route.name);
      continue;
    }
    const { statusCode } = await world.app.inject({ method: route.method as 'POST', url: route.url });
    assert.equal(statusCode, 503, route.name);
  }
  assert.deepEqual(open.sort(), [
    'DELETE /mcp',
    'POST /api/auth/confirm',
    'POST /api/auth/confirm/passkey/options',
    'POST /api/auth/confirm/providers/:providerId',
    'POST /api/auth/providers/:providerId',
    'POST /api/auth/sessions/revoke',
    'POST /api/auth/sign-in',
    'POST /api/auth/sign-in/code',
    'POST /api/auth/sign-in/passkey',
    'POST /api/auth/sign-in/passkey/options',
    'POST /api/auth/sign-out',
    'POST /api/auth/sign-out-everywhere',
    'POST /language',
    'POST /mcp',
    'POST /oauth/authorize',
    'POST /oauth/logout',
    'POST /oauth/userinfo',
    'POST /sign-in/providers/:providerId/logout',
    'POST /sign-out',
  ]);

  assert.equal((await ada.calls('GET', `/api/chat/conversations/${groupId}`)).status, 200);
  assert.equal(
    (await stranger().calls('POST', '/sign-in', { email: ada.email, password: PASSWORD })).status,
    200,
  );
  const { maintenance } = await stranger().gets('GET', '/maintenance');
  assert.deepEqual(maintenance, { startedAt: world.clock.now(), until, text });

  const token = await world.app.inject({ method: 'POST', url: '/oauth/token', payload: {} });
  assert.deepEqual([token.statusCode, token.json().error], [503, 'temporarily_unavailable']);

  world.clock.advance({ minutes: 31 });
  const late = await ada.calls('POST', '/api/chat/groups', { name: 'Late' });
  assert.deepEqual([late.status, late.headers['retry-after']], [503, '60']);
  await operator.gets('POST', '/confirm', { password: PASSWORD });
  await operator.gets('DELETE', '/api/operate/maintenance');
  assert.equal((await ada.calls('POST', '/api/chat/groups', { name: 'Back' })).status, 201);
  const { acts } = await world.operators.listActs();
  assert.deepEqual(columnsOf(acts.slice(0, 2), 'act', 'details'), [
    ['maintenance.ended', {}],
    ['maintenance.started', { until, ...text }],
  ]);
});

test('the end of maintenance is in the near future, and maintenance is ended once', async (t) => {
  const { world, operator, starts } = await scene(t);
  const now = world.clock.now();
  assert.equal((await starts(now)).body.message, 'until is in the past');
  assert.equal((await starts(now + 8 * 86_400_000)).body.message, 'until must be at most 7 days away');
  const none = await operator.calls('DELETE', '/api/operate/maintenance');
  assert.deepEqual([none.status, none.body.message], [400, 'there is no maintenance']);
});

test('every process observes maintenance, and notifies its open pages', async (t) => {
  const { world, holder, starts, until } = await scene(t);
  const ada = await holder();
  const origin = await world.app.listen({ port: 0, host: '127.0.0.1' });
  await using page = await listen(`${origin}/api/chat/live`, { cookie: ada.cookie ?? '' });
  assert.equal((await page.next())?.type, 'ready');
  await starts(until);
  const told = await page.next();
  assert.deepEqual(
    [told?.type, JSON.parse(told?.data ?? '')],
    ['notices.changed', { maintenance: { startedAt: world.clock.now(), until }, announcements: [] }],
  );
  // The command line or another process has its own memory but the same database.
  const elsewhere = { ...world, live: new Live(), notices: new CurrentNotices() };
  await lookForNotices(elsewhere);
  assert.equal(elsewhere.notices.maintenance?.until, until);
  await composeFeatures(elsewhere).operators.perform('maintenance.ended', {});
  await lookForNotices(world);
  const ended = await page.next();
  assert.deepEqual(JSON.parse(ended?.data ?? ''), { announcements: [] });
});

test('maintenance that begins while an earlier state is being read goes on', async (t) => {
  const { world, until } = await scene(t);
  const notices = new CurrentNotices();
  const maintenance = { startedAt: world.clock.now(), until };
  const db = ((...given: Parameters<typeof world.db>) => {
    notices.take({ maintenance, announcements: [] });
    return world.db(...given);
  }) as typeof world.db;
  await lookForNotices({ ...world, db, notices });
  assert.deepEqual(notices.maintenance, maintenance, 'another process told of it meanwhile');
});

test('background work pauses during maintenance, and resumes afterwards', async (t) => {
  const { world, starts, until } = await scene(t);
  await starts(until);
  let steps = 0;
  const worked = Promise.withResolvers<void>();
  await using loop = startWork(world, { name: 'test', everyMs: 1 }, async () => {
    steps++;
    worked.resolve();
  });
  for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
  assert.equal(steps, 0);
  await world.operators.perform('maintenance.ended', {});
  loop.wake();
  await worked.promise;
});

test('an announcement is shown to people with an account, until it expires or is ended', async (t) => {
  const { world, operator, holder, stranger } = await scene(t);
  const ada = await holder();
  const shown = async () => (await ada.gets('GET', '/announcements')).announcements;
  const announce = (body: object) => operator.calls('POST', '/api/operate/announcements', body);
  const line = { text, isLine: true, isMessage: false };
  const endsAt = world.clock.now() + MINUTE_MS;
  const [short, long] = [
    await announce({ ...line, endsAt }),
    await announce({ ...line, text: { de: 'Nur so.' } }),
  ];
  assert.deepEqual([short.status, long.status], [201, 201]);
  assert.deepEqual(await shown(), [
    { announcementId: long.body.data.announcementId, text: { de: 'Nur so.' } },
    { announcementId: short.body.data.announcementId, text, endsAt },
  ]);
  assert.equal((await stranger().calls('GET', '/announcements')).status, 401);
  world.clock.advance({ minutes: 1 });
  assert.equal((await shown()).length, 1);
  const at = `/api/operate/announcements/${long.body.data.announcementId}`;
  assert.equal((await operator.calls('DELETE', at)).status, 200);
  assert.equal((await operator.calls('DELETE', at)).status, 404);
  assert.deepEqual(await shown(), []);
  assert.equal((await announce({ ...line, isLine: false })).status, 400);
  assert.equal((await announce({ ...line, text: {} })).status, 400);
  assert.equal((await announce({ ...line, text: { en: ' ' } })).status, 400);
  assert.equal((await announce({ ...line, endsAt: world.clock.now() })).status, 400);
});

test('a message reaches every existing person once, in their language, even if the worker fails', async (t) => {
  const { world, operator, holder } = await scene(t);
  const { db, clock } = world;
  const [ada, gone] = [await holder(), await holder('Gone')];
  await ada.gets('PUT', '/language', { language: 'de' });
  const extra = Array.from({ length: 230 }, (_, i) => ({
    // An import makes ids that do not begin with a time.
    accountId: `usr_${i % 2 === 0 ? '0' : 'z'}${String(i + 1).padStart(23, '0')}`,
    isBot: false,
    name: 'Extra',
    email: `${i}@example.com`,
    createdAt: 0,
  }));
  await db.write((tx) => tx`insert into accounts ${tx(extra)}`);
  await world.bot();
  await db`update accounts set deleted_at = 1 where account_id = ${gone.accountId}`;
  const people = 230 + 3;
  assert.equal((await operator.gets('GET', '/api/operate/overview')).people, people);
  const body = { text, isLine: false, isMessage: true };
  const { announcementId } = await operator.gets('POST', '/api/operate/announcements', body);
  clock.advance({ seconds: 1 });
  await holder('Late');

  // The database refuses the last statement of the second slice: that slice is rolled back.
  assert.equal(await world.operators.sendAnnouncements(), true);
  await db`alter table announcements add constraint halfway check (told <= 100)`;
  await assert.rejects(world.operators.sendAnnouncements());
  const told = async () => (await db`select from messages where type = 'text'`).length;
  assert.equal(await told(), 100);
  const [shown] = (await operator.gets('GET', '/api/operate/announcements')).announcements;
  assert.deepEqual([shown.people, shown.told, shown.toldAt], [people, 100, undefined]);
  await db`alter table announcements drop constraint halfway`;

  // Two concurrent workers share the work.
  while ((await Promise.all([1, 2].map(() => world.operators.sendAnnouncements()))).some(Boolean));
  const [{ told: all, toldAt }] = (await operator.gets('GET', '/api/operate/announcements')).announcements;
  assert.deepEqual([all, toldAt], [people, clock.now()]);
  const counts = await db`select conversation_id from messages group by conversation_id having count(*) <> 1`;
  assert.deepEqual([await told(), counts.length], [people, 0]);
  const { conversations } = await ada.gets('GET', '/api/chat/conversations');
  assert.equal(conversations[0].lastMessage.content, text.de);
  assert.equal((await operator.calls('DELETE', `/api/operate/announcements/${announcementId}`)).status, 200);
});

test('an announcement leaves nothing to an account that is deleted in the same moment', async (t) => {
  const { world, operator, holder } = await scene(t);
  const { db } = world;
  const { accountId } = await holder();
  await operator.gets('POST', '/api/operate/announcements', { text, isLine: false, isMessage: true });
  await whileDeleting(world, accountId, () => world.operators.sendAnnouncements());
  const listed = await db`select account_id from account_conversations`;
  assert.ok(listed.length > 0);
  assert.ok(listed.every((row) => row['accountId'] !== accountId));
});

test('an announcement that an operator ends is not sent to further people', async (t) => {
  const { world, operator } = await scene(t);
  const body = { text, isLine: false, isMessage: true };
  const { announcementId } = await operator.gets('POST', '/api/operate/announcements', body);
  await operator.gets('DELETE', `/api/operate/announcements/${announcementId}`);
  assert.equal(await world.operators.sendAnnouncements(), false);
  assert.equal((await world.db`select from messages`).length, 0);
});
