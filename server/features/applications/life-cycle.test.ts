import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bucketOf } from '#platform/ids.ts';
import type { Answer } from '#testing/answers.ts';
import { failure, success } from '#testing/answers.ts';
import { columnOf, rowsWith } from '#testing/columns.ts';
import { consoleScene, createConsoleWorld, type Owner } from '#testing/console-world.ts';
import { ApiKeys } from './credentials/api-keys.ts';
import { suspendApplication, unsuspendApplication } from './life-cycle.ts';
import { findApplicationsForDelivery } from './service.ts';

const told = ({ status, body }: Answer) => [status, body.message, body.data.state];

const NOT_YOURS = failure('not-found', 'you have no such application');

function suspended(verb: string) {
  return failure(
    'permission-denied',
    `the application is suspended by the platform team and cannot be ${verb} from the console`,
  );
}

test('a disabled application keeps its credentials, which are refused until it is reactivated', async (t) => {
  const { world, owner, appId, apiKey, webhookSecret } = await consoleScene(t);
  const keys = new ApiKeys(world);

  const disabled = await owner.call('POST', `/applications/${appId}/disable`);
  assert.deepEqual(told(disabled), [200, 'application disabled', 'disabled']);
  assert.equal((await keys.authenticate(apiKey))?.applicationState, 'disabled');
  assert.equal((await findApplicationsForDelivery(world, [appId]))[0]?.state, 'disabled');
  const twice = await owner.call('POST', `/applications/${appId}/disable`);
  assert.deepEqual(told(twice), [200, 'application disabled', 'disabled']);

  const active = await owner.call('POST', `/applications/${appId}/reactivate`);
  assert.deepEqual(told(active), [200, 'application reactivated', 'active']);
  assert.equal((await keys.authenticate(apiKey))?.applicationState, 'active');
  assert.equal((await findApplicationsForDelivery(world, [appId]))[0]?.webhookSecret, webhookSecret);
  const again = await owner.call('POST', `/applications/${appId}/reactivate`);
  assert.deepEqual(told(again), [200, 'application reactivated', 'active']);
  const { entries } = (await owner.call('GET', `/applications/${appId}/audit`)).body.data;
  assert.deepEqual(
    columnOf(entries, 'action'),
    ['application.reactivated', 'application.disabled', 'application.created'],
    'what changed nothing is not in the audit trail',
  );
});

test('a suspended application cannot be disabled, reactivated or deleted from the console', async (t) => {
  const { world, owner, appId, apiKey } = await consoleScene(t);
  const keys = new ApiKeys(world);
  for (const before of ['active', 'disabled']) {
    if (before === 'disabled') await owner.call('POST', `/applications/${appId}/disable`);
    await suspendApplication(world, appId);
    assert.equal((await keys.authenticate(apiKey))?.applicationState, 'suspended');
    assert.equal((await owner.call('GET', `/applications/${appId}`)).body.data.state, 'suspended');
    const disable = await owner.call('POST', `/applications/${appId}/disable`);
    assert.deepEqual([disable.status, disable.body], [403, suspended('disabled')]);
    const reactivate = await owner.call('POST', `/applications/${appId}/reactivate`);
    assert.deepEqual([reactivate.status, reactivate.body], [403, suspended('reactivated')]);
    const deletion = await owner.call('DELETE', `/applications/${appId}`);
    assert.deepEqual([deletion.status, deletion.body], [403, suspended('deleted')]);

    assert.equal(await unsuspendApplication(world, appId, []), before);
    assert.equal((await owner.call('GET', `/applications/${appId}`)).body.data.state, before);
  }
});

test('suspending a suspended application, unsuspending an unsuspended one, and either on a deleted one change nothing', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const suspend = (id = appId) => suspendApplication(world, id);
  const unsuspend = () => unsuspendApplication(world, appId, []);
  await assert.rejects(unsuspend(), { message: `the application ${appId} is active` });
  await suspend();
  await assert.rejects(suspend(), { message: `the application ${appId} is suspended` });
  await unsuspend();
  await owner.call('DELETE', `/applications/${appId}`);
  const deleted = { message: `the application ${appId} is deleted` };
  await assert.rejects(suspend(), deleted);
  await assert.rejects(unsuspend(), deleted);
  for (const unknown of ['app_00000000000000000000000a', 'x', ''])
    await assert.rejects(suspend(unknown), { message: `there is no application ${unknown}` });
});

