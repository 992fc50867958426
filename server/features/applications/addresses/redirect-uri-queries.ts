import type { Db, Tx } from '#platform/database.ts';

/** In the order in which they were added. */
export async function findRedirectUris(db: Db, appId: string): Promise<string[]> {
  const rows = await db<{ uri: string }[]>`
    select uri from redirect_uris where app_id = ${appId} order by created_at, uri`;
  return rows.map(({ uri }) => uri);
}

export async function insertRedirectUri(
  tx: Tx,
  { appId, uri, createdAt }: { appId: string; uri: string; createdAt: number },
): Promise<void> {
  await tx`insert into redirect_uris (app_id, uri, created_at) values (${appId}, ${uri}, ${createdAt})`;
}

export async function deleteRedirectUri(tx: Tx, appId: string, uri: string): Promise<boolean> {
  const rows = await tx`delete from redirect_uris where app_id = ${appId} and uri = ${uri} returning uri`;
  return rows.length === 1;
}

export async function deleteRedirectUris(tx: Tx, appId: string): Promise<void> {
  await tx`delete from redirect_uris where app_id = ${appId}`;
}
