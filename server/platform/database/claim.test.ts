import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { test } from 'node:test';
import { createBreakableNetwork } from '#testing/breakable-network.ts';
import { citusServers, entriesOf } from '#testing/citus.ts';
import { createTestDatabase } from '#testing/database.ts';
import { eventually, PATIENT } from '#testing/waits.ts';
import { type Database, openConnection, openDatabase } from '../database.ts';
import { createLog } from '../log.ts';
import { CLAIM, type Claim, claimDatabase } from './claim.ts';
import { isWantedByAnother, startServing, stopServers, stopServing, untilServing } from './serving.ts';

const log = createLog('silent');
/** On Citus a server keeps serving while it claims the database again. */
const HOLD = citusServers() ? [] : ['hold'];

test('a server without Redis has its database for itself, through whichever node of a cluster, and the next one gets the reason', async () => {
  await using database = await createTestDatabase();
  const entries = entriesOf(database.url);
  await using _first = await claimDatabase({ url: entries.at(-1) as string, log, isShared: false });
  for (const url of entries)
    for (const isShared of [false, true])
      await assert.rejects(
        claimDatabase({ url, log, isShared, waitTimeoutMs: 300 }),
        /another Parley server .* REDIS_URL/,
      );
});

test('servers with Redis share the claim, and a server without it gets none', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  await using _one = await claimDatabase({ url, log, isShared: true });
  await using _other = await claimDatabase({ url, log, isShared: true });
  await assert.rejects(
    claimDatabase({ url, log, isShared: false, waitTimeoutMs: 0 }),
    /another Parley server/,
  );
});

test('a server that starts while the previous one is stopping waits for it', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  const before = await claimDatabase({ url, log, isShared: false });
  const next = claimDatabase({ url, log, isShared: false });
  await before[Symbol.asyncDispose]();
  await using _next = await next;
});

/** Records when a claim holds and releases. */
function watched(claim: Claim) {
  const said: string[] = [];
  let isReleased = Promise.withResolvers<void>();
  claim.protect({
    hold: () => void said.push('hold'),
    suspend: async () => {},
    learn: async () => citusServers() !== undefined,
    release() {
      said.push('release');
      isReleased.resolve();
      isReleased = Promise.withResolvers<void>();
    },
  });
  return { said, released: () => isReleased.promise };
}

/** Ends the sessions that claim the database, as an operator or a crash would. */
async function cut(db: Database): Promise<void> {
  const ended = await db`
    select pg_terminate_backend(pid, 5000) from pg_locks
    where locktype = 'advisory' and granted and (classid::bigint << 32 | objid::bigint) = ${CLAIM}
      and database = (select oid from pg_database where datname = current_database())`;
  assert.equal(ended.length, 1);
}

async function admin(url: string) {
  const db = openDatabase({ url, poolSize: 2, ...PATIENT });
  return { db, [Symbol.asyncDispose]: () => db.end({ timeout: 1 }) };
}

test('a server whose session is cut serves no requests until it has claimed the database again', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  await using operator = await admin(url);
  await using claim = await claimDatabase({ url, log, isShared: false });
  const { said, released } = watched(claim);
  for (let round = 0; round < 2; round++) {
    const again = released();
    await cut(operator.db);
    await again;
  }
  assert.deepEqual(said, [...HOLD, 'release', ...HOLD, 'release']);
  await assert.rejects(
    claimDatabase({ url, log, isShared: false, waitTimeoutMs: 0 }),
    /another Parley server/,
  );
});

test('why a database cannot be claimed again is logged, once for each reason', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  const name = new URL(url).pathname.slice(1);
  await using operator = await admin(new URL('/postgres', url).href);
  const allow = (isAllowed: boolean) =>
    operator.db.unsafe(`alter database "${name}" allow_connections ${isAllowed}`);
  const lines: { err?: { message: string }; msg: string }[] = [];
  const arrived = new EventEmitter();
  const write = (line: string) => arrived.emit('line', lines.push(JSON.parse(line)));
  await using claim = await claimDatabase({ url, log: createLog('warn', { write }), isShared: false });
  watched(claim);
  const linesAre = async (count: number) => {
    while (lines.length < count) await once(arrived, 'line');
  };
  await allow(false);
  await operator.db`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name}`;
  await linesAre(2);
  await allow(true);
  await linesAre(3);
  assert.deepEqual(
    lines.slice(1).map(({ err, msg }) => err?.message ?? msg),
    [`database "${name}" is not currently accepting connections`, 'claimed the database again'],
  );
});

test('a server whose session is cut while another waits for the database never serves again', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  await using operator = await admin(url);
  await using claim = await claimDatabase({ url, log, isShared: false });
  const { said } = watched(claim);
  // It queues for the lock, so that it is next, however quick the first one is.
  await operator.db.begin(async (other) => {
    const taken = Promise.resolve(other`select pg_advisory_xact_lock(${CLAIM}::bigint)`);
    await isWaiting(operator.db);
    await cut(operator.db);
    await taken;
    assert.match((await claim.lost).message, /another Parley server .* REDIS_URL/);
  });
  assert.deepEqual(said, HOLD);
});

async function isWaiting(db: Database): Promise<void> {
  const look = () => db`select from pg_locks where locktype = 'advisory' and not granted`;
  await eventually(async () => (await look()).length > 0);
}

test('a session that the network dropped counts as lost and does not block the next', async (t) => {
  await using database = await createTestDatabase();
  const network = await createBreakableNetwork(database.url);
  t.after(() => network[Symbol.asyncDispose]());
  await using claim = await claimDatabase({ url: network.url, log, isShared: false });
  const { said, released } = watched(claim);
  const again = released();
  // PostgreSQL does not notice the end of frozen connections.
  network.freeze();
  network.replace();
  await again;
  assert.deepEqual(said, [...HOLD, 'release']);
});

test('paused servers do not resume before the command that asked for it has had its turn', async () => {
  await using database = await createTestDatabase();
  const { url } = database;
  await using sessions = new AsyncDisposableStack();
  const [server, command] = [openConnection(url), openConnection(url)];
  for (const session of [server, command]) sessions.defer(() => session.close(1));
  assert.equal(await startServing(server), true);
  // The command has asked, and will check again shortly.
  const stopping = stopServers(command);
  await eventually(() => isWantedByAnother(server));
  await stopServing(server);
  let isServing = false;
  const goingOn = untilServing(server).then(() => {
    isServing = true;
  });
  await stopping;
  assert.equal(isServing, false);
  await command.close(1);
  await goingOn;
});
