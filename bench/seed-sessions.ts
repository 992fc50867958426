import { hash } from 'node:crypto';
import { createSessionCookie } from '#features/accounts/sessions/session.ts';
import { readConfig } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { systemRandom } from '#platform/random.ts';

const SECRET_BYTES = 32;
const DAY_MS = 86_400_000;

/** Creates sessions directly in the tables. Returns each person's cookie. */
export async function seedSessions(db: Database, accountIds: string[]): Promise<string[]> {
  const now = Date.now();
  const cookie = createSessionCookie(readConfig({}));
  const sessions = accountIds.map((accountId) => ({
    accountId,
    secret: systemRandom.bytes(SECRET_BYTES).toString('base64url'),
  }));
  for (let from = 0; from < sessions.length; from += 1000) {
    const rows = sessions.slice(from, from + 1000).map(({ accountId, secret }) => ({
      accountId,
      sessionHash: hash('sha256', secret, 'buffer'),
      userAgent: 'bench',
      createdAt: now,
      authenticatedAt: now,
      lastSeenAt: now,
      expiresAt: now + DAY_MS,
    }));
    await db`insert into sessions ${db(rows)}`;
  }
  return sessions.map(
    ({ accountId, secret }) => cookie.issue(`${accountId}.${secret}`).split(';', 1)[0] as string,
  );
}
