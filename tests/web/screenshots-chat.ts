import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openWindow } from '../chromium.ts';
import { paintHills } from './chat-people.ts';
import { populate } from './chat-population.ts';
import { checkScreen, photograph, startWebScene } from './web-scene.ts';

/* Every screen of the chat, in all views; `screenshots.ts` takes the arguments. */
const [folder = join(tmpdir(), 'parley-screenshots'), type = 'jpeg', ...wanted] = process.argv.slice(2);
const directory = join(folder, 'chat');
await mkdir(directory, { recursive: true });

await using scene = await startWebScene();
const { origin } = scene;
await using ada = await scene.enter('/');
await using bob = await scene.enter('/', { name: 'Bob Kahn' });
await using eve = await scene.enter('/', { name: 'Evelyn Boyd Granville' });
await using german = await scene.enter('/', { name: 'Grete Hermann', locale: 'de-DE' });
await using stranger = await openWindow(scene.chromium, { baseURL: origin });
const { page } = ada;

await shoot('first-visit', '/');
const { groupId, privateId, broadcastId, mediaId, wideId, germanId, inviteToken } = await populate({
  scene,
  ada,
  bob,
  eve,
  german,
});

await shoot('conversations', '/');
await shoot('new-menu', '/', () => page.getByRole('button', { name: 'New chat' }).click());
await shoot('account-menu', '/', () => page.getByRole('button', { name: 'Menu' }).click());
await shoot('entry-menu', '/', () =>
  page
    .getByRole('button', { name: /^Actions for the conversation/ })
    .first()
    .click({ force: true }),
);
await shoot('member-menu', `/c/${groupId}/info`, () =>
  page.getByRole('button', { name: 'Actions for Bob Kahn' }).click(),
);
await shoot('private', `/c/${privateId}`);
await shoot('group', `/c/${groupId}`);
await shoot('group-details', `/c/${groupId}/info`);
await shoot('broadcast-details', `/c/${broadcastId}/info`);
await shoot('person-details', `/c/${privateId}/info`);
for (const shared of ['media', 'files', 'links'])
  await shoot(`shared-${shared}`, `/c/${mediaId}/info/${shared}`);
