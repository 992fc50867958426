import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { KEY_SCOPES } from '#contract/scopes.ts';
import { createScratch } from '../scratch.ts';
import {
  callsApi,
  createApplication,
  fillAlerts,
  fillGrants,
  fillRequests,
  fillUsage,
  startConsoleScene,
} from './console-scene.ts';
import { photograph } from './web-scene.ts';

/* Every screen of the console with plausible data; `screenshots.ts` takes the arguments. */
const [folder = join(tmpdir(), 'parley-screenshots'), type = 'jpeg'] = process.argv.slice(2);
const directory = join(folder, 'console');
await mkdir(directory, { recursive: true });
await using scratch = await createScratch();
await using scene = await startConsoleScene(scratch.environment);
const { db, origin } = scene;

const take = async (page: Page, name: string) => {
  await page.evaluate('document.fonts.ready');
  await page.waitForTimeout(400);
  await photograph(page, directory, name, type as 'jpeg' | 'png');
};

await using visitor = await scene.enter('/console');
const { page, calls, accountId } = visitor;
await db`update accounts set email = 'ada@example.com' where account_id = ${accountId}`;
await page.getByRole('heading', { name: 'Your first application' }).waitFor();
await take(page, 'home-empty');

const diary = await createApplication(calls, 'Weather Diary');
const [rooms, old] = [
  await createApplication(calls, 'Meeting Rooms'),
  await createApplication(calls, 'Old Prototype'),
];
const { userId } = await calls.post(`${diary.api}/bot`, {
  username: 'weather_diary_bot',
  description: 'Keeps a diary of the weather where you are.\nWrite /today to begin.',
  commands: [
    { command: 'today', description: 'The weather today' },
    { command: 'tomorrow', description: 'The weather tomorrow' },
    { command: 'place', description: 'Change the place' },
  ],
});
await calls.post(`${rooms.api}/bot`, { username: 'meeting_rooms_bot' });
await calls.post(`${old.api}/disable`, {});
for (const redirectUri of ['https://weather-diary.example/callback', 'http://localhost:8080/callback']) {
  await calls.post(`${diary.api}/redirect-uris`, { redirectUri });
}
const fingerprint = createHash('sha256').update(diary.apiKey).digest('hex');
await calls.patch(`${diary.api}/api-keys/${fingerprint}`, { scopes: KEY_SCOPES });
await calls.post(`${diary.api}/alert-contacts`, { kind: 'email', target: 'oncall@weather-diary.example' });
await calls.post(`${diary.api}/alert-contacts`, {
  kind: 'chat',
  target: 'https://chat.example.com/hooks/T024/B091',
});
await calls.put(`${diary.api}/webhook-url`, { webhookUrl: scene.takes });
await calls.post(`${diary.api}/webhook/ping`, {});
const simulate = (event: string, kind: string) =>
  calls.post(`${diary.api}/webhook/simulate`, { event, type: kind });
for (const kind of ['text', 'image', 'location', 'poll']) await simulate('message.received', kind);
await calls.post(`${diary.api}/simulator/messages`, { type: 'text', content: '/today' });
const { testPerson } = await calls.get<{ testPerson: { userId: string } }>(`${diary.api}/simulator`);
const answers = [
  { content: 'Good morning! Sunny, 21 °C, a light wind from the west. ☀️' },
  { content: 'Tomorrow it looks like rain from noon on: take an umbrella.' },
];
for (const answer of answers) {
  await callsApi(scene, diary, '/messages', { to: testPerson.userId, type: 'text', ...answer });
}
await calls.post(`${diary.api}/simulator/messages`, { type: 'text', content: 'Thank you! And in Oslo?' });
await callsApi(scene, diary, '/messages', {
  to: 'usr_00000000000000000000000000',
  type: 'text',
  content: 'Hi',
});
await calls.put(`${diary.api}/webhook-url`, { webhookUrl: scene.fails });
const { eventId } = await simulate('group_message.received', 'text');
await simulate('message.received', 'sticker');
await scene.receiver.waitFor(9);
for (const extension of ['incoming_webhooks', 'mcp'])
  await calls.post(`${diary.api}/extensions`, { extension });
await calls.post('/api/chat/messages', { to: userId, type: 'text', content: '/today' });
const { groupId } = await calls.post('/api/chat/groups', { name: 'On call', members: [userId] });
for (const name of ['Alertmanager of the data centre', 'GitHub'])
  await calls.post('/api/chat/groups/incoming-webhooks', { groupId, botId: userId, name });
const now = Date.now();
await fillRequests(db, diary.appId, 240, now);
await fillUsage(db, diary.appId, now);
await fillUsage(db, rooms.appId, now);
await fillGrants(db, { appId: diary.appId, accountId: String(userId), now });
await fillAlerts(db, diary.appId, now);

async function open(path: string, waitFor: string): Promise<void> {
  await page.goto(path);
  await page.getByText(waitFor, { exact: false }).first().waitFor();
}

await open('/console', 'Meeting Rooms');
await take(page, 'home');
await open('/console/new', 'New application');
await take(page, 'wizard');
for (const [name, path, waitFor] of [
  ['overview', '', 'Identifiers'],
  ['settings', '/settings', 'Delete this application'],
  ['team', '/team', 'Members'],
  ['credentials', '/credentials', 'fingerprint'],
  ['bot', '/bot', 'As people see it'],
  ['events', '/events', 'group_message.received'],
  ['event', `/events/${eventId}`, 'Attempt 1'],
  ['simulator', '/simulator', 'umbrella'],
  ['requests', '/requests', 'permission-denied'],
  ['errors', '/requests?view=errors', 'permission-denied'],
  ['usage', '/usage', '/v1/messages'],
  ['oauth', '/oauth', 'a refresh token was used twice'],
  ['integrations', '/integrations', 'Alertmanager (alertmanager.yml)'],
  ['alerts', '/alerts', 'were abandoned'],
  ['audit', '/audit', 'created the application'],
] as const) {
  await open(`${diary.path}${path}`, waitFor);
  await take(page, name);
}
await open('/console/account', 'Passkeys');
await take(page, 'account');
await page.context().clearCookies();
await open(`${origin}/console`, 'Sign in');
await take(page, 'sign-in');
