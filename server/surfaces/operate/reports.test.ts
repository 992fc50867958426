import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { installServiceAccount, SERVICE_ACCOUNT_ID } from '#features/accounts/index.ts';
import { columnsOf } from '#testing/columns.ts';
import { operatorScene } from '#testing/operator-scene.ts';
import type { Person } from '#testing/world.ts';

/** Eve has written to Ada, who reports one of the messages. */
async function reportScene(t: TestContext) {
  const made = await operatorScene(t);
  const { world, operator } = made;
  await installServiceAccount(world);
  const [ada, eve] = [await world.person('Ada'), await world.person('Eve')];
  const insult = await eve.writes(ada, 'You fool');
  const kept = await eve.writes(ada, 'What Ada keeps to herself');
  return {
    ...made,
    ada,
    eve,
    insult,
    kept,
    async reports(change: object = {}, reporter = ada): Promise<string> {
      const { conversationId, msgId } = insult;
      const body = { conversationId, userId: eve.accountId, reason: 'abuse', msgIds: [msgId], ...change };
      const answer = await reporter.calls('POST', '/api/chat/reports', body);
      return answer.body.data.reportId;
    },
    decides: (reportId: string, body: object) =>
      operator.calls('POST', `/api/operate/reports/${reportId}/decision`, body),
    lists: async (query = '') =>
      (await operator.gets('GET', `/api/operate/reports${query}`)).reports.map(
        ({ reportId }: { reportId: string }) => reportId,
      ),
    /** The messages of the service to a person, newest first. */
    noticesTo: async (person: Person) =>
      (await person.reads({ accountId: SERVICE_ACCOUNT_ID })).map(({ content }) => content),
  };
}

test('reports wait in a queue, oldest first, without the messages', async (t) => {
  const { world, operator, ada, eve, reports, lists, decides } = await reportScene(t);
  const bot = await world.bot({ name: 'Spammer' });
  const first = await reports();
  world.clock.advance({ minutes: 1 });
  const second = await reports({ reason: 'spam' });
  const { conversationId } = await ada.writes(bot, 'hello');
  const third = await reports({ conversationId, userId: bot.accountId, msgIds: [] });
  assert.deepEqual(await lists(), [first, second, third]);
  assert.deepEqual(await lists('?target=bot'), [third]);
  assert.deepEqual(await lists(`?cursor=${first}`), [second, third]);
  const { reports: listed, waiting } = await operator.gets('GET', '/api/operate/reports');
  const person = { isBot: false, isDeleted: false };
  assert.deepEqual(listed[0], {
    reportId: first,
    reporter: { accountId: ada.accountId, name: 'Ada', ...person },
    reported: { accountId: eve.accountId, name: 'Eve', ...person },
    target: 'person',
    reason: 'abuse',
    messageCount: 1,
    createdAt: listed[0].createdAt,
  });
  assert.deepEqual(waiting, { open: 3, oldestAt: listed[0].createdAt });
  await decides(first, { decision: 'nothing' });
  await decides(second, { decision: 'nothing' });
  assert.deepEqual(await lists(), [third]);
  assert.deepEqual(await lists('?isDecided=true'), [second, first]);
});

test('the operator reads the reported messages, and decides once; both sides are notified, in their language', async (t) => {
  const { world, operator, ada, eve, insult, reports, decides, noticesTo } = await reportScene(t);
  await ada.calls('PUT', '/api/auth/language', { language: 'de' });
  const reportId = await reports();
  const shown = await operator.gets('GET', `/api/operate/reports/${reportId}`);
  assert.deepEqual([shown.messages, shown.related, shown.nextReportId], [[insult], [], undefined]);
  const { status, body } = await decides(reportId, { decision: 'warned' });
  assert.deepEqual([status, body.message], [400, 'reason is required']);
  const warned = await decides(reportId, { decision: 'warned', reason: 'No insults here' });
  const { state, decision, decided } = warned.body.data;
  assert.deepEqual([state, decision], ['acted', 'warned']);
  assert.deepEqual(decided, { by: 'Grace', reason: 'No insults here' });
  assert.equal((await decides(reportId, { decision: 'nothing' })).status, 404);
  assert.deepEqual(await noticesTo(ada), [
    'Danke für deine Meldung. Wir haben sie geprüft und etwas unternommen.',
  ]);
  assert.deepEqual(await noticesTo(eve), ['You were reported, and we ask you to stop: No insults here']);
  const toService = { to: SERVICE_ACCOUNT_ID, type: 'text', content: 'Why?' };
  assert.equal((await eve.calls('POST', '/api/chat/messages', toService)).status, 403);
  const [{ peer, mayWrite }] = (await eve.calls('GET', '/api/chat/conversations')).body.data.conversations;
  assert.deepEqual([peer.name, peer.isService, mayWrite], ['Parley', true, false]);
  const { acts } = await world.operators.listActs();
  assert.deepEqual(
    [acts[0]?.act, acts[0]?.subject, acts[0]?.details],
    ['report.decided', reportId, { decision: 'warned', reason: 'No insults here' }],
  );
  const { accountId, email } = operator;
  await operator.gets('POST', '/account/delete', { email });
  assert.equal((await world.operators.showReport(reportId)).decided?.by, accountId, 'nobody has a name now');
  const [act] = (await world.operators.listActs()).acts;
  assert.deepEqual(act?.operator, { accountId, name: accountId });
});

