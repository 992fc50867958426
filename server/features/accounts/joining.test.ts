import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Config } from '#platform/config.ts';
import { type AccountScene, createAccountScene, PASSWORD } from '#testing/account-scene.ts';
import { postForm } from '#testing/html-page.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { eventually } from '#testing/waits.ts';

const DAY_MS = 86_400_000;

async function sceneFor(t: TestContext, config: Partial<Config>): Promise<AccountScene> {
  const scene = await createAccountScene(config);
  t.after(() => scene[Symbol.asyncDispose]());
  return scene;
}

const joins = async ({ stranger }: AccountScene, email: string, more: object = {}) => {
  const { status, body } = await stranger().calls('POST', '/sign-up', {
    email,
    password: PASSWORD,
    name: 'Ada',
    ...more,
  });
  return [status, body.message];
};

test('when sign-up is closed, the command line still creates the first account', async (t) => {
  const scene = await sceneFor(t, { signUps: { kind: 'closed' } });
  const { world, stranger } = scene;
  assert.deepEqual(await stranger().gets('GET', '/sign-up'), { policy: 'closed', sendsMail: false });
  assert.deepEqual(await joins(scene, 'ada@example.com'), [403, 'this server accepts no new accounts']);
  const first = { email: 'ada@example.com', name: 'Ada', password: PASSWORD };
  await world.operators.perform('account.added', {}, first);
  await assert.rejects(world.operators.perform('account.added', {}, first), { status: 409 });
  await stranger().gets('POST', '/sign-in', { email: first.email, password: PASSWORD });
  const { acts } = await world.operators.listActs();
  assert.deepEqual(
    acts.map(({ act }) => act),
    ['account.added'],
  );
});

test('an invitation admits a limited number of people, until it ends or is revoked', async (t) => {
  const scene = await sceneFor(t, { signUps: { kind: 'invitation' } });
  const { world } = scene;
  const invite = async (uses: number) => {
    const given = { note: 'friends', uses, expiresAt: world.clock.now() + DAY_MS };
    const made = await world.operators.perform('invitation.made', {}, given);
    return { ...made, invitation: new URL(made.link).searchParams.get('invitation') ?? '' };
  };
  const ended = [403, 'the invitation was used up or revoked, or has expired: ask for another one'];
  assert.deepEqual(await joins(scene, 'a@example.com'), [403, 'you need an invitation link to sign up']);
  assert.deepEqual(await joins(scene, 'a@example.com', { invitation: 'guessed' }), ended);
  const two = await invite(2);
  const tries = await Promise.all(
    ['a', 'b', 'c'].map((who) => joins(scene, `${who}@example.com`, { invitation: two.invitation })),
  );
  assert.deepEqual(tries.map(([status]) => status).sort(), [201, 201, 403]);
  const [listed] = await world.operators.listSignUpInvitations();
  assert.deepEqual([listed?.used, listed?.uses], [2, 2]);

  const revoked = await invite(1);
  await world.operators.perform('invitation.revoked', { invitationId: revoked.invitationId });
  assert.deepEqual(await joins(scene, 'd@example.com', revoked), ended);
  const late = await invite(1);
  world.clock.advance({ days: 1 });
  assert.deepEqual(await joins(scene, 'd@example.com', late), ended);
});

test('with sign-up by domain, the address must be confirmed first', async (t) => {
  const mail = await startMailServer();
  t.after(() => mail[Symbol.asyncDispose]());
  const signUps = { kind: 'domains', domains: ['example.com'] } as const;
  const scene = await sceneFor(t, { signUps, smtpUrl: mail.url });
  const { world, stranger } = scene;
  assert.deepEqual(await joins(scene, 'eve@evil.example'), [
    403,
    'only addresses of example.com can sign up here',
  ]);
  const email = 'Ada@Example.com';
  const ada = stranger();
  const typed = `<${email}.>`;
  const made = await ada.gets('POST', '/sign-up', { email: typed, password: PASSWORD, name: 'Ada' });
  assert.deepEqual(made, { emailConfirmation: { email } });
  assert.equal(ada.cookie, undefined);
  const signsIn = (password = PASSWORD) => stranger().calls('POST', '/sign-in', { email, password });
  assert.equal((await signsIn('not the one')).status, 401);
  const refused = await signsIn();
  assert.deepEqual(
    [refused.status, refused.body.message],
    [
      403,
      'the address of this account is not confirmed yet: follow the link in the mail that was sent there',
    ],
  );
  await eventually(() => mail.mails.length >= 2);
  const text = mail.mails[1]?.text.replace(/=\n/g, '').replaceAll('=3D', '=') ?? '';
  const token = /token=([\w.-]+)/.exec(text)?.[1] ?? '';
  assert.equal((await postForm(world, '/email/confirm', { token })).statusCode, 200);
  assert.equal((await signsIn()).status, 200);
});

test('a new person accepts the terms; one who joined before is asked until they do', async (t) => {
  const scene = await sceneFor(t, {});
  const { world, holder } = scene;
  const ada = await holder();
  const termsUrl = 'https://example.com/terms';
  world.config.termsUrl = termsUrl;
  assert.equal((await joins(scene, 'b@example.com'))[0], 400);
  assert.equal((await joins(scene, 'b@example.com', { acceptedTerms: `${termsUrl}2` }))[0], 400);
  assert.equal((await joins(scene, 'b@example.com', { acceptedTerms: termsUrl }))[0], 201);
  const asked = async () => (await ada.gets('GET', '/session')).account.termsToAccept;
  assert.equal(await asked(), termsUrl);
  assert.equal((await ada.calls('POST', '/terms', { termsUrl: 'https://example.com/other' })).status, 400);
  for (const path of ['/api/chat/conversations', '/api/chat/live', '/api/console/home']) {
    const { status, body } = await ada.calls('GET', path);
    assert.deepEqual(
      [status, body.message],
      [403, `accept the terms of this server first: ${termsUrl}`],
      path,
    );
  }
  assert.equal((await ada.calls('POST', '/api/chat/groups', { name: 'Team' })).status, 403);
  await ada.gets('POST', '/terms', { termsUrl });
  assert.equal((await ada.calls('GET', '/api/chat/conversations')).status, 200);
  assert.equal(await asked(), undefined);
});
