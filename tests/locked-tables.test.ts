import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '#platform/database.ts';
import { createTestDatabase } from '#testing/database.ts';
import { eventually, PATIENT } from '#testing/waits.ts';
import { createPair, signedInHeaders } from './chaos/population.ts';
import { settingsOn, startParley } from './processes.ts';

/** More than there are connections. */
const AT_ONCE = 30;
const LOCKED = ['messages', 'applications', 'sessions'];

test('a locked table: requests get a 503 while it is locked, and succeed afterwards; SIGTERM ends the server meanwhile', async () => {
  await using database = await createTestDatabase();
  await using server = await startParley({
    ...settingsOn(database),
    REQUESTS_PER_MINUTE: '1000000',
    LOG_LEVEL: 'fatal',
  });
  const { url } = server;
  const pair = await createPair(url, 1, 'https://hooks.example.com/x');
  const { apiKey, userId, botId } = pair;
  const asBot = { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' };
  const asPerson = { ...(await signedInHeaders(url, pair)), 'content-type': 'application/json' };
  const message = { type: 'text', content: 'x' };
  const post = (path: string, headers: Record<string, string>, body: object) => () =>
    fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  const get = (path: string, headers: Record<string, string>) => () => fetch(`${url}${path}`, { headers });
  const kinds = {
    send: post('/v1/messages', asBot, { to: userId, ...message }),
    me: get('/v1/me', asBot),
    write: post('/api/chat/messages', asPerson, { to: botId, ...message }),
    conversations: get('/api/chat/conversations', asPerson),
    ready: get('/health/ready', {}),
  };
  const askAll = () =>
    Promise.all(
      Object.entries(kinds).flatMap(([kind, ask]) =>
        Array.from({ length: AT_ONCE }, async () => {
          const { status } = await ask();
          return { kind, status };
        }),
      ),
    );
  // On a busy machine, so many requests at once get a 503, too.
  const succeeds = () =>
    Promise.all(Object.values(kinds).map((ask) => eventually(async () => (await ask()).status < 300)));
  await succeeds();
  const other = openDatabase({ url: database.url, poolSize: 1, ...PATIENT });
  try {
    for (const table of LOCKED) {
      await other.begin(async (tx) => {
        await tx.unsafe(`lock table ${table} in access exclusive mode`);
        const answers = await askAll();
        for (const { kind, status } of answers)
          assert.ok(status < 300 || status === 503, `${table} ${kind} ${status}`);
        assert.ok(
          answers.some(({ status }) => status === 503),
          table,
        );
      });
      await succeeds();
    }
    await other.begin(async (tx) => {
      await tx.unsafe('lock table messages in access exclusive mode');
      // Until nothing accepts them any more.
      const load = (async () => {
        for (;;) await askAll();
      })();
      const refused = assert.rejects(load, /fetch failed/);
      await eventually(async () => (await tx`select from pg_locks where not granted`).length > 0);
      await Promise.all([server[Symbol.asyncDispose](), refused]);
    });
    assert.doesNotMatch(server.printed(), /stopped before all requests/, 'it ended before its deadline');
  } finally {
    await other.end({ timeout: 1 });
  }
});
