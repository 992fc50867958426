import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestDatabase } from '#testing/database.ts';
import { openDatabase } from '../database.ts';
import { createLog } from '../log.ts';
import { claimDatabase } from './claim.ts';

const log = createLog('silent');

test('a server that shares nothing has its database for itself, and the next one is told why', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  await using _first = await claimDatabase({ url, log, isShared: false });
  for (const isShared of [false, true]) {
    await assert.rejects(
      claimDatabase({ url, log, isShared, patienceMs: 300 }),
      /another Parley server .* REDIS_URL/,
    );
  }
});

test('servers that share have it together, and nobody else beside them', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  await using _one = await claimDatabase({ url, log, isShared: true });
  await using _other = await claimDatabase({ url, log, isShared: true });
  await assert.rejects(claimDatabase({ url, log, isShared: false, patienceMs: 0 }), /another Parley server/);
});

test('who comes while the one before is stopping waits for it', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  const before = await claimDatabase({ url, log, isShared: false });
  const next = claimDatabase({ url, log, isShared: false });
  await before[Symbol.asyncDispose]();
  await using _next = await next;
});

test('a server that was killed leaves no claim behind', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  await using _killed = await claimDatabase({ url, log, isShared: false });
  const db = openDatabase({ url, poolSize: 1 });
  const ended = await db`
    select pg_terminate_backend(pid) from pg_locks
    where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`;
  assert.equal(ended.length, 1);
  await db.end({ timeout: 1 });
  await using _next = await claimDatabase({ url, log, isShared: false });
});
