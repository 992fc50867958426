import assert from 'node:assert/strict';
import { test } from 'node:test';
import { APPLICATION, CONSOLE } from '#contract/api/console.ts';
import { SIMULATOR } from '#contract/api/simulator.ts';
import { failure } from '#testing/answers.ts';
import { createConsoleWorld } from '#testing/console-world.ts';

/** A value of each parameter of a path. */
const VALUES: Record<string, string> = {
  appId: 'app_00000000000000000000000a',
  contactId: 'alc_00000000000000000000000a',
  eventId: 'dlv_00000000000000000000000a',
  fingerprint: 'a'.repeat(64),
  userId: 'usr_00000000000000000000000a',
};

const ROUTES = Object.entries({ ...CONSOLE.endpoints, ...APPLICATION.endpoints, ...SIMULATOR.endpoints }).map(
  ([key, endpoint]) => {
    const needs = 'needs' in endpoint ? endpoint.needs : undefined;
    const [method = '', pattern = ''] = key.split(' ');
    const path = pattern.replaceAll(/:(\w+)/g, (_, name: string) => VALUES[name] ?? assert.fail(name));
    return { key, method: method as 'GET', path, needsRecentSignIn: needs === 'recent-sign-in' };
  },
);

/** They show or create secrets, change where these are sent, or delete. */
const OF_SECRETS = [
  'DELETE /applications/:appId',
  'DELETE /applications/:appId/api-keys/:fingerprint',
  'DELETE /applications/:appId/openid/backchannel-logout-uri',
  'DELETE /applications/:appId/openid/post-logout-redirect-uris',
  'DELETE /applications/:appId/redirect-uris',
  'DELETE /applications/:appId/webhook-secret/previous',
  'DELETE /applications/:appId/webhook-url',
  'PATCH /applications/:appId/team/:userId',
  'POST /applications',
  'POST /applications/:appId/api-key',
  'POST /applications/:appId/api-keys',
  'POST /applications/:appId/client-secret',
  'POST /applications/:appId/extensions',
  'POST /applications/:appId/openid/post-logout-redirect-uris',
  'POST /applications/:appId/redirect-uris',
  'POST /applications/:appId/team/invitations',
  'POST /applications/:appId/webhook-secret',
  'PUT /applications/:appId/openid/backchannel-logout-uri',
  'PUT /applications/:appId/webhook-url',
];

test('only routes that show or create secrets, change where they go, or delete require a sign-in within the last 10 minutes', async () => {
  await using world = await createConsoleWorld();
  assert.deepEqual(
    ROUTES.flatMap(({ key, needsRecentSignIn }) => (needsRecentSignIn ? key : [])).sort(),
    OF_SECRETS,
  );
  const owner = await world.owner();
  const refusal = failure(
    'permission-denied',
    'your sign-in is more than 10 minutes old: confirm your identity (POST /api/auth/confirm)',
  );
  world.clock.advance({ minutes: 10 });
  for (const { method, path } of ROUTES) {
    const { body } = await owner.call(method, path, method === 'GET' ? undefined : {});
    assert.notDeepEqual(body, refusal, `${method} ${path}`);
  }
  world.clock.advance({ milliseconds: 1 });
  for (const { method, path, needsRecentSignIn } of ROUTES) {
    const { status, body } = await owner.call(method, path, method === 'GET' ? undefined : {});
    if (needsRecentSignIn) assert.deepEqual([status, body], [403, refusal], `${method} ${path}`);
    else assert.notDeepEqual(body, refusal, `${method} ${path}`);
  }
});

const OWNERS = new Set([
  'DELETE /applications/:appId',
  'DELETE /applications/:appId/extensions',
  'DELETE /applications/:appId/team/:userId',
  'DELETE /applications/:appId/team/invitations/:fingerprint',
  'PATCH /applications/:appId/team/:userId',
  'POST /applications/:appId/disable',
  'POST /applications/:appId/extensions',
  'POST /applications/:appId/reactivate',
  'POST /applications/:appId/team/invitations',
]);

test('the access matrix: on every route of an application, a viewer reads, a developer changes, a stranger finds nothing', async () => {
  await using world = await createConsoleWorld();
  const [owner, developer, viewer, stranger] = [
    await world.owner(),
    await world.owner(),
    await world.owner(),
    await world.owner(),
  ];
  const { appId } = await owner.application();
  await owner.call('POST', `/applications/${appId}/bot`, { username: 'matrix_bot' });
  for (const [person, role] of [
    [developer, 'developer'],
    [viewer, 'viewer'],
  ] as const) {
    const invited = await owner.call('POST', `/applications/${appId}/team/invitations`, { role });
    const { token } = invited.body.data;
    assert.equal((await person.call('POST', '/invitations/accept', { token })).status, 200);
  }
  const refused = (role: string) => `this needs the role ${role} in the team of the application`;
  let tried = 0;
  for (const { key: name, method, path: example } of ROUTES) {
    // A stream does not end by itself; it requires the same as the other reads.
    if (!name.includes('/:appId') || name.endsWith('/live')) continue;
    const path = example.replace(VALUES['appId'] as string, appId);
    const call = async (person: typeof owner) => {
      const { status, body } = await person.call(method, path, method === 'GET' ? undefined : {});
      return { status, message: String(body.message) };
    };
    const asDeveloper = await call(developer);
    const asViewer = await call(viewer);
    const asStranger = await call(stranger);
    const needed = OWNERS.has(name) ? 'owner' : method === 'GET' ? 'viewer' : 'developer';
    const isRefused = ({ message }: { message: string }, by: string) => message === refused(by);
    if (needed === 'owner') assert.ok(isRefused(asDeveloper, 'owner'), name);
    else assert.notEqual(asDeveloper.status, 403, `${name}: ${asDeveloper.message}`);
    if (needed === 'viewer') assert.notEqual(asViewer.status, 403, `${name}: ${asViewer.message}`);
    else assert.ok(isRefused(asViewer, needed), `${name}: ${asViewer.message}`);
    if (method === 'GET') assert.equal(asStranger.status, 404, name);
    else assert.ok([400, 404].includes(asStranger.status), `${name}: ${asStranger.status}`);
    tried++;
  }
  assert.ok(tried > 50);
  const { data } = (await owner.call('GET', `/applications/${appId}`)).body;
  assert.deepEqual([data.state, data.name], ['active', 'Weather']);
});