test('deleting revokes the keys, removes URL and secrets, deletes the bot, and cannot be undone', async () => {
  await using world = await createConsoleWorld();
  const { db } = world;
  const keys = new ApiKeys(world);
  const owner = await world.owner();
  const { appId, apiKey } = await owner.application();
  const webhookUrl = 'https://hooks.example.com/';
  await owner.call('PUT', `/applications/${appId}/webhook-url`, { webhookUrl });
  await owner.call('POST', `/applications/${appId}/redirect-uris`, { redirectUri: 'http://localhost' });
  const bot = await owner.call('POST', `/applications/${appId}/bot`, { username: 'weather_bot' });
  await db`
    insert into event_queue (bucket, delivery_id, app_id, app_bucket, type, state, attempts, logged, next_attempt_at,
      created_at)
    values (7, ${world.newId('dlv')}, ${appId}, ${bucketOf(appId)}, 'message.received', 'retrying', 3, 3, 5, 1)`;
  await owner.call('POST', `/applications/${appId}/disable`);

  const deleted = await owner.call('DELETE', `/applications/${appId}`);
  const now = world.clock.now();
  assert.equal(deleted.status, 200);
  assert.deepEqual(deleted.body, success('application deleted', { deleted: true }, now));
  assert.equal(await keys.authenticate(apiKey), undefined);
  assert.deepEqual(await findApplicationsForDelivery(world, [appId]), []);
  const [row] = await db`
    select state, deleted_at, client_secret_hash, webhook_url, sealed_webhook_url, webhook_secret, webhook_secret_key_id
    from applications where app_id = ${appId}`;
  const { state, deletedAt, ...secrets } = row ?? {};
  assert.deepEqual([state, deletedAt], ['deleted', now]);
  assert.deepEqual(new Set(Object.values(secrets)), new Set([null]));
  assert.deepEqual([...(await db`select uri from redirect_uris where app_id = ${appId}`)], []);
  const [account] = await db`select deleted_at from accounts where account_id = ${bot.body.data.userId}`;
  assert.equal(account?.['deletedAt'], now);
  const [delivery] = await db`select state, next_attempt_at from event_queue where app_id = ${appId}`;
  assert.deepEqual({ ...delivery }, { state: 'cancelled', nextAttemptAt: null });
  assert.deepEqual((await owner.call('GET', '/home')).body.data.applications, []);
  for (const path of ['reactivate', 'disable']) {
    const answer = await owner.call('POST', `/applications/${appId}/${path}`);
    assert.deepEqual([answer.status, answer.body], [404, NOT_YOURS]);
  }
});

test('of 20 concurrent deletions exactly one takes effect', async (t) => {
  const { owner, appId } = await consoleScene(t);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => owner.call('DELETE', `/applications/${appId}`)),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(19).fill(404)]);
});

/** Calls every route of an application with a valid body. */
function everyCall(owner: Owner, appId: string): Promise<Answer>[] {
  const path = `/applications/${appId}`;
  return [
    owner.call('GET', path),
    owner.call('PATCH', path, { name: 'Mine' }),
    owner.call('POST', `${path}/disable`),
    owner.call('POST', `${path}/reactivate`),
    owner.call('POST', `${path}/api-key`),
    owner.call('POST', `${path}/api-keys`, { name: 'x' }),
    owner.call('PATCH', `${path}/api-keys/${'0'.repeat(64)}`, { name: 'x' }),
    owner.call('DELETE', `${path}/api-keys/${'0'.repeat(64)}`),
    owner.call('POST', `${path}/client-secret`),
    owner.call('POST', `${path}/webhook-secret`),
    owner.call('PUT', `${path}/webhook-url`, { webhookUrl: 'https://hooks.example.com/' }),
    owner.call('DELETE', `${path}/webhook-url`),
    owner.call('POST', `${path}/redirect-uris`, { redirectUri: 'https://app.example.com' }),
    owner.call('DELETE', `${path}/redirect-uris`, { redirectUri: 'https://app.example.com' }),
    owner.call('POST', `${path}/bot`, { username: 'my_bot' }),
    owner.call('GET', `${path}/bot`),
    owner.call('PATCH', `${path}/bot`, { description: 'x' }),
    owner.call('DELETE', path),
  ];
}

