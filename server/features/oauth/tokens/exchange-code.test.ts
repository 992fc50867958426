import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { makeCode } from '#features/oauth/token-strings.ts';
import { oauthRefusal, plain } from '#testing/answers.ts';
import { createWorldFor } from '#testing/world.ts';

const VERIFIER = 'a-verifier-of-43-characters-0123456789-~._AZ';
const CHALLENGE = hash('sha256', VERIFIER, 'base64url');

const refused = (message: string) => oauthRefusal(400, 'invalid_grant', 'invalid-argument', message);

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  return { world, client: await world.client(), person: await world.person() };
}

test('a code is valid for 5 minutes', async (t) => {
  const { world, client, person } = await scene(t);
  const [inTime, late] = [await client.code({ person }), await client.code({ person })];
  world.clock.advance({ minutes: 4, seconds: 59, milliseconds: 999 });
  assert.equal((await client.exchanges(inTime)).status, 200);
  world.clock.advance({ milliseconds: 1 });
  assert.deepEqual(plain(await client.exchanges(late)), refused('code has expired'));
});

test('a code that is used again is 400, and its tokens are revoked', async (t) => {
  const { world, client, person } = await scene(t);
  const code = await client.code({ person });
  const { body } = await client.exchanges(code);
  world.clock.advance({ minutes: 30 });
  const again = await client.exchanges(code);
  assert.deepEqual(
    plain(again),
    refused('code was already used; the tokens issued for it are revoked'),
    'also long after it would have expired',
  );
  assert.equal((await client.calls(body.access_token)).status, 401);
  assert.deepEqual(
    plain(await client.refreshes(body.refresh_token)),
    oauthRefusal(
      401,
      'invalid_grant',
      'unauthenticated',
      'the grant has ended (code-reused): ask for consent again',
    ),
  );
});

test('a code is bound to its client; another client neither consumes it nor affects its tokens', async (t) => {
  const { world, client, person } = await scene(t);
  const other = await world.client();
  const code = await client.code({ person });
  assert.deepEqual(plain(await other.exchanges(code)), refused('code is unknown'));
  const { body } = await client.exchanges(code);
  assert.deepEqual(plain(await other.exchanges(code)), refused('code is unknown'));
  assert.equal((await client.calls(body.access_token)).status, 200);
});

test('a code is bound to its redirect URI; a wrong one consumes nothing', async (t) => {
  const { client, person } = await scene(t);
  const code = await client.code({ person });
  for (const redirectUri of ['https://app.example.com/callback/', 'https://APP.example.com/callback', 'x']) {
    assert.deepEqual(
      plain(await client.exchanges(code, { redirect_uri: redirectUri })),
      refused('redirect_uri is not the one that the code was issued for'),
    );
  }
  assert.equal((await client.exchanges(code)).status, 200);
});

test('PKCE is binding when it was used, and a verifier without a challenge is 400', async (t) => {
  const { client, person } = await scene(t);
  const code = await client.code({ person, challenge: CHALLENGE });
  const mismatch = refused('code_verifier is missing or does not match the code_challenge');
  assert.deepEqual(plain(await client.exchanges(code)), mismatch);
  assert.deepEqual(plain(await client.exchanges(code, { code_verifier: `${VERIFIER}x` })), mismatch);
  assert.deepEqual(
    plain(await client.exchanges(code, { code_verifier: CHALLENGE })),
    mismatch,
    'as plain would',
  );
  assert.equal((await client.exchanges(code, { code_verifier: VERIFIER })).status, 200);

  const without = await client.code({ person });
  assert.deepEqual(
    plain(await client.exchanges(without, { code_verifier: VERIFIER })),
    refused('code_verifier was sent, but the code was requested without a code_challenge'),
  );
  assert.equal((await client.exchanges(without)).status, 200);
});

test('a malformed or invented code is 400', async (t) => {
  const { world, client, person } = await scene(t);
  const code = await client.code({ person });
  const { access, refresh } = await client.tokens({ person });
  for (const text of ['x', access, refresh, `${code}0`, code.toUpperCase(), `${code}\n`]) {
    assert.deepEqual(
      plain(await client.exchanges(text)),
      refused('code was not issued by this server'),
      text,
    );
  }
  const madeUp = makeCode(world.newId('fam'), world.random).text;
  assert.deepEqual(plain(await client.exchanges(madeUp)), refused('code is unknown'));
  const sameFamily = code.slice(0, -1) + (code.endsWith('0') ? '1' : '0');
  assert.deepEqual(plain(await client.exchanges(sameFamily)), refused('code is unknown'));
  assert.equal((await client.exchanges(code)).status, 200);
});

test('a code whose grant the person ended before the exchange is refused', async (t) => {
  const { client, person } = await scene(t);
  const code = await client.code({ person });
  await person.calls('POST', '/api/chat/connected-applications/revoke', { appId: client.appId });
  assert.deepEqual(plain(await client.exchanges(code)), refused('the grant has ended: revoked-by-person'));
});

test('codes and tokens are stored as fingerprints only', async (t) => {
  const { world, client, person } = await scene(t);
  const code = await client.code({ person });
  const { body } = await client.exchanges(code);
  const [row] = await world.db`select g::text as text, code_hash, access_hash, refresh_hash from grants g`;
  assert.ok(row);
  for (const secret of [code, body.access_token, body.refresh_token] as string[]) {
    const random = secret.slice(34);
    assert.ok(random.length * 4 >= 160, 'bits');
    assert.ok(!row['text'].includes(random) && !row['text'].includes(Buffer.from(random).toString('hex')));
  }
  assert.deepEqual(row['codeHash'], hash('sha256', code, 'buffer'));
  assert.deepEqual(row['accessHash'], hash('sha256', body.access_token, 'buffer'));
  assert.deepEqual(row['refreshHash'], hash('sha256', body.refresh_token, 'buffer'));
});
