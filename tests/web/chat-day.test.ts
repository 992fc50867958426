import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { eventually } from '#testing/waits.ts';
import {
  allSent,
  attach,
  createBot,
  createGroup,
  introduce,
  marks,
  openChat,
  PIXEL,
  shownTexts,
  write,
} from './chat-scene.ts';
import { checkScreen, follow, press, startWebScene, until, VIEWS } from './web-scene.ts';

const scene = await startWebScene();
after(() => scene[Symbol.asyncDispose]());

test('two people and a bot: texts, quotes, pictures, polls, live on both sides', async () => {
  await using ada = await scene.enter('/', { name: 'Ada Lovelace' });
  await using bob = await scene.enter('/', { name: 'Bob Marley' });
  await ada.page.getByText('Welcome to Parley').waitFor();
  await checkScreen(ada.page);
  const { conversationId } = await introduce(ada.calls, bob.calls, 'Hello Ada, it is Bob.');

  // Without a reload, the conversation appears with its unread count.
  const entry = ada.page.getByRole('link', { name: /Bob Marley/ });
  await entry.getByText('1 unread message').waitFor();
  await bob.page.getByRole('link', { name: /Ada Lovelace/ }).waitFor();
  await entry.click();
  await ada.page.getByText('New messages').waitFor();
  await entry.getByText('unread').waitFor({ state: 'detached' });
  await openChat(bob.page, conversationId);

  await write(ada.page, 'How are you?');
  await bob.page.getByRole('article').getByText('How are you?').waitFor();
  const expected = ['Hello Ada, it is Bob.', 'How are you?'];
  assert.deepEqual(await shownTexts(ada.page), expected);
  assert.deepEqual(await shownTexts(bob.page), expected);

  // Quote a message, and jump to it.
  const asked = bob.page.getByRole('article').filter({ hasText: 'How are you?' });
  await asked.hover();
  await asked.getByRole('button', { name: 'Message actions' }).click();
  await bob.page.getByRole('menuitem', { name: 'Reply' }).click();
  await write(bob.page, 'Very well.');
  const answer = ada.page.getByRole('article').filter({ hasText: 'Very well.' });
  await marks(ada.page, 'How are you?', () => answer.getByRole('button', { name: /How are you/ }).click());

  // Files that are pasted, or dropped anywhere in the window, are previewed, with a warning if they are too large.
  for (const [way, file, said] of [
    ['paste', "['tea'], 'paste.txt', { type: 'text/plain' }", 'paste.txt'],
    [
      'drop',
      `[new Uint8Array([${[...PIXEL]}]), new Uint8Array(11e6)], 'sky.png', { type: 'image/png' }`,
      'sky.png',
    ],
  ] as const) {
    await bob.page.setViewportSize(VIEWS[said === 'sky.png' ? 2 : 0].viewport);
    await bob.page.evaluate(`{
      const data = new DataTransfer();
      data.items.add(new File(${file}));
      const options = { bubbles: true, cancelable: true, clipboardData: data, dataTransfer: data };
      const field = document.querySelector('textarea');
      field.dispatchEvent('${way}' === 'paste' ? new ClipboardEvent('paste', options) : new DragEvent('drop', options));
    }`);
    const dialog = bob.page.getByRole('dialog');
    await dialog.getByText(said).first().waitFor();
    const isTooLarge = (await dialog.getByRole('alert').getByText('10 MB').count()) > 0;
    assert.equal(isTooLarge, said === 'sky.png');
    assert.equal(await dialog.getByRole('button', { name: 'Send' }).isDisabled(), isTooLarge);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  }

  await bob.page.setViewportSize(VIEWS[0].viewport);

  // Pictures are uploaded as an album in the background: they survive a lost connection and a reload; one is cancelled.
  const uploads = '**/api/chat/media?*';
  await ada.page.route(uploads, (route) => route.abort());
  await ada.page.getByRole('button', { name: 'Attach' }).click();
  await ada.page.getByRole('menuitem', { name: 'Photo or video' }).waitFor();
  await checkScreen(ada.page, 'any');
  await ada.page.keyboard.press('Escape');
  const pictures = ['cat', 'dog', 'fish', 'bird'].map((animal) => ({
    name: `my ${animal}.png`,
    mimeType: 'image/png',
    buffer: PIXEL,
  }));
  await attach(ada.page, 'Photo or video', pictures);
  const sending = ada.page.getByRole('dialog', { name: 'Send 4 files' });
  await sending.getByRole('textbox', { name: 'Caption' }).fill('My cat');
  await checkScreen(ada.page, 'any');
  await sending.getByRole('button', { name: 'Remove my bird.png' }).click();
  await ada.page.getByRole('dialog', { name: 'Send 3 files' }).getByRole('button', { name: 'Send' }).click();
  await ada.page.getByRole('group', { name: 'Album of 3' }).waitFor();
  await write(ada.page, 'There are pictures coming.');
  await bob.page.getByRole('article').getByText('There are pictures coming.').waitFor();
  await checkScreen(ada.page, 'any');
  await ada.page.reload();
  await ada.page.getByRole('button', { name: 'Do not send my fish.png' }).click();
  await ada.page.getByRole('group', { name: 'Album of 2' }).waitFor();
  await ada.page.unroute(uploads);
  await allSent(ada.page);
  await bob.page.setViewportSize(VIEWS[2].viewport);
  await bob.page.getByRole('group', { name: 'Album of 2' }).waitFor();
  await checkScreen(bob.page, 'any');
  await bob.page.setViewportSize(VIEWS[0].viewport);
  const picture = bob.page.getByRole('button', { name: 'Enlarge the picture: My cat' });
  await picture.click();
  await bob.page.getByRole('dialog').filter({ hasText: 'My cat' }).waitFor();
  await checkScreen(bob.page, 'any');
  // In the viewer: from picture to picture by key and by button, zoom, download.
  await bob.page.keyboard.press('ArrowRight');
  const second = bob.page.getByRole('dialog').filter({ hasNotText: 'My cat' });
  await second.waitFor();
  const zoomOut = second.getByRole('button', { name: 'Zoom out' });
  await second.getByRole('button', { name: 'Zoom in' }).click();
  await zoomOut.click();
  await second.locator('.yarl__container').hover();
  await bob.page.mouse.wheel(0, -400);
  await bob.page.locator('button[aria-label="Zoom out"]:not([disabled])').waitFor();
  for (let i = 0; i < 5 && (await zoomOut.isEnabled()); i++) await zoomOut.click();
  const downloading = bob.page.waitForEvent('download');
  await second.getByRole('link', { name: 'Download' }).click();
  assert.equal((await downloading).suggestedFilename(), 'my dog.png');
  await second.getByRole('button', { name: 'Previous picture' }).click();
  const first = bob.page.getByRole('dialog').filter({ hasText: 'My cat' });
  await first.waitFor();
  await bob.page.setViewportSize(VIEWS[2].viewport);
  // Swipe to the next one and back; pinch to zoom.
  const touch = await bob.page.context().newCDPSession(bob.page);
  await touch.send('Emulation.setTouchEmulationEnabled', { enabled: true, maxTouchPoints: 2 });
  const fingers = async (...places: number[][]) => {
    for (const [step, xs] of places.entries())
      await touch.send('Input.dispatchTouchEvent', {
        type: step === 0 ? 'touchStart' : 'touchMove',
        touchPoints: xs.map((x, id) => ({ x, y: 400, id })),
      });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  };
  await fingers([330], [300], [240], [160], [80], [20]);
  await second.waitFor();
  await fingers([40], [80], [140], [220], [300], [370]);
  await first.waitFor();
  // A picture in motion ignores gestures: the pinch is repeated.
  const enlarged = bob.page.locator('button[aria-label="Zoom out"]:not([disabled])');
  await eventually(async () => {
    await fingers([190, 200], [170, 220], [120, 270], [60, 330]);
    await bob.page.waitForTimeout(200);
    return enlarged.isVisible();
  });
  await checkScreen(bob.page, 'any');
  // "Back" closes the picture, not the conversation.
  await bob.page.goBack();
  await bob.page.getByRole('dialog').waitFor({ state: 'detached' });
  // Touch devices offer the camera.
  await bob.page.reload();
  await bob.page.getByRole('button', { name: 'Attach' }).click();
  await bob.page.getByRole('menuitem', { name: 'Camera' }).waitFor();
  await checkScreen(bob.page, 'any');
  const taking = bob.page.waitForEvent('filechooser');
  await bob.page.getByRole('menuitem', { name: 'Camera' }).click();
  const taken = (await taking).element();
  assert.deepEqual(
    [await taken.getAttribute('capture'), await taken.getAttribute('accept')],
    ['environment', 'image/*'],
  );
  await touch.send('Emulation.setTouchEmulationEnabled', { enabled: false });
  await bob.page.keyboard.press('Escape');
  await bob.page.setViewportSize(VIEWS[0].viewport);
  // One picture of an album gets a reaction and is deleted, without the others.
  const one = (page: typeof ada.page) =>
    page
      .getByRole('group', { name: 'Album of 2' })
      .getByRole('button', { name: 'Enlarge the picture: Photo' });
  await one(bob.page).click({ button: 'right' });
  await bob.page.getByRole('menuitem', { name: 'React with 👍' }).click();
  await ada.page
    .getByRole('group', { name: 'Album of 2' })
    .getByRole('button', { name: '👍 1: Bob Marley' })
    .waitFor();
  await checkScreen(ada.page, 'any');
  await one(ada.page).click({ button: 'right' });
  await ada.page.getByRole('menuitem', { name: 'Delete' }).click();
  await press(ada.page.getByRole('dialog', { name: 'Delete this message?' }), 'Delete for everybody');
  await one(bob.page).waitFor({ state: 'detached' });
  await picture.waitFor();
  await bob.page.getByText('This message was deleted').waitFor();

  // A poll, with live results on both sides.
  await ada.calls.post('/api/chat/polls', {
    receiverId: bob.accountId,
    question: 'Tea or coffee?',
    options: ['Tea', 'Coffee'],
  });
  const option = (page: typeof ada.page, name: RegExp) => page.getByRole('button', { name });
  await option(bob.page, /^Tea/).click();
  await ada.page.getByText('1 person voted').waitFor();
  await option(ada.page, /^Coffee/).click();
  await bob.page.getByText('2 people voted').waitFor();
  await bob.page.getByText(' · 50%').first().waitFor();
  await option(bob.page, /^Coffee/).click();
  await ada.page.getByRole('button', { name: 'Who voted what' }).click();
  await ada.page.getByRole('dialog').getByText('Bob Marley').waitFor();
  await checkScreen(ada.page);
  await ada.page.keyboard.press('Escape');
  await ada.page.getByRole('button', { name: 'Close the poll' }).click();
  await ada.page.getByRole('dialog').getByRole('button', { name: 'Close the poll' }).click();
  await bob.page.getByText('Closed').waitFor();
  assert.ok(await option(bob.page, /^Tea/).isDisabled());

  // A location, typed.
  await bob.page.getByRole('button', { name: 'Attach' }).click();
  await bob.page.getByRole('menuitem', { name: 'Place' }).click();
  await bob.page.getByRole('textbox', { name: 'Latitude' }).fill('48.8584');
  await bob.page.getByRole('textbox', { name: 'Longitude' }).fill('2.2945');
  await bob.page.getByRole('textbox', { name: 'Name' }).fill('Eiffel Tower');
  await bob.page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
  const place = ada.page.getByRole('article').getByRole('link', { name: /Eiffel Tower/ });
  assert.match((await place.getAttribute('href')) ?? '', /^https:\/\/www\.openstreetmap\.org\//);
  await checkScreen(ada.page);

  // The draft is restored, on another device, too; sent there, it is removed here.
  const field = (page: typeof ada.page) => page.getByRole('textbox', { name: 'Write a message' });
  await field(ada.page).fill('Tomorrow we');
  await ada.page.goto('/');
  await ada.page.getByText('Draft: Tomorrow we').waitFor();
  await using pocket = await scene.enter('/', { as: ada });
  await pocket.page.setViewportSize(VIEWS[2].viewport);
  await pocket.page.getByText('Draft: Tomorrow we').waitFor();
  await openChat(pocket.page, conversationId);
  assert.equal(await field(pocket.page).inputValue(), 'Tomorrow we');
  await field(pocket.page).fill('Tomorrow we meet');
  await openChat(ada.page, conversationId);
  await until(ada.page, "document.querySelector('textarea').value === 'Tomorrow we meet'");
  await pocket.page.keyboard.press('Enter');
  await until(ada.page, "document.querySelector('textarea').value === ''");

  assert.deepEqual(refusals(ada.complaints, bob.complaints), []);
});

test('a bot: found by its name, its commands by keyboard and by click, blocked and unblocked', async () => {
  await using ada = await scene.enter('/new/bot', { name: 'Ada Lovelace' });
  const { page } = ada;
  const bot = await createBot(scene.origin);
  // The built-in bot is suggested.
  await page.getByRole('link', { name: 'Write to it' }).waitFor();
  await page.getByRole('textbox', { name: 'Name or username' }).fill('nobody_bot');
  await page.keyboard.press('Enter');
  await page.getByText('There is no bot called nobody_bot.').waitFor();
  await page.getByRole('textbox', { name: 'Name or username' }).fill('@Weather_bot');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: 'Write to it' }).click();
  await page.getByText('A bot can answer only once you have written to it.').waitFor();
  await checkScreen(page);
  // A draft before the first message is on all devices, as long as it is in the field.
  const typing = page.getByRole('textbox', { name: 'Write a message' });
  await typing.fill('Good day');
  const entry = page
    .getByRole('navigation', { name: 'Conversations' })
    .getByRole('link', { name: /Weather/ });
  const begun = entry.getByText('Draft: Good day');
  const open = page.url();
  await follow(page, '/');
  await begun.waitFor();
  await until(page, "!JSON.stringify(localStorage).includes('isUnsaved')");
  await page.evaluate('localStorage.clear()');
  await page.reload();
  await begun.click();
  await typing.fill('');
  await begun.waitFor({ state: 'detached' });
  await follow(page, '/');
  await entry.waitFor({ state: 'detached' });
  await page.goto(open);
  await write(page, 'Hello');
  await page.getByRole('article').getByText('Hello').waitFor();
  await allSent(page);
  const advice = 'Ask me for /tomorrow: 5 /month, in /etc, or </b>';
  await bot.writes(ada.accountId, advice);
  await page.getByRole('button', { name: '/tomorrow' }).waitFor();
  const commandsShown = page.getByRole('article').getByRole('button', { name: /^\// });
  for (const { viewport } of [VIEWS[2], VIEWS[0]]) {
    await page.setViewportSize(viewport);
    assert.deepEqual(await commandsShown.allInnerTexts(), ['/tomorrow']);
  }
  await commandsShown.click();

  const field = page.getByRole('textbox', { name: 'Write a message' });
  await field.fill('/to');
  await page.getByRole('option', { name: /today/ }).waitFor();
  await checkScreen(page);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Tab');
  assert.equal(await field.inputValue(), '/tomorrow ');
  await field.fill('/to');
  await page.getByRole('option', { name: /today/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('article').getByText('/today').waitFor();
  assert.deepEqual(await shownTexts(page), ['Hello', advice, '/tomorrow', '/today']);

  // Once it is sent, the list does not show a draft either.
  await field.fill('And on Sunday?');
  await follow(page, '/');
  await entry.getByText('Draft: And on Sunday?').click();
  await field.press('Enter');
  await page.getByRole('article').getByText('And on Sunday?').waitFor();
  await entry.getByText('Draft:').waitFor({ state: 'detached' });

  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByText('Tells the weather.').waitFor();
  await checkScreen(page);
  await page.getByRole('button', { name: 'Block' }).click();
  await press(page.getByRole('dialog', { name: 'Block this account?' }), 'Block');
  await page.getByText('You blocked this account.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('complementary', { name: 'Details' }).waitFor({ state: 'detached' });
  await checkScreen(page);
  await page.getByRole('button', { name: 'Unblock' }).click();
  await field.waitFor();

  // A bot's texts are formatted, unless its developer wants plain text.
  await bot.writes(ada.accountId, '**Warm** and *dry*');
  await page.locator('article strong').getByText('Warm').waitFor();
  await entry.getByText('Warm and dry').waitFor();
  await bot.changes({ plainText: true });
  await page.getByRole('article').getByText('**Warm** and *dry*').waitFor();
  await entry.getByText('**Warm** and *dry*').waitFor();

  // The list of suggestions scrolls with the keyboard.
  const commands = Array.from({ length: 30 }, (_, i) => ({ command: `c${i}`, description: 'One of many' }));
  await bot.changes({ commands });
  await page.reload();
  await field.fill('/c');
  await page.getByRole('option', { name: '/c0' }).waitFor();
  await page.keyboard.press('ArrowUp');
  await until(
    page,
    `(() => {
      const list = document.querySelector('[role=listbox]').getBoundingClientRect();
      const chosen = document.querySelector('[role=option][aria-selected=true]');
      const { top, bottom } = chosen.getBoundingClientRect();
      return chosen.textContent.startsWith('/c29') && top >= list.top && bottom <= list.bottom;
    })()`,
  );
  await field.fill('');

  // Too long for one message: a warning, and no sending.
  await field.fill('ä'.repeat(4097));
  await page.getByText('1 character too many').waitFor();
  assert.ok(await page.getByRole('button', { name: 'Send', exact: true }).isDisabled());
  await field.fill('');

  // Tools post into a group at a URL that its administrator creates and sees once.
  const groupId = await createGroup(ada.calls, 'On call', bot.userId);
  await openChat(page, groupId);
  await page.getByRole('link', { name: 'Details' }).click();
  await page.getByRole('button', { name: 'Leave the group' }).waitFor();
  assert.equal(await page.getByRole('heading', { name: 'Incoming webhooks' }).count(), 0);
  await bot.extendedBy('incoming_webhooks');
  await page.reload();
  await page.getByRole('button', { name: 'New address' }).click();
  const form = page.getByRole('dialog', { name: 'New address' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Alertmanager');
  await checkScreen(page);
  const refusal = { status: 503, body: '' };
  await page.route('**/incoming-webhooks', (route) => route.fulfill(refusal), { times: 1 });
  await form.getByRole('button', { name: 'New address' }).click();
  await page.getByRole('alert').filter({ hasText: 'cannot be reached' }).waitFor();
  assert.equal(await form.getByRole('textbox', { name: 'Name' }).inputValue(), 'Alertmanager');
  await form.getByRole('button', { name: 'New address' }).click();
  const takeAddress = async () => {
    const shown = page.getByRole('dialog', { name: 'Address of “Alertmanager”' });
    const address = await shown.locator('code').innerText();
    await checkScreen(page);
    await shown.getByRole('button', { name: 'I have saved it' }).click();
    return address;
  };
  const post = async (address: string) =>
    (await fetch(address, { method: 'POST', body: '{"text":"Disk full"}' })).status;
  const first = await takeAddress();
  const webhook = page.getByRole('listitem', { name: 'Alertmanager' });
  await webhook.getByText('never used').waitFor();
  await checkScreen(page);
  assert.equal(await post(first), 200);
  await page.getByRole('article').getByText('Disk full').waitFor();
  const answer = async (question: string, button: string) => {
    await webhook.getByRole('button', { name: button }).click();
    await page.getByRole('dialog', { name: question }).getByRole('button', { name: button }).click();
  };
  await answer('Renew the address of “Alertmanager”?', 'Renew');
  const second = await takeAddress();
  await webhook.getByText('last used').waitFor();
  assert.deepEqual([await post(first), await post(second)], [404, 200]);
  await answer('Revoke “Alertmanager”?', 'Revoke');
  await webhook.waitFor({ state: 'detached' });
  assert.equal(await post(second), 404);
});

/** Violations of the content security policy. */
function refusals(...complaints: string[][]): string[] {
  return complaints.flat().filter((one) => /Content Security Policy|Refused to/.test(one));
}
