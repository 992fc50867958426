import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { type OAuthClient, REDIRECT_URI, signedIn } from '#testing/oauth-client.ts';
import { createWorldFor, type Person, type World } from '#testing/world.ts';
import { createConsent, decideConsent, findEarlierGrants } from './consent.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const client = await world.client();
  const person = await world.person();
  const decide = (consent: string, { as = signedIn(person), isApproved = true } = {}) =>
    decideConsent(world, { consent, person: as, isApproved });
  return { world, client, person, decide };
}

async function ask(world: World, client: OAuthClient, person: Person): Promise<string> {
  const reading = await client.reads({ person, scopes: ['profile'], state: 's' });
  assert.ok('request' in reading);
  return createConsent(world, { request: reading.request, person: signedIn(person) });
}

const FOREIGN = { page: 400, fault: say('oauth.other-person') };
const DECIDED = { page: 400, fault: say('oauth.decided') };

test('approval returns a code, denial an error, and both return the state', async (t) => {
  const { world, client, person } = await scene(t);
  const denied = await client.asks({ person, state: 'x=&' }, false);
  const iss = 'iss=http%3A%2F%2Flocalhost%3A3000';
  assert.equal(denied.href, `${REDIRECT_URI}?error=access_denied&state=x%3D%26&${iss}`);
  assert.equal((await client.asks({ person }, false)).href, `${REDIRECT_URI}?error=access_denied&${iss}`);
  const approved = await client.asks({ person });
  const beginning = `${REDIRECT_URI}?code=xac_`;
  assert.ok(approved.href.startsWith(beginning) && approved.href.endsWith(`&${iss}`), approved.href);
  assert.match(approved.searchParams.get('code') ?? '', /^xac_[0-9a-f]{78}$/);
  const rows = await world.db`select app_id, account_id, scopes from grants`;
  assert.deepEqual(
    rows.map((row) => ({ ...row })),
    [{ appId: client.appId, accountId: person.accountId, scopes: ['profile'] }],
  );
});

test('a consent is decided once, whatever the first decision was', async (t) => {
  const { world, client, person, decide } = await scene(t);
  for (const first of [true, false]) {
    const consent = await ask(world, client, person);
    assert.ok('redirectTo' in (await decide(consent, { isApproved: first })));
    for (const isApproved of [true, false]) assert.deepEqual(await decide(consent, { isApproved }), DECIDED);
  }
});

test('of 20 concurrent decisions one counts', async (t) => {
  const { world, client, person, decide } = await scene(t);
  const consent = await ask(world, client, person);
  const decisions = await Promise.all(
    Array.from({ length: 20 }, (_, i) => decide(consent, { isApproved: i % 2 === 0 })),
  );
  assert.equal(decisions.filter((decided) => 'redirectTo' in decided).length, 1);
});

test('a consent is valid only in the session that requested it', async (t) => {
  const { world, client, person, decide } = await scene(t);
  const consent = await ask(world, client, person);
  const other = await world.person();
  const sameInOtherSession = { ...signedIn(person), sessionHash: signedIn(other).sessionHash };
  for (const as of [signedIn(other), sameInOtherSession])
    assert.deepEqual(await decide(consent, { as }), FOREIGN);
  assert.ok('redirectTo' in (await decide(consent)));
});

test('a consent that was changed anywhere is refused', async (t) => {
  const { world, client, person, decide } = await scene(t);
  const consent = await ask(world, client, person);
  const changed = Array.from(consent, (letter, i) => {
    const other = letter === 'A' ? 'B' : 'A';
    return consent.slice(0, i) + other + consent.slice(i + 1);
  });
  const sealed = Buffer.from(consent.slice(consent.indexOf('.') + 1), 'base64url');
  const forged = [
    '',
    'x',
    '1.',
    '.',
    '1.AAAA',
    '2'.concat(consent.slice(1)),
    consent.slice(0, -8),
    `1.${'A'.repeat(400)}`,
  ];
  for (const text of [...changed.slice(0, -1), ...forged]) {
    // The last character of base64url may have unused bits.
    if (Buffer.from(text.slice(text.indexOf('.') + 1), 'base64url').equals(sealed) && text.startsWith('1.'))
      continue;
    assert.deepEqual(await decide(text), FOREIGN, text);
  }
  assert.deepEqual([...(await world.db`select family_id from grants`)], []);
});

test('a consent is valid for an hour', async (t) => {
  const { world, client, person, decide } = await scene(t);
  const [inTime, late] = [await ask(world, client, person), await ask(world, client, person)];
  world.clock.advance({ minutes: 59, seconds: 59, milliseconds: 999 });
  assert.ok('redirectTo' in (await decide(inTime)));
  world.clock.advance({ milliseconds: 1 });
  assert.deepEqual(await decide(late), { page: 400, fault: say('oauth.too-old') });
});

test('changes of application and redirect URI since the request take effect', async (t) => {
  const { world, client, person, decide } = await scene(t);
  const consent = await ask(world, client, person);
  await client.owner.disables(client);
  assert.deepEqual(await decide(consent), { page: 404, fault: say('oauth.application-inactive') });
  await client.owner.reactivates(client);
  await world.db`delete from redirect_uris where app_id = ${client.appId}`;
  const fault = say('oauth.redirect-uri-removed');
  for (const isApproved of [true, false])
    assert.deepEqual(await decide(consent, { isApproved }), { page: 400, fault });
});

test('scopes that were granted before and are still valid are known for the next consent', async (t) => {
  const { world, client, person } = await scene(t);
  const earlier = () => findEarlierGrants(world, person.accountId, client.appId);
  assert.deepEqual(await earlier(), []);
  await client.tokens({ person, scopes: ['polls:write'] });
  await client.tokens({ person, scopes: ['profile'] });
  await client.tokens({ person: await world.person(), scopes: ['stories:read'] });
  await (await world.client()).tokens({ person, scopes: ['stories:write'] });
  assert.deepEqual(await earlier(), ['profile', 'polls:write']);
  await person.calls('POST', '/api/chat/connected-applications/revoke', { appId: client.appId });
  assert.deepEqual(await earlier(), []);
});
