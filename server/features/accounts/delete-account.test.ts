import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountHolder, createAccountScene, PASSWORD } from '#testing/account-scene.ts';
import { invalid, plain, success } from '#testing/answers.ts';
import { Authenticator } from '#testing/authenticator.ts';
import { columnOf, columnsOf, rowsWith } from '#testing/columns.ts';
import { cookieOf } from '#testing/people.ts';
import { createWorld, type Person, type World } from '#testing/world.ts';

const DELETE = '/api/auth/account/delete';

/** The address that the test world gives a person. */
function emailOf({ accountId }: Person): string {
  return `${accountId}@example.com`;
}

async function rowsOf({ db }: World, table: string, { accountId }: { accountId: string }): Promise<number> {
  return (await db`select from ${db(table)} where account_id = ${accountId}`).length;
}

test('the calls of applications are deleted with the account, however many there are', async () => {
  await using world = await createWorld();
  const ada = await world.person();
  await world.db`
    insert into application_calls (account_id, request_id, app_id, method, path, status, called_at)
    select ${ada.accountId}, 'req_' || n, 'app_1', 'GET', '/oauth/userinfo', 200, ${world.clock.now()}
    from generate_series(1, 12000) as n`;
  assert.equal((await ada.calls('POST', DELETE, { email: emailOf(ada) })).status, 200);
  assert.equal(await rowsOf(world, 'application_calls', ada), 0);
});

test('deleting an account ends sign-in, sessions, passkeys, codes and link, and frees the address', async () => {
  await using scene = await createAccountScene();
  const { world } = scene;
  const ada = await scene.holder();
  const authenticator = new Authenticator();
  const made = await ada.gets('POST', '/passkeys/options');
  const passkey = { ticket: made.ticket, name: 'Laptop', response: authenticator.create(made.options) };
  await ada.gets('POST', '/passkeys', passkey);
  const { token } = await ada.gets('POST', '/invite-link');
  const firstStep = await scene.stranger().gets('POST', '/sign-in', { email: ada.email, password: PASSWORD });
  assert.ok(firstStep.account);
  await scene.enrols(ada);
  const secondStep = await scene
    .stranger()
    .gets('POST', '/sign-in', { email: ada.email, password: PASSWORD });
  const asked = await scene.stranger().gets('POST', '/sign-in/passkey/options');
  const oldCookie = ada.cookie as string;
  const received: string[] = [];
  world.live.subscribe(ada.accountId, ({ type }) => received.push(type));

  const wrong = invalid('email is not the address of your account');
  assert.deepEqual(plain(await ada.calls('POST', DELETE, { email: 'bob@example.com' })), wrong);
  assert.equal((await ada.calls('POST', DELETE, {})).status, 400);
  world.clock.advance({ minutes: 11 });
  assert.equal((await ada.calls('POST', DELETE, { email: ada.email })).status, 403);
  await ada.gets('POST', '/confirm', { password: PASSWORD });
  const answer = await ada.calls('POST', DELETE, { email: ada.email.toUpperCase() });
  assert.deepEqual(plain(answer), {
    status: 200,
    body: success('account deleted', {}, world.clock.now()),
  });
  assert.match(String(answer.headers['set-cookie']), /^parley_session=; Max-Age=0;/);
  assert.ok(received.includes('session.ended'));

  const gone = { headers: { cookie: oldCookie } };
  assert.equal((await world.app.inject({ url: '/api/auth/session', ...gone })).statusCode, 401);
  const signIn = { email: ada.email, password: PASSWORD };
  assert.equal((await scene.stranger().calls('POST', '/sign-in', signIn)).status, 401);
  const code = { ticket: secondStep.secondFactor.ticket, code: '123456' };
  assert.equal((await scene.stranger().calls('POST', '/sign-in/code', code)).status, 401);
  const answered = { ticket: asked.ticket, response: authenticator.get(asked.options) };
  assert.equal((await scene.stranger().calls('POST', '/sign-in/passkey', answered)).status, 401);
  const bob = await scene.holder('Bob');
  assert.equal((await bob.calls('GET', `/invites/${token}`)).status, 404);
  const emptied = ['sessions', 'passkeys', 'two_factor_secrets', 'recovery_codes', 'used_tickets'];
  for (const table of [...emptied, 'invite_links']) assert.equal(await rowsOf(world, table, ada), 0, table);
  const [row] =
    await world.db`select name, email, picture_url, password_hash from accounts where account_id = ${ada.accountId}`;
  assert.deepEqual({ ...row }, { name: '', email: null, pictureUrl: null, passwordHash: null });

  const again = await world.app.inject({
    method: 'POST',
    url: '/api/auth/sign-up',
    payload: { email: ada.email, password: PASSWORD, name: 'Ada II' },
  });
  assert.equal(again.statusCode, 201);
  assert.notEqual(again.json().data.account.accountId, ada.accountId);
  const second = { cookie: cookieOf(again) };
  assert.deepEqual((await world.app.inject({ url: '/api/auth/passkeys', headers: second })).json().data, []);
});

