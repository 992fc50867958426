import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createWorldFor, type Person } from '#testing/world.ts';
import {
  deleteExpiredSessions,
  deleteSession,
  deleteSessionsOf,
  insertSession,
  type SessionKey,
  selectAccountsWithExpiredSessions,
  selectAuthentication,
  selectHeldSessions,
  selectLiveSessions,
  selectSessions,
  updateSessionAuthenticated,
  updateSessionUse,
} from './queries.ts';

const hashOf = (n: number) => Buffer.alloc(32, n);
const numbersOf = (rows: readonly Pick<SessionKey, 'sessionHash'>[]) =>
  rows.map(({ sessionHash }) => sessionHash[0]).sort();

/** Two people: one with the sessions 1, 2 and 3, the other with 4. Of each, the times of its last use and of its end. */
async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const { db } = world;
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  await db`delete from sessions`;
  const keyOf = ({ accountId }: Person, n: number) => ({ accountId, sessionHash: hashOf(n) });
  const rows: [Person, number, createdAt: number, lastSeenAt: number, expiresAt: number][] = [
    [ada, 1, 10, 10, 100],
    [ada, 2, 20, 20, 200],
    [ada, 3, 15, 20, 200],
    [bob, 4, 30, 30, 100],
  ];
  for (const [person, n, createdAt, lastSeenAt, expiresAt] of rows) {
    const times = { createdAt, lastSeenAt, expiresAt, authenticatedAt: createdAt };
    const session = { ...keyOf(person, n), userAgent: '', methods: null, signInId: null, ...times };
    await db.write((tx) => insertSession(tx, session));
  }
  const all = async () => {
    const rows = await db<{ sessionHash: Buffer; lastSeenAt: number; expiresAt: number }[]>`
      select session_hash, last_seen_at, expires_at from sessions order by session_hash`;
    return rows.map(
      ({ sessionHash, lastSeenAt, expiresAt }) => `${sessionHash[0]}: ${lastSeenAt} ${expiresAt}`,
    );
  };
  /** One that has ended, one of somebody else, and one that never was. */
  const notLive = [
    [keyOf(bob, 4), 100],
    [keyOf(ada, 4), 50],
    [keyOf(ada, 5), 50],
  ] as const;
  return { world, db, ada, bob, keyOf, all, notLive };
}

test('a session is found by its person and its credential, until it ends', async (t) => {
  const { world, db, ada, bob, keyOf, notLive } = await scene(t);
  // On Citus each account has a batch of its own.
  const batchesOf = (keys: SessionKey[]) => (world.shards.isDistributed ? keys.map((key) => [key]) : [keys]);
  const live = async (keys: SessionKey[], now: number) => {
    const found = batchesOf(keys).map((batch) => selectLiveSessions(db, batch, now, world.shards));
    return numbersOf((await Promise.all(found)).flat());
  };
  assert.deepEqual(await live([keyOf(ada, 1), keyOf(bob, 4)], 99), [1, 4]);
  assert.deepEqual(await live([keyOf(ada, 1), keyOf(ada, 2)], 100), [2]);
  assert.deepEqual(await live([keyOf(ada, 4)], 50), []);
  const authenticatedAt = async (key: SessionKey, now: number) =>
    (await selectAuthentication(db, key, now))?.authenticatedAt;
  assert.equal(await authenticatedAt(keyOf(ada, 1), 99), 10);
  for (const [key, now] of notLive) assert.equal(await authenticatedAt(key, now), undefined);
  const held = async (people: Person[], now: number) =>
    numbersOf(await selectHeldSessions(db, { accountIds: people.map(({ accountId }) => accountId), now }));
  assert.deepEqual(await held([ada, bob], 99), [1, 2, 3, 4]);
  assert.deepEqual(await held([ada], 100), [2, 3]);
  const listed = await selectSessions(db, { accountId: ada.accountId, now: 99, limit: 9 });
  const order = listed.map(({ sessionHash }) => sessionHash[0]);
  assert.deepEqual(order, [2, 3, 1], 'the last used first, then the youngest');
  assert.equal((await selectSessions(db, { accountId: ada.accountId, now: 100, limit: 9 })).length, 2);
  await db`update accounts set deleted_at = 1 where account_id = ${bob.accountId}`;
  assert.deepEqual(await live([keyOf(ada, 1), keyOf(bob, 4)], 50), [1]);
  assert.deepEqual(await held([ada, bob], 50), [1, 2, 3]);
});

test('a session changes by itself, and not after its end', async (t) => {
  const { db, ada, keyOf, all, notLive } = await scene(t);
  const use = (key: SessionKey, now: number) =>
    db.write((tx) => updateSessionUse(tx, key, { now, expiresAt: 300 }));
  for (const [key, now] of notLive) await use(key, now);
  assert.deepEqual(await all(), ['1: 10 100', '2: 20 200', '3: 20 200', '4: 30 100']);
  await use(keyOf(ada, 1), 99);
  assert.deepEqual(await all(), ['1: 99 300', '2: 20 200', '3: 20 200', '4: 30 100']);
  const authenticate = (key: SessionKey, now: number) =>
    db.write((tx) => updateSessionAuthenticated(tx, key, { now, method: 'pwd' }));
  for (const [key, now] of notLive) assert.equal(await authenticate(key, now), false);
  assert.equal(await authenticate(keyOf(ada, 1), 99), true);
});

test('sessions are removed by themselves, by their person, or when they have ended', async (t) => {
  const { db, ada, bob, keyOf, all } = await scene(t);
  const remove = async (key: SessionKey) => numbersOf(await db.write((tx) => deleteSession(tx, key)));
  assert.deepEqual(await remove(keyOf(ada, 4)), []);
  assert.deepEqual(await remove(keyOf(ada, 2)), [2]);
  const expired = (now: number) => selectAccountsWithExpiredSessions(db, { now, limit: 9 });
  assert.deepEqual(await expired(99), []);
  assert.deepEqual((await expired(100)).sort(), [ada.accountId, bob.accountId].sort());
  const removeExpired = async (now: number) => {
    const accountIds = [ada.accountId];
    return numbersOf(await db.write((tx) => deleteExpiredSessions(tx, { accountIds, now })));
  };
  assert.deepEqual(await removeExpired(99), []);
  assert.deepEqual(await removeExpired(100), [1]);
  assert.deepEqual(await all(), ['3: 20 200', '4: 30 100']);
  assert.deepEqual(numbersOf(await db.write((tx) => deleteSessionsOf(tx, bob.accountId))), [4]);
  assert.deepEqual(await all(), ['3: 20 200']);
});
