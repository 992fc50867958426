import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { KEY_SCOPES } from '#contract/scopes.ts';
import { makeApiKey } from '#features/applications/credentials/secrets.ts';
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

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

interface Endpoint {
  method: Method;
  path: string;
  scope: string;
  body?: (scene: Scene) => object;
  query?: (scene: Scene) => string;
  takesKey: boolean;
}

const key = { takesKey: true };
const ENDPOINTS: Endpoint[] = [
  {
    method: 'POST',
    path: '/v1/messages',
    scope: 'messages:send',
    ...key,
    body: (s) => ({ to: s.person.accountId, ...text }),
  },
  {
    method: 'POST',
    path: '/v1/messages/group',
    scope: 'messages:send',
    ...key,
    body: (s) => ({ groupId: s.group, ...text }),
  },
  { method: 'POST', path: '/v1/groups', scope: 'groups:manage', ...key, body: () => ({ name: 'New' }) },
  {
    method: 'GET',
    path: '/v1/groups/members',
    scope: 'groups:manage',
    ...key,
    query: (s) => `?groupId=${s.group}`,
  },
  {
    method: 'DELETE',
    path: '/v1/groups/delete',
    scope: 'groups:manage',
    ...key,
    body: (s) => ({ groupId: s.group }),
  },
  {
    method: 'POST',
    path: '/v1/groups/members',
    scope: 'groups:manage',
    ...key,
    body: (s) => ({ groupId: s.group, memberIds: [s.person.accountId] }),
  },
  {
    method: 'POST',
    path: '/v1/groups/members/remove',
    scope: 'groups:manage',
    ...key,
    body: (s) => ({ groupId: s.group, memberId: s.person.accountId }),
  },
  {
    method: 'PATCH',
    path: '/v1/groups/members/role',
    scope: 'groups:manage',
    ...key,
    body: (s) => ({ groupId: s.group, memberId: s.person.accountId, isAdmin: true }),
  },
  {
    method: 'PATCH',
    path: '/v1/groups/details',
    scope: 'groups:manage',
    ...key,
    body: (s) => ({ groupId: s.group, name: 'Renamed' }),
  },
  {
    method: 'POST',
    path: '/v1/groups/broadcast',
    scope: 'groups:manage',
    ...key,
    body: (s) => ({ groupId: s.list, content: 'x' }),
  },
  {
    method: 'POST',
    path: '/v1/polls',
    scope: 'polls:write',
    ...key,
    body: (s) => ({ groupId: s.group, question: 'Tea?', options: ['yes', 'no'] }),
  },
  {
    method: 'POST',
    path: '/v1/polls/vote',
    scope: 'polls:write',
    ...key,
    body: (s) => ({ messageId: s.poll.msgId, optionId: s.poll.optionId }),
  },
  {
    method: 'POST',
    path: '/v1/polls/close',
    scope: 'polls:write',
    ...key,
    body: (s) => ({ messageId: s.poll.msgId }),
  },
  {
    method: 'POST',
    path: '/v1/stories',
    scope: 'stories:write',
    takesKey: false,
    body: () => ({ type: 'text', text: 'x' }),
  },
  { method: 'GET', path: '/v1/stories/mine', scope: 'stories:read', takesKey: false },
  {
    method: 'DELETE',
    path: '/v1/stories/delete',
    scope: 'stories:write',
    takesKey: false,
    body: () => ({ storyId: 'x' }),
  },
];
const text = { type: 'text', content: 'x' };

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

async function call(endpoint: Endpoint, authorization: string | undefined) {
  const answer = await scene.world.app.inject({
    method: endpoint.method,
    url: endpoint.path + (endpoint.query?.(scene) ?? ''),
    headers: authorization === undefined ? {} : { authorization },
    ...(endpoint.body && { payload: endpoint.body(scene) }),
  });
  return `${answer.statusCode} ${answer.json().code ?? 'success'}`;
}

async function expectUnchanged(act: () => Promise<void>): Promise<void> {
  const earlier = await digest(scene.world);
  await act();
  assert.equal(await digest(scene.world), earlier, 'a refused request changed something');
}

test('the matrix lists every endpoint of /v1 but the extension GET /v1/me', async () => {
  const routes = scene.world.app.printRoutes({ commonPrefix: false });
  assert.equal(routes.match(/\((POST|PATCH|DELETE)\)/g)?.length !== 0, true);
  for (const { method, path } of ENDPOINTS)
    assert.ok(scene.world.app.hasRoute({ method, url: path }), `${method} ${path}`);
});

