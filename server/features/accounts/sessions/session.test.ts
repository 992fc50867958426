import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LiveEvent } from '#platform/live.ts';
import { createTestPlatform, type TestPlatform } from '#testing/platform.ts';
import { insertAccount } from '../queries.ts';
import {
  createPersonFinder,
  createSessionCheck,
  type OpenSession,
  openSessionOf,
  parseCredential,
  removeExpiredSessions,
  sessionIdOf,
  startSession,
} from './session.ts';

async function startSessionOfNewPerson(platform: TestPlatform) {
  const { db, clock, newId } = platform;
  const accountId = newId('usr');
  const now = clock.now();
  const credential = await db.begin(async (tx) => {
    await insertAccount(tx, {
      accountId,
      isBot: false,
      appId: null,
      name: 'Ada',
      email: 'ada@example.com',
      username: null,
      passwordHash: 'none',
      createdAt: now,
    });
    return startSession(tx, platform, { accountId, userAgent: 'x'.repeat(300), methods: ['pwd'], now });
  });
  return { accountId, credential };
}

test('a session is known by its secret, of which only the hash is stored', async () => {
  await using platform = await createTestPlatform();
  const { accountId, credential } = await startSessionOfNewPerson(platform);
  const person = await createPersonFinder(platform)(credential);
  assert.deepEqual(person, {
    accountId,
    sessionHash: parseCredential(credential)?.sessionHash,
    authenticatedAt: platform.clock.now(),
    termsUrl: null,
    peer: { userId: accountId, name: 'Ada', isBot: false, isDeleted: false },
  });
  const secret = credential.split('.')[1] as string;
  assert.equal(Buffer.from(secret, 'base64url').length, 32);
  const [row] =
    await platform.db`select sessions::text as text, octet_length(user_agent) as length from sessions`;
  assert.ok(!row?.['text'].includes(secret));
  assert.equal(row?.['length'], 256);
});

test('no other credential is accepted', async () => {
  await using platform = await createTestPlatform();
  const { accountId, credential } = await startSessionOfNewPerson(platform);
  const secret = credential.split('.')[1] as string;
  const sessionId = sessionIdOf((await createPersonFinder(platform)(credential)) ?? assert.fail());
  const wrong = [
    undefined,
    '',
    '.',
    accountId,
    secret,
    `${accountId}.`,
    `${accountId}.${sessionId}`,
    `${accountId}.${secret}.`,
    `${accountId}.${secret}x`,
    `${accountId}.${secret.toLowerCase()}`,
    `${platform.newId('usr')}.${secret}`,
    `usr_' or '1'='1.${secret}`,
  ];
  const findPerson = createPersonFinder(platform);
  for (const text of wrong) assert.equal(await findPerson(text), undefined, text);
});

test('a session ends after 14 days without use', async () => {
  await using platform = await createTestPlatform();
  const { credential } = await startSessionOfNewPerson(platform);
  platform.clock.advance({ days: 14, milliseconds: -1 });
  const person = (await createPersonFinder(platform)(credential)) ?? assert.fail();
  platform.clock.advance({ days: 14, milliseconds: -1 });
  const holds = createSessionCheck(platform);
  assert.equal(await holds(openSessionOf(person)), true);
  platform.clock.advance({ milliseconds: 1 });
  assert.equal(await holds(openSessionOf(person)), false);
  assert.equal(await createPersonFinder(platform)(credential), undefined);
});

test('a session that is used every day ends after 90 days', async () => {
  await using platform = await createTestPlatform();
  const { credential } = await startSessionOfNewPerson(platform);
  for (let day = 1; day < 90; day++) {
    platform.clock.advance({ days: 1 });
    assert.ok(await createPersonFinder(platform)(credential), `day ${day}`);
  }
  platform.clock.advance({ days: 1, milliseconds: -1 });
  assert.ok(await createPersonFinder(platform)(credential));
  platform.clock.advance({ milliseconds: 1 });
  assert.equal(await createPersonFinder(platform)(credential), undefined);
});

test('the use of a session is recorded once a minute', async () => {
  await using platform = await createTestPlatform();
  const { credential } = await startSessionOfNewPerson(platform);
  const began = platform.clock.now();
  const lastSeenAt = async () => (await platform.db`select last_seen_at from sessions`)[0]?.['lastSeenAt'];
  platform.clock.advance({ seconds: 59 });
  await createPersonFinder(platform)(credential);
  assert.equal(await lastSeenAt(), began);
  platform.clock.advance({ seconds: 1 });
  await createPersonFinder(platform)(credential);
  assert.equal(await lastSeenAt(), began + 60_000);
});

test('the cleanup removes only expired sessions, and notifies their open connections', async () => {
  await using platform = await createTestPlatform();
  const old = await startSessionOfNewPerson(platform);
  const oldId = sessionIdOf(parseCredential(old.credential) ?? assert.fail());
  platform.clock.advance({ days: 1 });
  const young = await startSessionOfNewPerson(platform);
  const events: LiveEvent[] = [];
  platform.live.subscribe(old.accountId, (event) => events.push(event));
  platform.live.subscribe(young.accountId, (event) => events.push(event));
  assert.equal(await removeExpiredSessions(platform, { limit: 10 }), 0);
  platform.clock.advance({ days: 13 });
  assert.equal(await removeExpiredSessions(platform, { limit: 10 }), 1);
  assert.deepEqual(events, [{ type: 'session.ended', data: { sessionId: oldId } }]);
  assert.ok(await createPersonFinder(platform)(young.credential));
  assert.equal(await removeExpiredSessions(platform, { limit: 10 }), 0);
});

test('sessions checked at the same time share a statement, and each gets its own answer', async () => {
  await using platform = await createTestPlatform();
  const known = await Promise.all(
    Array.from({ length: 3 }, async () => {
      const { credential } = await startSessionOfNewPerson(platform);
      return openSessionOf((await createPersonFinder(platform)(credential)) ?? assert.fail());
    }),
  );
  const [one, two, three] = known as [OpenSession, OpenSession, OpenSession];
  const { db } = platform;
  await db`delete from sessions where account_id = ${one.accountId}`;
  await db`update accounts set deleted_at = 1 where account_id = ${two.accountId}`;
  const foreign = { accountId: three.accountId, sessionId: one.sessionId };
  const holds = createSessionCheck(platform);
  const held = await Promise.all([one, two, three, foreign, three].map(holds));
  assert.deepEqual(held, [false, false, true, false, true]);
});
