import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Extension } from '#contract/applications.ts';
import { LIMITS } from '#contract/limits.ts';
import type { GroupWebhooks, NewIncomingWebhook } from '#contract/webhooks/incoming-webhooks.ts';
import { deleteApplication } from '#features/applications/life-cycle.ts';
import { joined } from '#platform/database/joined.ts';
import { failure } from '#testing/answers.ts';
import { countWaiting } from '#testing/citus.ts';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { groupScene } from '#testing/group-scene.ts';
import { eventually } from '#testing/waits.ts';
import type { Person, World } from '#testing/world.ts';
import { listOfApplication, revokeOwnWebhook } from './manage.ts';

/** A person's group with a bot whose owner has switched incoming webhooks on. */
async function scene(t: TestContext, { isOn = true } = {}) {
  const given = await groupScene(t, { people: 2 });
  const { world, bot, people } = given;
  const [ada, bob] = people as [Person, Person];
  const groupId = await given.groupOf(ada, [bob, bot]);
  const own = { appId: bot.appId, actorId: bot.owner.accountId };
  const switches = (to: boolean, extension: Extension = 'incoming_webhooks') =>
    world.switches(bot, extension, to);
  if (isOn) await switches(true);
  const chosen = { groupId, botId: bot.accountId };
  const makes = async (name = 'Alerts'): Promise<NewIncomingWebhook> =>
    (await ada.calls('POST', '/api/chat/groups/incoming-webhooks', { ...chosen, name })).body.data;
  const lists = async (person = ada): Promise<GroupWebhooks> =>
    (await person.calls('GET', `/api/chat/groups/incoming-webhooks?groupId=${groupId}`)).body.data;
  return { ...given, ada, bob, groupId, own, switches, chosen, makes, lists };
}

async function post(world: World, url: string, payload: unknown, headers: Record<string, string> = {}) {
  const isText = typeof payload === 'string';
  const answer = await world.app.inject({
    method: 'POST',
    url: new URL(url).pathname,
    headers: { 'content-type': isText ? 'text/plain' : 'application/json', ...headers },
    payload: isText ? payload : JSON.stringify(payload),
  });
  return { status: answer.statusCode, body: answer.body, headers: answer.headers };
}

async function textsIn(reader: Person, groupId: string): Promise<unknown[]> {
  const answer = await reader.calls('GET', `/api/chat/conversations/${groupId}/messages`);
  return answer.body.data.messages
    .filter(({ type }: { type: string }) => type === 'text')
    .map(({ from, content }: Record<string, string>) => [from, content]);
}

test('a bot that is being deleted gets no new webhook', async (t) => {
  const { world, ada, own, chosen } = await scene(t);
  const { db } = world;
  const { creating } = await db.begin(async (tx) => {
    await deleteApplication({ ...world, db: joined(tx) }, own, []);
    const creating = ada.calls('POST', '/api/chat/groups/incoming-webhooks', { ...chosen, name: 'Alerts' });
    await eventually(async () => (await countWaiting(db)) > 0);
    return { creating };
  });
  const { status, reason } = await creating;
  assert.deepEqual([status, reason], [404, 'incoming-webhook.no-bot']);
  assert.equal((await db`select from incoming_webhooks`).length, 0);
});

test('the bot sends a tool’s post to the group', async (t) => {
  const { world, ada, bot, groupId, makes, lists } = await scene(t);
  const { url, ...webhook } = await makes();
  assert.match(url, /^http:\/\/[^/]+\/hooks\/xih_[0-9a-f]{78}$/);
  const { status, body } = await post(world, url, { text: 'see <https://a.example|this>' });
  assert.deepEqual([status, body], [200, 'ok']);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const payload = `payload=${encodeURIComponent('{"text":"from a form"}')}`;
  assert.equal((await post(world, url, payload, form)).body, 'ok');
  assert.equal((await post(world, url, '{"text":"as curl has it"}', form)).body, 'ok');
  assert.equal((await post(world, url, 'plain **text**')).body, 'ok');
  const ping = { repository: { full_name: 'ada/engine' } };
  assert.equal((await post(world, url, ping, { 'x-github-event': 'ping' })).body, 'ok');
  assert.deepEqual((await textsIn(ada, groupId)).toReversed(), [
    [bot.accountId, 'see [this](https://a.example)'],
    [bot.accountId, 'from a form'],
    [bot.accountId, 'as curl has it'],
    [bot.accountId, 'plain **text**'],
    [bot.accountId, 'ada/engine: GitHub will post here.'],
  ]);
  assert.deepEqual((await lists()).bots, [
    { botId: bot.accountId, name: 'Helper', webhooks: [{ ...webhook, lastUsedAt: world.clock.now() }] },
  ]);
});

