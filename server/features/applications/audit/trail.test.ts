import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf } from '#testing/columns.ts';
import { consoleScene, createConsoleWorld } from '#testing/console-world.ts';
import { createWorld } from '#testing/world.ts';
import { suspendApplication, unsuspendApplication } from '../life-cycle.ts';

test('every change of an application is in its trail, newest first, with its actor and channel', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const at = `/applications/${appId}`;
  await owner.call('PATCH', at, { name: 'Climate' });
  await owner.call('PATCH', at, { name: 'Climate' });
  await owner.call('PUT', `${at}/webhook-url`, {
    webhookUrl: 'https://bot.example.com/secret-path?token=canary',
  });
  await owner.call('POST', `${at}/api-key`);
  await owner.call('POST', `${at}/webhook-secret`, { overlapHours: 2 });
  await owner.call('POST', `${at}/redirect-uris`, { redirectUri: 'https://app.example.com/cb' });
  await owner.call('POST', `${at}/bot`, { username: 'climate_bot' });
  await owner.call('PATCH', `${at}/bot`, { description: 'Warm.' });
  await suspendApplication(world, appId);
  await unsuspendApplication(world, appId, []);
  const unchanged = await owner.call('POST', `${at}/reactivate`);
  assert.equal(unchanged.status, 200);

  const { status, body } = await owner.call('GET', `${at}/audit`);
  assert.equal(status, 200);
  assert.deepEqual(columnsOf(body.data.entries, 'action', 'details', 'channel'), [
    ['application.unsuspended', {}, 'command-line'],
    ['application.suspended', {}, 'command-line'],
    ['bot.changed', { fields: ['description'] }, 'console'],
    ['bot.created', { username: 'climate_bot' }, 'console'],
    ['redirect-uri.added', { uri: 'https://app.example.com/cb' }, 'console'],
    ['webhook-secret.regenerated', { overlapHours: 2 }, 'console'],
    ['api-key.regenerated', {}, 'console'],
    ['webhook-url.set', { host: 'bot.example.com' }, 'console'],
    ['application.renamed', { from: 'Weather', to: 'Climate' }, 'console'],
    ['application.created', { name: 'Weather' }, 'console'],
  ]);
  const [unsuspended, , changed] = body.data.entries;
  assert.deepEqual(unsuspended.actor, { kind: 'operator' });
  assert.deepEqual(changed.actor, { kind: 'owner', userId: owner.accountId, name: 'Ada' });
  assert.equal(typeof changed.sessionId, 'string');
  assert.equal(JSON.stringify(body).includes('canary'), false);

  const shown = await owner.call('GET', at);
  assert.equal(shown.body.data.webhookSecret.previousSignsUntil, world.clock.now() + 2 * 3_600_000);
});

test('a trail is read page by page, and only by the owner', async () => {
  await using world = await createConsoleWorld();
  const [owner, stranger] = [await world.owner(), await world.owner()];
  const { appId } = await owner.application();
  for (let i = 0; i < 60; i++) await owner.call('PATCH', `/applications/${appId}`, { name: `Name ${i}` });
  const first = (await owner.call('GET', `/applications/${appId}/audit`)).body.data;
  assert.equal(first.entries.length, 50);
  const next = (await owner.call('GET', `/applications/${appId}/audit?before=${first.nextBefore}`)).body.data;
  assert.deepEqual([next.entries.length, next.nextBefore], [11, undefined]);
  assert.equal(next.entries.at(-1).action, 'application.created');
  assert.equal((await owner.call('GET', `/applications/${appId}/audit?before=x`)).status, 400);
  assert.equal((await stranger.call('GET', `/applications/${appId}/audit`)).status, 404);
});

test('whoever deleted their account since is named by its id', async () => {
  await using world = await createWorld();
  const [owner, mate] = await world.people('Owner', 'Mate');
  const { appId } = await owner.creates('Weather');
  const at = `/api/console/applications/${appId}`;
  const { token } = (await owner.calls('POST', `${at}/team/invitations`, { role: 'viewer' })).body.data;
  await mate.calls('POST', '/api/console/invitations/accept', { token });
  const { accountId } = mate;
  await mate.calls('POST', '/api/auth/account/delete', { email: `${accountId}@example.com` });
  const [joined] = (await owner.calls('GET', `${at}/audit`)).body.data.entries;
  const named = { kind: 'teammate', userId: accountId, name: accountId };
  assert.deepEqual([joined.action, joined.actor], ['teammate.joined', named]);
});
