import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '#testing/answers.ts';
import { createConsoleWorld } from '#testing/console-world.ts';

const APPLICATION = '/applications/app_00000000000000000000000a';
const EVENT = 'dlv_00000000000000000000000a';
const PERSON = 'usr_00000000000000000000000a';
const KEY = 'a'.repeat(64);
const CONTACT = 'alc_00000000000000000000000a';

/** Every route of the surface; those that concern secrets, URLs and deletion require a recent sign-in. */
const ROUTES = [
  ['POST', '/applications', true],
  ['GET', '/applications', false],
  ['GET', APPLICATION, false],
  ['PATCH', APPLICATION, false],
  ['DELETE', APPLICATION, true],
  ['GET', `${APPLICATION}/overview`, false],
  ['POST', `${APPLICATION}/disable`, false],
  ['POST', `${APPLICATION}/reactivate`, false],
  ['POST', `${APPLICATION}/api-key`, true],
  ['POST', `${APPLICATION}/api-keys`, true],
  ['PATCH', `${APPLICATION}/api-keys/${KEY}`, false],
  ['DELETE', `${APPLICATION}/api-keys/${KEY}`, true],
  ['POST', `${APPLICATION}/api-key/scopes`, false],
  ['DELETE', `${APPLICATION}/api-key/scopes`, false],
  ['POST', `${APPLICATION}/client-secret`, true],
  ['POST', `${APPLICATION}/webhook-secret`, true],
  ['PUT', `${APPLICATION}/webhook-url`, true],
  ['DELETE', `${APPLICATION}/webhook-url`, true],
  ['GET', `${APPLICATION}/redirect-uris`, false],
  ['POST', `${APPLICATION}/redirect-uris`, true],
  ['DELETE', `${APPLICATION}/redirect-uris`, true],
  ['POST', `${APPLICATION}/extensions`, true],
  ['DELETE', `${APPLICATION}/extensions`, false],
  ['GET', `${APPLICATION}/openid`, false],
  ['PUT', `${APPLICATION}/openid/backchannel-logout-uri`, true],
  ['DELETE', `${APPLICATION}/openid/backchannel-logout-uri`, true],
  ['POST', `${APPLICATION}/openid/post-logout-redirect-uris`, true],
  ['DELETE', `${APPLICATION}/openid/post-logout-redirect-uris`, true],
  ['GET', `${APPLICATION}/incoming-webhooks`, false],
  ['DELETE', `${APPLICATION}/incoming-webhooks`, false],
  ['POST', `${APPLICATION}/bot`, false],
  ['GET', `${APPLICATION}/bot`, false],
  ['PATCH', `${APPLICATION}/bot`, false],
  ['GET', `${APPLICATION}/grants`, false],
  ['DELETE', `${APPLICATION}/webhook-secret/previous`, true],
  ['GET', `${APPLICATION}/events`, false],
  ['GET', `${APPLICATION}/events/${EVENT}`, false],
  ['POST', `${APPLICATION}/events/${EVENT}/replay`, false],
  ['GET', `${APPLICATION}/events/search`, false],
  ['POST', `${APPLICATION}/events/recover`, false],
  ['POST', `${APPLICATION}/webhook/ping`, false],
  ['POST', `${APPLICATION}/webhook/simulate`, false],
  ['POST', `${APPLICATION}/webhook/check-signature`, false],
  ['POST', `${APPLICATION}/webhook/audit`, false],
  ['GET', `${APPLICATION}/alert-contacts`, false],
  ['POST', `${APPLICATION}/alert-contacts`, false],
  ['DELETE', `${APPLICATION}/alert-contacts/${CONTACT}`, false],
  ['POST', `${APPLICATION}/alert-contacts/${CONTACT}/test`, false],
  ['POST', `${APPLICATION}/alert-contacts/${CONTACT}/confirmation`, false],
  ['GET', `${APPLICATION}/alerts`, false],
  ['PUT', `${APPLICATION}/alert-contacts/${CONTACT}/mute`, false],
  ['DELETE', `${APPLICATION}/alert-contacts/${CONTACT}/mute`, false],
  ['GET', `${APPLICATION}/alerts/mute`, false],
  ['PUT', `${APPLICATION}/alerts/mute`, false],
  ['DELETE', `${APPLICATION}/alerts/mute`, false],
  ['GET', `${APPLICATION}/team`, false],
  ['POST', `${APPLICATION}/team/invitations`, true],
  ['DELETE', `${APPLICATION}/team/invitations/${KEY}`, false],
  ['PATCH', `${APPLICATION}/team/${PERSON}`, true],
  ['DELETE', `${APPLICATION}/team/${PERSON}`, false],
  ['POST', '/invitations/show', false],
  ['POST', '/invitations/accept', false],
  ['GET', '/home', false],
  ['GET', `${APPLICATION}/requests`, false],
  ['GET', `${APPLICATION}/requests/errors`, false],
  ['GET', `${APPLICATION}/usage`, false],
  ['GET', `${APPLICATION}/audit`, false],
  ['GET', `${APPLICATION}/live`, false],
  ['GET', `${APPLICATION}/consent-preview`, false],
  ['GET', `${APPLICATION}/events/${EVENT}/payload`, false],
  ['GET', `${APPLICATION}/simulator`, false],
  ['POST', `${APPLICATION}/simulator/messages`, false],
  ['GET', `${APPLICATION}/simulator/messages`, false],
  ['POST', `${APPLICATION}/simulator/polls`, false],
  ['POST', `${APPLICATION}/simulator/polls/vote`, false],
  ['POST', `${APPLICATION}/simulator/block`, false],
  ['POST', `${APPLICATION}/simulator/unblock`, false],
  ['POST', `${APPLICATION}/simulator/reset`, false],
  ['GET', `${APPLICATION}/simulator/timeline`, false],
  ['GET', `${APPLICATION}/simulator/live`, false],
] as const;

