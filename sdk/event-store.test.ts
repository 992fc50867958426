import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { scratchFolder } from '../server/testing/scratch-folder.ts';
import { type EventStore, MemoryEventStore } from './event-store.ts';
import { FileCursor, FileEventStore, FileTokenStore } from './node/index.ts';

async function checkProtocol(store: EventStore, sameElsewhere = store): Promise<void> {
  assert.equal(await store.claim('msg_1'), 'claimed');
  assert.equal(await sameElsewhere.claim('msg_1'), 'busy');
  assert.equal(await sameElsewhere.claim('msg/../2'), 'claimed');
  await store.release('msg_1');
  assert.equal(await sameElsewhere.claim('msg_1'), 'claimed');
  await sameElsewhere.done('msg_1');
  for (let again = 0; again < 3; again++) assert.equal(await store.claim('msg_1'), 'done');
}

test('in memory: claimed, busy, released, done', () => checkProtocol(new MemoryEventStore()));

test('in memory: the oldest finished events are forgotten, never those in progress', async () => {
  const store = new MemoryEventStore({ size: 2 });
  await store.claim('working');
  for (const msgId of ['a', 'b', 'c']) {
    await store.claim(msgId);
    await store.done(msgId);
  }
  assert.equal(await store.claim('c'), 'done');
  assert.equal(await store.claim('working'), 'busy');
  assert.equal(await store.claim('a'), 'claimed');
});

test('in files: the same, between stores that share a directory', async (t) => {
  const directory = await scratchFolder(t);
  await checkProtocol(new FileEventStore({ directory }), new FileEventStore({ directory }));
});

test('in files: of many concurrent claims at most one succeeds', async (t) => {
  const directory = await scratchFolder(t);
  const claims = await Promise.all(
    Array.from({ length: 20 }, () => new FileEventStore({ directory }).claim('msg_1')),
  );
  assert.ok(claims.filter((claim) => claim === 'claimed').length <= 1);
  assert.ok(claims.every((claim) => claim !== 'done'));
});

test('in files: events older than the retention are forgotten', async (t) => {
  const directory = await scratchFolder(t);
  const store = new FileEventStore({ directory, days: 7 });
  for (const msgId of ['old', 'young']) {
    await store.claim(msgId);
    await store.done(msgId);
    const eightDaysAgo = Date.now() / 1000 - 8 * 86_400;
    if (msgId === 'old')
      for (const file of readdirSync(directory))
        utimesSync(join(directory, file), eightDaysAgo, eightDaysAgo);
  }
  const restarted = new FileEventStore({ directory, days: 7 });
  assert.equal(await restarted.claim('young'), 'done');
  assert.equal(await restarted.claim('old'), 'claimed');
});

test('in files: nothing else in the directory is forgotten', async (t) => {
  const directory = await scratchFolder(t);
  const tokens = new FileTokenStore({ directory });
  const ada = { accessToken: 'xat_1', refreshToken: 'xrt_1', expiresAt: 1, scopes: [] };
  await tokens.update('ada', async () => ada);
  await new FileCursor(join(directory, 'cursor')).write('1');
  writeFileSync(join(directory, 'desk.json'), '{}');
  mkdirSync(join(directory, 'folder'));
  const others = readdirSync(directory);
  for (const file of others) utimesSync(join(directory, file), 1, 1);
  const store = new FileEventStore({ directory });
  await store.claim('msg_1');
  await store.release('msg_1');
  assert.deepEqual(readdirSync(directory), others);
  assert.deepEqual(await tokens.read('ada'), ada);
});

test('in files: an event whose mark cannot be read is not handled, and can be claimed afterwards', async (t) => {
  const directory = await scratchFolder(t);
  const store = new FileEventStore({ directory });
  await store.claim('msg_1');
  await store.done('msg_1');
  const mark = join(directory, String(readdirSync(directory)[0]));
  rmSync(mark);
  mkdirSync(mark);
  await assert.rejects(store.claim('msg_1'), { code: 'EISDIR' });
  rmdirSync(mark);
  assert.equal(await store.claim('msg_1'), 'claimed');
});
