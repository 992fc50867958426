import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestPlatform } from '#testing/platform.ts';
import { updateAccountDeleted, updateAccountName } from './queries.ts';
import { createBotAccount, findAccount, findAccountIdByUsername, findAccounts } from './service.ts';

test('of 50 bots at once with one username, one gets it', async () => {
  await using platform = await createTestPlatform();
  const { db, clock, newId } = platform;
  const made = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const bot = {
        accountId: newId('usr'),
        appId: newId('app'),
        name: 'Weather',
        username: 'weather_bot',
        createdAt: clock.now(),
      };
      return { bot, isMade: await db.begin((tx) => createBotAccount(tx, bot)) };
    }),
  );
  const [winner, ...others] = made.filter(({ isMade }) => isMade);
  assert.equal(others.length, 0);
  assert.ok(winner);
  assert.equal(await findAccountIdByUsername(db, 'weather_bot'), winner.bot.accountId);
  assert.deepEqual(await findAccount(db, winner.bot.accountId), {
    accountId: winner.bot.accountId,
    isBot: true,
    appId: winner.bot.appId,
    name: 'Weather',
    username: 'weather_bot',
    pictureUrl: null,
    plainText: false,
    whoMayAddMe: 'everybody',
    deletedAt: null,
    isTestPerson: false,
  });
  const [{ count } = { count: 0 }] = await db<{ count: number }[]>`select count(*) from accounts`;
  assert.equal(count, 1);
});

test('a deleted bot can still be looked up, and its username stays taken', async () => {
  await using platform = await createTestPlatform();
  const { db, clock, newId } = platform;
  const bot = { appId: newId('app'), name: 'Weather', username: 'weather_bot', createdAt: clock.now() };
  const accountId = newId('usr');
  await db.begin((tx) => createBotAccount(tx, { ...bot, accountId }));
  await db.begin((tx) => updateAccountName(tx, accountId, 'Rain'));
  const deletedAt = clock.now();
  await db.begin((tx) => updateAccountDeleted(tx, accountId, deletedAt));
  await db.begin((tx) => updateAccountDeleted(tx, accountId, deletedAt + 1));
  const account = await findAccount(db, accountId);
  assert.deepEqual({ name: account?.name, deletedAt: account?.deletedAt }, { name: 'Rain', deletedAt });
  assert.equal(await findAccountIdByUsername(db, 'weather_bot'), accountId);
  const again = await db.begin((tx) => createBotAccount(tx, { ...bot, accountId: newId('usr') }));
  assert.equal(again, false);
});

test('a text that cannot be an id has no account', async () => {
  await using platform = await createTestPlatform();
  for (const text of ['', 'x', "usr_' or 1=1", platform.newId('app'), platform.newId('usr')]) {
    assert.equal(await findAccount(platform.db, text), undefined);
    assert.equal((await findAccounts(platform.db, [text])).length, 0);
  }
});
