import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AccountScene, createAccountScene, PASSWORD } from '#testing/account-scene.ts';
import { fieldsOf, textOf } from '#testing/html-page.ts';
import { cookieOf } from '#testing/people.ts';

function post({ world }: AccountScene, url: string, fields: Record<string, string>, site = 'same-origin') {
  return world.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': site },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** Ada, who has two-factor sign-in on, after entering her password. */
async function createSecondStep(scene: AccountScene) {
  const ada = await scene.holder();
  const { secret, recoveryCodes } = await scene.enrols(ada);
  scene.world.clock.advance({ seconds: 30 });
  const typed = { email: ada.email, password: PASSWORD, returnTo: '/oauth/authorize?client_id=x&state=%22' };
  const page = await post(scene, '/sign-in', typed);
  return { ada, secret, recoveryCodes, typed, page };
}

test('the page asks for the code after the password, and then continues to the original page', async () => {
  await using scene = await createAccountScene();
  const { ada, secret, typed, page } = await createSecondStep(scene);
  assert.equal(page.statusCode, 200);
  assert.equal(page.headers['set-cookie'], undefined);
  assert.equal(page.headers['cache-control'], 'no-store');
  assert.equal(
    textOf(page.body),
    'Enter a code You decide about the application that sent you here in the next step. Code Six digits from your ' +
      'authenticator app, or one of your recovery codes. Sign in Start over',
  );
  const fields = fieldsOf(page.body, '/sign-in/code');
  assert.deepEqual(Object.keys(fields), ['returnTo', 'ticket', 'code']);
  assert.equal(fields['returnTo'], typed.returnTo);
  const wrong = await post(scene, '/sign-in/code', { ...fields, code: 'abc' });
  assert.equal(wrong.statusCode, 401);
  assert.equal(wrong.headers['set-cookie'], undefined);
  assert.match(textOf(wrong.body), /This code is wrong or was already used\. Wait for the next one\./);
  assert.match(
    wrong.body,
    /<input id="code"[^>]* autocomplete="one-time-code"[^>]* aria-invalid="true" autofocus>/,
  );
  const again = fieldsOf(wrong.body, '/sign-in/code');
  const right = await post(scene, '/sign-in/code', { ...again, code: scene.digits(secret) });
  assert.equal(right.statusCode, 303);
  assert.equal(right.headers.location, typed.returnTo);
  const session = await scene.world.app.inject({
    url: '/api/auth/session',
    headers: { cookie: cookieOf(right) },
  });
  assert.equal(session.json().data.account.accountId, ada.accountId);
});

test('nothing on the page bypasses the code', async () => {
  await using scene = await createAccountScene();
  const { recoveryCodes, typed, page } = await createSecondStep(scene);
  const fields = fieldsOf(page.body, '/sign-in/code');
  const [code = ''] = recoveryCodes;
  const foreign = await post(scene, '/sign-in/code', { ...fields, code }, 'cross-site');
  assert.equal(foreign.statusCode, 403);
  const ended = 'This took too long, or you are already signed in. Start over.';
  for (const ticket of ['', 'x', `${fields['ticket']}x`]) {
    const answer = await post(scene, '/sign-in/code', { ...fields, ticket, code });
    assert.equal(answer.statusCode, 401);
    assert.ok(textOf(answer.body).includes(ended));
  }
  const elsewhere = await post(scene, '/sign-in/code', { ...fields, returnTo: '//evil.example', code });
  assert.equal(elsewhere.headers.location, '/');
  const replayed = await post(scene, '/sign-in/code', { ...fields, code });
  assert.equal(replayed.statusCode, 401);
  assert.equal(replayed.headers['set-cookie'], undefined);
  assert.equal((await post(scene, '/sign-in/code', {})).statusCode, 400);
  const wrongPassword = await post(scene, '/sign-in', { ...typed, password: 'wrong password' });
  assert.equal(wrongPassword.statusCode, 401);
  assert.ok(!wrongPassword.body.includes('/sign-in/code'));
});

test('guesses of codes by the page and by JSON share one limit', async () => {
  await using scene = await createAccountScene();
  const { secret, page } = await createSecondStep(scene);
  const fields = fieldsOf(page.body, '/sign-in/code');
  const ticket = fields['ticket'] as string;
  for (let i = 0; i < 5; i++) {
    assert.equal((await post(scene, '/sign-in/code', { ...fields, code: 'abc' })).statusCode, 401);
    const answer = await scene.stranger('127.0.0.1').calls('POST', '/sign-in/code', { ticket, code: 'abc' });
    assert.equal(answer.status, 401);
  }
  const closed = await post(scene, '/sign-in/code', { ...fields, code: scene.digits(secret) });
  assert.equal(closed.statusCode, 429);
  assert.match(textOf(closed.body), /Too many attempts\. Try again in 15 minutes\./);
});
