import { LIMITS } from '#contract/limits.ts';
import type { Database } from '#platform/database.ts';
import { invalidArgument, notFound, resourceExhausted } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { deleteRedirectUri, findRedirectUris, insertRedirectUri } from './queries.ts';
import { judgeRedirectUri } from './rules.ts';
import { lockOwnApplication, type Owned } from './service.ts';

/** Registers a redirect URI, byte for byte; one that is there already is fine. Returns all of them. */
export async function addRedirectUri(
  { db, clock }: Pick<Platform, 'db' | 'clock'>,
  own: Owned,
  uri: string,
): Promise<string[]> {
  const fault = judgeRedirectUri(uri);
  if (fault) throw invalidArgument('redirectUri', fault);
  return db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    const known = await findRedirectUris(tx, appId);
    if (known.includes(uri)) return known;
    if (known.length >= LIMITS.redirectUris) {
      throw resourceExhausted(
        `an application may have ${LIMITS.redirectUris} redirect URIs; remove one first`,
      );
    }
    await insertRedirectUri(tx, { appId, uri, createdAt: clock.now() });
    return [...known, uri];
  });
}

export async function removeRedirectUri(db: Database, own: Owned, uri: string): Promise<string[]> {
  return db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    if (!(await deleteRedirectUri(tx, appId, uri))) throw notFound('redirectUri is not registered');
    return findRedirectUris(tx, appId);
  });
}