test('a report leads to the next open one, and to others about the same person or group', async (t) => {
  const { world, operator, ada, reports, decides } = await reportScene(t);
  const show = async (reportId: string) => {
    const { nextReportId, related } = await operator.gets('GET', `/api/operate/reports/${reportId}`);
    return [nextReportId, related.map((one: { reportId: string }) => one.reportId)];
  };
  const made = [];
  for (const change of [{}, { reason: 'spam' }, { userId: undefined }]) {
    made.push(await reports(change));
    world.clock.advance({ minutes: 1 });
  }
  const [first = '', second = '', group = ''] = made;
  assert.deepEqual(await show(first), [second, [second]]);
  assert.deepEqual(await show(second), [group, [first]]);
  assert.deepEqual(await show(group), [first, []], 'after the last, the oldest');
  const { operator: known } = await operator.gets('GET', '/api/auth/operating');
  assert.deepEqual(known, { openReports: 3 });
  assert.deepEqual((await ada.calls('GET', '/api/auth/operating')).body.data, {});
  for (const reportId of [first, group]) await decides(reportId, { decision: 'nothing' });
  assert.deepEqual(await show(second), [undefined, [first]]);
  const { people, applications, openReports } = await operator.gets('GET', '/api/operate/overview');
  assert.deepEqual([people, applications, openReports], [3, 0, 1]);
});

test('no action: only the reporter is notified', async (t) => {
  const { ada, eve, reports, decides, noticesTo } = await reportScene(t);
  await decides(await reports(), { decision: 'nothing' });
  assert.match(String(await noticesTo(ada)), /^Thank you for your report. We looked at it and found nothing/);
  await assert.rejects(() => noticesTo(eve));
});

test('messages of the report are removed for both, and no others', async (t) => {
  const { ada, eve, insult, kept, reports, decides, noticesTo } = await reportScene(t);
  const reportId = await reports();
  const removal = { decision: 'removed', reason: 'No insults here' };
  assert.equal((await decides(reportId, removal)).status, 400);
  assert.equal((await decides(reportId, { ...removal, msgIds: [kept.msgId] })).status, 404);
  assert.equal((await decides(reportId, { ...removal, msgIds: [insult.msgId] })).status, 200);
  for (const [reader, peer] of [
    [ada, eve],
    [eve, ada],
  ] as const) {
    const messages = await reader.reads(peer);
    assert.deepEqual(columnsOf(messages, 'type', 'content'), [
      ['text', 'What Ada keeps to herself'],
      ['deleted', undefined],
    ]);
  }
  assert.deepEqual(await noticesTo(eve), ['We removed a message of yours: No insults here']);
});

test('a person is suspended by a decision, or the application of a bot', async (t) => {
  const { world, operator, ada, eve, insult, reports, decides, noticesTo } = await reportScene(t);
  const until = world.clock.now() + 86_400_000;
  const suspension = { decision: 'suspended', reason: 'threats', until };
  const reportId = await reports();
  assert.equal((await decides(reportId, { ...suspension, msgIds: [insult.msgId] })).status, 200);
  assert.equal((await eve.calls('GET', '/api/auth/session')).status, 401);
  assert.equal((await ada.reads(eve)).at(-1)?.type, 'deleted');
  const { suspension: standing } = await operator.gets('GET', `/api/operate/people/${eve.accountId}`);
  assert.deepEqual(standing, { reason: 'threats', until });

  const bot = await world.bot({ name: 'Spammer' });
  const { conversationId } = await ada.writes(bot, 'hello');
  const ofBot = await reports({ conversationId, userId: bot.accountId, msgIds: [] });
  const spam = { decision: 'suspended', reason: 'spam' };
  assert.equal((await decides(ofBot, { ...spam, until })).body.message, 'until is not valid');
  assert.equal((await decides(ofBot, spam)).status, 200);
  const { acts } = await operator.gets('GET', '/api/operate/acts');
  assert.deepEqual(columnsOf(acts, 'act', 'subject').slice(0, 4), [
    ['report.decided', ofBot],
    ['application.suspended', bot.appId],
    ['report.decided', reportId],
    ['person.suspended', eve.accountId],
  ]);
  const { state } = await operator.gets('GET', `/api/operate/applications/${bot.appId}`);
  assert.equal(state, 'suspended');
  assert.deepEqual(await noticesTo(bot.owner), ['The application of your bot Spammer was suspended: spam']);
});

test('a report about a group has nobody to warn', async (t) => {
  const { reports, decides, lists } = await reportScene(t);
  const reportId = await reports({ userId: undefined });
  const { status, body } = await decides(reportId, { decision: 'warned', reason: 'x' });
  assert.deepEqual([status, body.code], [400, 'failed-precondition']);
  assert.deepEqual(await lists('?target=group'), [reportId]);
});
