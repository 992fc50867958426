import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnOf } from '#testing/columns.ts';
import { createWorld } from '#testing/world.ts';
import {
  findLanguage,
  lockPicture,
  selectLastSeen,
  selectProfile,
  updateLanguage,
  updateProfile,
  updateUsername,
} from './queries.ts';

test('a profile is that of one person, not of a bot, and not of an account that has ended', async () => {
  await using world = await createWorld();
  const { db } = world;
  const [{ accountId: ada }, { accountId: bob }] = [await world.person('Ada'), await world.person('Bob')];
  const { accountId: bot } = await world.bot();
  const names = async () => [(await selectProfile(db, ada))?.name, (await selectProfile(db, bob))?.name];
  const rename = (accountId: string, name: string) =>
    db.write((tx) => updateProfile(tx, accountId, { name, picture: undefined }));
  assert.deepEqual(await names(), ['Ada', 'Bob']);
  assert.equal((await rename(bob, 'Bert'))?.name, 'Bert');
  assert.deepEqual([await names(), await rename(bot, 'Botty')], [['Ada', 'Bert'], undefined]);
  assert.equal(await selectProfile(db, bot), undefined);

  await db`update accounts set picture_url = name`;
  const pictures = [ada, bob].map((accountId) => db.begin((tx) => lockPicture(tx, accountId)));
  assert.deepEqual(await Promise.all(pictures), ['Ada', 'Bert']);

  await db.write((tx) => updateLanguage(tx, ada, 'de'));
  await db.write((tx) => updateLanguage(tx, bot, 'de'));
  const languages = [ada, bob, bot].map((accountId) => findLanguage(db, accountId));
  assert.deepEqual(await Promise.all(languages), ['de', 'en', 'en']);
  await db.write((tx) => updateUsername(tx, ada, 'ada_l'));
  await db.write((tx) => updateUsername(tx, bot, 'no_bot'));
  const usernames = await db<{ username: string | null }[]>`
    select username from accounts where account_id = any(${[ada, bob, bot]}) order by username`;
  assert.deepEqual(columnOf(usernames, 'username'), ['ada_l', 'helper1_bot', null]);
  await db`update sessions set last_seen_at = case when account_id = ${ada} then 10 else 20 end`;
  assert.deepEqual([await selectLastSeen(db, ada), await selectLastSeen(db, bob)], [10, 20]);

  await db`update accounts set deleted_at = 1 where account_id = ${bob}`;
  assert.deepEqual([await names(), await rename(bob, 'Bob')], [['Ada', undefined], undefined]);
});
