import type { Sealed } from '#platform/crypto/keyring.ts';
import { inChunks } from '#platform/database/chunks.ts';
import type { Statement } from '#platform/database/statement.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { EventKey, QueuedEvent } from '../queries.ts';
import type { AttemptEntry } from './attempt-log.ts';

/** How many finished attempts of an event are shown: those of two replays and the first run. */
const SHOWN_ATTEMPTS = 24;

/** The latest attempt of an event. */
export interface LatestAttempt extends EventKey {
  entry: AttemptEntry;
  seq: number;
  replayedAt: number | null;
}

/** The latest attempt of each, if any. A read over their shards. */
export async function findLatestAttempts(db: Db, events: readonly EventKey[]): Promise<LatestAttempt[]> {
  return db<LatestAttempt[]>`
    select distinct on (bucket, delivery_id) bucket, delivery_id, ${entryOf(db)}, seq, replayed_at from event_attempts
    where bucket = any(${[...new Set(events.map(({ bucket }) => bucket))]})
      and delivery_id = any(${events.map(({ deliveryId }) => deliveryId)})
    order by bucket, delivery_id, seq desc`;
}

/** A finished attempt of an event, with what its receiver answered. */
export interface MadeAttempt {
  deliveryId: string;
  seq: number;
  entry: AttemptEntry;
  answer: Buffer | null;
  answerKeyId: number | null;
}

/** The attempts of events of one bucket, the oldest first. */
export async function findAttempts(
  db: Db,
  { bucket, deliveryIds }: { bucket: number; deliveryIds: string[] },
): Promise<Map<string, MadeAttempt[]>> {
  const rows = await db<MadeAttempt[]>`
    select delivery_id, seq, ${entryOf(db)}, answer, answer_key_id from event_attempts
    where bucket = ${bucket} and delivery_id = any(${deliveryIds})
    order by delivery_id, seq`;
  const entries = Map.groupBy(rows, ({ deliveryId }) => deliveryId);
  return new Map(deliveryIds.map((id) => [id, (entries.get(id) ?? []).slice(-SHOWN_ATTEMPTS)]));
}

/** Attempts from before migration 0157 are in `entry`; later ones have its default there. */
function entryOf(db: Db): Statement {
  return db`coalesce(attempt, entry::json) as entry`;
}

/** A finished attempt of an event, with its number. */
export interface LoggedAttempt extends Pick<QueuedEvent, 'bucket' | 'deliveryId' | 'logged' | 'replayedAt'> {
  entry: AttemptEntry;
  answer?: Sealed | undefined;
}

/** An existing row is from a worker whose applications had moved to another. */
export async function insertAttempts(tx: Tx, attempts: LoggedAttempt[]): Promise<void> {
  const rows = attempts.map(({ logged, entry, answer, ...event }) => ({
    ...event,
    seq: logged,
    attempt: tx.json(entry),
    answer: answer?.ciphertext ?? null,
    answerKeyId: answer?.keyId ?? null,
  }));
  await Promise.all(
    inChunks(rows).map(
      (some) => tx`
        insert into event_attempts ${tx(some, 'bucket', 'deliveryId', 'seq', 'replayedAt', 'attempt', 'answer', 'answerKeyId')}
        on conflict (bucket, delivery_id, seq) do nothing`,
    ),
  );
}
