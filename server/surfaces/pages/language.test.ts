import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConsentScene } from '#testing/consent-scene.ts';
import { fieldsOf, postForm, textOf } from '#testing/html-page.ts';
import { cookieOf } from '#testing/people.ts';
import { createWorld } from '#testing/world.ts';
import { languageOf } from './language.ts';

const GERMAN = { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' };

test('the language is the chosen one, else the most preferred one available, else English', () => {
  for (const [acceptLanguage, language] of [
    [undefined, 'en'],
    ['', 'en'],
    ['fr', 'en'],
    ['de', 'de'],
    ['de-CH', 'de'],
    ['fr, de;q=0.5', 'de'],
    ['de;q=0.5, en;q=0.9', 'en'],
    ['en;q=0.1,DE;q=0.2', 'de'],
    ['de;q=0, en;q=0.1', 'en'],
    ['*', 'en'],
    ['__proto__, constructor', 'en'],
  ] as const) {
    assert.equal(languageOf({ headers: { 'accept-language': acceptLanguage } }), language, acceptLanguage);
  }
  const both = (cookie: string) => languageOf({ headers: { cookie, 'accept-language': 'de' } });
  assert.equal(both('a=b; parley-language=en'), 'en');
  assert.equal(both('xparley-language=en'), 'de');
  assert.equal(both('parley-language=xx'), 'de');
});

test('the consent page and its errors are available in German', async () => {
  await using world = await createWorld();
  const scene = await createConsentScene(world);
  const ask = (url: string) => world.app.inject({ url, headers: { cookie: scene.person.cookie, ...GERMAN } });
  const page = await ask(scene.url({ scope: 'profile polls:write' }));
  assert.equal(page.statusCode, 200);
  assert.match(textOf(page.body), /^Darf Weather Diary für dich handeln\? Angemeldet als Ada /);
  assert.match(textOf(page.body), /Umfragen anlegen und darin abstimmen/);
  assert.match(page.body, /<title>Darf Weather Diary für dich handeln\? – Parley<\/title>/);
  const unknown = await ask(scene.url({ client_id: 'app_nobody' }));
  assert.match(
    textOf(unknown.body),
    /^Unbekannte Anwendung .* Diese Anwendung gibt es nicht, oder sie ist nicht aktiv$/,
  );
});

test('the chosen language is remembered, and the choice returns to the same page', async () => {
  await using world = await createWorld();
  const scene = await createConsentScene(world);
  const { cookie } = scene.person;
  const url = scene.url({ scope: 'profile' });
  const page = await world.app.inject({ url, headers: { cookie } });
  const fields = fieldsOf(page.body, '/language');
  assert.deepEqual(fields, { returnTo: url });
  assert.match(page.body, /<button class="link" name="language" value="de" lang="de">Deutsch<\/button>/);
  const chosen = await postForm(world, '/language', { ...fields, language: 'de' });
  assert.equal(chosen.statusCode, 303);
  assert.equal(chosen.headers.location, url);
  const cookies = `${cookie}; ${cookieOf(chosen)}`;
  const german = await world.app.inject({ url, headers: { cookie: cookies, 'accept-language': 'en' } });
  assert.match(textOf(german.body), /^Darf Weather Diary /);
  const foreign = await postForm(
    world,
    '/sign-out',
    {},
    { 'sec-fetch-site': 'cross-site', cookie: cookieOf(chosen) },
  );
  assert.match(textOf(foreign.body), /^Anfrage abgelehnt /);

  for (const [fields, status] of [
    [{ language: 'fr' }, 400],
    [{ language: 'de', returnTo: 'https://evil.example' }, 303],
  ] as const) {
    const answer = await postForm(world, '/language', fields);
    assert.equal(answer.statusCode, status);
    assert.equal(answer.headers.location, status === 303 ? '/' : undefined);
  }
});
