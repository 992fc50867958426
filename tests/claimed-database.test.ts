import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLAIM } from '#platform/database/claim.ts';
import { type Database, openDatabase } from '#platform/database.ts';
import { createTestDatabase } from '#testing/database.ts';
import { eventually, PATIENT } from '#testing/waits.ts';
import { settingsOn, startParley } from './processes.ts';

const CLAIMS =
  `locktype = 'advisory' and (classid::bigint << 32 | objid::bigint) = ${CLAIM} ` +
  'and database = (select oid from pg_database where datname = current_database())';

async function isThere(db: Database, condition: string): Promise<boolean> {
  return (await db.unsafe(`select from pg_locks where ${CLAIMS} and ${condition}`)).length > 0;
}

/** The status of a request that needs the database; 0 if nothing is listening any more. */
function statusOf(url: string): Promise<number> {
  return fetch(`${url}/health/ready`).then(
    ({ status }) => status,
    () => 0,
  );
}

test('of two servers without Redis, the one whose session is cut stops with an error, and the other takes over', async (t) => {
  await using database = await createTestDatabase();
  const db = openDatabase({ url: database.url, poolSize: 2, ...PATIENT });
  t.after(() => db.end({ timeout: 1 }));
  const settings = settingsOn(database);
  await using first = await startParley(settings);
  assert.equal(await statusOf(first.url), 200);
  let starting: ReturnType<typeof startParley> | undefined;
  // Waits for the claim, so that the first server cannot regain it, nor the second take it too soon to be observed.
  await db.begin(async (between) => {
    const claimed = Promise.resolve(between.unsafe(`select pg_advisory_xact_lock(${CLAIM})`));
    await eventually(() => isThere(db, 'not granted'));
    await db.unsafe(`select pg_terminate_backend(pid) from pg_locks where ${CLAIMS} and granted`);
    await claimed;
    starting = startParley(settings);
    const next = () => statusOf(first.url);
    await eventually(async () => (await next()) !== 200);
    for (let status = await next(); status !== 0; status = await next()) assert.equal(status, 503);
  });
  assert.match(first.printed(), /"level":60.*another Parley server uses this database/);
  assert.ok(starting);
  await using second = await starting;
  assert.equal(await statusOf(second.url), 200);
});

test('a server whose session is cut continues if no other server wants the database', async (t) => {
  await using database = await createTestDatabase();
  const db = openDatabase({ url: database.url, poolSize: 1, ...PATIENT });
  t.after(() => db.end({ timeout: 1 }));
  await using server = await startParley(settingsOn(database));
  for (let round = 0; round < 3; round++) {
    await db.unsafe(`select pg_terminate_backend(pid, 5000) from pg_locks where ${CLAIMS} and granted`);
    assert.equal(await statusOf(server.url), 200);
    await eventually(() => isThere(db, 'granted'));
  }
  assert.match(
    server.printed(),
    /nobody is served until it is claimed again[\s\S]*claimed the database again/,
  );
});
