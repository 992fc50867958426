import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { callsApi, createApplication, fillRequests, startConsoleScene } from './console-scene.ts';
import { signInByForm } from './web-scene.ts';

const scene = await startConsoleScene();
after(() => scene[Symbol.asyncDispose]());

/** Each would log to the console if it were interpreted as markup or a script. */
const CORPUS = [
  '<img src=x onerror=console.log("pwned")>',
  '"><script>console.log("pwned")</script>',
  "<svg/onload=console.log('pwned')>",
  'javascript:console.log("pwned")',
  '{{constructor.constructor("console.log(`pwned`)")()}}',
];

test('input of people and applications is shown as text on every screen', async () => {
  await using owner = await scene.enter('/console', { name: CORPUS[0] ?? '' });
  const { page, calls, complaints } = owner;
  const application = await createApplication(calls, CORPUS[1] ?? '');
  const { api, path } = application;
  const commands = CORPUS.map((description, i) => ({ command: `c${i}`, description }));
  await calls.post(`${api}/bot`, { username: 'hostile_bot', description: CORPUS.join('\n'), commands });
  await calls.put(`${api}/webhook-url`, {
    webhookUrl: 'https://hooks.example.com/javascript:console.log(document.domain)',
  });
  await calls.post(`${api}/alert-contacts`, {
    kind: 'chat',
    target: 'https://hooks.example.com/javascript:console.log(document.cookie)',
  });
  const { testPerson } = await calls.get<{ testPerson: { userId: string } }>(`${api}/simulator`);
  for (const content of CORPUS) {
    await calls.post(`${api}/simulator/messages`, { type: 'text', content });
    const answer = { to: testPerson.userId, type: 'text', content };
    assert.equal(await callsApi(scene, application, '/messages', answer), 201);
  }
  await calls.post(`${api}/simulator/messages`, {
    type: 'image',
    fileUrl: 'https://example.com/javascript:console.log(1)',
    caption: CORPUS[0],
  });
  await calls.post(`${api}/simulator/polls`, { question: CORPUS[0], options: CORPUS.slice(1) });
  const now = Date.now();
  await fillRequests(scene.db, application.appId, 20, now);
  const [message, route] = [CORPUS[0] ?? '', CORPUS[2] ?? ''];
  await scene.db`update api_requests set message = ${message}, code = ${message}, route = ${route}, status = 400`;
  await scene.db`update audit_entries set details = ${scene.db.json({ [message]: CORPUS })}`;
  const events = await calls.get<{ eventId: string }[]>(`${api}/events`);
  const screens = ['', '/bot', '/events', `/events/${events[0]?.eventId}`, '/simulator', '/requests'];
  screens.push('/requests?view=errors', '/oauth', '/alerts', '/audit');
  for (const at of ['/console', '/console/account', ...screens.map((screen) => path + screen)]) {
    await page.goto(at);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
    const found = await page.locator('script:not([src]), [onerror], [onload], a[href^="javascript"]').count();
    assert.equal(found, 0, at);
  }
  await page.goto(`${path}/simulator`);
  await page.getByRole('log').getByText('<svg/onload').first().waitFor();
  assert.deepEqual(complaints, []);
});

test('no site can frame the console, and injected scripts do not run', async () => {
  await using owner = await scene.enter('/console');
  const { page } = owner;
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.evaluate(`{
    const script = document.createElement('script');
    script.textContent = 'window.isInjected = true';
    document.body.append(script);
  }`);
  assert.equal(await page.evaluate('"isInjected" in window'), false);
  const { headers } = await fetch(`${scene.origin}/console/applications/app_1`);
  assert.match(String(headers.get('content-security-policy')), /script-src 'self';.*frame-ancestors 'none'/);
  assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
  assert.equal(headers.get('x-dns-prefetch-control'), 'off');
  assert.match(
    String(headers.get('permissions-policy')),
    /\bcamera=\(\).*\bgeolocation=\(self\), microphone=\(self\)/,
  );
});

test('a session that ended elsewhere leads to the sign-in, and then back to the same screen', async () => {
  await using owner = await scene.enter('/console');
  const { page, calls, email } = owner;
  const { path } = await createApplication(calls, 'Kept Place');
  await page.goto(`${path}/audit`);
  await page.getByText('created the application').waitFor();
  await calls.post('/api/auth/sign-out-everywhere', {});
  await page.getByRole('link', { name: 'Alerts' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInByForm(page, email);
  await page.getByRole('heading', { name: 'Alerts', exact: true }).waitFor();
  await using stranger = await scene.enter(path);
  await stranger.page.getByText('Page not found').waitFor();
});

test('10,000 requests in the API log: the screen loads one page of them, and more on request', async () => {
  await using owner = await scene.enter('/console');
  const { page, calls } = owner;
  const { appId, path } = await createApplication(calls, 'Busy');
  await fillRequests(scene.db, appId, 10_000, Date.now());
  const begun = performance.now();
  await page.goto(`${path}/requests`);
  await page.getByRole('row').nth(50).waitFor();
  console.log(`# 50 of 10,000 rows were there after ${Math.round(performance.now() - begun)} ms`);
  assert.equal(await page.getByRole('row').count(), 51);
  for (const shown of [101, 151]) {
    await page.getByRole('button', { name: 'Load more' }).click();
    await page
      .getByRole('row')
      .nth(shown - 1)
      .waitFor();
    assert.equal(await page.getByRole('row').count(), shown);
  }
  assert.ok(Number(await page.evaluate('document.querySelectorAll("*").length')) < 4_000);
});

const DIST = fileURLToPath(new URL('../../web/dist/', import.meta.url));
const MOST_BYTES = 250_000;

for (const app of ['console', 'chat']) {
  test(`${app}: the scripts of the first load stay under 250 kB`, async () => {
    const page = await readFile(`${DIST}${app}/index.html`, 'utf8');
    const scripts = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map(([, name]) => name);
    assert.ok(scripts.length > 0);
    const sizes = await Promise.all(scripts.map(async (name) => (await stat(`${DIST}${name}.br`)).size));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    console.log(`# ${app}: ${Math.round(bytes / 1000)} kB of compressed script`);
    assert.ok(bytes < MOST_BYTES, `${bytes} bytes`);
  });
}
