import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createWorldFor } from '#testing/world.ts';
import {
  countRecoveryCodes,
  deletePasskey,
  deletePasskeysOf,
  deleteRecoveryCode,
  deleteRecoveryCodes,
  deleteSecret,
  insertPasskey,
  insertRecoveryCodes,
  selectPasskey,
  selectPasskeys,
  selectSecret,
  updatePasskeyName,
  updatePasskeyUse,
  updateSecretEnabled,
  updateTimeStep,
  upsertSecret,
} from './two-factor-queries.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const [{ accountId: ada }, { accountId: bob }] = [await world.person('Ada'), await world.person('Bob')];
  return { world, db: world.db, ada, bob };
}

test('a secret is replaced until it is on, and each code is used once; nobody else’s changes', async (t) => {
  const { db, ada, bob } = await scene(t);
  const put = (accountId: string, byte: number) =>
    db.write((tx) => upsertSecret(tx, { accountId, secret: Buffer.of(byte), secretKeyId: 1 }));
  const shown = async (accountId: string) => {
    const row = await selectSecret(db, accountId);
    return row && `${row.secret[0]} ${row.lastTimeStep} ${row.enabledAt}`;
  };
  assert.deepEqual([await put(ada, 1), await put(bob, 2), await put(ada, 3)], [true, true, true]);
  assert.deepEqual([await shown(ada), await shown(bob)], ['3 0 null', '2 0 null']);
  const enable = (at: number) => db.write((tx) => updateSecretEnabled(tx, ada, at));
  assert.deepEqual([await enable(10), await enable(20), await put(ada, 4)], [true, false, false]);
  const use = (step: number) => db.write((tx) => updateTimeStep(tx, ada, step));
  assert.deepEqual([await use(5), await use(5), await use(4), await use(6)], [true, false, false, true]);
  assert.deepEqual([await shown(ada), await shown(bob)], ['3 6 10', '2 0 null']);
  assert.deepEqual([await db.write((tx) => deleteSecret(tx, ada)), await shown(ada)], [true, undefined]);
  assert.deepEqual(await shown(bob), '2 0 null');
});

test('a recovery code works once, for its person', async (t) => {
  const { db, ada, bob } = await scene(t);
  const [first, second] = [Buffer.of(1), Buffer.of(2)];
  await db.write((tx) => insertRecoveryCodes(tx, ada, [first, second]));
  await db.write((tx) => insertRecoveryCodes(tx, bob, [first]));
  const use = (accountId: string, code: Buffer) => db.write((tx) => deleteRecoveryCode(tx, accountId, code));
  assert.deepEqual(
    [await use(bob, second), await use(ada, first), await use(ada, first)],
    [false, true, false],
  );
  const counts = async () => [await countRecoveryCodes(db, ada), await countRecoveryCodes(db, bob)];
  assert.deepEqual(await counts(), [1, 1]);
  await db.write((tx) => deleteRecoveryCodes(tx, ada));
  assert.deepEqual(await counts(), [0, 1]);
});

test('a passkey belongs to its person, and a copy of it is noticed', async (t) => {
  const { db, ada, bob } = await scene(t);
  const insert = (accountId: string, credentialId: string) => {
    const rest = { counter: 0, transports: [], isSynced: false, createdAt: 1, lastUsedAt: null };
    const row = { accountId, credentialId, publicKey: Buffer.of(1), name: 'old', ...rest };
    return db.write((tx) => insertPasskey(tx, row));
  };
  const inserted = [
    await insert(ada, 'a'),
    await insert(ada, 'b'),
    await insert(bob, 'a'),
    await insert(bob, 'a'),
  ];
  assert.deepEqual(inserted, [true, true, true, false]);
  const shown = async () => {
    const all = [...(await selectPasskeys(db, ada)), ...(await selectPasskeys(db, bob))];
    return all.map(({ credentialId, name, counter }) => `${credentialId} ${name} ${counter}`);
  };
  const rename = (credentialId: string) =>
    db.write((tx) => updatePasskeyName(tx, { accountId: ada, credentialId }, 'new'));
  assert.deepEqual([(await rename('a'))?.name, await rename('c')], ['new', undefined]);
  const use = (credentialId: string, counter: number) =>
    db.write((tx) =>
      updatePasskeyUse(tx, { accountId: ada, credentialId }, { counter, isSynced: false, at: 2 }),
    );
  assert.deepEqual([await use('a', 0), await use('a', 3), await use('c', 9)], [true, true, false]);
  assert.deepEqual([await use('a', 3), await use('a', 2), await use('a', 0)], [false, false, false]);
  assert.deepEqual(await shown(), ['a new 3', 'b old 0', 'a old 0']);
  assert.equal((await selectPasskey(db, { accountId: bob, credentialId: 'a' }))?.name, 'old');
  assert.equal(await selectPasskey(db, { accountId: bob, credentialId: 'b' }), undefined);
  const remove = (accountId: string, credentialId: string) =>
    db.write((tx) => deletePasskey(tx, { accountId, credentialId }));
  assert.deepEqual([await remove(bob, 'b'), await remove(ada, 'a')], [false, true]);
  assert.deepEqual(await shown(), ['b old 0', 'a old 0']);
  await db.write((tx) => deletePasskeysOf(tx, ada));
  assert.deepEqual(await shown(), ['a old 0']);
});
