import assert from 'node:assert/strict';
import { test } from 'node:test';
import { consoleScene } from '#testing/console-world.ts';
import { createWorld } from '#testing/world.ts';
import { ExtensionsInUse } from './in-use.ts';

test('an extension is off until the owner switches it on, which the audit trail records once', async (t) => {
  const { owner, appId } = await consoleScene(t);
  const at = `/applications/${appId}`;
  const shown = async () => (await owner.call('GET', at)).body.data.extensions;
  assert.deepEqual(await shown(), []);

  for (const _ of ['first', 'again']) {
    const on = await owner.call('POST', `${at}/extensions`, { extension: 'mcp' });
    assert.deepEqual([on.status, on.body.data], [200, { extensions: ['mcp'] }]);
  }
  await owner.call('POST', `${at}/extensions`, { extension: 'incoming_webhooks' });
  assert.deepEqual(await shown(), ['incoming_webhooks', 'mcp']);

  const off = await owner.call('DELETE', `${at}/extensions`, { extension: 'mcp' });
  assert.deepEqual(off.body.data, { extensions: ['incoming_webhooks'] });
  const { entries } = (await owner.call('GET', `${at}/audit`)).body.data;
  assert.deepEqual(
    entries
      .filter(({ action }: { action: string }) => action.startsWith('extension.'))
      .map(({ action, details }: { action: string; details: object }) => [action, details]),
    [
      ['extension.switched-off', { extension: 'mcp' }],
      ['extension.switched-on', { extension: 'incoming_webhooks' }],
      ['extension.switched-on', { extension: 'mcp' }],
    ],
  );
});

test('a read concurrent with the last switch-off is not cached', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  await world.switches(bot, 'mcp');
  let between = async () => {};
  const slow = new Proxy(world.db, {
    async apply(query, self, given) {
      const rows = await Reflect.apply(query, self, given);
      await between();
      return rows;
    },
  });
  const inUse = new ExtensionsInUse({ ...world, db: slow });
  between = async () => {
    await world.switches(bot, 'mcp', false);
  };
  assert.equal(await inUse.includes('mcp'), true, 'as it was when it was asked');
  assert.equal(await inUse.includes('mcp'), false);
});

test('while a queried node is unreachable, the known state remains valid, and unknown extensions count as on', async () => {
  await using world = await createWorld();
  const bot = await world.bot();
  let fault: Error | undefined = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  const failing = new Proxy(world.db, {
    apply: (query, self, given) => (fault ? Promise.reject(fault) : Reflect.apply(query, self, given)),
  });
  const inUse = new ExtensionsInUse({ ...world, db: failing });
  const shown = async () => [await inUse.includes('mcp'), await inUse.includes('openid')];
  assert.deepEqual(await shown(), [true, true]);

  const away = fault;
  fault = undefined;
  await world.switches(bot, 'mcp');
  assert.deepEqual(await shown(), [true, false]);
  fault = away;
  world.clock.advance({ minutes: 1 });
  assert.deepEqual(await shown(), [true, false]);

  fault = new TypeError('a fault of ours');
  world.clock.advance({ minutes: 1 });
  await assert.rejects(inUse.includes('mcp'), fault);
});

test('team members, strangers and unknown extensions are refused', async (t) => {
  const { world, owner, appId } = await consoleScene(t);
  const at = `/applications/${appId}`;
  const developer = await world.owner();
  const { token } = (await owner.call('POST', `${at}/team/invitations`, { role: 'developer' })).body.data;
  await developer.call('POST', '/invitations/accept', { token });
  assert.equal((await developer.call('POST', `${at}/extensions`, { extension: 'mcp' })).status, 403);
  assert.equal(
    (await (await world.owner()).call('POST', `${at}/extensions`, { extension: 'mcp' })).status,
    404,
  );
  assert.equal((await owner.call('POST', `${at}/extensions`, { extension: 'everything' })).status, 400);
  assert.deepEqual((await owner.call('GET', at)).body.data.extensions, []);
});
