import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import {
  createBot,
  createGroup,
  enterWithBob,
  introduce,
  listening,
  openChat,
  say,
  sayInGroup,
  shownTexts,
} from './chat-scene.ts';
import { openScreen, startWebScene, until } from './web-scene.ts';

const HOUR_MS = 3_600_000;

const scene = await startWebScene();
after(() => scene[Symbol.asyncDispose]());

test('a name and settings that are changed on one device are those of an open page on another', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const { page } = ada;
  await listening(page, () => page.goto('/settings/notifications'));
  const quiet = page.getByRole('switch', { name: 'Quiet hours' });
  await quiet.waitFor();
  assert.equal(await quiet.isChecked(), false);
  const quietHours = { from: '22:00', until: '07:00', timeZone: 'Europe/Berlin' };
  await ada.calls.patch('/api/chat/notifications', { quietHours });
  await page.getByRole('switch', { name: 'Quiet hours', checked: true }).waitFor();
  await ada.calls.patch('/api/auth/profile', { name: 'Zoe' });
  await page.getByRole('list', { name: 'Stories' }).getByText('Z', { exact: true }).waitFor();
  await openScreen(page, '/settings/invite');
  const none = page.getByRole('button', { name: 'Create a link' });
  await none.waitFor();
  const { path } = await ada.calls.post('/api/auth/invite-link', {});
  await page.getByText(String(path)).waitFor();
  await ada.calls.delete('/api/auth/invite-link');
  await none.waitFor();
});

test('muting that ends and a story that has ended are noticed while the page is open', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const bob = await scene.person('Bob');
  const { page } = ada;
  const { conversationId } = await introduce(bob.calls, ada.calls);
  await bob.calls.post('/api/chat/stories', { type: 'text', text: 'Only today' });
  await ada.calls.patch(`/api/chat/conversations/${conversationId}`, {
    isMuted: true,
    mutedForSeconds: 3600,
  });
  await say(bob.calls, ada.accountId, 'Unheard');
  await page.clock.install();
  await listening(page, () => page.goto('/'));
  await page.getByLabel('muted').waitFor();
  const story = page.getByRole('list', { name: 'Stories' }).getByText('Bob');
  await story.waitFor();
  assert.equal(await page.title(), 'Parley');
  // The server's clock stays where it is: the page is not to ask it.
  await page.route('**/api/**', (route) => route.abort());
  await page.clock.fastForward(2 * HOUR_MS);
  await page.getByLabel('muted').waitFor({ state: 'detached' });
  await until(page, "document.title === '(1) Parley'");
  await page.route('**/api/chat/stories', (route) => route.fulfill({ json: { data: [] } }));
  await page.clock.fastForward(HOUR_MS);
  await story.waitFor({ state: 'detached' });
});

for (const [what, days] of [
  ['ahead', 1],
  ['behind', -1],
] as const)
  test(`a device whose clock is a day ${what} shows when things happen and end by that of the server`, async () => {
    await using ada = await scene.enter('/', { name: 'Ada' });
    const bob = await scene.person('Bob');
    const { page } = ada;
    const { conversationId } = await introduce(bob.calls, ada.calls, 'Just now');
    await page.clock.install({ time: Date.now() + days * 24 * HOUR_MS });
    await openChat(page, conversationId);
    const log = page.getByRole('log');
    await log.getByText('Today', { exact: true }).waitFor();
    await ada.calls.patch(`/api/chat/conversations/${conversationId}`, {
      isMuted: true,
      mutedForSeconds: 3600,
    });
    await page.getByLabel('muted').waitFor();
    await page.context().setOffline(true);
    await page.getByRole('textbox', { name: 'Write a message' }).fill('And now?');
    await page.keyboard.press('Enter');
    await log.getByText('And now?').waitFor();
    assert.equal(await log.getByText(/Today|Yesterday|20\d\d/).count(), 1);
  });

test('who travels sees new messages at the time of the place', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const bob = await scene.person('Bob');
  const { page } = ada;
  const { conversationId } = await introduce(bob.calls, ada.calls);
  const browser = await page.context().newCDPSession(page);
  const shownTime = async (text: string) => {
    const message = page.getByRole('article').filter({ hasText: text });
    await message.waitFor();
    return message.locator('time').innerText();
  };
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
  await openChat(page, conversationId);
  await shownTime('Hello');
  await browser.send('Emulation.setTimezoneOverride', { timezoneId: 'America/New_York' });
  const { sentAt } = await say(bob.calls, ada.accountId, 'Welcome');
  const there = { timeStyle: 'short', timeZone: 'America/New_York' } as const;
  assert.equal(await shownTime('Welcome'), new Intl.DateTimeFormat('en-GB', there).format(Number(sentAt)));
});

test('who may pin in a group, and what its bots can do, is so at once in an open thread', async () => {
  await using ada = await scene.enter('/', { name: 'Ada' });
  const bob = await scene.person('Bob');
  const bot = await createBot(scene.origin);
  const { page } = ada;
  await introduce(ada.calls, bob.calls);
  await say(bob.calls, bot.userId, '/start');
  const groupId = await createGroup(bob.calls, 'Tea', ada.accountId);
  const sent = { groupId, type: 'text', content: 'At five' };
  const { msgId } = await bob.calls.post('/api/chat/groups/messages', sent);
  await bob.calls.put(`/api/chat/conversations/${groupId}/messages/${msgId}/pin`, {});
  await openChat(page, groupId);
  const unpin = page.getByRole('button', { name: 'Unpin this message' });
  await page.getByRole('region', { name: 'Pinned messages' }).waitFor();
  assert.equal(await unpin.count(), 0);
  const role = { groupId, memberId: ada.accountId };
  await bob.calls.patch('/api/chat/groups/members/role', { ...role, isAdmin: true });
  await unpin.waitFor();
  await bob.calls.patch('/api/chat/groups/members/role', { ...role, isAdmin: false });
  await unpin.waitFor({ state: 'detached' });
  await bob.calls.post('/api/chat/groups/members', { groupId, memberIds: [bot.userId] });
  await page.getByRole('log').getByText('Weather').waitFor();
  await page.getByRole('textbox', { name: 'Write a message' }).fill('/to');
  await page.getByRole('option', { name: /today/ }).waitFor();
});

test('who is removed from a group and added again sees what was written meanwhile', async () => {
  await using ada = await enterWithBob(scene);
  const { page, bob } = ada;
  const groupId = await createGroup(bob.calls, 'Tea', ada.accountId);
  const writes = (content: string) => sayInGroup(bob.calls, groupId, content);
  await writes('before');
  await openChat(page, groupId);
  const log = page.getByRole('log');
  await log.getByText('before').waitFor();
  await bob.calls.post('/api/chat/groups/members/remove', { groupId, memberId: ada.accountId });
  await page.getByText('You are no longer in Tea').waitFor();
  await writes('meanwhile');
  await bob.calls.post('/api/chat/groups/members', { groupId, memberIds: [ada.accountId] });
  await writes('after');
  for (const text of ['after', 'meanwhile', 'before']) await log.getByText(text, { exact: true }).waitFor();
  assert.deepEqual(await shownTexts(page), ['before', 'meanwhile', 'after']);
});
