import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LATEST_TIME } from '#contract/fields.ts';
import { LIMITS } from '#contract/limits.ts';
import { type AccountHolder, PASSWORD } from '#testing/account-scene.ts';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { operatorScene } from '#testing/operator-scene.ts';

const DAY_MS = 86_400_000;

const suspend = (operator: AccountHolder, { accountId }: { accountId: string }, body: object) =>
  operator.calls('POST', `/api/operate/people/${accountId}/suspension`, body);

test('changes require a sign-in within the last ten minutes', async (t) => {
  const { world, operator, holder } = await operatorScene(t);
  const ada = await holder();
  world.clock.advance({ minutes: 11 });
  const { status, body } = await suspend(operator, ada, { reason: 'spam' });
  assert.deepEqual([status, body.code], [403, 'permission-denied']);
  assert.equal((await operator.calls('GET', `/api/operate/people/${ada.accountId}`)).status, 200);
});

test('a person is found by id, by the whole address and by the beginning of the name', async (t) => {
  const { world, operator, holder } = await operatorScene(t);
  const [ada, adam, lookalike] = [await holder('Ada'), await holder('adam'), await holder('A%a')];
  const tom = await holder('Tom');
  // Test persons of simulators, as many as a search finds.
  await world.db`
    insert into accounts (account_id, is_bot, name, created_at)
    select 'usr_test' || i, false, 'Test person', 0 from generate_series(1, ${LIMITS.operatorSearchResults}) as i`;
  const find = async (query: string) => {
    const { people } = await operator.gets('GET', `/api/operate/people?query=${encodeURIComponent(query)}`);
    return people.map(({ accountId }: { accountId: string }) => accountId);
  };
  assert.deepEqual(await find(ada.accountId), [ada.accountId]);
  assert.deepEqual(await find(ada.email.toUpperCase()), [ada.accountId]);
  assert.deepEqual(await find('nobody@example.com'), []);
  assert.deepEqual(await find('ADA'), [ada.accountId, adam.accountId]);
  assert.deepEqual(await find('a%'), [lookalike.accountId]);
  assert.deepEqual(await find('t'), [tom.accountId]);
  // Letters whose lower case JavaScript and PostgreSQL write differently.
  for (const name of ['İpek', 'ΣΑΣ']) {
    const { accountId } = await holder(name);
    assert.deepEqual(await find(name), [accountId], name);
  }
});

test('a suspended person is signed out, sees the reason at sign-in, and can return when it ends', async (t) => {
  const { world, operator, holder, stranger } = await operatorScene(t);
  const ada = await holder();
  const until = world.clock.now() + DAY_MS;
  const { status, body } = await suspend(operator, ada, { reason: 'spam in three groups', until });
  assert.equal(status, 200);
  assert.deepEqual(body.data.suspension, { reason: 'spam in three groups', until });
  assert.equal((await ada.calls('GET', '/session')).status, 401);
  const signIn = { email: ada.email, password: PASSWORD };
  const refused = await stranger().calls('POST', '/sign-in', signIn);
  assert.deepEqual(
    [refused.status, refused.body.message],
    [403, `this account is suspended until ${new Date(until).toISOString()}: spam in three groups`],
  );
  const wrong = await stranger().calls('POST', '/sign-in', { ...signIn, password: 'not the one' });
  assert.equal(wrong.body.message, 'email or password is wrong', 'strangers learn nothing');
  world.clock.advance({ days: 1 });
  assert.equal((await stranger().calls('POST', '/sign-in', signIn)).status, 200);
  const found = await operator.calls('GET', `/api/operate/people/${ada.accountId}`);
  assert.equal(found.body.data.suspension, undefined);
});

test('a person’s tokens and codes are refused during the suspension, and none is lost', async (t) => {
  const { world, operator, holder } = await operatorScene(t);
  const [ada, client] = [await holder(), await world.client()];
  const asked = {
    person: { accountId: ada.accountId, cookie: ada.cookie ?? '' },
    scopes: ['profile'],
  } as const;
  const { access, refresh } = await client.tokens(asked);
  const code = await client.code(asked);
  await suspend(operator, ada, { reason: 'spam' });
  assert.equal((await client.calls(access)).status, 401);
  assert.equal((await client.refreshes(refresh)).status, 401);
  const exchanged = await client.exchanges(code);
  assert.deepEqual(
    [exchanged.status, exchanged.body.error_description],
    [400, 'the person is suspended: try again later'],
  );
  const lifted = await operator.calls('DELETE', `/api/operate/people/${ada.accountId}/suspension`, {
    reason: 'it was somebody else',
  });
  assert.equal(lifted.status, 200);
  assert.equal((await client.calls(access)).status, 200);
  assert.equal((await client.refreshes(refresh)).status, 200);
  assert.equal((await client.exchanges(code)).status, 200);
});

