import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { columnOf } from '#testing/columns.ts';
import { createTestPlatformFor } from '#testing/platform.ts';
import {
  deleteRequestsBefore,
  deleteRequestsBeyond,
  deleteUsageBefore,
  insertRequests,
  type RequestSearch,
  selectErrorGroups,
  selectKeysUsed,
  selectRequests,
  selectTotals,
  selectUsage,
  type UsageRow,
  updateKeysUsed,
  upsertUsage,
} from './queries.ts';

const [APP, OTHER] = ['app_1', 'app_2'] as const;

/** The requests 1 to 4 of two applications, of which 3 and 4 failed. */
async function scene(t: TestContext) {
  const platform = await createTestPlatformFor(t);
  const { db } = platform;
  const made = [200, 200, 400, 500].map((status, i) => {
    const failed = status >= 400;
    const error = { code: failed ? `c${status}` : null, message: failed ? `m${status}` : null };
    const request = { requestId: `req_${i + 1}`, at: i + 1, route: `/r${i + 1}`, status, ...error };
    return { ...request, caller: 'bot' as const, method: 'GET', durationMs: 1, unknownFields: null };
  });
  for (const appId of [APP, OTHER])
    for (const _time of ['once', 'again']) {
      const rows = made.map((row) => ({ appId, ...row }));
      await db.write((tx) => insertRequests(tx, rows));
    }
  const numbers = async (search: Partial<RequestSearch> = {}, appId: string = APP) => {
    const all = { before: 'req_9', statusFrom: 0, statusTo: 599, route: null, code: null, requestId: null };
    const rows = await selectRequests(db, appId, { ...all, limit: 9, ...search });
    return rows.map(({ requestId }) => Number(requestId.slice(4)));
  };
  return { db, numbers };
}

test('the log of an application is searched, and cut, by itself', async (t) => {
  const { db, numbers } = await scene(t);
  assert.deepEqual(await numbers(), [4, 3, 2, 1]);
  const searches: [Partial<RequestSearch>, number[]][] = [
    [{ before: 'req_3' }, [2, 1]],
    [{ statusFrom: 400, statusTo: 499 }, [3]],
    [{ statusTo: 400 }, [3, 2, 1]],
    [{ route: '/r2' }, [2]],
    [{ code: 'c500' }, [4]],
    [{ requestId: 'req_1' }, [1]],
  ];
  for (const [search, expected] of searches) assert.deepEqual(await numbers(search), expected);

  const groups = async (since: number) =>
    (await selectErrorGroups(db, APP, { since, limit: 9 })).map(
      ({ message, count }) => `${message} ${count}`,
    );
  assert.deepEqual([await groups(3), await groups(4)], [['m500 1', 'm400 1'], ['m500 1']]);
  await db`update api_requests set route = '/r3', status = 400, code = 'c', message = 'm' where status = 200`;
  assert.deepEqual(await groups(0), ['m 2', 'm500 1', 'm400 1']);

  await db.write((tx) => deleteRequestsBeyond(tx, APP, 2));
  await db.write((tx) => deleteRequestsBeyond(tx, APP, 2));
  assert.deepEqual(await numbers(), [4, 3]);
  assert.deepEqual(await numbers({}, OTHER), [4, 3, 2, 1]);
  await db.write((tx) => deleteRequestsBefore(tx, 3));
  assert.deepEqual([await numbers(), await numbers({}, OTHER)], [[4], [4]]);
});

test('an application that has few requests keeps them beside one that has many', async (t) => {
  const { db, numbers } = await scene(t);
  await db`delete from api_requests where app_id = ${APP} and at > 2`;
  await db.write((tx) => deleteRequestsBeyond(tx, APP, 2));
  assert.deepEqual(await numbers(), [2, 1]);
});

test('usage is that of some applications, in a span, since a time', async (t) => {
  const { db } = await scene(t);
  const counts = { requests: 1, clientErrors: 0, serverErrors: 1, latencies: [] };
  const quota = { quotaLimit: null, quotaRemaining: null, quotaResetAt: null };
  const row = { caller: 'bot', method: 'GET', route: '/r', writer: 'w', ...counts, ...quota } as const;
  const rows = [APP, OTHER].flatMap((appId) =>
    (['minute', 'hour'] as const).flatMap((span) =>
      [1, 2].map((startedAt): UsageRow => ({ ...row, appId, span, startedAt })),
    ),
  );
  await db.write((tx) => upsertUsage(tx, rows));
  await db.write((tx) => upsertUsage(tx, [{ ...row, appId: APP, span: 'hour', startedAt: 2, requests: 7 }]));
  const used = async (appIds: string[], span: 'minute' | 'hour', since = 0) =>
    (await selectUsage(db, appIds, { span, since }))
      .map(({ appId, startedAt, requests }) => `${appId} ${startedAt} ${requests}`)
      .sort();
  assert.deepEqual(await used([APP], 'hour'), ['app_1 1 1', 'app_1 2 7']);
  assert.deepEqual(await used([APP, OTHER], 'minute', 2), ['app_1 2 1', 'app_2 2 1']);

  await db.write((tx) =>
    upsertUsage(tx, [{ ...row, appId: APP, span: 'hour', startedAt: 2, caller: 'webhook' }]),
  );
  await db`
    insert into applications (app_id, owner_id, name, state, requests_per_minute, created_at)
    values (${APP}, 'ada', 'A', 'active', 1, 1), (${OTHER}, 'ada', 'B', 'deleted', 1, 1), ('app_3', 'ada', 'C', 'active', 1, 1)`;
  assert.deepEqual(await selectTotals(db, 2), {
    applications: 2,
    requests: 8,
    deliveries: 1,
    failedDeliveries: 1,
  });
  await db.write((tx) => deleteUsageBefore(tx, { span: 'hour', before: 2 }));
  assert.deepEqual(
    [await used([OTHER], 'hour'), await used([OTHER], 'minute')],
    [['app_2 2 1'], ['app_2 1 1', 'app_2 2 1']],
  );
});

test('of a key is kept when it was last used; a revoked one does not count', async (t) => {
  const { db } = await scene(t);
  for (const appId of [APP, OTHER]) {
    await db`
      insert into applications (app_id, owner_id, name, state, requests_per_minute, created_at)
      values (${appId}, 'ada', 'A', 'active', 1, 1)`;
    for (const n of [1, 2])
      await db`insert into api_keys (app_id, key_hash, scopes, created_at) values (${appId}, ${Buffer.of(n)}, '{}', 1)`;
  }
  const use = (n: number, at: number) =>
    db.write((tx) => updateKeysUsed(tx, [{ appId: APP, fingerprint: `0${n}`, at }]));
  const all = async () =>
    columnOf(await db`select last_used_at from api_keys order by app_id, key_hash`, 'lastUsedAt');
  const used = async (appId: string) => (await selectKeysUsed(db, [appId])).map(({ at }) => at);
  assert.deepEqual(await used(APP), []);
  await use(1, 10);
  await use(1, 9);
  assert.deepEqual(await all(), [10, null, null, null]);
  await use(1, 11);
  await use(2, 20);
  await db`update api_keys set last_used_at = 5 where app_id = ${OTHER}`;
  assert.deepEqual(await used(APP), [20]);
  await db`update api_keys set revoked_at = 30 where app_id = ${APP} and key_hash = ${Buffer.of(2)}`;
  assert.deepEqual([await used(APP), await used(OTHER)], [[11], [5]]);
});
