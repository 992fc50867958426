import { turnDayPartitions } from '#platform/partitioning/day-partitions.ts';
import type { Platform } from '#platform/platform.ts';
import { CONSENT_MINUTES } from './authorize/consent.ts';
import { deleteCallsBefore } from './connections/ledger-queries.ts';
import {
  deleteAccountGrants,
  deleteApplicationGrants,
  deleteDecisionsBefore,
  deleteGrants,
  endExpired,
  selectEndedBefore,
  selectExpired,
} from './expiry-queries.ts';
import { dayOf, KEPT_MS } from './rules.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * One step of the worker: records which grants have expired, and deletes those that ended 30 days ago with
 * their codes and tokens, decisions on expired consent pages, and call logs past their retention.
 */
export async function removeExpiredGrants(
  { db, clock, config, shards }: Pick<Platform, 'db' | 'clock' | 'config' | 'shards'>,
  { limit }: { limit: number },
): Promise<void> {
  const now = clock.now();
  const expired = await selectExpired(db, { before: dayOf(now), limit });
  if (expired.length > 0) await db.begin((tx) => endExpired(tx, expired, now));
  const forgotten = await selectEndedBefore(db, { endedAt: now - KEPT_MS, limit });
  if (forgotten.length > 0) {
    await db.begin(async (tx) => {
      await deleteAccountGrants(tx, forgotten);
      await deleteApplicationGrants(tx, forgotten);
      await deleteGrants(
        tx,
        forgotten.map(({ familyId }) => familyId),
      );
    });
  }
  await db.write((tx) => deleteDecisionsBefore(tx, now - CONSENT_MINUTES * 60_000));
  const callsBefore = now - config.callLogRetentionDays * DAY_MS;
  await turnDayPartitions({ db, clock, shards }, { table: 'application_calls', idKind: 'req' }, callsBefore);
  await db.write((tx) => deleteCallsBefore(tx, callsBefore));
}
