import type { Said } from '#contract/reasons.ts';
import type { Db, Tx } from '#platform/database.ts';

export interface OpenIdClientRow {
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

export async function upsertLogoutUrl(tx: Tx, appId: string, logoutUrl: string | null): Promise<void> {
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

export async function insertLogoutRedirectUri(
  tx: Tx,
  { appId, uri, createdAt }: { appId: string; uri: string; createdAt: number },
): Promise<void> {
  await tx`
    insert into logout_redirect_uris (app_id, uri, created_at) values (${appId}, ${uri}, ${createdAt})`;
}

export async function deleteLogoutRedirectUri(tx: Tx, appId: string, uri: string): Promise<boolean> {
  const rows = await tx`
    delete from logout_redirect_uris where app_id = ${appId} and uri = ${uri} returning uri`;
  return rows.length === 1;
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