test('invalid suspensions are refused, and nobody suspends their own account', async (t) => {
  const { world, operator, holder } = await operatorScene(t);
  const ada = await holder();
  const past = await suspend(operator, ada, { reason: 'spam', until: world.clock.now() });
  assert.deepEqual([past.status, past.body.message], [400, 'until is in the past']);
  const never = await suspend(operator, ada, { reason: 'spam', until: LATEST_TIME + 1 });
  assert.deepEqual([never.status, never.body.message], [400, `until must be <= ${LATEST_TIME}`]);
  assert.equal((await suspend(operator, ada, { reason: ' ' })).status, 400);
  assert.equal((await suspend(operator, operator, { reason: 'spam' })).status, 403);
  assert.equal((await suspend(operator, { accountId: world.newId('usr') }, { reason: 'x' })).status, 404);
  const bot = await world.bot();
  assert.equal((await suspend(operator, bot, { reason: 'x' })).status, 404);
  const lift = await operator.calls('DELETE', `/api/operate/people/${ada.accountId}/suspension`, {
    reason: 'x',
  });
  assert.deepEqual([lift.status, lift.body.message], [400, 'this account is not suspended']);
  assert.equal((await ada.calls('GET', '/session')).status, 200);
  assert.equal((await suspend(operator, ada, { reason: 'spam', until: LATEST_TIME })).status, 200);
  const signIn = await ada.calls('POST', '/sign-in', { email: ada.email, password: PASSWORD });
  assert.deepEqual([signIn.status, signIn.reason], [403, 'account.suspended']);
});

test('a lost password and a lost second factor are replaced, once', async (t) => {
  const { operator, holder, enrols, stranger } = await operatorScene(t);
  const ada = await holder();
  await enrols(ada);
  const at = `/api/operate/people/${ada.accountId}`;
  const { link } = await operator.gets('POST', `${at}/password-link`);
  const { recoveryCode } = await operator.gets('POST', `${at}/recovery-code`);
  const ticket = new URL(link).hash.slice(1);
  const newPassword = 'another horse battery';
  await stranger().gets('POST', '/password/reset', { ticket, newPassword });
  const again = await stranger().calls('POST', '/password/reset', { ticket, newPassword });
  assert.equal(again.status, 403);
  const visitor = stranger();
  const { secondFactor } = await visitor.gets('POST', '/sign-in', {
    email: ada.email,
    password: newPassword,
  });
  const step = { ticket: secondFactor.ticket, code: recoveryCode };
  assert.equal((await visitor.calls('POST', '/sign-in/code', step)).status, 200);
  const plain = await holder();
  const none = await operator.calls('POST', `/api/operate/people/${plain.accountId}/recovery-code`);
  assert.deepEqual([none.status, none.body.message], [400, 'two-factor sign-in is off']);
});

test('operators make no password link and no recovery code for an operator; the command line does', async (t) => {
  const { operator, holder, enrols, world } = await operatorScene(t);
  const other = await holder();
  await enrols(other);
  await world.operators.addOperator(other.email);
  for (const { accountId } of [other, operator])
    for (const what of ['password-link', 'recovery-code']) {
      const { status, body } = await operator.calls('POST', `/api/operate/people/${accountId}/${what}`);
      assert.deepEqual(
        [status, body.message],
        [403, 'not for the account of an operator; the command line on the server can do this'],
      );
    }
  assert.match(
    (await world.operators.perform('person.password-link-made', { accountId: other.accountId })).link,
    /\/reset#/,
  );
  assert.match(
    (await world.operators.perform('person.recovery-code-made', { accountId: other.accountId })).recoveryCode,
    /./,
  );
});

