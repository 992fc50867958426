import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invalid, missing, plain } from '#testing/answers.ts';
import { createWorld } from '#testing/world.ts';

test('a person blocks and unblocks existing accounts, and lists them, latest first', async () => {
  await using world = await createWorld();
  const [ada, bob, eve] = [await world.person('Ada'), await world.person('Bob'), await world.person('Eve')];
  const blocked = async () => {
    const { body } = await ada.calls('GET', '/api/chat/blocks');
    return body.data.map(({ userId }: { userId: string }) => userId);
  };
  const block = (userId: string) => ada.calls('POST', '/api/chat/blocks', { userId }).then(plain);

  await ada.blocks(bob);
  world.clock.advance({ seconds: 1 });
  await ada.blocks(eve);
  assert.deepEqual(await blocked(), [eve.accountId, bob.accountId]);
  await ada.unblocks(eve);
  assert.deepEqual(await blocked(), [bob.accountId]);

  const unknown = missing('no account has the id in `userId`');
  assert.deepEqual(await block('usr_00000000000000000000000a'), unknown);
  assert.deepEqual(await block(ada.accountId), invalid('userId must be somebody else'));
});

test('a person unblocks an account that has been deleted, but does not block one', async () => {
  await using world = await createWorld();
  const [ada, bob, bot] = [await world.person('Ada'), await world.person('Bob'), await world.bot()];
  for (const one of [bob, bot]) await ada.blocks(one);
  await bob.deletesAccount();
  await bot.deleted();
  const blocked = async () => (await ada.calls('GET', '/api/chat/blocks')).body.data;
  assert.deepEqual(
    (await blocked()).map(({ isDeleted }: { isDeleted: boolean }) => isDeleted),
    [true, true],
  );
  for (const { accountId: userId } of [bob, bot]) {
    await ada.unblocks({ accountId: userId });
    const again = await ada.calls('POST', '/api/chat/blocks', { userId });
    assert.deepEqual(plain(again), missing('no account has the id in `userId`'));
  }
  assert.deepEqual(await blocked(), []);
});
