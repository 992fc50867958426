import { APPLICATION } from '#contract/api/console.ts';
import { OPENID_LIMITS, type OpenIdSettings } from '#contract/openid.ts';
import { type Said, sayStored } from '#contract/reasons.ts';
import { checkRedirectUri, type Owned } from '#features/applications/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { invalidArgument, notFound, resourceExhausted } from '#platform/errors.ts';
import { serve } from '#platform/http/serve.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import { checkForSaving } from '#platform/safe-fetch/guard.ts';
import type { OAuthDeps } from '../deps.ts';

/** @throws ApiError 404 */
async function showOpenIdSettings(
  { db, config, applications }: OAuthDeps,
  own: Owned,
): Promise<OpenIdSettings> {
  const { appId } = await applications.requireOwn(own);
  const [client] = await selectOpenIdClients(db, [appId]);
  const { logoutUrl = null, logoutFailedAt = null, logoutFault = null } = client ?? {};
  const fault = logoutFault && sayStored(logoutFault.reason, logoutFault.values);
  return {
    isEnabled: await applications.hasExtension(appId, 'openid'),
    issuer: publicUrlOf(config),
    postLogoutRedirectUris: await selectLogoutRedirectUris(db, appId),
    ...(logoutUrl !== null && { backchannelLogoutUri: logoutUrl }),
    ...(logoutFailedAt !== null &&
      fault && { lastLogoutFailure: { at: logoutFailedAt, fault: fault.message } }),
  };
}

/** The OpenID Connect settings of an application, with the addresses for redirects after a logout. */
export function openIdConsoleRoutes(deps: OAuthDeps) {
  const { db, clock, guard, applications } = deps;
  /** Changes the settings of the person's own application, and shows them. */
  const change = async (own: Owned, work: (tx: Tx, appId: string) => Promise<void>) => {
    await db.begin(async (tx) => work(tx, (await applications.lockOwn(tx, own)).appId));
    return showOpenIdSettings(deps, own);
  };
  return serve(APPLICATION, {
    'GET /applications/:appId/openid': ({ own }) => showOpenIdSettings(deps, own),
    /** The address for logout tokens is checked here and again at every connection, like a webhook URL. */
    'PUT /applications/:appId/openid/backchannel-logout-uri': async ({ own, body }) => {
      const url = body.backchannelLogoutUri;
      // Checked first, so that strangers trigger no DNS queries; and DNS is not queried inside the transaction.
      await applications.requireOwn(own);
      const checked = await checkForSaving(guard, url);
      if ('fault' in checked) throw invalidArgument('backchannelLogoutUri', `url-${checked.fault}`);
      return change(own, async (tx, appId) => {
        await upsertLogoutUrl(tx, appId, url);
        await applications.recordAudit(tx, own, 'openid.logout-url-set', { host: new URL(url).host });
      });
    },
    'DELETE /applications/:appId/openid/backchannel-logout-uri': ({ own }) =>
      change(own, async (tx, appId) => {
        const [client] = await selectOpenIdClients(tx, [appId]);
        if (client?.logoutUrl == null) return;
        await upsertLogoutUrl(tx, appId, null);
        await applications.recordAudit(tx, own, 'openid.logout-url-removed');
      }),
    /** Registers an address for redirects after a logout, byte for byte; an existing one is no error. */
    'POST /applications/:appId/openid/post-logout-redirect-uris': ({ own, body }) => {
      const uri = body.postLogoutRedirectUri;
      const fault = checkRedirectUri(uri);
      if (fault) throw invalidArgument('postLogoutRedirectUri', fault);
      return change(own, async (tx, appId) => {
        const known = await selectLogoutRedirectUris(tx, appId);
        if (known.includes(uri)) return;
        const count = OPENID_LIMITS.postLogoutRedirectUris;
        if (known.length >= count) throw resourceExhausted('openid.too-many-uris', { count });
        await tx`insert into logout_redirect_uris ${tx({ appId, uri, createdAt: clock.now() })}`;
        await applications.recordAudit(tx, own, 'openid.logout-uri-added', { uri });
      });
    },
    'DELETE /applications/:appId/openid/post-logout-redirect-uris': ({ own, body }) =>
      change(own, async (tx, appId) => {
        const uri = body.postLogoutRedirectUri;
        const removed = await tx`
          delete from logout_redirect_uris where app_id = ${appId} and uri = ${uri} returning uri`;
        if (removed.length === 0) throw notFound('openid.uri-unknown');
        await applications.recordAudit(tx, own, 'openid.logout-uri-removed', { uri });
      }),
  });
}

interface OpenIdClientRow {
  appId: string;
  logoutUrl: string | null;
  logoutFailedAt: number | null;
  logoutFault: Pick<Said, 'reason' | 'values'> | null;
}

/** Those of the given applications that ever had a setting; for several, a read over many shards. */
export async function selectOpenIdClients(db: Db, appIds: string[]): Promise<OpenIdClientRow[]> {
  return db<OpenIdClientRow[]>`
    select app_id, logout_url, logout_failed_at, logout_fault
    from openid_clients where app_id = any(${appIds})`;
}

async function upsertLogoutUrl(tx: Tx, appId: string, logoutUrl: string | null): Promise<void> {
  await tx`
    insert into openid_clients (app_id, logout_url) values (${appId}, ${logoutUrl})
    on conflict (app_id) do update
    set logout_url = excluded.logout_url, logout_failed_at = null, logout_fault = null`;
}

/** In the order in which they were added. */
export async function selectLogoutRedirectUris(db: Db, appId: string): Promise<string[]> {
  const rows = await db<{ uri: string }[]>`
    select uri from logout_redirect_uris where app_id = ${appId} order by created_at, uri`;
  return rows.map(({ uri }) => uri);
}

/** Part of deleting an application. */
export async function deleteOpenIdSettings(tx: Tx, appId: string): Promise<void> {
  await tx`delete from logout_redirect_uris where app_id = ${appId}`;
  await tx`delete from openid_clients where app_id = ${appId}`;
}

/** Undefined once one has arrived. */
export async function updateLogoutFailure(
  tx: Tx,
  appId: string,
  failure: { at: number; fault: Said } | undefined,
): Promise<void> {
  const { reason, values } = failure?.fault ?? {};
  await tx`
    update openid_clients
    set logout_failed_at = ${failure?.at ?? null}, logout_fault = ${reason ? tx.json({ reason, values }) : null}
    where app_id = ${appId}`;
}
