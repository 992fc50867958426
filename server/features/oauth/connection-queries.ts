import type { Db, Tx } from '#platform/database.ts';

/** The record that a person has granted access to an application. */
export interface ConnectionRow {
  accountId: string;
  appId: string;
  firstGrantedAt: number;
  lastCalledAt: number | null;
}

/** In the order of the application's ids, after the given one. */
export async function selectConnections(
  db: Db,
  accountId: string,
  { after, limit }: { after: string; limit: number },
): Promise<ConnectionRow[]> {
  return db<ConnectionRow[]>`
    select account_id, app_id, first_granted_at, last_called_at
    from connected_applications where account_id = ${accountId} and app_id > ${after}
    order by app_id limit ${limit}`;
}

export async function selectConnectionsTo(
  db: Db,
  accountId: string,
  appIds: string[],
): Promise<ConnectionRow[]> {
  return db<ConnectionRow[]>`
    select account_id, app_id, first_granted_at, last_called_at
    from connected_applications where account_id = ${accountId} and app_id = any(${appIds})
    order by app_id`;
}

/** The families of a person's grants to these applications. */
export async function selectAccountGrants(
  db: Db,
  accountId: string,
  appIds: string[],
): Promise<{ appId: string; familyId: string }[]> {
  return db<{ appId: string; familyId: string }[]>`
    select app_id, family_id from account_grants where account_id = ${accountId} and app_id = any(${appIds})`;
}

/** All families of a person's grants. */
export async function selectGrantsOf(db: Db, accountId: string): Promise<string[]> {
  const rows = await db<{ familyId: string }[]>`
    select family_id from account_grants where account_id = ${accountId}`;
  return rows.map(({ familyId }) => familyId);
}

/** Deletes a person's list of grants. */
export async function deleteConnections(tx: Tx, accountId: string): Promise<void> {
  await tx`delete from connected_applications where account_id = ${accountId}`;
}

/** Removes families of a deleted application from its list; the worker removes the rest. */
export async function takeApplicationGrants(tx: Tx, appId: string, limit: number): Promise<string[]> {
  const rows = await tx<{ familyId: string }[]>`
    delete from application_grants
    where app_id = ${appId} and family_id in (
      select family_id from application_grants where app_id = ${appId} order by family_id limit ${tx.constant(limit)}
    )
    returning family_id`;
  return rows.map(({ familyId }) => familyId);
}

/** Deleted applications with families in their list. A read over all shards, for the worker. */
export async function selectDeletedWithGrants(db: Db, limit: number): Promise<string[]> {
  const rows = await db<{ appId: string }[]>`
    select app_id from applications
    where state = 'deleted'
      and exists (select from application_grants where application_grants.app_id = applications.app_id)
    limit ${limit}`;
  return rows.map(({ appId }) => appId);
}

/** Newest first. */
export async function selectApplicationGrantsBefore(
  db: Db,
  appId: string,
  { before, limit }: { before: string; limit: number },
): Promise<string[]> {
  const rows = await db<{ familyId: string }[]>`
    select family_id from application_grants where app_id = ${appId} and family_id < ${before}
    order by family_id desc limit ${limit}`;
  return rows.map(({ familyId }) => familyId);
}
