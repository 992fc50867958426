import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { REDIRECT_URI } from '#testing/oauth-client.ts';
import { createWorld, createWorldFor } from '#testing/world.ts';

const CHALLENGE = 'x'.repeat(43);

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const client = await world.client({ name: 'Calendar' });
  const good = {
    response_type: 'code',
    client_id: client.appId,
    redirect_uri: REDIRECT_URI,
    scope: 'profile',
  };
  const read = (change: Record<string, string | undefined>) =>
    world.oauth.readAuthorizationRequest({ ...good, ...change });
  return { world, client, read };
}

test('a valid request is read completely: scopes merged and in order, state unchanged', async (t) => {
  const { client, read } = await scene(t);
  const state = '&#"<%00é\n+ %';
  assert.deepEqual(
    await read({
      scope: 'polls:write profile  polls:write',
      state,
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      nonce: 'only with openid',
      unknown: 'ignored',
    }),
    {
      application: { appId: client.appId, name: 'Calendar' },
      request: {
        appId: client.appId,
        redirectUri: REDIRECT_URI,
        scopes: ['profile', 'polls:write'],
        state,
        codeChallenge: CHALLENGE,
      },
    },
  );
  assert.deepEqual(await read({}), {
    application: { appId: client.appId, name: 'Calendar' },
    request: { appId: client.appId, redirectUri: REDIRECT_URI, scopes: ['profile'] },
  });
});

test('an unknown, disabled, suspended or deleted application is 404, before anything else is checked', async (t) => {
  const { world, client, read } = await scene(t);
  const gone = { page: 404, fault: say('oauth.application-unknown') };
  const rest = { redirect_uri: 'x', scope: '', response_type: 'token' };
  for (const unknown of [world.newId('app'), 'x', '\0', `${client.appId} `]) {
    assert.deepEqual(await read({ ...rest, client_id: unknown }), gone, unknown);
  }
  await client.owner.disables(client);
  assert.deepEqual(await read(rest), gone);
  await client.owner.reactivates(client);
  assert.ok('request' in (await read({})));
  await world.suspends(client);
  assert.deepEqual(await read({}), gone);
  await world.unsuspends(client);
  await client.owner.deletes(client);
  assert.deepEqual(await read({}), gone);
});

test('the document of a client is fetched only where that is on, and for somebody who is signed in', async () => {
  const gone = { page: 404, fault: say('oauth.application-unknown') };
  const url = { client_id: 'https://client.example/client.json', redirect_uri: 'https://client.example/' };
  for (const takesPublishedClients of [true, false]) {
    await using world = await createWorld({ takesPublishedClients });
    const { accountId } = await world.person();
    const { appId } = await world.client();
    const known = { client_id: appId, redirect_uri: REDIRECT_URI, response_type: 'code', scope: 'profile' };
    assert.ok('request' in (await world.oauth.readAuthorizationRequest(known, accountId)));
    const reader = takesPublishedClients ? undefined : accountId;
    assert.deepEqual(await world.oauth.readAuthorizationRequest(url, reader), gone);
  }
});

test('a redirect URI is compared byte for byte, before the rest is checked', async (t) => {
  const { read } = await scene(t);
  const fault = { page: 400, fault: say('oauth.redirect-uri-unknown') };
  for (const uri of [
    `${REDIRECT_URI}/`,
    `${REDIRECT_URI}?x=1`,
    `${REDIRECT_URI}#`,
    REDIRECT_URI.toUpperCase(),
    'https://app.example.com:443/callback',
    'https://app.example.com/./callback',
    'https://app.example.com.evil.example/callback',
    'https://app.example.com@evil.example/callback',
    'https://app.example.com/callback/../x',
    'https://app.example.com/call%62ack',
    '//app.example.com/callback',
    'javascript:alert(1)',
    '/callback',
    `${REDIRECT_URI}\0`,
    ` ${REDIRECT_URI}`,
  ]) {
    assert.deepEqual(await read({ redirect_uri: uri, scope: 'x', response_type: 'token' }), fault, uri);
  }
});

test('errors name the missing or invalid parameter, and nothing redirects', async (t) => {
  const { read } = await scene(t);
  const unknownScope = 'scope may contain only: profile stories:read stories:write polls:write groups:manage';
  const rows: [Record<string, string | undefined>, string][] = [
    [{ client_id: undefined }, 'client_id is missing'],
    [{ client_id: '' }, 'client_id is missing'],
    [{ redirect_uri: undefined }, 'redirect_uri is missing'],
    [{ response_type: undefined }, 'response_type is missing'],
    [{ response_type: 'token' }, 'response_type must be code'],
    [{ response_type: 'code token' }, 'response_type must be code'],
    [{ response_type: 'CODE' }, 'response_type must be code'],
    [{ scope: undefined }, 'scope is missing'],
    [{ scope: '' }, 'scope is missing'],
    [{ scope: '  ' }, 'scope is missing'],
    [{ scope: 'messages:send' }, unknownScope],
    [{ scope: 'profile messages:send' }, unknownScope],
    [{ scope: 'Profile' }, unknownScope],
    [{ scope: 'profile,polls:write' }, unknownScope],
    [{ scope: 'profile\tpolls:write' }, unknownScope],
    [{ code_challenge: CHALLENGE }, 'code_challenge_method must be S256'],
    [{ code_challenge: CHALLENGE, code_challenge_method: 'plain' }, 'code_challenge_method must be S256'],
    [
      { code_challenge: 'x', code_challenge_method: 'S256' },
      'code_challenge must be a SHA-256 hash in base64url',
    ],
    [
      { code_challenge: `${CHALLENGE}x`, code_challenge_method: 'S256' },
      'code_challenge must be a SHA-256 hash in base64url',
    ],
    [{ code_challenge_method: 'S256' }, 'code_challenge is required with code_challenge_method'],
  ];
  for (const [change, message] of rows) {
    const answer = await read(change);
    assert.ok('fault' in answer, JSON.stringify(change));
    assert.deepEqual([answer.page, answer.fault.message], [400, message], JSON.stringify(change));
  }
});
