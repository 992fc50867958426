import { OPENID_LIMITS, type OpenIdSettings } from '#contract/openid.ts';
import { sayAgain } from '#contract/reasons.ts';
import { checkRedirectUri, type Owned } from '#features/applications/index.ts';
import type { Tx } from '#platform/database.ts';
import { invalidArgument, notFound, resourceExhausted } from '#platform/errors.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { checkForSaving } from '#platform/safe-fetch/guard.ts';
import type { OAuthDeps } from '../deps.ts';
import {
  deleteLogoutRedirectUri,
  insertLogoutRedirectUri,
  selectLogoutRedirectUris,
  selectOpenIdClients,
  upsertLogoutUrl,
} from './settings-queries.ts';

/** @throws ApiError 404 */
export async function showOpenIdSettings(
  { db, config, applications }: Pick<OAuthDeps, 'db' | 'config' | 'applications'>,
  own: Owned,
): Promise<OpenIdSettings> {
  const { appId } = await applications.requireOwn(own);
  const [client] = await selectOpenIdClients(db, [appId]);
  const { logoutUrl = null, logoutFailedAt = null, logoutFault = null } = client ?? {};
  const fault = logoutFault && sayAgain(logoutFault.reason, logoutFault.values);
  return {
    isEnabled: await applications.hasExtension(appId, 'openid'),
    issuer: publicUrlOf(config),
    postLogoutRedirectUris: await selectLogoutRedirectUris(db, appId),
    ...(logoutUrl !== null && { backchannelLogoutUri: logoutUrl }),
    ...(logoutFailedAt !== null &&
      fault && { lastLogoutFailure: { at: logoutFailedAt, fault: fault.message } }),
  };
}

/**
 * Sets the address for logout tokens. It is checked here and again at every connection, like a webhook URL.
 *
 * @throws ApiError 400 that says what is wrong with the URL; 404
 */
export async function setLogoutUrl(deps: OAuthDeps, own: Owned, url: string): Promise<OpenIdSettings> {
  const { db, guard, applications } = deps;
  // Checked first, so that strangers trigger no DNS queries; and DNS is not queried inside the transaction.
  await applications.requireOwn(own);
  const checked = await checkForSaving(guard, url);
  if ('fault' in checked) throw invalidArgument('backchannelLogoutUri', `url-${checked.fault}`);
  await db.begin(async (tx) => {
    const { appId } = await applications.lockOwn(tx, own);
    await upsertLogoutUrl(tx, appId, url);
    await applications.recordAudit(tx, own, 'openid.logout-url-set', { host: new URL(url).host });
  });
  return showOpenIdSettings(deps, own);
}

export async function removeLogoutUrl(deps: OAuthDeps, own: Owned): Promise<OpenIdSettings> {
  const { db, applications } = deps;
  await db.begin(async (tx) => {
    const { appId } = await applications.lockOwn(tx, own);
    const [client] = await selectOpenIdClients(tx, [appId]);
    if (client?.logoutUrl == null) return;
    await upsertLogoutUrl(tx, appId, null);
    await applications.recordAudit(tx, own, 'openid.logout-url-removed');
  });
  return showOpenIdSettings(deps, own);
}

/** Registers an address for redirects after a logout, byte for byte; an existing one is no error. */
export async function addLogoutRedirectUri(
  deps: OAuthDeps,
  own: Owned,
  uri: string,
): Promise<OpenIdSettings> {
  const { db, clock, applications } = deps;
  const fault = checkRedirectUri(uri);
  if (fault) throw invalidArgument('postLogoutRedirectUri', fault);
  await db.begin(async (tx) => {
    const { appId } = await applications.lockOwn(tx, own);
    const known = await selectLogoutRedirectUris(tx, appId);
    if (known.includes(uri)) return;
    const count = OPENID_LIMITS.postLogoutRedirectUris;
    if (known.length >= count) throw resourceExhausted('openid.too-many-uris', { count });
    await insertLogoutRedirectUri(tx, { appId, uri, createdAt: clock.now() });
    await applications.recordAudit(tx, own, 'openid.logout-uri-added', { uri });
  });
  return showOpenIdSettings(deps, own);
}

/** @throws ApiError 404 */
export async function removeLogoutRedirectUri(
  deps: OAuthDeps,
  own: Owned,
  uri: string,
): Promise<OpenIdSettings> {
  const { db, applications } = deps;
  const remove = async (tx: Tx) => {
    const { appId } = await applications.lockOwn(tx, own);
    if (!(await deleteLogoutRedirectUri(tx, appId, uri))) throw notFound('openid.uri-unknown');
    await applications.recordAudit(tx, own, 'openid.logout-uri-removed', { uri });
  };
  await db.begin(remove);
  return showOpenIdSettings(deps, own);
}
