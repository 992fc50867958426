import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreateReport } from '#contract/chat/reports.ts';
import { privateConversationId } from '#platform/ids.ts';
import { fileOf } from '#testing/files.ts';
import { oneAfterTheOther, uploadScene } from '#testing/upload-scene.ts';
import { createWorld, type Person } from '#testing/world.ts';

async function reports(person: Person, body: CreateReport, headers: Record<string, string> = {}) {
  const answer = await person.calls('POST', '/api/chat/reports', body, headers);
  return { status: answer.status, reason: answer.reason, reportId: answer.body.data?.reportId as string };
}

test('a report keeps the selected messages, and no others, unchanged', async () => {
  await using world = await createWorld();
  const [ada, eve] = [await world.person('Ada'), await world.person('Eve')];
  const insult = await eve.writes(ada, 'You fool');
  await ada.writes(eve, 'private words');
  const { conversationId, msgId } = insult;
  const body = {
    conversationId,
    userId: eve.accountId,
    reason: 'abuse',
    comment: 'Again',
    msgIds: [msgId],
  } as const;
  const key = { 'idempotency-key': 'once' };
  const { status, reportId } = await reports(ada, { ...body, msgIds: [msgId] }, key);
  assert.equal(status, 201);
  assert.equal((await reports(ada, { ...body, msgIds: [msgId] }, key)).reportId, reportId);
  await eve.calls('DELETE', `/api/chat/conversations/${conversationId}/messages/${msgId}`);
  const open = {
    reportId,
    reporterId: ada.accountId,
    reportedId: eve.accountId,
    target: 'person' as const,
    conversationId,
    reason: 'abuse' as const,
    comment: 'Again',
    messages: [insult],
    state: 'open' as const,
    createdAt: world.clock.now(),
  };
  assert.deepEqual(await world.reports.list(), { reports: [open] });
  const [row] = await world.db<{ body: Buffer }[]>`select body from reports`;
  assert.doesNotMatch(String(row?.body), /fool|Again/);
  const { body: exported } = await ada.calls('GET', '/api/auth/export');
  assert.deepEqual(exported.reports, [open]);

  world.clock.advance({ hours: 1 });
  const decide = () => world.db.begin((tx) => world.reports.decide(tx, open, 'warned'));
  await decide();
  assert.deepEqual(await world.reports.list(), { reports: [] });
  const decided = { ...open, state: 'acted', decision: 'warned', decidedAt: world.clock.now() };
  assert.deepEqual(await world.reports.list({ isDecided: true }), { reports: [decided] });
  assert.deepEqual(await world.reports.list({ isDecided: true, target: 'group' }), { reports: [] });
  await assert.rejects(decide, /open report/);
});

test('one can report only visible messages, not oneself, and a limited number of times', async () => {
  await using world = await createWorld();
  const [ada, eve, stranger] = [await world.person(), await world.person(), await world.person()];
  const { conversationId, msgId } = await eve.writes(ada, 'hello');
  const body = { conversationId, userId: eve.accountId, reason: 'spam' as const, msgIds: [msgId] };
  const refused = async (person: Person, change: Partial<CreateReport>) =>
    (await reports(person, { ...body, ...change })).reason;
  assert.equal(await refused(stranger, {}), 'conversation.unknown');
  assert.equal(await refused(ada, { userId: ada.accountId }), 'report.yourself');
  assert.equal(await refused(ada, { userId: world.newId('usr') }), 'recipient.unknown');
  assert.equal(await refused(ada, { msgIds: [world.newId('msg')] }), 'conversation.no-message');
  await ada.calls('POST', `/api/chat/conversations/${conversationId}/messages/${msgId}/hide`);
  assert.equal(await refused(ada, {}), 'conversation.no-message');
  for (let i = 0; i < 20; i++) assert.equal(await refused(ada, { msgIds: [] }), undefined);
  const last = await reports(ada, { ...body, msgIds: [] });
  assert.deepEqual([last.status, last.reason], [429, 'person.reporting-many']);
  const { reports: page, nextCursor } = await world.reports.list();
  assert.deepEqual([page.length, nextCursor], [20, undefined]);
});

test('a file that was reported stays until the operator has decided', async (t) => {
  const { world, uploads, get } = await uploadScene(t);
  const [ada, eve] = [await world.person(), await world.person()];
  const { url } = await uploads(eve, 'kind=image&fileName=a.png', fileOf('png'));
  const { msgId } = await eve.writes(ada, { type: 'image', fileUrl: url });
  const conversationId = privateConversationId(ada.accountId, eve.accountId);
  const { reportId } = await reports(ada, { conversationId, reason: 'violence', msgIds: [msgId] });
  await eve.calls('DELETE', `/api/chat/conversations/${conversationId}/messages/${msgId}`);
  assert.equal((await get(url)).statusCode, 200);
  const report = await world.reports.find(reportId);
  await world.db.begin((tx) => world.reports.decide(tx, report, 'nothing'));
  assert.equal((await get(url)).statusCode, 404);
});

test('a message that is deleted while it is reported keeps no file', async (t) => {
  const { world, uploads } = await uploadScene(t);
  const [ada, eve] = [await world.person(), await world.person()];
  const { url } = await uploads(eve, 'kind=image&fileName=a.png', fileOf('png'));
  const { msgId, conversationId } = await eve.writes(ada, { type: 'image', fileUrl: url });
  const [deleted, reported] = await oneAfterTheOther(
    world,
    () => eve.calls('DELETE', `/api/chat/conversations/${conversationId}/messages/${msgId}`),
    () => reports(ada, { conversationId, reason: 'violence', msgIds: [msgId] }),
  );
  assert.deepEqual([deleted.status, reported.status], [200, 404]);
  assert.equal((await world.db`select from media_uses`).length, 0);
});
