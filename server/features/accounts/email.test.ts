import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createAccountScene, PASSWORD } from '#testing/account-scene.ts';
import { postForm } from '#testing/html-page.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { eventually } from '#testing/waits.ts';

async function sceneFor(t: TestContext) {
  const mail = await startMailServer();
  t.after(() => mail[Symbol.asyncDispose]());
  const scene = await createAccountScene({ smtpUrl: mail.url });
  t.after(() => scene[Symbol.asyncDispose]());
  const { app } = scene.world;
  return {
    ...scene,
    mail,
    /** The token of the link in the mail with this number; mails are sent concurrently with the answer. */
    async tokenOf(number: number) {
      await eventually(() => mail.mails.length >= number);
      const { to, text = '' } = mail.mails[number - 1] ?? {};
      const body = text.replace(/=\n/g, '').replaceAll('=3D', '=');
      return { to: to?.[0], token: /\/email\/confirm\?token=([\w.-]+)/.exec(body)?.[1] ?? '' };
    },
    looks: async (token: string) => (await app.inject({ url: `/email/confirm?token=${token}` })).statusCode,
    follows: async (token: string) => (await postForm({ app }, '/email/confirm', { token })).statusCode,
  };
}

test('an address is confirmed once the button on the linked page is pressed', async (t) => {
  const { holder, tokenOf, looks, follows, world } = await sceneFor(t);
  const ada = await holder();
  const { to, token } = await tokenOf(1);
  assert.equal(to, ada.email);
  const confirmedAt = async () => (await ada.gets('GET', '/profile')).emailConfirmedAt;
  assert.equal(await looks(token), 200);
  assert.equal(await confirmedAt(), undefined, 'to look changes nothing');
  assert.equal(await follows(`${token}x`), 404);
  assert.equal(await follows(token), 200);
  assert.equal(await confirmedAt(), world.clock.now());
  assert.equal((await world.accounts.findOwn(ada.accountId)).emailConfirmedAt, world.clock.now());
  assert.equal(await follows(token), 200, 'twice is no fault');
  const again = await ada.calls('POST', '/email/confirmation', { language: 'en' });
  assert.deepEqual([again.status, again.body.message], [400, 'your e-mail address is already confirmed']);
});

test('a new address replaces the previous one, which becomes free, when its link is followed', async (t) => {
  const { holder, tokenOf, follows, mail, stranger, world } = await sceneFor(t);
  const [ada, bob] = [await holder(), await holder('Bob')];
  await tokenOf(2);
  const change = (email: string) => ada.calls('POST', '/email', { email, language: 'en' });
  assert.equal((await change(bob.email.toUpperCase())).status, 409);
  assert.equal((await change(ada.email)).status, 400);
  assert.equal((await change('no address')).status, 400);
  assert.deepEqual((await change('new@example.com')).body.data, { isMailed: true });
  const { to, token } = await tokenOf(3);
  assert.equal(to, 'new@example.com');
  const signsIn = async (email: string) =>
    (await stranger().calls('POST', '/sign-in', { email, password: PASSWORD })).status;
  assert.deepEqual([await signsIn(ada.email), await signsIn('new@example.com')], [200, 401]);
  assert.equal(await follows(token), 200);
  assert.deepEqual([await signsIn(ada.email), await signsIn('new@example.com')], [401, 200]);
  assert.deepEqual(mail.mails[3]?.to, [ada.email], 'the address from before is told');
  const { email, emailConfirmedAt } = await ada.gets('GET', '/profile');
  assert.deepEqual([email, emailConfirmedAt], ['new@example.com', world.clock.now()]);
  const next = await stranger().calls('POST', '/sign-up', {
    email: ada.email,
    password: PASSWORD,
    name: 'Next',
  });
  assert.equal(next.status, 201);
});

test('a link is void after 7 days or once the address has changed, and nobody is sent more than 5 a day', async (t) => {
  const { holder, tokenOf, looks, follows, world } = await sceneFor(t);
  const ada = await holder();
  const first = await tokenOf(1);
  await ada.gets('POST', '/email', { email: 'second@example.com', language: 'de' });
  assert.equal(await follows((await tokenOf(2)).token), 200);
  assert.deepEqual([await looks(first.token), await follows(first.token)], [404, 404]);
  await ada.gets('POST', '/email', { email: 'third@example.com', language: 'en' });
  const third = await tokenOf(4);
  world.clock.advance({ days: 7 });
  assert.equal(await looks(third.token), 404);

  const eve = await holder('Eve');
  const ask = async () => (await eve.calls('POST', '/email/confirmation', { language: 'en' })).status;
  await tokenOf(5);
  assert.deepEqual(
    [await ask(), await ask(), await ask(), await ask(), await ask()],
    [200, 200, 200, 200, 429],
  );
});

test('a link changes the address once, also if the person returns to the one from before', async (t) => {
  const { holder, tokenOf, follows } = await sceneFor(t);
  const ada = await holder();
  await tokenOf(1);
  await ada.gets('POST', '/email', { email: 'second@example.com', language: 'en' });
  const { token } = await tokenOf(2);
  assert.deepEqual([await follows(token), await follows(token)], [200, 200]);
  await tokenOf(3);
  await ada.gets('POST', '/email', { email: ada.email, language: 'en' });
  assert.equal(await follows((await tokenOf(4)).token), 200);
  assert.equal(await follows(token), 404);
  assert.equal((await ada.gets('GET', '/profile')).email, ada.email);
});

test('an address of version 0.2 in brackets is confirmed as it is stored, also beside the plain one', async (t) => {
  const { holder, tokenOf, follows, world } = await sceneFor(t);
  const [ada, bob] = [await holder(), await holder('Bob')];
  await tokenOf(2);
  const stored = `<${bob.email}>`;
  await world.db`update accounts set email = ${stored} where account_id = ${ada.accountId}`;
  await world.db`delete from unique_names where kind = 'email' and owner_id = ${ada.accountId}`;
  await world.db`insert into unique_names (value, kind, owner_id) values (${stored}, 'email', ${ada.accountId})`;
  const names = async () =>
    (
      await world.db<{ value: string }[]>`
      select value from unique_names where kind = 'email' and owner_id = ${ada.accountId}`
    ).map(({ value }) => value);
  await ada.gets('POST', '/email/confirmation', { language: 'en' });
  assert.equal(await follows((await tokenOf(3)).token), 200);
  assert.deepEqual(await names(), [stored]);
  await ada.gets('POST', '/account/delete', { email: stored, password: PASSWORD });
  assert.deepEqual(await names(), [], 'the address is free');
});

test('without a mail server an address changes at once and is not confirmed', async (t) => {
  const { holder, world } = await createAccountScene();
  t.after(() => world[Symbol.asyncDispose]());
  const ada = await holder();
  const change = { email: 'new@example.com', language: 'en' };
  assert.deepEqual(await ada.gets('POST', '/email', change), { isMailed: false });
  const { email, emailConfirmedAt } = await ada.gets('GET', '/profile');
  assert.deepEqual([email, emailConfirmedAt], ['new@example.com', undefined]);
  world.clock.advance({ minutes: 11 });
  const late = await ada.calls('POST', '/email', { ...change, email: 'third@example.com' });
  assert.equal(late.status, 403, 'it asks for a recent sign-in');
});
