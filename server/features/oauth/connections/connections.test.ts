import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { invalid, missing, plain, success } from '#testing/answers.ts';
import { columnOf, columnsOf } from '#testing/columns.ts';
import type { OAuthClient } from '#testing/oauth-client.ts';
import { createWorldFor, type Person, type World } from '#testing/world.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  return { world, client: await world.client({ name: 'Calendar' }), person: await world.person('Ada') };
}

async function list(person: Person) {
  const { status, body } = await person.calls('GET', '/api/chat/connected-applications');
  assert.equal(status, 200);
  return body.data.applications;
}

function revoke(person: Person, body: object) {
  return person.calls('POST', '/api/chat/connected-applications/revoke', body);
}

test('a person sees the connected applications with scopes, first grant and last use', async (t) => {
  const { world, client, person } = await scene(t);
  assert.deepEqual(await list(person), []);
  const firstGrantedAt = world.clock.now();
  await client.tokens({ person, scopes: ['polls:write'] });
  world.clock.advance({ minutes: 10 });
  const { access } = await client.tokens({ person, scopes: ['profile'] });
  const grantedAt = world.clock.now();
  const [shown] = await list(person);
  assert.deepEqual(shown, {
    appId: client.appId,
    name: 'Calendar',
    isDeleted: false,
    isConnected: true,
    scopes: ['profile', 'polls:write'],
    firstGrantedAt,
    grants: [
      { grantId: shown.grants[0].grantId, scopes: ['profile'], grantedAt, lastRefreshedAt: grantedAt },
      {
        grantId: shown.grants[1].grantId,
        scopes: ['polls:write'],
        grantedAt: firstGrantedAt,
        lastRefreshedAt: firstGrantedAt,
      },
    ],
  });
  const bob = await world.person('Bob');
  await client.tokens({ person: bob });
  await (await world.client({ name: 'Mail' })).tokens({ person });
  world.clock.advance({ minutes: 1 });
  await client.calls(access);
  await written(world, 1);
  const used = async (of: Person) => columnsOf(await list(of), 'name', 'lastUsedAt').toSorted();
  assert.deepEqual(await used(person), [
    ['Calendar', world.clock.now()],
    ['Mail', undefined],
  ]);
  assert.deepEqual(await used(bob), [['Calendar', undefined]]);
  assert.deepEqual(await list(await world.person()), [], 'nobody else sees it');
});

test('the person and the owner can read why a grant ended', async (t) => {
  const { world, client, person } = await scene(t);
  const ends: [string, (client: OAuthClient) => Promise<unknown>][] = [
    ['revoked-by-client', async () => client.revokes((await client.tokens({ person })).access)],
    [
      'refresh-token-reused',
      async () => {
        const { refresh } = await client.tokens({ person });
        await client.refreshes(refresh);
        await client.refreshes(refresh);
      },
    ],
    [
      'code-reused',
      async () => {
        const code = await client.code({ person });
        await client.exchanges(code);
        await client.exchanges(code);
      },
    ],
    [
      'revoked-by-person',
      async () => {
        await client.tokens({ person });
        const [{ grants }] = await list(person);
        assert.equal((await revoke(person, { appId: client.appId, grantId: grants[0].grantId })).status, 200);
      },
    ],
  ];
  for (const [reason, end] of ends) {
    world.clock.advance({ milliseconds: 1 });
    await end(client);
    const [{ grants, isConnected, scopes }] = await list(person);
    assert.deepEqual([grants[0].endReason, grants[0].endedAt], [reason, world.clock.now()]);
    assert.deepEqual([isConnected, scopes], [false, []]);
  }
  world.clock.advance({ milliseconds: 1 });
  await client.code({ person });
  world.clock.advance({ minutes: 5 });
  assert.equal(
    (await list(person))[0].grants[0].endReason,
    'code-expired',
    'before the worker wrote it down',
  );
  await client.tokens({ person });
  await client.owner.deletes(client);
  const [deleted] = await list(person);
  assert.deepEqual(
    [deleted.isDeleted, deleted.isConnected, deleted.grants[0].endReason],
    [true, false, 'application-deleted'],
  );
});

test('the owner reads why grants ended, but not whose they were', async (t) => {
  const { world, client, person } = await scene(t);
  const grantedAt = world.clock.now();
  const { access } = await client.tokens({ person, scopes: ['profile'] });
  await client.revokes(access);
  const url = `/api/console/applications/${client.appId}/grants`;
  const { body } = await client.owner.calls('GET', url);
  assert.deepEqual(body.data, {
    grants: [
      {
        grantId: body.data.grants[0].grantId,
        scopes: ['profile'],
        grantedAt,
        lastRefreshedAt: grantedAt,
        endedAt: grantedAt,
        endReason: 'revoked-by-client',
      },
    ],
  });
  assert.deepEqual(plain(await person.calls('GET', url)), missing('you have no such application'));
});

test('the owner reads the grants page by page', async (t) => {
  const { client, person } = await scene(t);
  for (let n = 0; n < 51; n++) await client.code({ person });
  const url = `/api/console/applications/${client.appId}/grants`;
  const first = (await client.owner.calls('GET', url)).body.data;
  assert.equal(first.grants.length, 50);
  const second = (await client.owner.calls('GET', `${url}?before=${first.nextBefore}`)).body.data;
  assert.deepEqual([second.grants.length, second.nextBefore], [1, undefined]);
});

