import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { V1 } from '#contract/api/v1.ts';
import type { EndpointFor } from '#contract/endpoints.ts';
import { KEY_SCOPES, OAUTH_SCOPES } from '#contract/scopes.ts';
import { makeApiKey } from '#features/applications/credentials/secrets.ts';
import { denied, plain } from '#testing/answers.ts';
import { type Bot, createWorld, type Person, type World } from '#testing/world.ts';

/** All actors, and the resources that they request. All rows share one world, so no row may change it. */
interface Scene {
  world: World;
  /** Members of `group` by role; the creator is an administrator too. */
  creator: Bot;
  administrator: Bot;
  member: Bot;
  outsider: Bot;
  person: Person;
  group: string;
  list: string;
  poll: { msgId: string; optionId: string };
}

type Key = keyof typeof V1.endpoints;

const ENTRIES = Object.entries(V1.endpoints) as [Key, EndpointFor['actor']][];

let scene: Scene;
before(async () => {
  scene = await build();
});
after(() => scene.world[Symbol.asyncDispose]());

async function build(): Promise<Scene> {
  const world = await createWorld({ requestsPerMinute: 1_000_000 });
  const bots = await Promise.all(Array.from({ length: 4 }, () => world.bot()));
  const [creator, administrator, member, outsider] = bots as [Bot, Bot, Bot, Bot];
  const person = await world.person();
  for (const bot of bots) {
    await person.writes(bot, 'hello');
    await bot.mayOnly(KEY_SCOPES);
  }
  const create = async (body: object) =>
    (await creator.calls('POST', '/v1/groups', body)).body.data.groupId as string;
  const group = await create({ name: 'Group', members: [person.accountId] });
  const list = await create({ name: 'List', isBroadcast: true, members: [person.accountId] });
  for (const groupId of [group, list]) {
    // Inserted directly: only a person may add bots.
    await world.db`
      insert into members (bucket, group_id, account_id, is_admin, bot_app_id, joined_at)
      select bucket, group_id, v.account_id, v.is_admin and not is_broadcast, v.app_id, ${world.clock.now()}
      from groups, (values (${administrator.accountId}, true, ${administrator.appId}), (${member.accountId}, false, ${member.appId}))
        as v (account_id, is_admin, app_id)
      where group_id = ${groupId}`;
    await world.db`update groups set member_count = member_count + 2 where group_id = ${groupId}`;
  }
  const created = await creator.calls('POST', '/v1/polls', {
    groupId: group,
    question: 'Tea?',
    options: ['yes', 'no'],
  });
  const { msgId, poll } = created.body.data;
  return {
    world,
    creator,
    administrator,
    member,
    outsider,
    person,
    group,
    list,
    poll: { msgId, optionId: poll.options[0].id },
  };
}

/** The API log of every request, including refused ones; it is written shortly after the response. */
const LOGGED = ['api_requests', 'usage_counts'];

/** A digest of everything else in the database, to show that a refused request changed nothing. */
async function digest({ db }: World): Promise<string> {
  const tables = await db<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' order by tablename`;
  const parts = tables
    .filter(({ name }) => !LOGGED.includes(name))
    .map(
      ({ name }) => `
        select '${name}' as name, md5(coalesce(string_agg(content, ',' order by content), '')) as sum
        from (select (to_jsonb(t) - 'last_used_at')::text as content from ${name} t) rows`,
    );
  return JSON.stringify(await db.unsafe(`${parts.join(' union all ')} order by name`));
}

/** The scene's values of the fields that examples and queries have. */
function valuesFor(key: Key): Record<string, unknown> {
  const { person, group, list, poll } = scene;
  return {
    groupId: key === 'POST /v1/groups/broadcast' ? list : group,
    to: person.accountId,
    userId: person.accountId,
    conversationId: group,
    msgId: poll.msgId,
    memberId: person.accountId,
    memberIds: [person.accountId],
    members: [person.accountId],
    mentionedUserIds: [person.accountId],
    messageId: poll.msgId,
    optionId: poll.optionId,
  };
}

