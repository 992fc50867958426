import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Page } from 'playwright-core';
import type { OperatedProvider } from '#contract/operate/providers.ts';
import { findFreePort } from '#testing/free-port.ts';
import { COMPANY } from '#testing/openid-provider.ts';
import { eventually } from '#testing/waits.ts';
import { signInAtCompany, startCompanyProvider } from './company-provider.ts';
import { makeOperator, startConsoleScene } from './console-scene.ts';
import { checkScreen, press, signInByForm, startWebScene } from './web-scene.ts';

const made = new AsyncDisposableStack();
const company = made.use(await startCompanyProvider());
const scene = made.use(await startConsoleScene({ WEBHOOK_TRUSTED_HOSTS: 'localhost,127.0.0.1' }));
after(() => made.disposeAsync());

test('an operator adds a provider, and tries it', async () => {
  await using grace = await scene.enter('/', { name: 'Grace Hopper' });
  const { page } = grace;
  await makeOperator(scene, grace, page);
  await page.goto('/operate/providers');
  await page.getByText('No sign-in provider yet').waitFor();
  await checkScreen(page, 'any');
  await press(page, 'Add a provider');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('Company');
  await dialog.getByLabel('Issuer').fill(company.issuer);
  await dialog.getByLabel('Client ID').fill(company.client.clientId);
  await dialog.getByLabel('Client secret').first().fill(company.client.clientSecret);
  await checkScreen(page, 'any');
  await dialog.getByRole('button', { name: 'Add a provider' }).click();
  await page.getByRole('heading', { name: 'Company' }).waitFor();
  const [provider] = (await grace.calls.get<{ providers: OperatedProvider[] }>('/api/operate/providers'))
    .providers;
  assert.ok(provider);
  await company.serves(provider);
  await press(page, 'Try it');
  await page.getByText('It answers, and knows this server').waitFor();
  await checkScreen(page, 'any');
});

test('somebody new signs in there, is signed out there, and signs in again', async () => {
  await using visit = await scene.visit('/console?from=mail');
  const { page } = visit;
  await page.getByRole('button', { name: 'Continue with Company' }).waitFor();
  await checkScreen(page, 'any');
  await press(page, 'Continue with Company');
  await signInAtCompany(page, 'ada');
  await page.waitForURL(`${scene.origin}/console?from=mail`);
  await page.goto('/console/account');
  await page.getByText('your organisation made this account').waitFor();
  assert.equal(await page.getByLabel('Current password').count(), 0);
  await checkScreen(page, 'any');

  const other = await page.context().newPage();
  await other.goto(`${company.issuer}/session/end`);
  await other.getByRole('button', { name: /yes/i }).click();
  await other.getByText('Sign-out Success').waitFor();
  await page.goto('/console/account');
  await press(page, 'Continue with Company');
  await signInAtCompany(page, 'ada');
  await page.getByText('your organisation made this account').waitFor();
  const rows = await scene.db`select from accounts where email = 'ada@company.example'`;
  assert.equal(rows.length, 1);
});

test('a second Parley as the provider: an existing account is connected, and signed out from there', async () => {
  // Browsers share the cookies of a host among its ports.
  const port = await findFreePort();
  const issuer = `http://127.0.0.1:${port}`;
  const settings = { PORT: String(port), PUBLIC_URL: issuer, WEBHOOK_TRUSTED_HOSTS: 'localhost' };
  const other = made.use(await startWebScene(settings));
  const [owner, ada] = [await other.person('Owner'), await other.person('Ada')];
  const { appId = '', clientSecret = '' } = await owner.calls.post<Record<string, string>>(
    '/api/console/applications',
    { name: 'Parley' },
  );
  const application = `/api/console/applications/${appId}`;
  await owner.calls.post(`${application}/extensions`, { extension: 'openid' });
  const grace = await scene.person('Grace');
  await makeOperator(scene, grace);
  const { providerId, callbackUrl, logoutUrl } = await grace.calls.post<OperatedProvider>(
    '/api/operate/providers',
    {
      ...COMPANY,
      ...{ name: 'Other Parley', issuer, clientId: appId, clientSecret, createsAccounts: false },
    },
  );
  await owner.calls.post(`${application}/redirect-uris`, { redirectUri: callbackUrl });
  await owner.calls.put(`${application}/openid/backchannel-logout-uri`, { backchannelLogoutUri: logoutUrl });

  await using visit = await scene.enter('/console/account', { name: 'Ada' });
  const { page } = visit;
  await press(page, 'Connect with Other Parley');
  // The page before has fields of these names, too.
  const signInThere = async (there: Page) => {
    await there.waitForURL((url) => url.origin === issuer);
    await signInByForm(there, ada.email);
    await press(there, 'Approve');
  };
  await signInThere(page);
  await page.waitForURL(`${scene.origin}/console/account`);
  await page.getByRole('button', { name: 'Disconnect' }).waitFor();
  await checkScreen(page, 'any');

  await using fresh = await scene.visit('/console/account');
  await press(fresh.page, 'Continue with Other Parley');
  await signInThere(fresh.page);
  await fresh.page.getByRole('button', { name: 'Disconnect' }).waitFor();
  await fresh.page.goto(`${issuer}/oauth/logout`);
  await press(fresh.page, 'Sign out');
  const rows = () => scene.db`select from provider_sessions where provider_id = ${providerId}`;
  await eventually(async () => (await rows()).length === 0, 'the session there has ended here');
  await fresh.page.goto('/console/account');
  await fresh.page.getByRole('button', { name: 'Continue with Other Parley' }).waitFor();
});
