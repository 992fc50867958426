import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { ChatMessage } from '#contract/chat.ts';
import { openWindow } from '../chromium.ts';
import { createScratch } from '../scratch.ts';
import { createApplication, fillGrants, fillUsage, startConsoleScene } from './console-scene.ts';
import { checkScreen, photograph, startWebScene, turnOnTwoFactor } from './web-scene.ts';

/* Every screen of the operators' console with plausible data; `screenshots.ts` takes the arguments. */
const [folder = join(tmpdir(), 'parley-screenshots'), type = 'jpeg'] = process.argv.slice(2);
const directory = join(folder, 'operate');
await mkdir(directory, { recursive: true });
await using scratch = await createScratch();
await using scene = await startConsoleScene(scratch.environment);
const { db } = scene;

const take = async (page: Page, name: string) => {
  await page.evaluate('document.fonts.ready');
  await page.waitForTimeout(400);
  const look = (view: string) =>
    checkScreen(page, 'any').catch((fault: Error) => console.error(`${name}-${view}: ${fault.message}`));
  await photograph(page, directory, name, type as 'jpeg' | 'png', look, { fullPage: true });
};

await using grace = await scene.enter('/operate', { name: 'Grace Hopper' });
const { page, calls } = grace;
await db`insert into operators (account_id, named_at) values (${grace.accountId}, 0)`;
await page.reload();
await page.getByRole('heading', { name: 'A second factor is needed' }).waitFor();
await take(page, 'needs-two-factor');
await turnOnTwoFactor(grace, page);

const LONG = 'Wolfeschlegelsteinhausenbergerdorff Maximiliana Theodora von und zu Hohenlohe';
const ada = await scene.person('Ada Lovelace');
const eve = await scene.person(LONG.slice(0, 64));
const diary = await createApplication(ada.calls, 'Weather Diary');
const rooms = await createApplication(ada.calls, LONG.slice(0, 64));
const now = Date.now();
await fillUsage(db, diary.appId, now);
const { userId } = await ada.calls.post<{ userId: string }>(`${diary.api}/bot`, { username: 'diary_bot' });
await fillGrants(db, { appId: diary.appId, accountId: userId, now });
for (const { appId } of [diary, rooms])
  await db`
    insert into open_breakers (app_id, opened_at, owner, owned_until) values (${appId}, ${now - 3_600_000}, '', 0)`;
const { conversationId, msgId } = await eve.calls.post<ChatMessage>('/api/chat/messages', {
  to: ada.accountId,
  type: 'text',
  content: 'Buy my coins, quickly!',
});
const report = { conversationId, userId: eve.accountId, reason: 'spam', msgIds: [msgId] };
const { reportId } = await ada.calls.post<{ reportId: string }>('/api/chat/reports', report);

async function open(path: string, waitFor: string): Promise<void> {
  await page.goto(path);
  await page.getByText(waitFor, { exact: false }).first().waitFor();
  await page.locator('[aria-busy]').first().waitFor({ state: 'detached' });
}

for (const [name, path, waitFor] of [
  ['announcements-empty', '/operate/announcements', 'No announcements yet'],
  ['policy-empty', '/operate/policy', 'No invitations yet'],
  ['people-begin', '/operate/people', 'Search for a person'],
  ['reports-decided-none', '/operate/reports?decided=true', 'No decided reports'],
] as const) {
  await open(path, waitFor);
  await take(page, name);
}
const text = {
  en: 'We move to a larger machine on Sunday at 10:00. See https://status.example.com for news.',
  de: 'Am Sonntag um 10 Uhr ziehen wir auf einen größeren Rechner um. Neues steht unter https://status.example.com.',
};
await calls.post('/api/operate/announcements', { text, isLine: true, isMessage: true });
await calls.post('/api/operate/announcements', {
  text: { en: 'Thank you for ten years!' },
  isLine: false,
  isMessage: true,
});
await calls.put(`/api/operate/people/${eve.accountId}/limits`, { messagesPerMinute: 5, newPeoplePerDay: 0 });
await calls.post('/api/operate/invitations', {
  note: 'The choir of St Mary, whose name is rather long for a note that fits into a table',
  uses: 40,
  expiresAt: now + 7 * 86_400_000,
});
await calls.post('/api/operate/holds', { conversationId, reason: 'a court asked for it' });