/** Sends the request of the example, about the scene. */
async function call(key: Key, authorization: string | undefined) {
  const { query, example }: EndpointFor['actor'] = V1.endpoints[key];
  const values = valuesFor(key);
  const [method, path] = key.split(' ') as ['GET', string];
  const { required = [] } = (query ?? {}) as { required?: string[] };
  const answer = await scene.world.app.inject({
    method,
    url: path.replace(/:(\w+)/g, (_, name) => String(values[name])),
    query: Object.fromEntries(required.map((name) => [name, String(values[name])])),
    headers: authorization === undefined ? {} : { authorization },
    ...(example.request && {
      payload: Object.fromEntries(
        Object.entries(example.request).map(([name, value]) => [name, values[name] ?? value]),
      ),
    }),
  });
  return `${answer.statusCode} ${answer.json().code ?? 'success'}`;
}

async function expectUnchanged(act: () => Promise<void>): Promise<void> {
  const earlier = await digest(scene.world);
  await act();
  assert.equal(await digest(scene.world), earlier, 'a refused request changed something');
}

interface RefusedCredential {
  expected: string;
  token: () => Promise<string | undefined>;
  /** It is refused only where a scope is needed. */
  needsScope?: true;
}

/** The key that a new bot had before this happened to it. */
function keyBefore(happens: (bot: Bot) => Promise<void>) {
  return async () => {
    const bot = await scene.world.bot();
    const { key } = bot;
    await happens(bot);
    return `Bearer ${key}`;
  };
}

const REFUSED_CREDENTIALS: Record<string, RefusedCredential> = {
  'no credential': { expected: '401 unauthenticated', token: async () => undefined },
  'a malformed credential': { expected: '401 unauthenticated', token: async () => 'Basic eA==' },
  'an unknown key': {
    expected: '401 unauthenticated',
    token: async () => `Bearer ${makeApiKey(scene.world.newId('app'), scene.world.random)}`,
  },
  'a revoked key': { expected: '401 unauthenticated', token: keyBefore((bot) => bot.regeneratesKey()) },
  'a key of a disabled application': {
    expected: '403 permission-denied',
    token: keyBefore((bot) => bot.owner.disables(bot)),
  },
  'a key of a suspended application': {
    expected: '403 permission-denied',
    token: keyBefore((bot) => scene.world.suspends(bot)),
  },
  'a key of a deleted application': {
    expected: '401 unauthenticated',
    token: keyBefore((bot) => bot.deleted()),
  },
  'a key without the scope': {
    expected: '403 permission-denied',
    needsScope: true,
    token: keyBefore((bot) => bot.mayOnly([])),
  },
};

for (const [name, { expected, token, needsScope }] of Object.entries(REFUSED_CREDENTIALS)) {
  test(`${name} is ${expected} at every endpoint${needsScope ? ' that needs one' : ''} and changes nothing`, async () => {
    const authorization = await token();
    await expectUnchanged(async () => {
      for (const [key, { access }] of ENTRIES)
        if (access.scope || !needsScope) assert.equal(await call(key, authorization), expected, key);
    });
  });
}

test('a key whose application has no bot is 422 where keys are taken, 403 elsewhere, and changes nothing', async () => {
  const { appId, key: botless } = await scene.person.creates('Botless');
  await scene.world.db`update api_keys set scopes = ${[...KEY_SCOPES]} where app_id = ${appId}`;
  await expectUnchanged(async () => {
    for (const [key, { access }] of ENTRIES) {
      const expected = access.actors.includes('bot') ? '422 failed-precondition' : '403 permission-denied';
      assert.equal(await call(key, `Bearer ${botless}`), expected, key);
    }
  });
});

test('an access token: the kind of credential is checked, then the scope, then the request itself', async () => {
  const { world, person } = scene;
  const client = await world.client();
  const all = await world.token({ client, person, scopes: OAUTH_SCOPES });
  for (const [key, { access }] of ENTRIES) {
    const [method, path] = key.split(' ') as ['GET', string];
    const body = method === 'GET' ? undefined : {};
    const allowed = await client.calls(all, method, path, body);
    if (!access.actors.includes('user')) {
      const message = 'this endpoint takes an API key, not an OAuth access token';
      assert.deepEqual(plain(allowed), denied(message), key);
      continue;
    }
    assert.ok([200, 400].includes(allowed.status), `${key} ${allowed.status}`);
    const { scope } = access;
    if (!scope) continue;
    const rest = await world.token({ client, person, scopes: OAUTH_SCOPES.filter((one) => one !== scope) });
    const refused = await client.calls(rest, method, path, body);
    const message = `the scope ${scope} is missing: request it at /oauth/authorize, so that the person can consent to it`;
    assert.deepEqual(plain(refused), denied(message), key);
    const challenge = `Bearer realm="parley", error="insufficient_scope", scope="${scope}"`;
    assert.equal(refused.headers['www-authenticate'], challenge, key);
  }
});