test('every route requires a session, before the body is read, and no response may be cached', async () => {
  await using world = await createConsoleWorld();
  const listed = ROUTES.map(
    ([method, path]) =>
      `${method} ${path
        .replace(/app_\w+/, ':appId')
        .replace(/dlv_\w+/, ':eventId')
        .replace(KEY, ':fingerprint')
        .replace(PERSON, ':userId')
        .replace(/alc_\w+/, ':contactId')}`,
  );
  assert.deepEqual(listed.sort(), [...world.routes].sort());
  for (const [method, path] of ROUTES) {
    const answer = await world.app.inject({ method, url: `/api/console${path}`, payload: '{malformed' });
    assert.equal(answer.statusCode, 401, `${method} ${path}`);
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.deepEqual(readAnswer(answer).body, {
      status: 'error',
      code: 'unauthenticated',
      message: 'there is no session, or it has ended: sign in',
    });
  }
});

test('only routes that show or create secrets, change where they go, or delete require a sign-in within the last 10 minutes', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  const refusal = {
    status: 'error',
    code: 'permission-denied',
    message: 'your sign-in is more than 10 minutes old: confirm your identity (POST /api/auth/confirm)',
  };
  world.platform.clock.advance({ minutes: 10 });
  for (const [method, path] of ROUTES) {
    const { body } = await owner.call(method, path, method === 'GET' ? undefined : {});
    assert.notDeepEqual(body, refusal, `${method} ${path}`);
  }
  world.platform.clock.advance({ milliseconds: 1 });
  for (const [method, path, needsRecentSignIn] of ROUTES) {
    const { status, body } = await owner.call(method, path, method === 'GET' ? undefined : {});
    if (needsRecentSignIn) assert.deepEqual([status, body], [403, refusal], `${method} ${path}`);
    else assert.notDeepEqual(body, refusal, `${method} ${path}`);
  }
});

test('a page of another site changes nothing', async () => {
  await using world = await createConsoleWorld();
  const owner = await world.owner();
  const { appId } = await owner.application();
  const answer = await world.app.inject({
    method: 'POST',
    url: `/api/console/applications/${appId}/disable`,
    headers: { cookie: owner.cookie, 'sec-fetch-site': 'cross-site' },
  });
  assert.equal(answer.statusCode, 403);
  assert.equal((await owner.call('GET', `/applications/${appId}`)).body.data.state, 'active');
});

const OWNERS = new Set([
  `DELETE ${APPLICATION}`,
  `POST ${APPLICATION}/disable`,
  `POST ${APPLICATION}/extensions`,
  `DELETE ${APPLICATION}/extensions`,
  `POST ${APPLICATION}/reactivate`,
  `POST ${APPLICATION}/team/invitations`,
  `DELETE ${APPLICATION}/team/invitations/${KEY}`,
  `PATCH ${APPLICATION}/team/${PERSON}`,
  `DELETE ${APPLICATION}/team/${PERSON}`,
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
  for (const [method, route] of ROUTES) {
    // A stream does not end by itself; it requires the same as the other reads.
    if (!route.startsWith(APPLICATION) || route.endsWith('/live')) continue;
    const path = route.replace(APPLICATION, `/applications/${appId}`);
    const call = async (person: typeof owner) => {
      const { status, body } = await person.call(method, path, method === 'GET' ? undefined : {});
      return { status, message: String(body.message) };
    };
    const asDeveloper = await call(developer);
    const asViewer = await call(viewer);
    const asStranger = await call(stranger);
    const name = `${method} ${route}`;
    const needed = OWNERS.has(name) ? 'owner' : method === 'GET' ? 'viewer' : 'developer';
    const isRefused = ({ message }: { message: string }, by: string) => message === refused(by);
    if (needed === 'owner') assert.ok(isRefused(asDeveloper, 'owner'), name);
    else assert.notEqual(asDeveloper.status, 403, `${name}: ${asDeveloper.message}`);
    if (needed === 'viewer') assert.notEqual(asViewer.status, 403, `${name}: ${asViewer.message}`);
    else assert.ok(isRefused(asViewer, needed), `${name}: ${asViewer.message}`);
    assert.ok([400, 404].includes(asStranger.status), `${name}: ${asStranger.status}`);
    tried++;
  }
  assert.ok(tried > 50);
  const { data } = (await owner.call('GET', `/applications/${appId}`)).body;
  assert.deepEqual([data.state, data.name], ['active', 'Weather']);
});
