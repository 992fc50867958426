import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { changeQuota } from '#features/applications/settings.ts';
import type { Database, Db } from '#platform/database.ts';
import type { TestPlatformOptions } from '#testing/platform.ts';
import { createWorldFor } from '#testing/world.ts';

/** While the outage lasts, statements with these words end so. */
function failing<D extends Db>(
  db: D,
  {
    outage,
    words,
    end,
    instead = {},
  }: { outage: Outage; words: string; end: () => unknown; instead?: Partial<D> },
): D {
  return new Proxy(db, {
    apply(tag, self, args) {
      const isMeant = outage.isOn && args.flat().some((text: unknown) => String(text).includes(words));
      return isMeant ? end() : Reflect.apply(tag, self, args);
    },
    get: (tag, name) => Reflect.get(name in instead ? instead : tag, name),
  });
}

interface Outage {
  isOn: boolean;
}

const LOOKUP = 'from api_keys k';

function lose(): never {
  throw Object.assign(new Error('the connection was lost'), { code: '08006' });
}

function hang() {
  return Promise.withResolvers().promise;
}

/** A bot whose key the server has cached, since it has just been used, and a person who wrote to the bot. */
async function sceneFor(t: TestContext, options: TestPlatformOptions = {}) {
  const world = await createWorldFor(t, {}, options);
  const ada = await world.person();
  const bot = await world.bot();
  await ada.writes(bot, 'hello');
  const message = { to: ada.accountId, type: 'text', content: 'x' };
  const sends = (body: object = message, headers: Record<string, string> = {}) =>
    bot.calls('POST', '/v1/messages', body, headers);
  const stored = async () => {
    const [row] =
      await world.db`select count(*)::integer as count from messages where sender_id = ${bot.accountId}`;
    return row?.['count'];
  };
  /** The bot keeps using the old key; returns the new one. */
  const revokes = async () => {
    const { key } = bot;
    await bot.regeneratesKey();
    const newKey = bot.key;
    bot.key = key;
    return newKey;
  };
  assert.equal((await sends()).status, 201);
  return { world, bot, sends, stored, revokes };
}

test('a cached key that was revoked is refused: nothing is stored or counted, whatever else is wrong', async (t) => {
  const { bot, sends, stored, revokes } = await sceneFor(t);
  const newKey = await revokes();
  const bodies = [
    undefined,
    { to: 'nobody', type: 'text', content: 'x' },
    {},
    { content: 'x'.repeat(70_000) },
  ];
  for (const body of bodies) {
    const answer = await sends(body);
    assert.equal(answer.status, 401);
    assert.equal(answer.headers['ratelimit-remaining'], undefined);
    assert.match(String(answer.headers['www-authenticate']), /invalid_token/);
  }
  assert.equal(await stored(), 1);
  bot.key = newKey;
  assert.equal((await sends()).headers['ratelimit-remaining'], '58');
});

test('a repeated request with a revoked key does not get the stored response', async (t) => {
  const { sends, stored, revokes } = await sceneFor(t);
  const key = { 'idempotency-key': 'once' };
  assert.equal((await sends(undefined, key)).status, 201);
  await revokes();
  assert.equal((await sends(undefined, key)).status, 401);
  assert.equal(await stored(), 2);
});

test('a cached key is refused once its application is suspended or deleted', async (t) => {
  const { world, bot, sends, stored } = await sceneFor(t);
  await world.suspends(bot);
  assert.equal((await sends()).body.message, 'the application is suspended');
  await world.unsuspends(bot);
  assert.equal((await sends()).status, 201);
  await bot.deleted();
  assert.equal((await sends()).status, 401);
  assert.equal(await stored(), 2);
});

