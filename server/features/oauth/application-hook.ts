import type { Tx } from '#platform/database.ts';
import { selectDeletedWithGrants, takeApplicationGrants } from './connection-queries.ts';
import type { OAuthDeps } from './deps.ts';
import { endGrants } from './queries.ts';

/** Some 40 ms of the database. */
const SLICE = 1_000;
/** Limits the time of one step; the next one continues. */
const MAX_SLICES = 200;

/**
 * A deleted application's codes and tokens are revoked with the deletion (contract §3), since those of a
 * deleted application are not accepted. The end of the grants is recorded for a first slice then, and for the
 * rest by the worker.
 */
export async function endGrantsWithApplication(
  tx: Tx,
  { appId, at }: { appId: string; at: number },
): Promise<void> {
  await endSlice(tx, appId, at);
}

/** One step of the worker: records the end of grants to deleted applications. */
export async function endGrantsOfDeleted({ db, clock }: OAuthDeps): Promise<void> {
  let slices = 0;
  for (const appId of await selectDeletedWithGrants(db, MAX_SLICES)) {
    while (slices++ < MAX_SLICES && (await db.begin((tx) => endSlice(tx, appId, clock.now()))) === SLICE);
  }
}

async function endSlice(tx: Tx, appId: string, at: number): Promise<number> {
  const families = await takeApplicationGrants(tx, appId, SLICE);
  if (families.length > 0) await endGrants(tx, families, { at, reason: 'application-deleted' });
  return families.length;
}
