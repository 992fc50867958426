import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldsOf, textOf } from '#testing/html-page.ts';
import { cookieOf, signUpPerson } from '#testing/people.ts';
import { createWorld, type World } from '#testing/world.ts';

const FORM = 'application/x-www-form-urlencoded';
const PASSWORD = 'correct horse battery';

function post(
  world: World,
  url: string,
  fields: Record<string, string>,
  headers: Record<string, string> = {},
) {
  return world.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': FORM, 'sec-fetch-site': 'same-origin', ...headers },
    payload: new URLSearchParams(fields).toString(),
  });
}

/** The tag of a field, with its attributes for assistive technology. */
function inputOf(page: string, name: string): string {
  return new RegExp(`<input id="${name}"[^>]*>`).exec(page)?.[0] ?? '';
}

test('a person signs up, signs out, and signs in again, each time continuing to the original page', async () => {
  await using world = await createWorld();
  const page = await world.app.inject('/sign-up?returnTo=/chat%3Fx=1');
  assert.equal(page.statusCode, 200);
  assert.equal(
    textOf(page.body),
    'Create an account Name Shown to the people you write to. E-mail address ' +
      'Password 8 to 128 characters. Create account Already have an account? Sign in',
  );
  const fields = fieldsOf(page.body, '/sign-up');
  assert.deepEqual(fields, { returnTo: '/chat?x=1', name: '', email: '', password: '' });
  const given = { name: 'Ada 🦊', email: ' Ada@Example.com ', password: PASSWORD };
  const signedUp = await post(world, '/sign-up', { ...fields, ...given });
  assert.equal(signedUp.statusCode, 303);
  assert.equal(signedUp.headers.location, '/chat?x=1');
  assert.match(
    String([signedUp.headers['set-cookie']].flat()[0]),
    /^parley_session=usr_[0-9a-z]{24}\.[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  const cookie = cookieOf(signedUp);
  const session = await world.app.inject({ url: '/api/auth/session', headers: { cookie } });
  assert.deepEqual(
    [session.json().data.account.name, session.json().data.account.email],
    ['Ada 🦊', 'Ada@Example.com'],
  );

  const signedOut = await post(world, '/sign-out', { returnTo: '/chat' }, { cookie });
  assert.equal(signedOut.statusCode, 303);
  assert.equal(signedOut.headers.location, '/sign-in?returnTo=%2Fchat');
  assert.match(String(signedOut.headers['set-cookie']), /^parley_session=; Max-Age=0;/);
  assert.equal((await world.app.inject({ url: '/api/auth/session', headers: { cookie } })).statusCode, 401);

  const signInPage = await world.app.inject('/sign-in');
  assert.equal(
    textOf(signInPage.body),
    'Sign in E-mail address Password Sign in New here? Create an account',
  );
  const again = await post(world, '/sign-in', {
    ...fieldsOf(signInPage.body, '/sign-in'),
    email: 'ada@example.COM',
    password: PASSWORD,
  });
  assert.equal(again.statusCode, 303);
  assert.equal(again.headers.location, '/');
  for (const answer of [page, signedUp, signedOut, signInPage, again]) {
    assert.equal(answer.headers['cache-control'], 'no-store');
    assert.equal(answer.headers['referrer-policy'], 'no-referrer');
    assert.match(String(answer.headers['content-security-policy']), /frame-ancestors 'none'/);
  }
});

test('a signed-in person is redirected at once', async () => {
  await using world = await createWorld();
  const { cookie } = await world.person();
  for (const path of ['/sign-in', '/sign-up']) {
    const answer = await world.app.inject({ url: `${path}?returnTo=%2Fchat`, headers: { cookie } });
    assert.equal(answer.statusCode, 303);
    assert.equal(answer.headers.location, '/chat');
  }
});

test('the return path never leads to another origin', async () => {
  await using world = await createWorld();
  const { email, password } = await signUpPerson(world.app);
  for (const returnTo of [
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    '/\t/evil.test',
    'javascript:alert(1)',
  ]) {
    const page = await world.app.inject(`/sign-in?returnTo=${encodeURIComponent(returnTo)}`);
    assert.equal(fieldsOf(page.body, '/sign-in')['returnTo'], '/');
    assert.equal((await post(world, '/sign-in', { email, password, returnTo })).headers.location, '/');
    assert.equal((await post(world, '/sign-out', { returnTo })).headers.location, '/sign-in');
    const failed = await post(world, '/sign-in', { email, password: 'wrong', returnTo });
    assert.equal(fieldsOf(failed.body, '/sign-in')['returnTo'], '/');
  }
  const twice = await world.app.inject('/sign-in?returnTo=/a&returnTo=/b');
  assert.equal(twice.statusCode, 400);
  assert.match(textOf(twice.body), /returnTo is given more than once$/);
});

test('a wrong password and an unknown address look the same; the input is kept, except the password', async () => {
  await using world = await createWorld();
  const { email } = await signUpPerson(world.app, { email: 'ada@example.com', password: PASSWORD });
  for (const typed of [email, 'nobody@example.com']) {
    const answer = await post(world, '/sign-in', {
      email: typed,
      password: 'wrong-canary',
      returnTo: '/chat',
    });
    assert.equal(answer.statusCode, 401);
    assert.equal(answer.headers['www-authenticate'], undefined);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.equal(
      textOf(answer.body),
      'Sign in The e-mail address or the password is wrong. E-mail address Password Sign in New here? Create an account',
    );
    assert.match(answer.body, /<title>Not signed in – Parley<\/title>/);
    assert.deepEqual(fieldsOf(answer.body, '/sign-in'), { returnTo: '/chat', email: typed, password: '' });
    assert.doesNotMatch(answer.body, /wrong-canary/);
    assert.match(answer.body, /<p class="alert" role="alert" id="fault">/);
    assert.match(inputOf(answer.body, 'password'), / aria-describedby="fault" autofocus>$/);
  }
});

test('the error of a field is shown beside it, and the field has the focus', async () => {
  await using world = await createWorld();
  await signUpPerson(world.app, { email: 'taken@example.com' });
  const good = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };
  const wanted = {
    name: 'Enter a name of 1 to 64 characters.',
    email: 'Enter an e-mail address, such as ada@example.com.',
    password: 'Enter a password of 8 to 128 characters.',
    taken: 'There is already an account with this address. Sign in below, or enter another address.',
  };
  const cases: [string, Record<string, string>, 'name' | 'email' | 'password', string, number][] = [
    ['/sign-up', { ...good, name: ' ' }, 'name', wanted.name, 400],
    ['/sign-up', { ...good, name: 'x'.repeat(65) }, 'name', wanted.name, 400],
    ['/sign-up', { ...good, email: 'ada' }, 'email', wanted.email, 400],
    ['/sign-up', { ...good, email: '' }, 'email', wanted.email, 400],
    ['/sign-up', { ...good, email: 'TAKEN@example.com' }, 'email', wanted.taken, 409],
    ['/sign-up', { ...good, password: '🦊'.repeat(7) }, 'password', wanted.password, 400],
    ['/sign-up', { ...good, password: 'x'.repeat(129) }, 'password', wanted.password, 400],
    ['/sign-up', { name: 'Ada', email: 'ada@example.com' }, 'password', wanted.password, 400],
    ['/sign-in', { email: 'ada', password: PASSWORD }, 'email', wanted.email, 400],
    ['/sign-in', { email: 'ada@example.com', password: 'x'.repeat(129) }, 'password', wanted.password, 400],
  ];
  for (const [path, fields, field, message, status] of cases) {
    const answer = await post(world, path, fields);
    assert.equal(answer.statusCode, status, message);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.ok(
      answer.body.includes(`<p class="fault" id="${field}-fault">${message}</p>`),
      textOf(answer.body),
    );
    assert.match(inputOf(answer.body, field), new RegExp(`${field}-fault" aria-invalid="true" autofocus>$`));
    assert.equal(answer.body.match(/autofocus/g)?.length, 1);
    const { email, name = '' } = fields;
    const shown = fieldsOf(answer.body, path);
    assert.deepEqual([shown['email'], shown['name'] ?? '', shown['password']], [email, name, '']);
  }
});

test('guesses by the page and by JSON share one limit', async () => {
  await using world = await createWorld();
  const { email, password } = await signUpPerson(world.app);
  for (let i = 0; i < 10; i++) {
    const guess = { email, password: 'wrong' };
    const { statusCode } =
      i % 2
        ? await post(world, '/sign-in', guess)
        : await world.app.inject({ method: 'POST', url: '/api/auth/sign-in', payload: guess });
    assert.equal(statusCode, 401);
  }
  const refused = await post(world, '/sign-in', { email, password });
  assert.equal(refused.statusCode, 429);
  assert.equal(refused.headers['retry-after'], '900');
  assert.match(textOf(refused.body), /^Sign in Too many attempts\. Try again in 15 minutes\. E-mail address/);
  world.clock.advance({ minutes: 15 });
  assert.equal((await post(world, '/sign-in', { email, password })).statusCode, 303);
});

test('sign-ups are limited per address', async () => {
  await using world = await createWorld({ signUpsPerHour: 1 });
  const sign = (name: string) =>
    post(world, '/sign-up', { name, email: `${name}@example.com`, password: PASSWORD });
  assert.equal((await sign('a')).statusCode, 303);
  const refused = await sign('b');
  assert.equal(refused.statusCode, 429);
  assert.match(textOf(refused.body), /^Create an account Too many attempts\. Try again in 60 minutes\./);
});

test('the input is shown as text', async () => {
  await using world = await createWorld();
  const attack = '"><script>alert(1)</script><p x="';
  const answer = await post(world, '/sign-up', {
    name: attack,
    email: attack,
    password: 'x',
    returnTo: `/${attack}`,
  });
  assert.equal(answer.statusCode, 400);
  assert.doesNotMatch(answer.body, /<script/);
  const shown = fieldsOf(answer.body, '/sign-up');
  assert.deepEqual([shown['name'], shown['email'], shown['returnTo']], [attack, attack, '/']);
});

test('a page of another site signs nobody in or out', async () => {
  await using world = await createWorld();
  const { email, password, cookie } = await signUpPerson(world.app);
  for (const path of ['/sign-in', '/sign-up', '/sign-out']) {
    const fields = { email, password, name: 'Ada', returnTo: '/' };
    const answer = await post(world, path, fields, { 'sec-fetch-site': 'cross-site', cookie });
    assert.equal(answer.statusCode, 403);
    assert.equal(answer.headers['set-cookie'], undefined);
    assert.equal(
      textOf(answer.body),
      'Request refused This form was sent by a page of another site, so nothing was changed. Go back and use our own page. ' +
        'Details for support: this request comes from a page of another site',
    );
  }
  const session = await world.app.inject({ url: '/api/auth/session', headers: { cookie } });
  assert.equal(session.statusCode, 200);
});

test('bodies other than forms also get an error page', async () => {
  await using world = await createWorld();
  const broken = await world.app.inject({
    method: 'POST',
    url: '/sign-in',
    headers: { 'content-type': FORM },
    payload: 'email=a&email=b',
  });
  assert.equal(broken.statusCode, 400);
  assert.equal(
    textOf(broken.body),
    'Invalid request Nothing was changed. Go back and try again. ' +
      'Details for support: email is given more than once',
  );
  assert.equal((await world.app.inject({ method: 'POST', url: '/sign-in' })).statusCode, 400);
  const json = await world.app.inject({
    method: 'POST',
    url: '/sign-in',
    payload: { email: 'a', password: 'b' },
  });
  assert.equal(json.statusCode, 415);
  assert.equal(json.headers['content-type'], 'text/html; charset=utf-8');
});

test('a commonly leaked password is refused beside its field', async () => {
  await using world = await createWorld();
  const given = { name: 'Ada', email: 'ada@example.com', password: '12345678' };
  const page = await post(world, '/sign-up', given);
  assert.equal(page.statusCode, 400);
  const fault = /<p class="fault" id="password-fault">([^<]+)</.exec(page.body)?.[1];
  assert.equal(
    fault,
    'This password is on lists of leaked passwords, which attackers try first. Choose another one.',
  );
  const german = await post(world, '/sign-up', given, { 'accept-language': 'de' });
  assert.match(german.body, /steht auf den Listen geleakter Passwörter/);
});

test('every field has a label, and every id is unique', async () => {
  await using world = await createWorld();
  const pages = await Promise.all([
    world.app.inject('/sign-in'),
    world.app.inject('/sign-up'),
    post(world, '/sign-up', { name: '', email: '', password: '' }),
    post(world, '/sign-in', { email: 'nobody@example.com', password: 'wrong' }),
  ]);
  for (const { body } of pages) {
    const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length);
    const labels = new Set([...body.matchAll(/<label for="([^"]+)"/g)].map(([, id]) => id));
    for (const [input] of body.matchAll(/<input(?! type="hidden")[^>]*>/g)) {
      assert.ok(labels.has(/ id="([^"]+)"/.exec(input)?.[1]), input);
      for (const id of (/ aria-describedby="([^"]+)"/.exec(input)?.[1] ?? '').split(' ').filter(Boolean)) {
        assert.ok(ids.includes(id), id);
      }
    }
    assert.equal(body.match(/<h1>/g)?.length, 1);
    assert.match(body, /^<!doctype html>\n<html lang="en">/);
  }
});