test('a cached key of a disabled application is refused, and works again after reactivation', async (t) => {
  const { bot, sends, stored } = await sceneFor(t);
  await bot.owner.disables(bot);
  for (const body of [undefined, {}]) {
    const answer = await sends(body);
    assert.equal(answer.status, 403);
    assert.equal(answer.body.message, 'the application is disabled');
    assert.equal(answer.headers['www-authenticate'], 'Bearer realm="parley"');
    assert.equal(answer.headers['ratelimit-remaining'], undefined);
  }
  assert.equal(await stored(), 1);
  await bot.owner.calls('POST', `/api/console/applications/${bot.appId}/reactivate`);
  assert.equal((await sends()).headers['ratelimit-remaining'], '58');
});

test('a cached key loses a scope at once', async (t) => {
  const { bot, sends, stored } = await sceneFor(t);
  await bot.mayOnly(['groups:manage']);
  assert.equal((await sends()).status, 403);
  assert.equal(await stored(), 1);
});

test('changes by hand are noticed within a minute', async (t) => {
  const { world, bot, sends } = await sceneFor(t);
  await world.db`update api_keys set revoked_at = 1 where app_id = ${bot.appId}`;
  world.clock.advance({ minutes: 1 });
  assert.equal((await sends()).status, 401);
});

test('while keys cannot be looked up, a cached key still works, until it is revoked', async (t) => {
  const outage = { isOn: false };
  const watch = (db: Database) => failing(db, { outage, words: LOOKUP, end: lose });
  const { world, sends, stored, revokes } = await sceneFor(t, { watch });
  world.clock.advance({ minutes: 10 });
  outage.isOn = true;
  assert.equal((await sends()).status, 201);
  await revokes();
  assert.equal((await sends()).status, 503);
  assert.equal((await sends(undefined, { 'idempotency-key': 'once' })).status, 503);
  outage.isOn = false;
  assert.equal((await sends()).status, 401);
  assert.equal(await stored(), 2);
});

test('while a cluster node hangs, a cached key is used without waiting for a lookup', async (t) => {
  const outage = { isOn: false };
  const instead = {
    get isPartAway() {
      return outage.isOn;
    },
  };
  const watch = (db: Database) => failing(db, { outage, words: LOOKUP, end: hang, instead });
  const { world, sends, stored, revokes } = await sceneFor(t, { watch });
  world.clock.advance({ minutes: 10 });
  outage.isOn = true;
  assert.equal((await sends()).status, 201);
  await revokes();
  outage.isOn = false;
  assert.equal((await sends()).status, 401);
  assert.equal(await stored(), 2);
});

test('a send that the database could not answer is refused without waiting for its key to be looked up', async (t) => {
  const outage = { isOn: false };
  const watch = (db: Database) => {
    const shared = (address?: string) =>
      failing(db.shared(address), { outage, words: 'into messages', end: lose });
    return failing(db, { outage, words: LOOKUP, end: hang, instead: { shared } });
  };
  const { sends, stored } = await sceneFor(t, { watch });
  outage.isOn = true;
  assert.equal((await sends()).status, 503);
  outage.isOn = false;
  assert.equal((await sends()).status, 201);
  assert.equal(await stored(), 2);
});

test('a raised quota applies at once, a lowered one from the next request on', async (t) => {
  const { world, bot, sends } = await sceneFor(t);
  const setQuota = (limit: number) => changeQuota(world, bot.appId, limit);
  await setQuota(1);
  assert.equal((await sends()).status, 201);
  assert.equal((await sends()).status, 429);
  await setQuota(4);
  const answer = await sends();
  assert.equal(answer.status, 201);
  assert.equal(answer.headers['ratelimit-limit'], '4');
});

test('other refusals are the same with a cached key', async (t) => {
  const { world, bot, sends } = await sceneFor(t);
  const stranger = await world.person('Stranger');
  const answers = await Promise.all([
    sends(),
    sends({ to: stranger.accountId, type: 'text', content: 'x' }),
    sends({ to: bot.accountId, type: 'text', content: 'x' }),
    sends(),
  ]);
  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.code]),
    [
      [201, undefined],
      [400, 'failed-precondition'],
      [403, 'permission-denied'],
      [201, undefined],
    ],
  );
});
