import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openWindow } from '../chromium.ts';
import { createApplication, startConsoleScene } from './console-scene.ts';
import { checkScreen, follow, VIEWS } from './web-scene.ts';

const scene = await startConsoleScene();
after(() => scene[Symbol.asyncDispose]());

test('what was typed as a password is shown by a button that the keyboard reaches', async () => {
  await using stranger = await openWindow(scene.chromium, { baseURL: scene.origin, locale: 'de-DE' });
  const { page } = stranger;
  await page.goto('/');
  await page.getByLabel('Passwort', { exact: true }).fill('geheim');
  await page.keyboard.press('Tab');
  await page.locator('[aria-label="Zeichen zeigen"]:focus').press('Enter');
  await page.locator('input[name=password][type=text]').waitFor();
});

test('refusals, findings and the chat are German on German pages', async () => {
  await using owner = await scene.enter('/console', { locale: 'de-DE' });
  const { page, calls } = owner;
  const application = await createApplication(calls, 'Wetter');
  await calls.post(`${application.api}/bot`, { username: 'wetter_bot' });
  await calls.put(`${application.api}/webhook-url`, { webhookUrl: scene.fails });
  const second = await createApplication(calls, 'Noch eine');

  await page.goto(`${application.path}/oauth`);
  await page
    .getByRole('region', { name: 'Was die Leute gefragt werden' })
    .getByRole('heading', { name: 'Darf Wetter für dich handeln?' })
    .waitFor();

  await page.goto(`${second.path}/bot`);
  await page.getByLabel('Benutzername').fill('wetter_bot');
  await page.getByRole('button', { name: 'Bot anlegen' }).click();
  await page.getByText('Der Benutzername ist vergeben').waitFor();

  await page.goto(`${application.path}/events?tab=settings`);
  await page.getByLabel('Webhook-Adresse').fill('https://10.0.0.1/hook');
  await page.getByRole('button', { name: 'Speichern' }).click();
  await page.getByText('Webhook-Adresse: darf nur auf öffentliche Adressen verweisen').waitFor();
  await page.getByRole('button', { name: 'Ping senden' }).click();
  await page
    .getByText('Der Empfänger antwortete 500: bei der Verarbeitung des Ereignisses trat ein Fehler auf')
    .first()
    .waitFor();

  await page.goto('/');
  await page.getByText('Willkommen bei Parley').waitFor();
  await page.setViewportSize(VIEWS[2].viewport);
  await follow(page, '/settings/notifications');
  await page.getByRole('switch', { name: 'Über neue Nachrichten benachrichtigen' }).waitFor();
  await checkScreen(page, 'any');
  await page.route('**/api/**', (route) => {
    if (route.request().method() === 'GET') return route.continue();
    return route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' });
  });
  await page.getByRole('switch', { name: 'Mit Ton' }).click();
  await page
    .getByRole('alert')
    .getByText('Der Server ist nicht erreichbar. Prüfe die Verbindung und versuche es noch einmal.')
    .waitFor();
});

test('the empty field for a message has one line, however narrow it is', async () => {
  await using ada = await scene.enter('/', { locale: 'de-DE' });
  const { page, calls } = ada;
  const { groupId } = await calls.post('/api/chat/groups', { name: 'Tee', members: [] });
  await page.goto(`/c/${groupId}`);
  const field = page.getByRole('textbox', { name: 'Nachricht schreiben' });
  const heights = [];
  for (const width of [1280, 320]) {
    await page.setViewportSize({ width, height: 568 });
    heights.push(await field.evaluate((element) => element.getBoundingClientRect().height));
  }
  assert.equal(heights[1], heights[0]);
});
