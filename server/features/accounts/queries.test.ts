import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Tx } from '#platform/database.ts';
import { createWorldFor } from '#testing/world.ts';
import { lockPicture } from './profile/queries.ts';
import {
  deleteUniqueName,
  findEmailOwner,
  findNameOwner,
  insertUniqueName,
  lockAccount,
  lockAccountShared,
  lockFreeShared,
  lockPassword,
  replacePassword,
  selectAccount,
  selectDeviceEpoch,
  selectLogin,
  updateAccountDeleted,
  updateAccountName,
  updateAccountPicture,
  updateDeviceEpoch,
  updatePersonDeleted,
  updatePlainText,
} from './queries.ts';

async function scene(t: TestContext) {
  const world = await createWorldFor(t);
  const [{ accountId: ada }, { accountId: bob }] = [await world.person('Ada'), await world.person('Bob')];
  return { world, db: world.db, ada, bob };
}

test('a name is owned once in each kind, and freed only by its owner', async (t) => {
  const { db, ada, bob } = await scene(t);
  const [invite, username] = [
    { value: 'x', kind: 'invite' },
    { value: 'x', kind: 'username' },
  ] as const;
  const owners = async () => [await findNameOwner(db, invite), await findNameOwner(db, username)];
  const take = (ownerId: string) => db.write((tx) => insertUniqueName(tx, { ...invite, ownerId }));
  assert.deepEqual([await take(ada), await take(bob), await owners()], [true, false, [ada, undefined]]);
  await db.write((tx) => insertUniqueName(tx, { ...username, ownerId: ada }));
  assert.equal(await findEmailOwner(db, { storedNames: ['x'] }), undefined);
  await db.write((tx) => insertUniqueName(tx, { value: 'y', kind: 'invite', ownerId: ada }));
  await db.write((tx) => deleteUniqueName(tx, { ...invite, ownerId: bob }));
  assert.deepEqual(await owners(), [ada, ada]);
  await db.write((tx) => deleteUniqueName(tx, { ...invite, ownerId: ada }));
  assert.deepEqual(await owners(), [undefined, ada]);
  assert.equal(await findNameOwner(db, { value: 'y', kind: 'invite' }), ada);
});

test('an account changes by itself, and ends once', async (t) => {
  const { db, ada, bob } = await scene(t);
  const before = await selectAccount(db, bob);
  await db.write((tx) => updateAccountName(tx, ada, 'Ada L'));
  await db.write((tx) => updateAccountPicture(tx, ada, 'https://example.com/a.png'));
  await db.write((tx) => updatePlainText(tx, ada, true));
  await db.write((tx) => updateDeviceEpoch(tx, ada));
  const changed = { name: 'Ada L', pictureUrl: 'https://example.com/a.png', plainText: true };
  assert.deepEqual(await selectAccount(db, ada), { ...before, accountId: ada, ...changed });
  const [first, other] = [await selectDeviceEpoch(db, ada), await selectDeviceEpoch(db, bob)];
  assert.equal(first, other + 1);
  const deletedAt = async () => (await selectAccount(db, ada))?.deletedAt;
  await db.write((tx) => updateAccountDeleted(tx, ada, 1));
  await db.write((tx) => updateAccountDeleted(tx, ada, 2));
  await db.write((tx) => updatePersonDeleted(tx, ada, 3));
  assert.equal(await deletedAt(), 1);
  assert.deepEqual(await selectAccount(db, bob), before);
  const isTestPerson = async () => (await selectAccount(db, ada))?.isTestPerson;
  await db`update accounts set email = null, deleted_at = null where account_id = ${ada}`;
  assert.equal(await isTestPerson(), true);
  await db.write((tx) => updatePersonDeleted(tx, ada, 4));
  assert.deepEqual([await deletedAt(), await isTestPerson()], [4, false]);
  assert.deepEqual(await selectAccount(db, bob), before);
});

test('a password is that of one person, and changes only from the one that was proven', async (t) => {
  const { world, db, ada, bob } = await scene(t);
  const { accountId: bot } = await world.bot();
  await db`update accounts set password_hash = 'old', email = account_id || '@example.com'`;
  const hashes = async () => [ada, bob, bot].map(async (id) => (await selectLogin(db, id))?.passwordHash);
  const replace = (from: string | null) => db.write((tx) => replacePassword(tx, ada, { from, to: 'new' }));
  const isRight = (hash: string) => db.write((tx) => lockPassword(tx, ada, hash));
  assert.deepEqual([await isRight('old'), await isRight('new')], [true, false]);
  assert.deepEqual([await replace(null), await replace('old'), await replace('old')], [false, true, false]);
  assert.deepEqual(await Promise.all(await hashes()), ['new', 'old', undefined]);
  await db`update accounts set email = null where account_id = ${bob}`;
  assert.deepEqual(await Promise.all(await hashes()), ['new', undefined, undefined]);
  assert.deepEqual([await isRight('old'), await isRight('new')], [false, true]);
  await db`update accounts set deleted_at = 1 where account_id = ${ada}`;
  assert.deepEqual([await isRight('new'), await replace('new')], [false, false]);
  assert.deepEqual(await Promise.all(await hashes()), [undefined, undefined, undefined]);
});

test('who locks an account keeps others from what they must not do', async (t) => {
  const { db, ada, bob } = await scene(t);
  await db`update accounts set password_hash = 'hash'`;
  /** Whether others can still lock an account like this. */
  const share = (accountId: string) =>
    db.begin(async (tx) => (await lockFreeShared(tx, [accountId])).length === 1);
  const change = async (accountId: string) => {
    const rows = await db`
      select from accounts where account_id = ${accountId} for no key update skip locked`;
    return rows.length === 1;
  };
  const locks: [lock: (tx: Tx) => Promise<unknown>, isShared: boolean][] = [
    [(tx) => lockAccount(tx, ada), false],
    [(tx) => lockAccountShared(tx, ada), true],
    [(tx) => lockFreeShared(tx, [ada]), true],
    [(tx) => lockPassword(tx, ada, 'hash'), true],
    [(tx) => lockPicture(tx, ada), false],
  ];
  for (const [lock, isShared] of locks)
    await db.begin(async (tx) => {
      await lock(tx);
      assert.deepEqual([await share(ada), await change(ada)], [isShared, false]);
      assert.deepEqual([await share(bob), await change(bob)], [true, true]);
    });
});
