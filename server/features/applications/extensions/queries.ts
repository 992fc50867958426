import type { Extension } from '#contract/applications.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { LockedApplication } from '../queries.ts';

/** The extensions that are on. */
export async function selectExtensions(db: Db, appId: string): Promise<Extension[]> {
  const rows = await db<{ extension: Extension }[]>`
    select extension from application_extensions where app_id = ${appId} order by extension`;
  return rows.map(({ extension }) => extension);
}

/** The extensions that any application has on. A read over all shards. */
export async function selectExtensionsInUse(db: Db): Promise<Extension[]> {
  const rows = await db<{ extension: Extension }[]>`select distinct extension from application_extensions`;
  return rows.map(({ extension }) => extension);
}

/** Part of deleting an application. */
export async function deleteExtensions(tx: Tx, appId: string): Promise<void> {
  await tx`delete from application_extensions where app_id = ${appId}`;
}

/** False if it was already on. */
export async function insertExtension(
  tx: Tx,
  { appId }: LockedApplication,
  { extension, switchedOnAt }: { extension: Extension; switchedOnAt: number },
): Promise<boolean> {
  const rows = await tx`
    insert into application_extensions (app_id, extension, switched_on_at)
    values (${appId}, ${extension}, ${switchedOnAt})
    on conflict (app_id, extension) do nothing returning extension`;
  return rows.length === 1;
}

/** False if it was already off. */
export async function deleteExtension(
  tx: Tx,
  { appId }: LockedApplication,
  extension: Extension,
): Promise<boolean> {
  const rows = await tx`
    delete from application_extensions where app_id = ${appId} and extension = ${extension} returning extension`;
  return rows.length === 1;
}