const reportIds = [reportId];
for (const reason of ['fraud', 'other']) {
  const more = { ...report, reason, msgIds: [] };
  reportIds.push((await ada.calls.post<{ reportId: string }>('/api/chat/reports', more)).reportId);
}
await calls.put('/api/operate/maintenance', { until: now + 45 * 60_000, text: { en: 'A larger machine.' } });
for (const [name, path, waitFor] of [
  ['overview', '/operate', 'Open reports'],
  ['people', '/operate/people?q=w', 'Wolfe'],
  ['people-none', '/operate/people?q=nobody', 'Nobody has this'],
  ['person', `/operate/people/${eve.accountId}`, 'Strangers written to'],
  ['applications', '/operate/applications', 'Endpoints that do not answer'],
  ['application', `/operate/applications/${diary.appId}`, 'Grants'],
  ['reports', '/operate/reports', 'open report'],
  ['report', `/operate/reports/${reportId}`, 'Buy my coins'],
  ['announcements', '/operate/announcements', 'Thank you for ten years'],
  ['policy', '/operate/policy', 'The choir'],
  ['health', '/operate/health', 'database version'],
  ['trail', '/operate/acts', 'made an announcement'],
] as const) {
  await open(path, waitFor);
  await take(page, name);
}
for (let i = 0; i < 60; i++)
  await db`
    insert into accounts (account_id, is_bot, name, email, created_at)
    values (${`usr_1${String(i).padStart(23, '0')}`}, false, ${`Anna ${i}`}, ${`anna${i}@example.com`}, ${now})`;
await open('/operate/people?q=anna', 'Anna');
await take(page, 'people-many');
await page.route('**/api/operate/reports*', (route) => route.fulfill({ status: 500, body: '' }));
await open('/operate/reports', 'Try again');
await take(page, 'reports-failed');
await page.unroute('**/api/operate/reports*');
await calls.delete('/api/operate/maintenance');
for (const id of reportIds)
  await calls.post(`/api/operate/reports/${id}/decision`, { decision: 'warned', reason: 'no advertising' });
await calls.post(`/api/operate/people/${eve.accountId}/suspension`, {
  reason: `advertising ${'again and '.repeat(12)}again`,
  until: now + 7 * 86_400_000,
});
for (const [name, path, waitFor] of [
  ['report-decided', `/operate/reports/${reportId}`, 'warned'],
  ['reports-decided', '/operate/reports?decided=true', 'Ada Lovelace'],
  ['reports-empty', '/operate/reports', 'No open reports'],
  ['person-suspended', `/operate/people/${eve.accountId}`, 'Suspended until'],
] as const) {
  await open(path, waitFor);
  await take(page, name);
}
await page.getByRole('button', { name: 'Lift the suspension' }).click();
await take(page, 'person-lift');
const own = await calls.post<ChatMessage>('/api/chat/messages', {
  to: ada.accountId,
  type: 'text',
  content: 'See you on Sunday.',
});
await calls.put(`/api/chat/conversations/${own.conversationId}/retention`, { lifetimeDays: 7 });
await open(`/c/${own.conversationId}`, 'See you on Sunday.');
await take(page, 'chat-lifetime');
await open(`/c/${own.conversationId}/info`, 'Disappearing messages');
await take(page, 'chat-lifetime-details');
await calls.put('/api/operate/maintenance', { until: now + 45 * 60_000, text: { en: 'A larger machine.' } });
await page.getByRole('region', { name: 'Notices of this server' }).waitFor();
await open('/', 'Maintenance until');
await take(page, 'chat-notices');
await open('/console', 'Maintenance until');
await take(page, 'console-notices');
await page.evaluate("document.cookie = 'parley-language=de; Path=/'");
for (const [name, path, waitFor] of [
  ['health-german', '/operate/health', 'Version der Datenbank'],
  ['person-german', `/operate/people/${eve.accountId}`, 'Gesperrt bis'],
  ['report-german', `/operate/reports/${reportId}`, 'verwarnt'],
  ['policy-german', '/operate/policy', 'The choir'],
  ['announcements-german', '/operate/announcements', 'Thank you for ten years'],
  ['application-german', `/operate/applications/${diary.appId}`, 'Weather Diary'],
  ['trail-german', '/operate/acts', 'a court asked for it'],
] as const) {
  await open(path, waitFor);
  await take(page, name);
}
await page.context().clearCookies();
await open('/', 'Wartung bis');
await take(page, 'sign-in-maintenance');

for (const [name, rules, path, waitFor] of [
  ['sign-up-invitation', { SIGN_UPS: 'invitation' }, '/', 'You need an invitation link'],
  ['sign-up-closed', { SIGN_UPS: 'closed' }, '/', 'Nobody can create an account here'],
  ['sign-up-domain', { SIGN_UPS: 'domains:example.com', SMTP_URL: 'smtp://localhost:1' }, '/', 'example.com'],
  ['sign-up-terms', { TERMS_URL: 'https://example.com/terms' }, '/', 'terms'],
] as const) {
  await using other = await startWebScene(rules);
  await using visit = await openWindow(other.chromium, { baseURL: other.origin });
  await visit.page.goto(path);
  await visit.page.getByRole('button', { name: 'Create an account' }).click();
  await visit.page.getByText(waitFor).first().waitFor();
  await take(visit.page, name);
}