test('another person’s application is 404 on every route, as is an unknown, a malformed and a deleted one', async () => {
  await using world = await createConsoleWorld();
  const [owner, other] = [await world.owner(), await world.owner()];
  const { appId, apiKey } = await owner.application();
  const before = (await owner.call('GET', `/applications/${appId}`)).body.data;
  const gone = (await other.application()).appId;
  await other.call('DELETE', `/applications/${gone}`);
  for (const id of [appId, gone, 'app_00000000000000000000000a', 'nonsense']) {
    for (const [i, answer] of (await Promise.all(everyCall(other, id))).entries()) {
      assert.deepEqual([answer.status, answer.body], [404, NOT_YOURS], `${id} ${i}`);
    }
  }
  assert.deepEqual((await owner.call('GET', `/applications/${appId}`)).body.data, before);
  assert.equal((await new ApiKeys(world).authenticate(apiKey))?.applicationState, 'active');
});

test('what is done to one application changes nothing of the others of its owner', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const others = [(await owner.application('Other')).appId, (await owner.application('Suspended')).appId];
  const redirectUri = 'https://app.example.com/callback';
  const call =
    (id: string, method: 'POST' | 'PATCH' | 'PUT' | 'DELETE', part: string, body?: object) => async () => {
      const { status, body: answer } = await owner.call(method, `/applications/${id}${part}`, body);
      assert.ok(status < 300, JSON.stringify(answer));
    };
  const extension = 'quiet_in_groups';
  for (const [i, id] of [appId, ...others].entries()) {
    await call(id, 'POST', '/redirect-uris', { redirectUri })();
    await call(id, 'PUT', '/webhook-url', { webhookUrl: 'https://hooks.example.com/' })();
    await call(id, 'POST', '/extensions', { extension })();
    await call(id, 'POST', '/bot', { username: `my_${i}_bot` })();
    await world.db`
      insert into open_breakers (app_id, opened_at, owner, owned_until) values (${id}, 1, '', 1)`;
  }
  await suspendApplication(world, others[1] ?? '');
  const seen = () =>
    Promise.all(
      others.flatMap((id) => [
        rowsWith(world.db, 'app_id', id),
        ...['', '/audit', '/bot', '/team', '/openid', '/alerts/mute'].map(
          async (part) => (await owner.call('GET', `/applications/${id}${part}`)).body.data,
        ),
      ]),
    );
  const before = await seen();
  const acts: Record<string, () => Promise<unknown>> = {
    'a redirect URI removed': call(appId, 'DELETE', '/redirect-uris', { redirectUri }),
    'an extension switched off': call(appId, 'DELETE', '/extensions', { extension }),
    'alerts muted': call(appId, 'PUT', '/alerts/mute', { until: null }),
    renamed: call(appId, 'PATCH', '', { name: 'Renamed' }),
    'a new client secret': call(appId, 'POST', '/client-secret'),
    'a new webhook secret': call(appId, 'POST', '/webhook-secret'),
    'the webhook URL removed': call(appId, 'DELETE', '/webhook-url'),
    disabled: call(appId, 'POST', '/disable'),
    reactivated: call(appId, 'POST', '/reactivate'),
    suspended: () => suspendApplication(world, appId),
    unsuspended: () => unsuspendApplication(world, appId, []),
    deleted: call(appId, 'DELETE', ''),
  };
  for (const [name, act] of Object.entries(acts)) {
    await act();
    assert.deepEqual(await seen(), before, name);
  }
});
