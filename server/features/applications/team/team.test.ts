import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { type ConsoleWorld, createConsoleWorld, type Owner } from '#testing/console-world.ts';

async function scene(world: ConsoleWorld) {
  const owner = await world.owner();
  const { appId } = await owner.application();
  const at = `/applications/${appId}`;
  const invite = async (role: string) =>
    (await owner.call('POST', `${at}/team/invitations`, { role })).body.data.token as string;
  const add = async (role: string) => {
    const person = await world.owner();
    assert.equal(
      (await person.call('POST', '/invitations/accept', { token: await invite(role) })).status,
      200,
    );
    return person;
  };
  return { owner, appId, at, invite, add };
}

const stateOf = async (person: Owner, path: string) => (await person.call('GET', path)).status;

test('an invitation is shown and accepted once; then the application is in the person’s list', async () => {
  await using world = await createConsoleWorld();
  const { owner, appId, at, invite } = await scene(world);
  const token = await invite('developer');
  const [guest, second] = [await world.owner(), await world.owner()];
  assert.deepEqual((await guest.call('POST', '/invitations/show', { token })).body.data, {
    appId,
    name: 'Weather',
    owner: 'Ada',
    role: 'developer',
  });
  assert.equal(await stateOf(guest, at), 404);
  const answers = await Promise.all(
    [guest, second].map((one) => one.call('POST', '/invitations/accept', { token })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
  const joined = answers[0]?.status === 200 ? guest : second;
  const shown = (await joined.call('GET', at)).body.data;
  assert.deepEqual([shown.role, (await owner.call('GET', at)).body.data.role], ['developer', 'owner']);
  const home = (await joined.call('GET', '/home')).body.data;
  assert.deepEqual(
    [home.used, home.applications.map(({ name, role }: Record<string, string>) => [name, role])],
    [0, [['Weather', 'developer']]],
  );
  const { members } = (await joined.call('GET', `${at}/team`)).body.data;
  assert.deepEqual(columnsOf(members, 'userId', 'role'), [
    [owner.accountId, 'owner'],
    [joined.accountId, 'developer'],
  ]);
  const again = await joined.call('POST', '/invitations/accept', { token: await invite('viewer') });
  assert.deepEqual([again.status, again.body.message], [409, 'you are already a member of the team']);
  const own = await owner.call('POST', '/invitations/accept', { token: await invite('viewer') });
  assert.deepEqual([own.status, own.body.message], [400, 'the application is yours']);
});

test('an invitation ends after 7 days, when it is withdrawn, and with its application', async () => {
  await using world = await createConsoleWorld();
  const { owner, at, invite } = await scene(world);
  const guest = await world.owner();
  const refused = async (token: string) => {
    for (const act of ['show', 'accept']) {
      const { status, body } = await guest.call('POST', `/invitations/${act}`, { token });
      assert.deepEqual(
        [status, body.message],
        [404, 'the invitation does not exist, was accepted, or has expired'],
      );
    }
  };
  const withdrawn = await invite('viewer');
  const { invitations } = (await owner.call('GET', `${at}/team`)).body.data;
  assert.equal(
    (await owner.call('DELETE', `${at}/team/invitations/${invitations[0].fingerprint}`)).status,
    200,
  );
  await refused(withdrawn);
  await refused('xin_nonsense');
  const [late, orphan] = [await invite('viewer'), await invite('viewer')];
  assert.equal((await owner.call('DELETE', at)).status, 200);
  await refused(orphan);
  world.clock.advance({ days: 7 });
  await refused(late);
});

test('a changed role and a removal take effect at once, and so does leaving', async () => {
  await using world = await createConsoleWorld();
  const { owner, at, add } = await scene(world);
  const [developer, viewer] = [await add('developer'), await add('viewer')];
  const rename = (person: Owner) => person.call('PATCH', at, { name: 'Renamed' });
  assert.equal((await rename(developer)).status, 200);
  assert.equal((await rename(viewer)).status, 403);
  await owner.call('PATCH', `${at}/team/${viewer.accountId}`, { role: 'developer' });
  await owner.call('PATCH', `${at}/team/${developer.accountId}`, { role: 'viewer' });
  assert.equal((await rename(viewer)).status, 200);
  assert.equal((await rename(developer)).status, 403);
  const other = await viewer.call('DELETE', `${at}/team/${developer.accountId}`);
  assert.equal(other.status, 403, 'a teammate removes nobody else');
  assert.equal((await owner.call('DELETE', `${at}/team/${viewer.accountId}`)).status, 200);
  assert.equal(await stateOf(viewer, at), 404);
  assert.equal((await rename(viewer)).status, 404);
  assert.equal((await developer.call('DELETE', `${at}/team/${developer.accountId}`)).status, 200);
  assert.equal(await stateOf(developer, at), 404);
  assert.deepEqual((await viewer.call('GET', '/home')).body.data.applications, []);

  const { entries } = (await owner.call('GET', `${at}/audit`)).body.data;
  assert.deepEqual(
    entries.slice(0, 4).map(({ action, actor: { kind, userId } }: never) => [action, kind, userId]),
    [
      // A former team member was one at the time of the entry.
      ['teammate.left', 'teammate', developer.accountId],
      ['teammate.removed', 'owner', owner.accountId],
      ['teammate.role-changed', 'owner', owner.accountId],
      ['teammate.role-changed', 'owner', owner.accountId],
    ],
  );
});

test('teams in a person’s data export, and names of team members in the trail', async () => {
  await using world = await createConsoleWorld();
  const { owner, appId, at, add } = await scene(world);
  const developer = await add('developer');
  const { sections } = world.hooks.applications.account;
  const teams: object[] = [];
  for await (const one of sections?.['teams']?.(developer.accountId) ?? []) teams.push(one);
  const joinedAt = world.clock.now();
  assert.deepEqual(teams, [{ appId, name: 'Weather', role: 'developer', joinedAt }]);
  const calls: [
    method: 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body: object | undefined,
    action: string,
  ][] = [
    ['POST', '/bot', { username: 'climate_bot' }, 'bot.created'],
    ['POST', '/client-secret', undefined, 'client-secret.regenerated'],
    ['POST', '/redirect-uris', { redirectUri: 'https://app.example/cb' }, 'redirect-uri.added'],
    ['DELETE', '/redirect-uris', { redirectUri: 'https://app.example/cb' }, 'redirect-uri.removed'],
    ['PUT', '/alerts/mute', { until: null }, 'alerts.muted'],
    ['POST', '/webhook/simulate', { event: 'message.received', type: 'text' }, 'event.simulated'],
  ];
  for (const [method, path, body, action] of calls) {
    const { status } = await developer.call(method, at + path, body);
    assert.ok(status < 300, `${method} ${path}: ${status}`);
    const [entry] = (await owner.call('GET', `${at}/audit`)).body.data.entries;
    assert.deepEqual(
      [entry.action, entry.actor],
      [action, { kind: 'teammate', userId: developer.accountId, name: 'Ada' }],
    );
  }
});

test('of 30 concurrent invitations 20 are created', async () => {
  await using world = await createConsoleWorld();
  const { owner, at } = await scene(world);
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => owner.call('POST', `${at}/team/invitations`, { role: 'viewer' })),
  );
  assert.equal(answers.filter(({ status }) => status === 201).length, 20);
  assert.equal(answers.filter(({ status }) => status === 429).length, 10);
});

test('deleting an application or an account leaves no team behind', async () => {
  await using world = await createConsoleWorld();
  const { db } = world;
  const { owner, at, add } = await scene(world);
  const [gone, stays] = [await add('developer'), await add('viewer')];
  await db.begin(
    (tx) =>
      world.hooks.applications.account.deleted?.(tx, { accountId: gone.accountId, at: 0 }) ??
      Promise.resolve(),
  );
  assert.deepEqual(columnOf((await owner.call('GET', `${at}/team`)).body.data.members, 'userId'), [
    owner.accountId,
    stays.accountId,
  ]);
  await owner.call('DELETE', at);
  const [left] =
    await db`select (select count(*) from teammates)::int + (select count(*) from account_teams)::int as rows`;
  assert.equal(left?.['rows'], 0);
});
