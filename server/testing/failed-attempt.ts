import { sealAnswer } from '#features/webhooks/attempts/answer.ts';
import { attemptEntry } from '#features/webhooks/attempts/attempt-log.ts';
import { insertAttempts } from '#features/webhooks/attempts/queries.ts';
import type { TestPlatform } from './platform.ts';

/** The first attempt to deliver an event, answered with “broken”. */
export async function failsOnce(
  { db, keyring }: Pick<TestPlatform, 'db' | 'keyring'>,
  event: { bucket: number; deliveryId: string },
): Promise<void> {
  const answer = { head: 'HTTP/1.1 500 No\r\n\r\n', body: 'broken' };
  const timings = { dns: null, connect: null, tls: null, firstByte: null, total: 1 };
  const posted = { kind: 'response', status: 500, bodyBytes: 6, answer, timings } as const;
  const sealed = sealAnswer(keyring, { ...event, seq: 1 }, posted);
  const row = { ...event, logged: 1, replayedAt: null, entry: attemptEntry(1, 0, posted), answer: sealed };
  await db.begin((tx) => insertAttempts(tx, [row]));
}
