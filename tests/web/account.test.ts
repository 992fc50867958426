import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, test } from 'node:test';
import { TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { eventually } from '#testing/waits.ts';
import { ageSignIn, startConsoleScene } from './console-scene.ts';
import { checkEveryView, checkScreen, PASSWORD, press, signInByForm, told, until } from './web-scene.ts';

const scene = await startConsoleScene();
after(() => scene[Symbol.asyncDispose]());

async function signOut(page: Page): Promise<void> {
  await press(page, 'Account');
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
}

/** A code is accepted only once: uses the next step's when the current one was used. */
function codeOf(secret: string, stepsAhead = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + stepsAhead * 30_000 });
}

test('two-factor sign-in: enabled with a code, required at sign-in, replaced by a recovery code', async () => {
  await using owner = await scene.enter('/console');
  const { page, email } = owner;
  await press(page, 'Account');
  await page.getByRole('menuitem', { name: 'Account' }).click();
  await press(page, 'Turn on');
  const dialog = page.getByRole('dialog', { name: 'Two-factor sign-in' });
  await dialog.waitFor();
  await page.goBack();
  await dialog.waitFor({ state: 'detached' });
  await press(page, 'Turn on');
  const secret = await dialog.locator('code').innerText();
  await checkScreen(page, 'any');
  await dialog.getByLabel('Code shown by the app').fill('000000');
  await press(dialog, 'Turn on');
  await page.getByRole('alert').first().waitFor();
  await dialog.getByLabel('Code shown by the app').fill(codeOf(secret));
  await press(dialog, 'Turn on');
  const shown = page.getByRole('dialog', { name: 'Your recovery codes' });
  const recoveryCode = await shown.locator('code').first().innerText();
  await checkScreen(page, 'any');
  await page.goBack();
  await press(page.getByRole('dialog', { name: 'Leave without the codes?' }), 'Stay here');
  await press(shown, 'I have saved them');
  await page.getByText('10 recovery codes left').waitFor();

  await signOut(page);
  await signInByForm(page, email);
  await page.getByRole('heading', { name: 'One more step' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Create an account' }).count(), 0);
  await checkScreen(page, 'any');
  await page.getByLabel('Code').fill(codeOf(secret, 1));
  await press(page, 'Sign in');
  await page.getByText('10 recovery codes left').waitFor();
  await signOut(page);
  await signInByForm(page, email);
  await page.getByLabel('Code').fill(recoveryCode);
  await press(page, 'Sign in');
  await page.getByText('9 recovery codes left').waitFor();
  await press(page, 'Turn off');
  await press(page.getByRole('dialog'), 'Turn off');
  await told(page, 'Two-factor sign-in is off');
});

test('passkeys: added, renamed, used to sign in and to confirm, removed', async () => {
  await using owner = await scene.enter('/console/account');
  const { page, accountId } = owner;
  const debuggers = await page.context().newCDPSession(page);
  await debuggers.send('WebAuthn.enable');
  const { authenticatorId } = await debuggers.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/auth/profile', (route) => held.promise.then(() => route.continue()));
  await page.reload();
  await page.locator('[aria-busy=true]').first().waitFor();
  const add = page.locator('button', { hasText: 'Add a passkey' });
  await add.waitFor({ state: 'attached' });
  assert.equal(await add.isVisible(), false, 'it would move');
  held.resolve();
  await press(page, 'Add a passkey');
  await page.getByLabel('Name of the passkey').fill('Laptop');
  await press(page.getByRole('dialog'), 'Next');
  await told(page, 'Passkey added');
  await press(page, 'Rename the passkey Laptop');
  await page.getByLabel('Name of the passkey').fill('Work laptop');
  await press(page.getByRole('dialog'), 'Save');
  await told(page, 'Passkey renamed');
  await checkScreen(page, 'any');

  await signOut(page);
  await debuggers.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false });
  await press(page, 'Use a passkey');
  await page.getByRole('alert').filter({ hasText: 'The passkey was not used' }).waitFor();
  await debuggers.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: true });
  await press(page, 'Use a passkey');
  await page.getByText('Work laptop').waitFor();
  await ageSignIn(scene.db, accountId);
  await press(page, 'Remove the passkey Work laptop');
  await press(page.getByRole('dialog', { name: 'Is it you?' }), 'Use a passkey');
  await told(page, 'Passkey removed');
  await page.getByText('No passkeys yet').waitFor();
});