const REFUSED_CREDENTIALS: Record<string, { expected: string; token: () => Promise<string | undefined> }> = {
  'no credential': { expected: '401 unauthenticated', token: async () => undefined },
  'a malformed credential': { expected: '401 unauthenticated', token: async () => 'Basic eA==' },
  'an unknown key': {
    expected: '401 unauthenticated',
    token: async () => `Bearer ${makeApiKey(scene.world.newId('app'), scene.world.random)}`,
  },
  'a revoked key': {
    expected: '401 unauthenticated',
    token: async () => {
      const bot = await scene.world.bot();
      const revoked = bot.key;
      await bot.regeneratesKey();
      return `Bearer ${revoked}`;
    },
  },
  'a key of a disabled application': {
    expected: '403 permission-denied',
    token: async () => {
      const bot = await scene.world.bot();
      await bot.owner.disables(bot);
      return `Bearer ${bot.key}`;
    },
  },
  'a key of a suspended application': {
    expected: '403 permission-denied',
    token: async () => {
      const bot = await scene.world.bot();
      await scene.world.suspends(bot);
      return `Bearer ${bot.key}`;
    },
  },
  'a key of a deleted application': {
    expected: '401 unauthenticated',
    token: async () => {
      const bot = await scene.world.bot();
      await bot.deleted();
      return `Bearer ${bot.key}`;
    },
  },
  'a key without the scope': {
    expected: '403 permission-denied',
    token: async () => {
      const bot = await scene.world.bot();
      await bot.mayOnly([]);
      return `Bearer ${bot.key}`;
    },
  },
};

for (const [name, { expected, token }] of Object.entries(REFUSED_CREDENTIALS)) {
  test(`${name} is ${expected} at every endpoint and changes nothing`, async () => {
    const authorization = await token();
    await expectUnchanged(async () => {
      for (const endpoint of ENDPOINTS) {
        assert.equal(await call(endpoint, authorization), expected, `${endpoint.method} ${endpoint.path}`);
      }
    });
  });
}

test('a key whose application has no bot is 422 where keys are taken, 403 elsewhere, and changes nothing', async () => {
  const { appId, key: botless } = await scene.person.creates('Botless');
  await scene.world.db`update api_keys set scopes = ${[...KEY_SCOPES]} where app_id = ${appId}`;
  await expectUnchanged(async () => {
    for (const endpoint of ENDPOINTS) {
      const expected = endpoint.takesKey ? '422 failed-precondition' : '403 permission-denied';
      assert.equal(
        await call(endpoint, `Bearer ${botless}`),
        expected,
        `${endpoint.method} ${endpoint.path}`,
      );
    }
  });
});

/** Refusals of each role; calls that are not listed succeed and are tested beside their features. */
const REFUSED_ROLES: [role: 'outsider' | 'member' | 'administrator', path: string, method: Method][] = [
  ['outsider', '/v1/messages/group', 'POST'],
  ['outsider', '/v1/groups/members', 'GET'],
  ['outsider', '/v1/groups/delete', 'DELETE'],
  ['outsider', '/v1/groups/members', 'POST'],
  ['outsider', '/v1/groups/members/remove', 'POST'],
  ['outsider', '/v1/groups/members/role', 'PATCH'],
  ['outsider', '/v1/groups/details', 'PATCH'],
  ['outsider', '/v1/groups/broadcast', 'POST'],
  ['outsider', '/v1/polls', 'POST'],
  ['outsider', '/v1/polls/vote', 'POST'],
  ['outsider', '/v1/polls/close', 'POST'],
  ['member', '/v1/groups/delete', 'DELETE'],
  ['member', '/v1/groups/members', 'POST'],
  ['member', '/v1/groups/members/remove', 'POST'],
  ['member', '/v1/groups/members/role', 'PATCH'],
  ['member', '/v1/groups/details', 'PATCH'],
  ['member', '/v1/groups/broadcast', 'POST'],
  ['member', '/v1/polls/close', 'POST'],
  ['administrator', '/v1/groups/broadcast', 'POST'],
  ['administrator', '/v1/polls/close', 'POST'],
];

for (const [role, path, method] of REFUSED_ROLES) {
  test(`${method} ${path} by ${role === 'member' ? 'a' : 'an'} ${role} is 403 and changes nothing`, async () => {
    const endpoint = ENDPOINTS.find((one) => one.path === path && one.method === method) as Endpoint;
    await expectUnchanged(async () => {
      assert.equal(await call(endpoint, `Bearer ${scene[role].key}`), '403 permission-denied');
    });
  });
}

test('what the matrix does not refuse to members, administrators and the creator succeeds', async () => {
  const { member, administrator, creator } = scene;
  const succeeds = async (actor: Bot, path: string, method: Method, expected: string) => {
    const endpoint = ENDPOINTS.find((one) => one.path === path && one.method === method) as Endpoint;
    assert.equal(await call(endpoint, `Bearer ${actor.key}`), expected, `${method} ${path}`);
  };
  for (const actor of [member, administrator, creator]) {
    await succeeds(actor, '/v1/messages/group', 'POST', '201 success');
    await succeeds(actor, '/v1/groups/members', 'GET', '200 success');
    await succeeds(actor, '/v1/polls', 'POST', '201 success');
    await succeeds(actor, '/v1/polls/vote', 'POST', '200 success');
  }
  for (const actor of [administrator, creator]) {
    await succeeds(actor, '/v1/groups/details', 'PATCH', '200 success');
    await succeeds(actor, '/v1/groups/members/role', 'PATCH', '200 success');
    await succeeds(actor, '/v1/groups/members/remove', 'POST', '200 success');
    await succeeds(actor, '/v1/groups/members', 'POST', '200 success');
  }
  await succeeds(creator, '/v1/groups/broadcast', 'POST', '201 success');
  await succeeds(creator, '/v1/polls/close', 'POST', '200 success');
  await succeeds(administrator, '/v1/groups/delete', 'DELETE', '200 success');
});
