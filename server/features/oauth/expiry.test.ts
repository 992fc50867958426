import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Config } from '#platform/config.ts';
import { eventually } from '#testing/waits.ts';
import { createWorldFor } from '#testing/world.ts';
import { removeExpired } from '../../workers.ts';

async function scene(t: TestContext, config: Partial<Config> = {}) {
  const world = await createWorldFor(t, config);
  const client = await world.client();
  const person = await world.person();
  const count = async () => {
    const [row] = await world.db`
      select (select count(*) from grants) as grants, (select count(*) from account_grants) as account_grants,
        (select count(*) from application_grants) as application_grants,
        (select count(*) from decided_consents) as decisions, (select count(*) from application_calls) as calls`;
    return { ...row };
  };
  return { world, client, person, count };
}

test('an expired grant is recorded with its reason, kept for 30 days, then deleted', async (t) => {
  const { world, client, person, count } = await scene(t);
  await client.code({ person });
  const codeExpiresAt = world.clock.now() + 300_000;
  const { refresh } = await client.tokens({ person });
  const expiresAt = world.clock.now() + 30 * 86_400_000;
  world.clock.advance({ minutes: 5 });
  await removeExpired(world);
  const ends = async () => {
    const rows = await world.db`select ended_at, end_reason from grants order by family_id`;
    return rows.map((row) => ({ ...row }));
  };
  const alive = { endedAt: null, endReason: null };
  assert.deepEqual(await ends(), [alive, alive], 'written down when its day is over');
  world.clock.advance({ days: 1 });
  await removeExpired(world);
  const codeExpired = { endedAt: codeExpiresAt, endReason: 'code-expired' };
  assert.deepEqual(await ends(), [codeExpired, alive]);
  world.clock.advance({ days: 28, hours: 23 });
  assert.deepEqual(Object.values(await count()), [2, 2, 2, 0, 0]);
  world.clock.advance({ days: 2 });
  await removeExpired(world);
  assert.deepEqual(await ends(), [{ endedAt: expiresAt, endReason: 'refresh-token-expired' }]);
  assert.deepEqual(Object.values(await count()), [1, 1, 1, 0, 0]);
  assert.equal((await client.refreshes(refresh)).status, 401);
  world.clock.advance({ days: 30 });
  await removeExpired(world);
  assert.deepEqual(Object.values(await count()), [0, 0, 0, 0, 0]);
});

test('a grant that is refreshed never expires', async (t) => {
  const { world, client, person } = await scene(t);
  let { refresh } = await client.tokens({ person });
  for (let month = 0; month < 6; month++) {
    world.clock.advance({ days: 29 });
    await removeExpired(world);
    const { status, body } = await client.refreshes(refresh);
    assert.equal(status, 200);
    refresh = body.refresh_token;
  }
});

test('decisions are kept for as long as their consent page is valid, calls for 30 days', async (t) => {
  const { world, client, person, count } = await scene(t);
  const { access } = await client.tokens({ person });
  await client.calls(access);
  await eventually(async () => (await count())['calls']);
  world.clock.advance({ minutes: 59, seconds: 59, milliseconds: 999 });
  await removeExpired(world);
  assert.equal((await count())['decisions'], 1);
  world.clock.advance({ milliseconds: 1 });
  await removeExpired(world);
  assert.equal((await count())['decisions'], 0);
  world.clock.advance({ days: 29, hours: 22, minutes: 59, seconds: 59, milliseconds: 999 });
  await removeExpired(world);
  assert.equal((await count())['calls'], 1);
  world.clock.advance({ milliseconds: 1 });
  await removeExpired(world);
  assert.equal((await count())['calls'], 0);
});

for (const days of [7, 90])
  test(`calls of applications for a person are kept for ${days} days if the operator chose that`, async (t) => {
    const { world, client, person, count } = await scene(t, { callLogRetentionDays: days });
    // Creates the partitions of these days, which are dropped as a whole.
    await removeExpired(world);
    const { access } = await client.tokens({ person });
    await client.calls(access);
    await eventually(async () => (await count())['calls']);
    world.clock.advance({ days: days - 1, hours: 23 });
    await removeExpired(world);
    assert.equal((await count())['calls'], 1);
    world.clock.advance({ days: 1, hours: 1 });
    await removeExpired(world);
    assert.equal((await count())['calls'], 0);
  });

test('any number of grants of a deleted application end: some with the deletion, the rest by the worker', async (t) => {
  const { world, client, person } = await scene(t);
  const { access } = await client.tokens({ person });
  await world.db`
    insert into grants (family_id, app_id, account_id, scopes, code_hash, expires_at, expires_on, created_at)
    select 'fam_' || n, app_id, account_id, scopes, code_hash, expires_at, expires_on, created_at
    from grants cross join generate_series(1, 2500) as n`;
  await world.db`
    insert into application_grants (app_id, family_id)
    select app_id, 'fam_' || n from application_grants cross join generate_series(1, 2500) as n`;
  const open = async () => {
    const [row] = await world.db<{ open: number }[]>`
      select count(*)::integer as open from grants where ended_at is null`;
    return row?.open;
  };
  assert.equal((await client.owner.calls('DELETE', `/api/console/applications/${client.appId}`)).status, 200);
  assert.equal((await client.calls(access)).status, 401);
  assert.equal(await open(), 1_501);
  await removeExpired(world);
  assert.equal(await open(), 0);
});