test('the password is changed, other sessions end, the data is downloaded, the account deleted', async () => {
  await using owner = await scene.enter('/console/account');
  const { page, email, calls } = owner;
  const sessions = page.locator('section').filter({ hasText: 'Where you are signed in' });
  await sessions.getByRole('button', { name: 'End', exact: true }).click();
  await told(page, 'Session ended');
  await assert.rejects(calls.get('/api/auth/session'), /401/);

  const newPassword = 'another horse battery';
  await page.getByLabel('Current password').fill('wrong');
  await page.getByLabel('New password').fill(newPassword);
  await press(page, 'Change the password');
  await told(page, 'password is wrong');
  await page.getByLabel('Current password').fill(PASSWORD);
  await page.getByLabel('New password').fill(newPassword);
  await press(page, 'Change the password');
  await told(page, 'Password changed');

  // One button for the profile, there only after a change.
  const save = page.getByRole('button', { name: 'Save', exact: true });
  assert.equal(await save.count(), 0);
  const [name, username, address] = ['Name', 'Username', 'E-mail address'].map((label) =>
    page.getByRole('textbox', { name: label, exact: true }),
  );
  assert.ok(name && username && address);
  const widths = [name, username, address].map(async (field) => (await field.boundingBox())?.width);
  assert.equal(new Set(await Promise.all(widths)).size, 1);
  await name.fill('Ada Count');
  await press(page, 'Cancel');
  await save.waitFor({ state: 'detached' });
  assert.equal(await name.inputValue(), owner.name);
  // The server refuses the username: nothing is saved, and what was typed stays.
  await name.fill('Ada King');
  await username.fill('ada');
  await save.click();
  await page.getByRole('alert').first().waitFor();
  assert.equal(await username.inputValue(), 'ada');
  const newUsername = `ada_${crypto.randomUUID().slice(0, 8)}`;
  await username.fill(`@${newUsername}`);
  await address.fill(`new-${email}`);
  await checkScreen(page, 'any');
  await save.click();
  await told(page, 'Saved');
  await save.waitFor({ state: 'detached' });
  await eventually(async () => (await username.inputValue()) === newUsername);
  assert.deepEqual([await name.inputValue(), await address.inputValue()], ['Ada King', `new-${email}`]);
  const dialog = page.getByRole('dialog');
  await press(page, 'Delete the account');
  await dialog.getByLabel(`new-${email}`).waitFor();
  await press(dialog, 'Cancel');
  await address.fill(email);
  await save.click();
  await save.waitFor({ state: 'detached' });

  // The button has the focus again after it was busy. Safari reads the file after the click: its URL is not revoked at once.
  await page.evaluate('revoked = []; URL.revokeObjectURL = (url) => revoked.push(url)');
  const exporting = page.getByRole('button', { name: 'Download my data' });
  const held = Promise.withResolvers<void>();
  await page.route('**/api/auth/export', (route) => held.promise.then(() => route.continue()));
  await exporting.press('Enter');
  await until(page, 'document.activeElement === document.body');
  const [file] = await Promise.all([page.waitForEvent('download'), held.resolve()]);
  await exporting.and(page.locator(':focus')).waitFor();
  assert.deepEqual(await page.evaluate('revoked'), []);
  assert.match(await readFile(await file.path(), 'utf8'), /"Ada King"/);

  await press(page, 'Delete the account');
  await dialog.getByRole('textbox').fill(email);
  await press(dialog, 'Delete the account');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  await signInByForm(page, email, newPassword);
  await page.locator('form').getByRole('alert').waitFor();

  // Reset the password on a server without mail, and with an invalid link.
  await press(page, 'Forgot your password?');
  await checkEveryView(page);
  await page.getByLabel('E-mail address').fill(email);
  await press(page, 'Send the mail');
  await page.getByText('This server sends no mail').waitFor();
  await page.goto('/reset#1.none');
  await page.getByLabel('New password').fill(newPassword);
  await press(page, 'Set the password');
  await page.getByText('The link has expired').waitFor();
  await checkEveryView(page);
  await press(page, 'Back to sign-in');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});