test('a person is signed out and deleted; operators’ actions are recorded in the trail permanently', async (t) => {
  const { world, operator, holder } = await operatorScene(t);
  const ada = await holder();
  const at = `/api/operate/people/${ada.accountId}`;
  assert.deepEqual(await operator.gets('DELETE', `${at}/sessions`), { ended: 1 });
  await operator.gets('DELETE', at, { reason: 'asked for by letter' });
  assert.equal((await operator.calls('GET', at)).status, 404);
  const exported = await world.app.inject({
    url: '/api/operate/acts/export',
    headers: { cookie: operator.cookie ?? '' },
  });
  const lines = exported.body.trim().split('\n');
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).act),
    ['trail.exported', 'person.deleted', 'person.signed-out', 'operator.added'],
  );
  const { acts } = await operator.gets('GET', '/api/operate/acts');
  const told = { accountId: operator.accountId, name: 'Grace' };
  assert.deepEqual(
    acts.map(({ act, operator: by, subject, details }: never) => [act, by, subject, details]),
    [
      ['trail.exported', told, operator.accountId, {}],
      ['person.deleted', told, ada.accountId, { reason: 'asked for by letter' }],
      ['person.signed-out', told, ada.accountId, {}],
      ['operator.added', undefined, operator.accountId, {}],
    ],
  );
  await world.operators.removeOperator(operator.email);
  assert.equal((await operator.calls('GET', '/api/operate/me')).status, 404);
});

test('an application is found, suspended and given another quota; its messages are not shown', async (t) => {
  const { world, operator } = await operatorScene(t);
  const bot = await world.bot({ name: 'Weather' });
  const at = `/api/operate/applications/${bot.appId}`;
  const { applications } = await operator.gets('GET', '/api/operate/applications?query=weath');
  assert.deepEqual(applications, [
    {
      appId: bot.appId,
      name: 'Weather',
      state: 'active',
      requestsPerMinute: 60,
      createdAt: applications[0].createdAt,
      owner: { accountId: bot.owner.accountId, name: 'Owner' },
      isEndpointFailing: false,
      lastDay: { requests: 0, errors: 0, deliveries: 0, failedDeliveries: 0 },
    },
  ]);
  const suspended = await operator.gets('POST', `${at}/suspension`, { reason: 'spam' });
  assert.equal(suspended.state, 'suspended');
  const again = await operator.calls('POST', `${at}/suspension`, { reason: 'spam' });
  assert.equal(again.status, 400);
  const back = await operator.gets('DELETE', `${at}/suspension`, { reason: 'explained' });
  assert.equal(back.state, 'active');
  const changed = await operator.calls('PUT', `${at}/quota`, { requestsPerMinute: 600 });
  assert.equal(changed.body.data.requestsPerMinute, 600);
  const unchanged = await operator.calls('PUT', `${at}/quota`, { requestsPerMinute: 600 });
  assert.equal(unchanged.body.data.requestsPerMinute, 600);
  assert.equal((await operator.calls('PUT', `${at}/quota`, { requestsPerMinute: 0 })).status, 400);
  assert.equal((await operator.calls('GET', '/api/operate/applications/app_x')).status, 404);
  const { acts } = await operator.gets('GET', '/api/operate/acts');
  assert.equal(acts[0].subjectName, 'Weather');
  assert.deepEqual(columnsOf(acts.slice(0, 3), 'act', 'details'), [
    ['application.quota-changed', { requestsPerMinute: { from: 60, to: 600 } }],
    ['application.unsuspended', { reason: 'explained' }],
    ['application.suspended', { reason: 'spam' }],
  ]);
});

test('a person’s sessions are listed, without their secrets', async (t) => {
  const { world, operator, holder } = await operatorScene(t);
  const ada = await holder();
  const at = `/api/operate/people/${ada.accountId}/sessions`;
  const now = world.clock.now();
  assert.deepEqual(await operator.gets('GET', at), {
    sessions: [{ userAgent: 'lightMyRequest', createdAt: now, lastSeenAt: now }],
  });
  await ada.gets('POST', '/sign-out');
  assert.deepEqual(await operator.gets('GET', at), { sessions: [] });
  assert.equal(
    (await operator.calls('GET', `/api/operate/people/${world.newId('usr')}/sessions`)).status,
    404,
  );
});

