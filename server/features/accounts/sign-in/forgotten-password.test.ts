import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '#testing/answers.ts';
import { postForm } from '#testing/html-page.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { eventually } from '#testing/waits.ts';
import { createWorldFor } from '#testing/world.ts';
import { insertIdentity, selectIdentities, takeIdentity } from '../identities/proven.ts';
import { insertEmail } from '../queries.ts';
import { readEmail } from '../rules.ts';
import { insertPasskey, selectPasskeys } from '../second-factor/two-factor-queries.ts';

const ISSUER = 'https://login.example.com';

test('a reset by mail takes over an account of an unconfirmed address: nothing of who made it remains', async (t) => {
  await using mail = await startMailServer();
  const world = await createWorldFor(t, { smtpUrl: mail.url });
  const { app, db, clock } = world;
  const [ada, client] = [await world.person('Ada'), await world.client()];
  const { accountId } = ada;
  const email = `${accountId}@example.com`;
  await db.begin((tx) => insertEmail(tx, readEmail(email), accountId));
  const post = async (path: string, payload: object) =>
    readAnswer(await app.inject({ method: 'POST', url: `/api/auth${path}`, payload }));
  const resets = async () => {
    const before = mail.mails.length;
    assert.equal((await post('/password/forgotten', { email, language: 'en' })).status, 200);
    await eventually(() => mail.mails.length > before);
    const [, ticket = ''] = /\/reset#([\w.-]+)/.exec(mail.mails.at(-1)?.text.replace(/=\n/g, '') ?? '') ?? [];
    const newPassword = `another horse battery ${before}`;
    assert.equal((await post('/password/reset', { ticket, newPassword })).status, 200);
  };
  const addPasskey = () =>
    db.write((tx) =>
      insertPasskey(tx, {
        ...{ accountId, credentialId: 'passkey', publicKey: Buffer.from('key'), counter: 0, transports: [] },
        ...{ isSynced: false, name: 'Passkey', createdAt: clock.now(), lastUsedAt: null },
      }),
    );
  await addPasskey();
  for (const [issuer, isManaged] of [
    [ISSUER, false],
    ['https://company.example.com', true],
  ] as const)
    await db.begin(async (tx) => {
      await takeIdentity(tx, { issuer, subject: 'eve' }, accountId);
      await insertIdentity(tx, {
        ...{ accountId, issuer, subject: 'eve', userName: null, externalId: null, isManaged },
        ...{ connectedAt: clock.now(), lastUsedAt: null },
      });
    });
  const { access } = await client.tokens({ person: ada });
  assert.equal((await client.calls(access)).status, 200);
  const asked = mail.mails.length;
  assert.equal(
    (await ada.calls('POST', '/api/auth/email', { email: 'eve@example.com', language: 'en' })).status,
    200,
  );
  await eventually(() => mail.mails.length > asked);
  const change = (mail.mails[asked]?.text ?? '').replace(/=\n/g, '').replaceAll('=3D', '=');
  const [, token = ''] = /\/email\/confirm\?token=([\w.-]+)/.exec(change) ?? [];

  await resets();
  const profile = await world.accounts.findOwn(accountId);
  assert.deepEqual([profile.email, profile.emailConfirmedAt], [email, clock.now()]);
  assert.equal((await selectPasskeys(db, accountId)).length, 0);
  assert.deepEqual(
    (await selectIdentities(db, accountId)).map(({ isManaged }) => isManaged),
    [true],
  );
  assert.equal((await client.calls(access)).status, 401);
  assert.equal(
    (await postForm({ app }, '/email/confirm', { token })).statusCode,
    404,
    'the change of address',
  );

  await addPasskey();
  await resets();
  assert.equal((await selectPasskeys(db, accountId)).length, 1, 'of a confirmed address, passkeys remain');
});
