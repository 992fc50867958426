import { Batcher } from '#platform/batch.ts';
import { batchKeyOf } from '#platform/partitioning/shards.ts';
import type { Platform } from '#platform/platform.ts';
import { findGrants, type GrantRow } from '../queries.ts';

export type FindGrant = (familyId: string) => Promise<GrantRow | undefined>;

/** Reads families for its callers, a batch in one statement. */
export function createGrantFinder({ db, shards }: Pick<Platform, 'db' | 'shards'>): FindGrant {
  const batcher = new Batcher<string, GrantRow | undefined>(async (familyIds) => {
    const grants = await findGrants(db, [...new Set(familyIds)]);
    const found = new Map(grants.map((grant) => [grant.familyId, grant]));
    return familyIds.map((familyId) => found.get(familyId));
  });
  return (familyId) => batcher.submit(familyId, batchKeyOf(shards, familyId));
}