test('whom the account blocked, or no longer blocks, is forgotten without a conversation between them', async () => {
  await using world = await createWorld();
  const [ada, bob, eve] = [await world.person(), await world.person(), await world.person()];
  await ada.blocks(bob);
  await ada.blocks(eve);
  await ada.unblocks(eve);
  await bob.blocks(ada);
  assert.equal((await ada.calls('POST', DELETE, { email: emailOf(ada) })).status, 200);
  const left = await world.db<{ accountId: string }[]>`select account_id from contacts`;
  assert.deepEqual(columnOf(left, 'accountId'), [bob.accountId]);
});

test('messages to others stay without the name of their author, whom nobody can reach any more', async () => {
  await using world = await createWorld();
  const [ada, bob] = await world.people('Ada', 'Bob');
  const bot = await world.bot();
  await ada.writes(bot, 'hello bot');
  const { conversationId } = await ada.writes(bob, 'hello Bob');
  await bob.writes(ada, 'hello Ada');
  const groupId = await ada.makesGroup([bob]);
  await ada.calls('POST', '/api/chat/stories', { type: 'text', text: 'my day' });
  const [seen] = (await bob.calls('GET', '/api/chat/stories')).body.data;
  const elementId = seen.story.texts[0].id;
  await bob.calls('POST', '/api/chat/stories/seen', { userId: ada.accountId, elementId });
  const message = { to: ada.accountId, type: 'text', content: 'hello' };
  assert.equal((await bot.calls('POST', '/v1/messages', message)).status, 201);
  const client = await world.client();
  await client.tokens({ person: bob });
  const { access, refresh } = await client.tokens({ person: ada, scopes: ['profile', 'groups:manage'] });

  assert.equal((await ada.calls('POST', DELETE, { email: emailOf(ada) })).status, 200);

  assert.deepEqual((await bot.calls('POST', '/v1/messages', message)).status, 404);
  assert.equal((await bob.calls('POST', '/api/chat/messages', message)).status, 404);
  assert.equal((await bob.calls('POST', '/api/chat/blocks', { userId: ada.accountId })).status, 404);
  const add = { groupId, memberIds: [ada.accountId] };
  assert.equal((await bob.calls('POST', '/api/chat/groups/members', add)).status, 404);
  const poll = { receiverId: ada.accountId, question: 'Are you there?', options: ['yes', 'no'] };
  assert.equal((await bot.calls('POST', '/v1/polls', poll)).status, 403, 'the scope comes first');
  const { conversations } = (await bob.calls('GET', '/api/chat/conversations')).body.data;
  const withAda = conversations.find(
    (one: { conversationId: string }) => one.conversationId === conversationId,
  );
  assert.deepEqual(withAda.peer, {
    userId: ada.accountId,
    name: 'Deleted account',
    isBot: false,
    isDeleted: true,
  });
  assert.deepEqual(columnOf(await bob.reads(ada), 'content'), ['hello Ada', 'hello Bob']);
  assert.deepEqual((await bob.calls('GET', '/api/chat/stories')).body.data, []);
  const members = (await bob.calls('GET', `/api/chat/groups/members?groupId=${groupId}`)).body.data.members;
  assert.deepEqual(columnsOf(members, 'userId', 'isAdmin'), [[bob.accountId, true]]);
  assert.equal((await client.calls(access, 'GET', '/oauth/userinfo')).status, 401);
  assert.equal((await client.refreshes(refresh)).status, 401);
  const grants = await world.db`select account_id, end_reason from grants order by account_id`;
  assert.deepEqual(
    new Map(grants.map(({ accountId, endReason }) => [accountId, endReason])),
    new Map([
      [ada.accountId, 'account-deleted'],
      [bob.accountId, null],
    ]),
  );
  assert.equal(await rowsOf(world, 'connected_applications', bob), 1);
  const emptied = ['account_conversations', 'contacts', 'stories', 'story_views', 'connected_applications'];
  for (const table of [...emptied, 'application_calls'])
    assert.equal(await rowsOf(world, table, ada), 0, table);
  assert.equal((await world.db`select from story_views`).length, 0);
});

