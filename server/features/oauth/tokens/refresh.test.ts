import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { oauthRefusal, plain, refusal } from '#testing/answers.ts';
import { columnOf } from '#testing/columns.ts';
import { createWorldFor } from '#testing/world.ts';
import { makeAccessToken, makeRefreshToken } from '../token-strings.ts';

const refused = (message: string) => oauthRefusal(401, 'invalid_grant', 'unauthenticated', message);

const REUSED = 'refresh_token was already used; all tokens of its grant are revoked: ask for consent again';
const EXPIRED = 'the grant has ended (refresh-token-expired): ask for consent again';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const client = await world.client();
  const person = await world.person();
  return {
    world,
    client,
    person,
    tokens: await client.tokens({ person, scopes: ['profile', 'polls:write'] }),
  };
}

test('a refresh token is valid for 30 days from its issue', async (t) => {
  const { world, client, tokens } = await scene(t);
  world.clock.advance({ days: 29, hours: 23, minutes: 59, seconds: 59, milliseconds: 999 });
  const second = await client.refreshes(tokens.refresh);
  assert.equal(second.status, 200);
  world.clock.advance({ days: 30 });
  assert.deepEqual(plain(await client.refreshes(second.body.refresh_token)), refused(EXPIRED));
});

test('an access token is valid for an hour', async (t) => {
  const { world, client, tokens } = await scene(t);
  world.clock.advance({ minutes: 59, seconds: 59, milliseconds: 999 });
  assert.equal((await client.calls(tokens.access)).status, 200);
  world.clock.advance({ milliseconds: 1 });
  assert.deepEqual(
    plain(await client.calls(tokens.access)),
    refusal(401, 'unauthenticated', 'the token is invalid, revoked or expired'),
  );
});

test('a refresh token that is used again is 401, and its whole family ends', async (t) => {
  const { world, client, tokens } = await scene(t);
  const second = await client.refreshes(tokens.refresh);
  const third = await client.refreshes(second.body.refresh_token);
  world.clock.advance({ days: 1 });
  assert.deepEqual(plain(await client.refreshes(tokens.refresh)), refused(REUSED), 'two rotations ago');
  const ended = 'the grant has ended (refresh-token-reused): ask for consent again';
  assert.deepEqual(plain(await client.refreshes(third.body.refresh_token)), refused(ended));
  assert.equal((await client.calls(third.body.access_token)).status, 401);
});

test('a reused token does not affect other grants of the same person and application', async (t) => {
  const { client, person, tokens } = await scene(t);
  const other = await client.tokens({ person });
  await client.refreshes(tokens.refresh);
  await client.refreshes(tokens.refresh);
  assert.equal((await client.calls(other.access)).status, 200);
  assert.equal((await client.refreshes(other.refresh)).status, 200);
});

test('invented tokens are 401 and end nothing, even with the id of a family', async (t) => {
  const { world, client, person, tokens } = await scene(t);
  await client.code({ person });
  const grants = await world.db<{ familyId: string }[]>`select family_id from grants`;
  for (const familyId of [...grants.map((grant) => grant.familyId), world.newId('fam')]) {
    const madeUp = makeRefreshToken(familyId, world.random).text;
    assert.deepEqual(plain(await client.refreshes(madeUp)), refused('refresh_token is unknown'));
    const access = makeAccessToken(familyId, world.random).text;
    const answers = await Promise.all([access, tokens.access].map((token) => client.calls(token)));
    assert.deepEqual(columnOf(answers, 'status'), [401, 200], 'at the same moment');
  }
  for (const text of ['x', tokens.access, tokens.refresh.slice(1), `${tokens.refresh}0`]) {
    assert.deepEqual(
      plain(await client.refreshes(text)),
      refused('refresh_token was not issued by this server'),
      text,
    );
  }
  assert.equal((await client.refreshes(tokens.refresh)).status, 200);
});

test('a refresh token is bound to its client; another client can neither use nor end it', async (t) => {
  const { world, client, tokens } = await scene(t);
  const other = await world.client();
  assert.deepEqual(plain(await other.refreshes(tokens.refresh)), refused('refresh_token is unknown'));
  const second = await client.refreshes(tokens.refresh);
  assert.deepEqual(plain(await other.refreshes(tokens.refresh)), refused('refresh_token is unknown'));
  assert.equal((await client.calls(second.body.access_token)).status, 200);
});

test('when another client and the token’s own present it at the same time, only the latter counts', async (t) => {
  const { world, client, tokens } = await scene(t);
  const other = await world.client();
  const [foreign, own] = await Promise.all([
    other.refreshes(tokens.refresh),
    client.refreshes(tokens.refresh),
  ]);
  assert.deepEqual([foreign.status, own.status], [401, 200]);
  assert.equal((await client.calls(own.body.access_token)).status, 200);
});

test('fewer scopes may be requested; they narrow the access token only, and are never extended', async (t) => {
  const { client, tokens } = await scene(t);
  const narrow = await client.refreshes(tokens.refresh, { scope: 'polls:write' });
  assert.deepEqual([narrow.status, narrow.body.scope], [200, 'polls:write']);
  const userinfo = await client.calls(narrow.body.access_token, 'GET', '/oauth/userinfo');
  assert.equal(userinfo.status, 403);
  for (const scope of ['profile stories:read', 'messages:send', 'unknown', ' ']) {
    const message = 'scope may contain only scopes that were granted';
    assert.deepEqual(
      plain(await client.refreshes(narrow.body.refresh_token, { scope })),
      oauthRefusal(400, 'invalid_scope', 'invalid-argument', message),
      scope,
    );
  }
  const whole = await client.refreshes(narrow.body.refresh_token);
  assert.deepEqual([whole.status, whole.body.scope], [200, 'profile polls:write']);
});
