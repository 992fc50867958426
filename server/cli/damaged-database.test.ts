import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { test } from 'node:test';
import { KEY_SCOPES, OAUTH_SCOPES } from '#contract/scopes.ts';
import { privateConversationId } from '#platform/ids.ts';
import { damage } from '#testing/damage.ts';
import { failsOnce } from '#testing/failed-attempt.ts';
import { createManagementScene, type ManagementScene } from '#testing/management-scene.ts';
import { COMPANY } from '#testing/openid-provider.ts';
import { findRoutes, type Route } from '#testing/routes.ts';
import type { Person } from '#testing/world.ts';
import { SEALED_COLUMNS } from './keys/sealed-columns.ts';

async function posts(person: Person, url: string, body: object) {
  const answer = await person.calls('POST', url, body);
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.data;
}

/** A server with something in every sealed column. */
async function liveIn(scene: ManagementScene) {
  const { world } = scene;
  const [ada, bob] = await world.people('Ada', 'Bob');
  await scene.says(ada, '/newbot');
  const bot = await world.bot({ owner: ada, webhookUrl: 'https://bot.example.com/hook' });
  await bot.mayOnly(KEY_SCOPES);
  const own = `/api/console/applications/${bot.appId}`;
  await bob.writes(ada, 'hello');
  const hello = await ada.writes(bob, 'hello');
  const reactions = `/api/chat/conversations/${hello.conversationId}/messages/${hello.msgId}/reactions`;
  assert.equal((await ada.calls('PUT', reactions, { emoji: ['👋'] })).status, 200);
  const draft = `/api/chat/conversations/${hello.conversationId}/draft`;
  assert.equal((await ada.calls('PUT', draft, { text: 'begun', replyToMsgId: hello.msgId })).status, 200);
  await ada.writes(bot, { type: 'text', content: 'hello' });
  await ada.writes(bob, { type: 'text', content: 'again', replyToMsgId: hello.msgId });
  await posts(ada, '/api/chat/reports', {
    ...{ conversationId: hello.conversationId, userId: bob.accountId, reason: 'spam' },
    msgIds: [hello.msgId],
  });
  const { groupId } = await posts(ada, '/api/chat/groups', { name: 'Team', members: [bob.accountId] });
  const poll = { question: 'Tea?', options: ['yes', 'no'], isAnonymous: true };
  await posts(ada, '/api/chat/polls', { groupId, ...poll });
  const said = await posts(ada, '/api/chat/groups/messages', { groupId, type: 'text', content: 'held' });
  await world.messages.holdConversation(groupId, async () => {});
  const edited = `/api/chat/conversations/${groupId}/messages/${said.msgId}`;
  assert.equal((await ada.calls('PATCH', edited, { text: 'edited' })).status, 200);
  for (const person of [ada, bob]) await posts(person, '/api/chat/stories', { type: 'text', text: 'my day' });
  assert.equal((await ada.calls('POST', `${own}/webhook-secret`, { overlapHours: 1 })).status, 200);
  const contact = await posts(ada, `${own}/alert-contacts`, { kind: 'email', target: 'ada@example.com' });
  const { providerId } = await world.signInProviders.addProvider(COMPANY, async () => {});
  await ada.calls('POST', '/api/auth/invite-link');
  await ada.calls('POST', '/api/auth/two-factor/enrol');
  const device = {
    endpoint: 'https://push.example.com/x',
    keys: {
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: Buffer.alloc(16).toString('base64url'),
    },
    language: 'en',
  };
  await ada.calls('GET', '/api/chat/notifications');
  assert.equal((await ada.calls('PUT', '/api/chat/notifications/device', device)).status, 200);
  const sent = { to: ada.accountId, type: 'text', content: 'hello' };
  await bot.calls('POST', '/v1/messages', sent, { 'idempotency-key': 'k' });
  await world.db.begin(async (tx) => {
    const context = { table: 'media', rowId: 'm'.repeat(27) };
    const { ciphertext, keyId } = world.keyring.seal(context, Buffer.from('cat.png'));
    await tx`
      insert into media (media_id, owner_id, kind, content_type, size, file_name, file_name_key_id, created_at)
      values (${context.rowId}, ${ada.accountId}, 'image', 'image/png', 3, ${ciphertext}, ${keyId}, 0)`;
  });
  const [event = assert.fail('there is an event')] = await world.db<{ bucket: number; deliveryId: string }[]>`
    select bucket, delivery_id from events where app_id = ${bot.appId} limit 1`;
  await failsOnce(world, event);
  return {
    ada,
    bot,
    known: {
      appId: bot.appId,
      userId: bob.accountId,
      groupId,
      conversationId: privateConversationId(ada.accountId, bob.accountId),
      eventId: event.deliveryId,
      contactId: contact.contactId,
      mediaId: 'm'.repeat(27),
      fileName: 'cat.png',
      providerId,
    } as Record<string, string>,
  };
}

test('with every sealed value damaged, whatever can be read answers', async () => {
  await using scene = await createManagementScene({ requestsPerMinute: 1_000_000, metricsToken: 'metrics' });
  const { world } = scene;
  const address = await world.app.listen({ host: '127.0.0.1', port: 0 });
  const { ada, bot, known } = await liveIn(scene);
  const accessToken = await world.token({ person: ada, scopes: OAUTH_SCOPES });
  // The version before has written nothing here.
  const written = SEALED_COLUMNS.filter(({ table }) => table !== 'deliveries');
  for (const column of written) await damage(world.db, column, 'all');

  const headersFor = ({ url, config }: Route): Record<string, string> => {
    const actors = config?.access?.actors;
    if (url.startsWith('/metrics')) return { authorization: 'Bearer metrics' };
    if (!actors) return { cookie: ada.cookie, 'sec-fetch-site': 'same-origin' };
    return { authorization: `Bearer ${actors.includes('bot') ? bot.key : accessToken}` };
  };
  const statuses = new Map<string, number>();
  for (const route of await findRoutes(world)) {
    if (route.method !== 'GET') continue;
    const path = route.url.replaceAll(/:(\w+)/g, (_, name) => known[name] ?? 'x');
    const query = route.url === '/v1/groups/members' ? `?groupId=${known['groupId']}` : '';
    const { status, body } = await fetch(new URL(path + query, address), {
      headers: headersFor(route),
      redirect: 'manual',
    });
    await body?.cancel();
    statuses.set(route.url, status);
  }
  const failing = [...statuses].filter(([, status]) => status >= 500);
  assert.deepEqual(failing, []);
  for (const url of [
    '/api/chat/conversations',
    '/api/chat/conversations/:conversationId/messages',
    '/api/chat/stories',
    '/api/auth/export',
    '/api/auth/invite-link',
    '/api/console/applications/:appId/alert-contacts',
    '/api/console/applications/:appId/events/:eventId/payload',
    '/v1/events',
    '/v1/stories/mine',
  ])
    assert.equal(statuses.get(url), 200, url);
});