test('an unknown address is answered like any unknown path', async (t) => {
  const { world, makes, ada, chosen, switches } = await scene(t);
  const { url, webhookId } = await makes();
  const envelope = (path: string) => failure('not-found', `there is no POST ${path}`);
  const renewed = await ada.calls('POST', '/api/chat/groups/incoming-webhooks/renew', {
    ...chosen,
    webhookId,
  });
  assert.equal((await post(world, renewed.body.data.url, { text: 'new' })).status, 200);
  const dead = [url, 'http://x/hooks/abc', `http://x/hooks/${url.slice(-82, -1)}0`];
  for (const gone of dead) {
    const answer = await post(world, gone, { text: 'old' });
    assert.deepEqual([answer.status, JSON.parse(answer.body)], [404, envelope(new URL(gone).pathname)]);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
  }
  await ada.calls('POST', '/api/chat/groups/incoming-webhooks/revoke', { ...chosen, webhookId });
  assert.equal((await post(world, renewed.body.data.url, { text: 'late' })).status, 404);
  const { url: kept } = await makes();
  await switches(false);
  const off = await post(world, kept, { text: 'off' });
  assert.deepEqual([off.status, JSON.parse(off.body)], [404, envelope(new URL(kept).pathname)]);
  await switches(true);
  assert.equal((await post(world, kept, { text: 'on again' })).status, 200);
  for (let i = 0; i < 120; i++) await post(world, 'http://x/hooks/guess', {});
  const tooMany = await post(world, 'http://x/hooks/guess', {});
  assert.deepEqual([tooMany.status, tooMany.body.split(':', 1)[0]], [429, 'rate_limited']);
  assert.equal((await post(world, kept, { text: 'from the same network' })).status, 200);
});

test('errors have Slack’s format, and change nothing', async (t) => {
  const { world, ada, bob, bot, groupId, makes } = await scene(t);
  const { url } = await makes();
  const code = async (payload: unknown, headers?: Record<string, string>) => {
    const { status, body } = await post(world, url, payload, headers);
    return `${status} ${body.split(':', 1)[0]}`;
  };
  assert.equal(await code({ text: ' ' }), '400 no_text');
  assert.equal(await code({ unknown: 1 }), '400 no_text');
  assert.equal(await code('{malformed'), '400 invalid_payload');
  assert.equal(await code('[1]', { 'content-type': 'application/json' }), '400 invalid_payload');
  assert.equal(await code(`{"text":${'['.repeat(50)}${']'.repeat(50)}}`), '400 invalid_payload');
  const form = await post(world, url, 'It is done.', { 'content-type': 'application/x-www-form-urlencoded' });
  const needed = 'a form needs the field `payload` with JSON; for plain text send Content-Type: text/plain';
  assert.deepEqual([form.status, form.body.trim()], [400, `invalid_payload: ${needed}`]);
  assert.equal(await code('x', { 'content-encoding': 'gzip' }), '415 invalid_payload');
  assert.equal(await code('x'.repeat(1024 * 1024 + 1)), '413 invalid_payload');
  await world.suspends(bot);
  assert.equal(await code({ text: 'x' }), '403 action_prohibited');
  await world.unsuspends(bot);
  await ada.calls('POST', '/api/chat/groups/members/remove', { groupId, memberId: bot.accountId });
  assert.equal(await code({ text: 'x' }), '403 action_prohibited');
  assert.deepEqual(await textsIn(bob, groupId), []);
  await ada.calls('DELETE', '/api/chat/groups/delete', { groupId });
  assert.equal(await code({ text: 'x' }), '404 channel_not_found');
});