test('applications in any state are deleted with the account, with their bots and keys', async () => {
  await using world = await createWorld();
  const [ada, bob] = await world.people('Ada', 'Bob');
  const [disabled, suspended] = [await world.bot({ owner: ada }), await world.bot({ owner: ada })];
  const bots = [await world.bot({ owner: ada }), disabled, suspended];
  for (const bot of bots) await bob.writes(bot, 'hello');
  await ada.disables(disabled);
  await world.suspends(suspended);
  assert.equal((await ada.calls('POST', DELETE, { email: emailOf(ada) })).status, 200);
  for (const bot of bots) {
    assert.equal((await bot.calls('GET', '/v1/me')).status, 401);
    const message = { to: bot.accountId, type: 'text', content: 'x' };
    assert.equal((await bob.calls('POST', '/api/chat/messages', message)).status, 404);
  }
  await assert.rejects(world.unsuspends(suspended), /is deleted/);
});

test('nothing that happens during the deletion outlives it', async () => {
  await using world = await createWorld();
  const ada = await world.person();
  const bot = await world.bot();
  const hello = { to: bot.accountId, type: 'text', content: 'hello' };
  const calls = [
    ada.calls('POST', DELETE, { email: emailOf(ada) }),
    ada.calls('POST', DELETE, { email: emailOf(ada) }),
    ...Array.from({ length: 5 }, (_, i) =>
      ada.calls('POST', '/api/console/applications', { name: `App ${i}` }),
    ),
    ada.calls('POST', '/api/auth/invite-link'),
    ada.calls('POST', '/api/chat/groups', { name: 'Team' }),
    ...Array.from({ length: 5 }, () => ada.calls('POST', '/api/chat/messages', hello)),
    ada.calls('POST', '/api/chat/stories', { type: 'text', text: 'my day' }),
  ];
  const statuses = (await Promise.all(calls)).map(({ status }) => status);
  assert.ok(
    statuses.every((status) => [200, 201, 401, 409].includes(status)),
    String(statuses),
  );
  const isDeleted = async () => {
    const { accountId } = ada;
    return (
      (await world.db`select from accounts where account_id = ${accountId} and deleted_at > 0`).length === 1
    );
  };
  // An application created meanwhile is reported (409), and the person tries again.
  if (!(await isDeleted())) await ada.calls('POST', DELETE, { email: emailOf(ada) });
  assert.ok(await isDeleted());
  for (const table of ['contacts', 'account_conversations', 'stories', 'members'])
    assert.equal(await rowsOf(world, table, ada), 0, table);
  const owned =
    await world.db`select from applications where state <> 'deleted' and owner_id = ${ada.accountId}`;
  const names = await world.db`select from unique_names where owner_id = ${ada.accountId}`;
  assert.deepEqual([owned.length, names.length], [0, 0]);
});

test('what people do to their account changes nothing of another one', async () => {
  await using scene = await createAccountScene();
  const { world } = scene;
  const [ada, bob] = [await scene.holder(), await scene.holder('Bob')];
  const equip = async (holder: AccountHolder) => {
    const { ticket, options } = await holder.gets('POST', '/passkeys/options');
    const response = new Authenticator().create(options);
    const { passkeyId } = await holder.gets('POST', '/passkeys', { ticket, name: 'Laptop', response });
    await holder.gets('POST', '/invite-link');
    await scene.enrols(holder);
    await world.db`
      insert into application_calls (account_id, request_id, app_id, method, path, status, called_at)
      values (${holder.accountId}, 'req_1', 'app_1', 'GET', '/oauth/userinfo', 200, ${world.clock.now()})`;
    return passkeyId;
  };
  const passkeyId = await equip(ada);
  await equip(bob);
  const seen = async () => [
    await rowsWith(world.db, 'account_id', bob.accountId),
    ...(await Promise.all(
      ['/profile', '/invite-link', '/passkeys', '/two-factor', '/sessions'].map((path) =>
        bob.gets('GET', path),
      ),
    )),
  ];
  const before = await seen();
  for (const [method, path, body] of [
    ['PATCH', '/profile', { name: 'Renamed', username: 'renamed' }],
    ['POST', '/email', { email: 'new@example.com', language: 'en' }],
    ['PATCH', `/passkeys/${passkeyId}`, { name: 'Phone' }],
    ['DELETE', `/passkeys/${passkeyId}`],
    ['POST', '/two-factor/recovery-codes'],
    ['DELETE', '/two-factor'],
    ['POST', '/invite-link'],
    ['DELETE', '/invite-link'],
    ['POST', '/password', { currentPassword: PASSWORD, newPassword: 'another long passphrase' }],
    ['POST', DELETE, { email: 'new@example.com' }],
  ] as const) {
    await ada.gets(method, path, body);
    assert.deepEqual(await seen(), before, `${method} ${path}`);
  }
});
