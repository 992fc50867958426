import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runCommandLine } from '../../server/cli/command-line.ts';
import { startConsoleScene } from './console-scene.ts';
import { checkScreen, PASSWORD, press } from './web-scene.ts';

const TERMS = 'https://example.com/terms';

test('if invitations are required the page says so, and a link admits those who accept the terms', async () => {
  await using scene = await startConsoleScene({ SIGN_UPS: 'invitation', TERMS_URL: TERMS });
  const { db } = scene;
  await using stranger = await scene.visit('/');
  await press(stranger.page, 'Create an account');
  await stranger.page.getByText('You need an invitation link').waitFor();
  await checkScreen(stranger.page, 'any');
  const printed: string[] = [];
  const environment = { DATABASE_URL: scene.databaseUrl, PUBLIC_URL: scene.origin };
  const terminal = { environment, printError: () => {}, signal: new AbortController().signal };
  const print = (line: string) => void printed.push(line);
  assert.equal(await runCommandLine(['admin', 'invitations', 'add'], { ...terminal, print }), 0);

  await using guest = await scene.visit(printed[0] ?? '');
  const { page } = guest;
  await page.getByLabel('Name').fill('Ada Lovelace');
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByLabel('Password').first().fill(PASSWORD);
  await page.getByRole('checkbox').check();
  await checkScreen(page, 'any');
  await press(page, 'Create an account');
  await page.getByText('Welcome to Parley').waitFor();

  // The terms differ from those that were accepted.
  await db`update accounts set terms_url = 'https://example.com/before'`;
  await page.reload();
  await page.getByRole('heading', { name: 'Terms of use' }).waitFor();
  await checkScreen(page, 'any');
  await press(page, 'I accept');
  await page.getByText('Welcome to Parley').waitFor();

  // On the way to a page that is not part of the chat, such as that of an application's consent.
  await db`update accounts set terms_url = null`;
  await page.goto(`${scene.origin}/sign-in/terms?returnTo=%2Fdocs%2Foauth`);
  await press(page, 'I accept');
  await page.waitForURL('**/docs/oauth');
});

test('if nobody may sign up, or only addresses of some domains, the page says so first', async () => {
  for (const [rules, said] of [
    [{ SIGN_UPS: 'closed' }, 'Nobody can create an account here'],
    [{ SIGN_UPS: 'domains:example.com', SMTP_URL: 'smtp://localhost:1' }, 'example.com'],
  ] as const) {
    await using scene = await startConsoleScene(rules);
    await using stranger = await scene.visit('/');
    await press(stranger.page, 'Create an account');
    await stranger.page.getByText(said).waitFor();
    await checkScreen(stranger.page, 'any');
  }
});
