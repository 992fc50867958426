import { LIMITS } from '#contract/limits.ts';
import { invalidArgument, notFound, resourceExhausted } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { recordAudit } from '../audit/record.ts';
import { checkRedirectUri } from '../rules.ts';
import { lockOwnApplication, type Owned } from '../service.ts';
import { deleteRedirectUri, findRedirectUris, insertRedirectUri } from './redirect-uri-queries.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'newId'>;

/** Registers a redirect URI, byte for byte; an existing one is not an error. Returns all of them. */
export async function addRedirectUri(deps: Deps, own: Owned, uri: string): Promise<string[]> {
  const fault = checkRedirectUri(uri);
  if (fault) throw invalidArgument('redirectUri', fault);
  return deps.db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    const known = await findRedirectUris(tx, appId);
    if (known.includes(uri)) return known;
    if (known.length >= LIMITS.redirectUris) {
      throw resourceExhausted('application.too-many-redirect-uris', { count: LIMITS.redirectUris });
    }
    await insertRedirectUri(tx, { appId, uri, createdAt: deps.clock.now() });
    await recordAudit(tx, deps, own, 'redirect-uri.added', { uri });
    return [...known, uri];
  });
}

export async function removeRedirectUri(deps: Deps, own: Owned, uri: string): Promise<string[]> {
  return deps.db.begin(async (tx) => {
    const { appId } = await lockOwnApplication(tx, own);
    if (!(await deleteRedirectUri(tx, appId, uri))) throw notFound('application.redirect-uri-unknown');
    await recordAudit(tx, deps, own, 'redirect-uri.removed', { uri });
    return findRedirectUris(tx, appId);
  });
}
