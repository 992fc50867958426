import { test } from 'node:test';
import { damage } from '#testing/damage.ts';
import { introduce, openChat } from './chat-scene.ts';
import { createApplication, startConsoleScene } from './console-scene.ts';
import { checkScreen } from './web-scene.ts';

const BODY = { table: 'messages', column: 'body' };

test('unreadable content is shown as such in the chat, in the language of the page', async () => {
  await using scene = await startConsoleScene();
  await using ada = await scene.enter('/', { name: 'Ada' });
  await using bob = await scene.enter('/', { name: 'Bob', locale: 'de-DE' });
  const { conversationId } = await introduce(ada.calls, bob.calls, 'before');
  const to = bob.accountId;
  const lost = await ada.calls.post('/api/chat/messages', { to, type: 'text', content: 'lost' });
  const poll = await ada.calls.post('/api/chat/polls', {
    receiverId: to,
    question: 'Tea?',
    options: ['Yes', 'No'],
  });
  const quoting = { to, type: 'text', content: 'See above', replyToMsgId: lost['msgId'] };
  await ada.calls.post('/api/chat/messages', quoting);
  await ada.calls.post('/api/chat/stories', { type: 'text', text: 'my day' });
  for (const msgId of [lost['msgId'], poll['msgId']])
    await damage(scene.db, BODY, { column: 'msg_id', value: String(msgId) });
  await damage(scene.db, { table: 'story_elements', column: 'body' }, 'all');

  for (const { page, words, story } of [
    { page: ada.page, words: 'This message cannot be read', story: 'This part of the story cannot be read.' },
    {
      page: bob.page,
      words: 'Diese Nachricht kann nicht gelesen werden',
      story: 'Dieser Teil der Story kann nicht gelesen werden.',
    },
  ]) {
    await openChat(page, conversationId);
    const thread = page.getByRole('log');
    await thread.locator('article em').nth(1).getByText(words).waitFor();
    await thread.locator('article').filter({ hasText: 'See above' }).getByText(words).waitFor();
    await thread.getByText('before').waitFor();
    await checkScreen(page);
    await page.goto(`/stories/${ada.accountId}`);
    await page.getByText(story).waitFor();
    await checkScreen(page);
  }

  const last = await ada.calls.post('/api/chat/messages', { to, type: 'text', content: 'last' });
  await damage(scene.db, BODY, { column: 'msg_id', value: String(last['msgId']) });
  await ada.page.goto('/');
  await ada.page.getByRole('navigation').getByText('This message cannot be read').waitFor();
});

test('the console shows an unreadable event, alert contact and webhook URL as such', async () => {
  await using scene = await startConsoleScene();
  await using ada = await scene.enter('/', { name: 'Ada' });
  const { page, calls } = ada;
  const { api, path } = await createApplication(calls, 'Weather');
  await calls.put(`${api}/webhook-url`, { webhookUrl: scene.takes });
  const { eventId } = await calls.post(`${api}/webhook/ping`, {});
  await calls.post(`${api}/alert-contacts`, { kind: 'email', target: 'ada@example.com' });
  await damage(scene.db, { table: 'events', column: 'body' }, 'all');
  await damage(scene.db, { table: 'alert_contacts', column: 'target' }, 'all');
  await page.goto(`${path}/events/${eventId}`);
  await page.getByText('This event cannot be read.').waitFor();
  await checkScreen(page);
  await page.goto(`${path}/alerts`);
  await page.getByText('This address cannot be read').waitFor();
  await checkScreen(page);

  await damage(scene.db, { table: 'applications', column: 'sealed_webhook_url' }, 'all');
  await page.goto(`${path}/events`);
  await page.getByText('The stored URL cannot be read').waitFor();
  await checkScreen(page);
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByText('Without a URL, events are kept').waitFor();
});
