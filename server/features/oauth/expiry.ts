import type { Tx } from '#platform/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import { turnDayPartitions } from '#platform/partitioning/day-partitions.ts';
import type { Shards } from '#platform/partitioning/shards.ts';
import { CONSENT_MINUTES } from './authorize/consent.ts';
import type { OAuthDeps } from './deps.ts';
import { type GrantRow, withinFamilies } from './queries.ts';
import { dayOf, KEPT_MS } from './rules.ts';

const DAY_MS = 24 * 3_600_000;

/**
 * One step of the worker: records which grants have expired, and deletes those that ended 30 days ago with
 * their codes and tokens, decisions on expired consent pages, and call logs past their retention.
 */
export async function removeExpiredGrants(
  { db, clock, config, shards }: OAuthDeps,
  { limit }: { limit: number },
): Promise<void> {
  const now = clock.now();
  // Both are reads over all shards.
  const expired = await db<{ familyId: string }[]>`
    select family_id from grants where ended_at is null and expires_on < ${dayOf(now)}
    order by expires_on limit ${limit}`;
  const ofExpired = expired.map(({ familyId }) => familyId);
  if (ofExpired.length > 0) await db.begin((tx) => endExpired(tx, shards, ofExpired, now));
  const forgotten = await db<Pick<GrantRow, 'familyId' | 'appId' | 'accountId'>[]>`
    select family_id, app_id, account_id from grants
    where ended_at <= ${now - KEPT_MS} order by ended_at limit ${limit}`;
  if (forgotten.length > 0) {
    const familyIds = forgotten.map(({ familyId }) => familyId);
    const appIds = forgotten.map(({ appId }) => appId);
    await db.begin(async (tx) => {
      await tx`
        delete from account_grants
        where account_id = any(${forgotten.map(({ accountId }) => accountId)})
          and app_id = any(${appIds}) and family_id = any(${familyIds})`;
      await tx`delete from application_grants where app_id = any(${appIds}) and family_id = any(${familyIds})`;
      await tx`delete from grants where family_id = any(${familyIds})`;
    });
  }
  const decidedAt = now - CONSENT_MINUTES * 60_000;
  await db.write((tx) => tx`delete from decided_consents where decided_at <= ${decidedAt}`);
  const callsBefore = now - config.callLogRetentionDays * DAY_MS;
  await turnDayPartitions({ db, clock, shards }, { table: 'application_calls', idKind: 'req' }, callsBefore);
  // Of rows outside the daily partitions, which are dropped as a whole.
  await db.write(
    (tx) => tx`
      delete from application_calls_other
      where request_id < ${firstIdAt('req', callsBefore + 1)} and called_at <= ${callsBefore}`,
  );
}

/** Records the expiry, which is already in effect. */
async function endExpired(tx: Tx, shards: Shards, familyIds: string[], now: number): Promise<void> {
  await tx`
    update grants
    set ended_at = expires_at,
      end_reason = case when refreshed_at is null then 'code-expired' else 'refresh-token-expired' end
    where ${withinFamilies(tx, shards, familyIds)} and ended_at is null and expires_at <= ${now}`;
}