await shoot('media', `/c/${mediaId}`);
await shoot('viewer', `/c/${mediaId}`, () =>
  page
    .getByRole('button', { name: /^Enlarge the picture/ })
    .first()
    .click(),
);
await shoot('message-menu', `/c/${mediaId}`, () => openMenu());
await shoot('reactions-who', `/c/${mediaId}`, () => choose('Who reacted'));
await shoot('edit', `/c/${mediaId}`, () => choose('Edit'));
await shoot('delete', `/c/${mediaId}`, () => choose('Delete'));
await shoot('select', `/c/${mediaId}`, () => choose('Select'));
await shoot('emoji', `/c/${mediaId}`, async () => {
  await page.getByRole('button', { name: 'Emoji', exact: true }).click();
  await page.getByRole('dialog', { name: 'Emoji' }).getByRole('heading').first().waitFor();
});
await shoot('report', `/c/${mediaId}/info`, () => page.getByRole('button', { name: 'Report' }).click());
await shoot('forward', `/c/${mediaId}`, () => choose('Forward'));
await shoot('formatting', `/c/${mediaId}`, () => press('Formatting'));
await shoot('commands', `/c/${groupId}`, () => draft('/'));
await shoot('mentions', `/c/${groupId}`, () => draft('@'));
await shoot('send-files', `/c/${mediaId}`, async () => {
  const choosing = page.waitForEvent('filechooser');
  await attach('Document');
  const picture = { name: 'hills.jpg', mimeType: 'image/jpeg', buffer: await paintHills(scene) };
  const tooLarge = {
    name: 'all of last summer.mov',
    mimeType: 'video/quicktime',
    buffer: Buffer.alloc(45e6),
  };
  const paper = { name: 'a list of what we need.txt', mimeType: 'text/plain', buffer: Buffer.from('Tea') };
  await (await choosing).setFiles([picture, paper, tooLarge]);
});
await shoot('send-link', `/c/${mediaId}`, () => attach('From a link'));
await shoot('send-place', `/c/${mediaId}`, () => attach('Place'));
await shoot('voice-refused', `/c/${mediaId}`, () => press('Record a voice message'));
await shoot('voters', `/c/${groupId}`, () => press('Who voted what'));
await shoot('add-members', `/c/${groupId}/info`, () => press('Add members'));
await shoot('new-webhook', `/c/${groupId}/info`, () => press('New address'));
await shoot('edit-group', `/c/${groupId}/info`, () => press('Change name and photo'));
await shoot('leave-group', `/c/${groupId}/info`, () => press('Leave the group'));
await shoot('remove-member', `/c/${groupId}/info`, async () => {
  await press('Actions for Bob Kahn');
  await page.getByRole('menuitem', { name: 'Remove member' }).click();
});
await shoot('long-names', `/c/${wideId}`);
await shoot('long-names-list', '/');
await shoot('long-names-details', `/c/${wideId}/info`);
await shoot('shortcuts', `/c/${groupId}`, () =>
  page.getByRole('region', { name: 'Messages' }).press('Control+/'),
);
await shoot('offline', `/c/${groupId}`, async () => {
  await page.context().setOffline(true);
  await page
    .getByText(/No connection|Connecting/)
    .first()
    .waitFor();
});
await page.context().setOffline(false);
await shoot('unsent', `/c/${privateId}`, async () => {
  await page.route('**/api/chat/messages', (route) => route.abort());
  await draft('Is anybody there?');
  await page.keyboard.press('Enter');
});
await page.unrouteAll();
await page.route('**/api/chat/messages', (route) =>
  route.fulfill({ status: 403, json: { code: 'permission-denied', message: 'This person blocked you' } }),
);
await shoot('refused', `/c/${privateId}`, async () => {
  await draft('Hello?');
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByRole('alert').first().waitFor();
});
await page.unrouteAll();
await page.route('**/api/chat/conversations?*', (route) => route.fulfill({ status: 500, body: '' }));
await page.route('**/api/chat/conversations', (route) => route.fulfill({ status: 500, body: '' }));
await shoot('list-fault', '/', () => page.getByRole('button', { name: 'Try again' }).first().waitFor());
await page.unrouteAll();
await page.route('**/api/chat/search*', (route) => route.fulfill({ status: 500, body: '' }));
await shoot('search-fault', '/search?words=the', () =>
  page.getByRole('button', { name: 'Try again' }).first().waitFor(),
);
await page.unrouteAll();
await page.route('**/messages?*', (route) => route.fulfill({ status: 500, body: '' }));
await page.route('**/messages', (route) => route.fulfill({ status: 500, body: '' }));
await shoot('thread-fault', `/c/${groupId}`, () =>
  page.getByRole('button', { name: 'Try again' }).first().waitFor(),
);
await page.unrouteAll();
await shoot('find-bot', '/new/bot?username=weather_bot');
await shoot('empty-thread', `/new/bot?username=tides_bot`, () =>
  page.getByRole('link', { name: 'Write to it' }).click(),
);
await shoot('folder-empty', '/', () => press('Bots').then(() => press('Unread')));
await shoot('filter-nothing', '/', () =>
  page.getByRole('searchbox', { name: 'Search' }).fill('nobody of that name'),
);
await shoot('new-group', '/new/group');
await shoot('new-broadcast', '/new/broadcast');
await shoot('new-poll', `/c/${groupId}`, async () => {
  await page.getByRole('button', { name: 'Attach' }).click();
  await page.getByRole('menuitem', { name: 'Poll' }).click();
  await page.getByLabel('Question').fill('Where do we meet?');
});
await shoot('search', '/search?words=the');
await shoot('search-nothing', `/search?in=${groupId}&words=nowhere`);
await shoot('story', `/stories/${bob.accountId}`);
await shoot('own-story', `/stories/${ada.accountId}`);
await shoot('new-story', '/stories/new');
await shoot('settings', '/settings');
for (const name of [
  'account',
  'invite',
  'notifications',
  'privacy',
  'media',
  'appearance',
  'applications',
  'blocked',
]) {
  await shoot(`settings-${name}`, `/settings/${name}`);
}
{
  await using installed = await scene.enter('/settings/notifications', { as: ada, isInstalled: true });
  await installed.page.context().grantPermissions(['notifications']);
  await shoot(
    'settings-notifications-on',
    '/settings/notifications',
    async () => {
      await installed.page.getByRole('switch', { name: 'Quiet hours' }).check();
    },
    installed.page,
  );
}
await shoot('application', '/settings/applications', async () => {
  await page.getByRole('button', { name: /Travel Album/ }).click();
});
await shoot('invitation', `/i/${inviteToken}`);
await shoot('invitation-gone', `/i/${'x'.repeat(24)}`);
await shoot('missing', '/c/grp_nothing');
await shoot('german', `/c/${groupId}`, undefined, german.page);
await shoot('german-details', `/c/${groupId}/info`, undefined, german.page);
await shoot('german-person', `/c/${germanId}/info`, undefined, german.page);
await shoot('german-message-menu', `/c/${germanId}`, () => openMenu(german.page, 'Sehr gern'), german.page);
await shoot(
  'german-attach',
  `/c/${germanId}`,
  () => german.page.getByRole('button', { name: 'Anhängen' }).click(),
  german.page,
);
for (const path of [
  'search?words=nirgends',
  'new/bot',
  'new/group',
  'new/broadcast',
  'stories/new',
  ...['', '/account', '/notifications', '/privacy', '/media', '/appearance', '/applications', '/blocked'].map(
    (name) => `settings${name}`,
  ),
  'c/grp_nichts',
])
  await shoot(`german-${path.replace(/\W.*?(\w+).*/, '-$1')}`, `/${path}`, undefined, german.page);