test('posts count against the quota of messages', async (t) => {
  const { world, bot, makes } = await scene(t);
  const { url } = await makes();
  await world.applications.changeQuota(bot.appId, 2);
  const answers = [];
  for (let i = 0; i < 3; i++) answers.push(await post(world, url, { text: 'x' }));
  assert.deepEqual(columnOf(answers, 'status'), [200, 200, 429]);
  const [, , refused] = answers;
  assert.deepEqual(
    [refused?.body.split(':', 1)[0], refused?.headers['ratelimit-limit'], refused?.headers['retry-after']],
    ['rate_limited', '2', '60'],
  );
});

test('group administrators create webhooks for a member bot with the extension on', async (t) => {
  const { world, ada, bob, own, chosen, switches, makes, lists } = await scene(t, { isOn: false });
  const create = (person: Person, body: object) =>
    person.calls('POST', '/api/chat/groups/incoming-webhooks', { ...chosen, name: 'Alerts', ...body });
  const reason = ({ status, reason }: { status: number; reason?: string }) => [status, reason];
  assert.deepEqual((await lists()).bots, []);
  assert.deepEqual(reason(await create(ada, {})), [400, 'incoming-webhook.off']);
  await switches(true);
  assert.deepEqual(reason(await create(bob, {})), [403, 'group.not-an-administrator']);
  assert.deepEqual(reason(await create(ada, { botId: bob.accountId })), [404, 'incoming-webhook.no-bot']);
  const { accountId: foreign } = await world.bot();
  assert.deepEqual(reason(await create(ada, { botId: foreign })), [404, 'incoming-webhook.no-bot']);
  assert.equal((await create(ada, { name: ' ' })).status, 400);
  const { url, webhookId } = await makes();
  const renew = await bob.calls('POST', '/api/chat/groups/incoming-webhooks/renew', { ...chosen, webhookId });
  assert.deepEqual(reason(renew), [403, 'group.not-an-administrator']);
  const list = await listOfApplication(world, own);
  assert.deepEqual(columnsOf(list.webhooks, 'name', 'groupName'), [['Alerts', 'Team']]);
  await revokeOwnWebhook(world, own, webhookId);
  assert.equal((await post(world, url, { text: 'x' })).status, 404);
});

test('neither the database nor the API log contains the secret', async (t) => {
  const { world, own, makes } = await scene(t);
  const { url } = await makes();
  await post(world, url, { text: 'x' });
  const secret = url.split('/').at(-1) as string;
  const [row] = await world.db<{ all: string }[]>`
    select string_agg(w::text, ' ') as all from incoming_webhooks w where app_id = ${own.appId}`;
  assert.equal(row?.all.includes(secret), false);
  const { requests } = await world.applications.listRequestsOf(own.appId, {});
  assert.deepEqual(columnsOf(requests, 'method', 'route', 'status'), [['POST', '/hooks/:secret', 200]]);
});

test('of concurrent creations of the last webhook one succeeds; the team’s trail records who did what', async (t) => {
  const { world, ada, own, chosen, makes } = await scene(t);
  const first = await makes('Alerts');
  const free = LIMITS.incomingWebhooks - 2;
  await world.db`
    insert into incoming_webhooks (app_id, webhook_id, group_id, name, secret_hash, created_by, created_at)
    select app_id, 'ihk_' || i, group_id, name, sha256(i::text::bytea), created_by, created_at
    from incoming_webhooks, generate_series(1, ${free}::integer) as i`;
  const path = '/api/chat/groups/incoming-webhooks';
  const statuses = await Promise.all(
    ['a', 'b', 'c', 'd'].map(async (name) => (await ada.calls('POST', path, { ...chosen, name })).status),
  );
  assert.deepEqual(statuses.sort(), [201, 429, 429, 429]);
  const { webhookId } = first;
  await ada.calls('POST', `${path}/renew`, { ...chosen, webhookId });
  await ada.calls('POST', `${path}/revoke`, { ...chosen, webhookId });
  const { entries } = await world.applications.readAuditTrail(own);
  const by = {
    kind: 'group-administrator',
    userId: ada.accountId,
    name: ada.name,
    channel: 'chat',
    of: chosen.groupId,
  };
  assert.deepEqual(
    entries
      .filter(({ action }) => action.startsWith('incoming-webhook.'))
      .map(({ action, actor, channel, details }) => ({ action, ...actor, channel, of: details['groupId'] })),
    ['revoked', 'renewed', 'created', 'created'].map((act) => ({ action: `incoming-webhook.${act}`, ...by })),
  );
});