/** Refusals of each role; calls that are not listed succeed and are tested beside their features. */
const REFUSED_ROLES: [role: 'outsider' | 'member' | 'administrator', key: Key][] = [
  ['outsider', 'POST /v1/messages/group'],
  ['outsider', 'GET /v1/groups/members'],
  ['outsider', 'DELETE /v1/groups/delete'],
  ['outsider', 'POST /v1/groups/members'],
  ['outsider', 'POST /v1/groups/members/remove'],
  ['outsider', 'PATCH /v1/groups/members/role'],
  ['outsider', 'PATCH /v1/groups/details'],
  ['outsider', 'POST /v1/groups/broadcast'],
  ['outsider', 'POST /v1/polls'],
  ['outsider', 'POST /v1/polls/vote'],
  ['outsider', 'GET /v1/polls/:msgId'],
  ['outsider', 'POST /v1/polls/close'],
  ['member', 'DELETE /v1/groups/delete'],
  ['member', 'POST /v1/groups/members'],
  ['member', 'POST /v1/groups/members/remove'],
  ['member', 'PATCH /v1/groups/members/role'],
  ['member', 'PATCH /v1/groups/details'],
  ['member', 'POST /v1/groups/broadcast'],
  ['member', 'POST /v1/polls/close'],
  ['administrator', 'POST /v1/groups/broadcast'],
  ['administrator', 'POST /v1/polls/close'],
];

for (const [role, key] of REFUSED_ROLES) {
  test(`${key} by ${role === 'member' ? 'a' : 'an'} ${role} is 403 and changes nothing`, async () => {
    await expectUnchanged(async () => {
      assert.equal(await call(key, `Bearer ${scene[role].key}`), '403 permission-denied');
    });
  });
}

/** Extensions about a conversation: it does not exist for others. */
const ABOUT_A_CONVERSATION: Key[] = [
  'POST /v1/messages/typing',
  'PUT /v1/messages/draft',
  'GET /v1/messages/:msgId',
  'GET /v1/conversations/:conversationId/messages',
  'PUT /v1/messages/:msgId/reactions',
];

test('a conversation is 404 for an outsider, and so is a message of somebody else for an administrator', async () => {
  const { outsider, administrator } = scene;
  const changes: Key[] = ['PATCH /v1/messages/:msgId', 'DELETE /v1/messages/:msgId'];
  await expectUnchanged(async () => {
    for (const key of [...ABOUT_A_CONVERSATION, ...changes])
      assert.equal(await call(key, `Bearer ${outsider.key}`), '404 not-found', key);
    for (const key of changes)
      assert.equal(await call(key, `Bearer ${administrator.key}`), '404 not-found', key);
  });
});

test('what the matrix does not refuse to members, administrators and the creator succeeds', async () => {
  const { member, administrator, creator } = scene;
  const succeeds = async (actor: Bot, key: Key, expected: string) => {
    assert.equal(await call(key, `Bearer ${actor.key}`), expected, key);
  };
  for (const actor of [member, administrator, creator]) {
    await succeeds(actor, 'POST /v1/messages/group', '201 success');
    await succeeds(actor, 'GET /v1/groups', '200 success');
    await succeeds(actor, 'GET /v1/groups/members', '200 success');
    await succeeds(actor, 'GET /v1/people/:userId', '200 success');
    for (const key of ABOUT_A_CONVERSATION) await succeeds(actor, key, '200 success');
    await succeeds(actor, 'GET /v1/polls/:msgId', '200 success');
    await succeeds(actor, 'POST /v1/polls', '201 success');
    await succeeds(actor, 'POST /v1/polls/vote', '200 success');
  }
  for (const actor of [administrator, creator]) {
    await succeeds(actor, 'PATCH /v1/groups/details', '200 success');
    await succeeds(actor, 'PATCH /v1/groups/members/role', '200 success');
    await succeeds(actor, 'POST /v1/groups/members/remove', '200 success');
    await succeeds(actor, 'POST /v1/groups/members', '200 success');
  }
  await succeeds(creator, 'POST /v1/groups/broadcast', '201 success');
  await succeeds(creator, 'POST /v1/polls/close', '200 success');
  await succeeds(administrator, 'DELETE /v1/groups/delete', '200 success');
});