await shoot('sign-in', '/', undefined, stranger.page);
await shoot('invited', `/i/${inviteToken}`, undefined, stranger.page);
{
  await using gated = await startWebScene({ SIGN_UPS: 'invitation' });
  await using outsider = await openWindow(gated.chromium, {
    baseURL: gated.origin,
  });
  await shoot(
    'sign-up-gate',
    '/',
    () => outsider.page.getByRole('button', { name: 'Create an account' }).first().click(),
    outsider.page,
  );
}

/** Opens the menu of a message of `/c/${mediaId}`. */
async function openMenu(window = page, text = 'See you there'): Promise<void> {
  await window.getByRole('log').getByText(text).click({ button: 'right' });
}

async function choose(item: string): Promise<void> {
  await openMenu();
  await page.getByRole('menuitem', { name: item }).click();
}

function press(name: string): Promise<void> {
  return page.getByRole('button', { name, exact: true }).first().click();
}

async function attach(item: string): Promise<void> {
  await press('Attach');
  await page.getByRole('menuitem', { name: item }).click();
}

function draft(text: string): Promise<void> {
  return page.getByRole('textbox', { name: 'Write a message' }).fill(text);
}

/** Opens a screen, waits for it, checks it and takes its screenshots. */
async function shoot(
  name: string,
  path: string,
  prepare: () => Promise<void> = async () => {},
  window: Page = page,
): Promise<void> {
  if (wanted.length > 0 && !wanted.includes(name)) return;
  try {
    await window.goto(path);
    await window.locator('h1, h2').first().waitFor();
    await window.locator('[aria-busy=true], .mantine-Loader-root').first().waitFor({ state: 'detached' });
    await prepare();
    await window.waitForTimeout(400);
    await photograph(window, directory, name, type as 'jpeg' | 'png', (view) =>
      checkScreen(window, 'any').catch((fault) => report(`${name}, ${view}`, fault)),
    );
  } catch (fault) {
    report(name, fault);
  }
  console.log(name);
}

/** Reports a fault; the remaining screens are still checked. */
function report(where: string, fault: unknown): void {
  process.exitCode = 1;
  console.error(`${where}: ${fault instanceof Error ? fault.message : fault}`);
}