test('operators can raise or lower a person’s limits', async (t) => {
  const { world, operator, holder } = await operatorScene(t);
  const [ada, bob] = [await holder('Ada'), await holder('Bob')];
  const writes = async () => {
    const text = { to: bob.accountId, type: 'text', content: 'hello' };
    return (await ada.calls('POST', '/api/chat/messages', text)).status;
  };
  const at = `/api/operate/people/${ada.accountId}/limits`;
  assert.equal(await writes(), 201);
  const { own, server } = await operator.gets('PUT', at, { messagesPerMinute: 2 });
  assert.deepEqual([own, server.messagesPerMinute], [{ messagesPerMinute: 2 }, 300]);
  assert.deepEqual([await writes(), await writes()], [201, 429]);
  assert.equal((await operator.calls('PUT', at, { messagesPerMinute: -1 })).status, 400);
  const misspelt = await operator.calls('PUT', at, { messagesPerMinute: 1, groupPerDay: 1 });
  assert.deepEqual(
    [misspelt.status, misspelt.body.message],
    [400, 'groupPerDay is not a field of this request'],
  );
  await operator.gets('PUT', at, { messagesPerMinute: 4, groupsPerDay: 0 });
  assert.deepEqual([await writes(), await writes(), await writes()], [201, 201, 429]);
  assert.equal((await ada.calls('POST', '/api/chat/groups', { name: 'Team' })).status, 429);
  assert.equal((await bob.calls('POST', '/api/chat/groups', { name: 'Team' })).status, 201);
  const upload = async () =>
    (await ada.calls('POST', '/api/chat/media?kind=image&fileName=a.png', {})).reason;
  await operator.gets('PUT', at, { uploadMegabytesPerDay: 0, liveStreamsPerPerson: 0 });
  assert.equal(await upload(), 'media.day-is-full');
  assert.equal((await ada.gets('GET', '/api/chat/media/limits')).bytesPerDay, 0);
  assert.equal((await ada.calls('GET', '/api/chat/live')).reason, 'http.too-many-live-streams');
  await operator.gets('PUT', at, { uploadsPerMinute: 0 });
  assert.equal(await upload(), 'person.uploading-fast');
  assert.deepEqual((await operator.gets('PUT', at, {})).own, {});
  assert.equal(await writes(), 201);
  const { acts } = await world.operators.listActs();
  assert.deepEqual(
    acts.filter(({ act }) => act === 'person.limits-changed').map(({ details }) => details),
    [
      { uploadsPerMinute: { from: 0 } },
      { uploadsPerMinute: { to: 0 }, uploadMegabytesPerDay: { from: 0 }, liveStreamsPerPerson: { from: 0 } },
      {
        ...{ messagesPerMinute: { from: 4 }, groupsPerDay: { from: 0 } },
        ...{ uploadMegabytesPerDay: { to: 0 }, liveStreamsPerPerson: { to: 0 } },
      },
      { messagesPerMinute: { from: 2, to: 4 }, groupsPerDay: { to: 0 } },
      { messagesPerMinute: { to: 2 } },
    ],
  );
  // Another process or the command line changes a value that this process has cached.
  await world.accounts.limits.messages.count(ada.accountId);
  await world.db`update accounts set limits = '{"messagesPerMinute": 1}' where account_id = ${ada.accountId}`;
  world.clock.advance({ seconds: 10 });
  await assert.rejects(world.accounts.limits.messages.count(ada.accountId), { status: 429 });
});

test('operators see the endpoint, the traffic and the grants of an application, and which endpoints fail', async (t) => {
  const { world, operator } = await operatorScene(t);
  const client = await world.client({ name: 'Diary' });
  const { access } = await client.tokens({ person: await world.person(), scopes: ['profile'] });
  assert.equal((await client.calls(access)).status, 200);
  const bot = await world.bot({ name: 'Weather', webhookUrl: 'https://hooks.example.com/secret-path' });
  const ada = await world.person();
  await ada.writes(bot, 'hello');
  const openedAt = world.clock.now();
  await world.db`
    insert into open_breakers (app_id, opened_at, owner, owned_until) values (${bot.appId}, ${openedAt}, '', 0)`;
  const endpoint = await operator.gets('GET', `/api/operate/applications/${bot.appId}/endpoint`);
  const { hours, oldestDueAt, ...shown } = endpoint;
  assert.deepEqual(shown, { host: 'hooks.example.com', waiting: 1, breakerOpenedAt: openedAt });
  assert.deepEqual([hours.length, oldestDueAt <= openedAt + 300_000], [24, true]);
  assert.deepEqual(await operator.gets('GET', '/api/operate/failing-endpoints'), {
    endpoints: [{ appId: bot.appId, name: 'Weather', breakerOpenedAt: openedAt }],
  });
  const { grants } = await operator.gets('GET', `/api/operate/applications/${client.appId}/grants`);
  assert.deepEqual(columnOf(grants, 'scopes'), [['profile']]);
  for (const part of ['endpoint', 'grants']) {
    const at = `/api/operate/applications/${world.newId('app')}/${part}`;
    assert.equal((await operator.calls('GET', at)).status, 404);
  }
});