test('a person ends one grant or all of an application; the tokens are invalid before the response', async (t) => {
  const { client, world, person } = await scene(t);
  const other = await world.client();
  const [one, two] = [await client.tokens({ person }), await client.tokens({ person })];
  const elsewhere = await other.tokens({ person });
  const [{ grants }] = (await list(person)).filter(({ appId }: { appId: string }) => appId === client.appId);
  const answer = await revoke(person, { appId: client.appId, grantId: grants[0].grantId });
  const said = success('access revoked', { revoked: true }, world.clock.now());
  assert.deepEqual([answer.status, answer.body], [200, said]);
  assert.equal((await client.calls(two.access)).status, 401);
  assert.equal((await client.calls(one.access)).status, 200);
  assert.equal((await revoke(person, { appId: client.appId })).status, 200);
  assert.equal((await client.calls(one.access)).status, 401);
  assert.equal((await client.refreshes(one.refresh)).status, 401);
  assert.equal((await other.calls(elsewhere.access)).status, 200);
  assert.equal((await revoke(person, { appId: client.appId })).status, 200, 'again');
});

test("somebody else's grants cannot be ended", async (t) => {
  const { client, world, person } = await scene(t);
  const { access } = await client.tokens({ person });
  const [{ grants }] = await list(person);
  const stranger = await world.person();
  const body = { appId: client.appId, grantId: grants[0].grantId };
  const nobody = missing('this application has no access to your account');
  assert.deepEqual(plain(await revoke(stranger, body)), nobody);
  await client.tokens({ person: stranger });
  assert.deepEqual(plain(await revoke(stranger, body)), missing('you have no such grant'));
  assert.deepEqual(plain(await revoke(stranger, { appId: world.newId('app') })), nobody);
  assert.equal((await client.calls(access)).status, 200);
});

test('calls are recorded with application, route, time and outcome', async (t) => {
  const { client, world, person } = await scene(t);
  const { access } = await client.tokens({ person, scopes: ['groups:manage'] });
  const calledAt = world.clock.now();
  const created = await client.calls(access, 'POST', '/v1/groups', { name: 'Trip' });
  world.clock.advance({ seconds: 1 });
  const refused = await client.calls(access, 'GET', '/v1/groups/members?groupId=grp_x');
  await client.calls(access, 'GET', '/v1/stories/mine');
  await written(world, 2);
  const { body } = await person.calls('GET', '/api/chat/application-calls');
  assert.deepEqual(body.data, {
    calls: [
      {
        requestId: refused.headers['x-request-id'],
        appId: client.appId,
        method: 'GET',
        path: '/v1/groups/members',
        status: 404,
        calledAt: calledAt + 1000,
      },
      {
        requestId: created.headers['x-request-id'],
        appId: client.appId,
        method: 'POST',
        path: '/v1/groups',
        status: 201,
        calledAt,
      },
    ],
  });
  const stranger = await (await world.person()).calls('GET', '/api/chat/application-calls');
  assert.deepEqual(stranger.body.data, { calls: [] });
});

test('the ledger is read page by page, of all applications or of one', async (t) => {
  const { client, world, person } = await scene(t);
  const other = await world.client();
  const [mine, theirs] = [await client.tokens({ person }), await other.tokens({ person })];
  for (let n = 0; n < 30; n++) {
    world.clock.advance({ seconds: 5 });
    await client.calls(mine.access);
    await other.calls(theirs.access);
  }
  await written(world, 60);
  const read = async (query: string) =>
    (await person.calls('GET', `/api/chat/application-calls?${query}`)).body.data;
  const first = await read('');
  assert.equal(first.calls.length, 50);
  const second = await read(`before=${first.nextBefore}`);
  assert.deepEqual([second.calls.length, second.nextBefore], [10, undefined]);
  const all = [...first.calls, ...second.calls].map(({ requestId }) => requestId);
  assert.deepEqual(all, all.toSorted().reverse());
  const ofOne = await read(`appId=${other.appId}`);
  assert.deepEqual(
    [ofOne.calls.length, new Set(columnOf(ofOne.calls, 'appId'))],
    [30, new Set([other.appId])],
  );
  assert.deepEqual(
    plain(await person.calls('GET', '/api/chat/application-calls?before=x')),
    invalid('before is not a requestId'),
  );
});

/** Waits until the ledger, which is written after the responses, has this many rows. */
async function written({ db }: World, count: number) {
  for (let rows = 0; rows < count; ) {
    const [row] = await db<{ count: number }[]>`
      select count(*) as count from application_calls c
      join connected_applications a on a.account_id = c.account_id and a.app_id = c.app_id
        and a.last_called_at >= c.called_at`;
    rows = row?.count ?? 0;
  }
}

test('an application’s owner sees its own grants, and a person goes through the applications page by page', async (t) => {
  const { world, client, person } = await scene(t);
  const other = await world.client();
  await client.tokens({ person });
  await other.tokens({ person });
  for (const { appId, owner } of [client, other]) {
    const { body } = await owner.calls('GET', `/api/console/applications/${appId}/grants`);
    assert.equal(body.data.grants.length, 1);
  }
  const [first, last] = [client.appId, other.appId].sort();
  const after = async (appId: string | undefined) => {
    const { applications } = await world.oauth.listConnections(person.accountId, appId ?? '');
    return columnOf(applications, 'appId');
  };
  assert.deepEqual([await after(''), await after(first), await after(last)], [[first, last], [last], []]);
});
