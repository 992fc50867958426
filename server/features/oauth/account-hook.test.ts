import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { say } from '#contract/reasons.ts';
import { columnsOf } from '#testing/columns.ts';
import { createWorldFor } from '#testing/world.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  return { world, ada, bob, client: await world.client() };
}

test('codes and tokens of a suspended person are refused until its end, and then go on; those of others are not', async (t) => {
  const { world, ada, bob, client } = await scene(t);
  const tokens = await client.tokens({ person: ada });
  const code = await client.code({ person: ada });
  const statuses = async () => [
    (await client.calls(tokens.access)).status,
    (await client.exchanges(code)).status,
    (await client.refreshes(tokens.refresh)).status,
  ];
  const until = world.clock.now() + 60_000;
  const suspend = (until: number | null) =>
    world.db.begin(async (tx) =>
      world.hooks.oauth.account.suspensionChanged?.(tx, { accountId: ada.accountId, until }),
    );
  const others = await client.tokens({ person: bob });
  await suspend(until);
  assert.deepEqual(await statuses(), [401, 400, 401]);
  const { message } = (await client.refreshes(tokens.refresh)).body;
  assert.equal(message, say('token.person-suspended').message);
  assert.equal((await client.calls(others.access)).status, 200);
  world.clock.advance({ milliseconds: 59_999 });
  assert.deepEqual(await statuses(), [401, 400, 401]);
  world.clock.advance({ milliseconds: 1 });
  assert.deepEqual(await statuses(), [200, 200, 200]);

  const later = await client.tokens({ person: ada });
  await suspend(world.clock.now() + 60_000);
  assert.equal((await client.calls(later.access)).status, 401);
  await suspend(null);
  assert.equal((await client.calls(later.access)).status, 200);
  assert.equal((await client.refreshes(later.refresh)).status, 200);
});

test('only the grants to a deleted application end with it, unless they ended before', async (t) => {
  const { world, ada, client } = await scene(t);
  const other = await world.client();
  const revoked = await client.tokens({ person: ada });
  await client.revokes(revoked.access);
  const tokens = await client.tokens({ person: ada });
  const kept = await other.tokens({ person: ada });
  await client.owner.deletes(client);
  await world.oauth.endGrantsOfDeleted();
  assert.equal((await client.calls(tokens.access)).status, 401);
  assert.equal((await client.refreshes(tokens.refresh)).body.error, 'invalid_client');
  assert.equal((await other.calls(kept.access)).status, 200);
  const ends = await world.db<{ appId: string; endReason: string | null; endedAt: number | null }[]>`
    select app_id, end_reason, ended_at from grants order by family_id`;
  const now = world.clock.now();
  assert.deepEqual(columnsOf(ends, 'appId', 'endReason', 'endedAt'), [
    [client.appId, 'revoked-by-client', now],
    [client.appId, 'application-deleted', now],
    [other.appId, null, null],
  ]);
});
