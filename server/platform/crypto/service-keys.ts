import type { Db, Tx } from '../database.ts';

/** A key of the server itself. The secret is sealed with the context {@link serviceKeyContext}. */
export interface ServiceKeyRow {
  name: string;
  publicKey: string;
  secret: Buffer;
  secretKeyId: number;
  createdAt: number;
}

export function serviceKeyContext(name: string) {
  return { table: 'service_keys', rowId: name };
}

/** The keys whose names have this prefix, in order of creation. */
export async function selectServiceKeys(db: Db, beginning: string): Promise<ServiceKeyRow[]> {
  return db<ServiceKeyRow[]>`
    select name, public_key, secret, secret_key_id, created_at from service_keys
    where starts_with(name, ${beginning}) order by created_at, name`;
}

/** Keeps an existing key; returns false if one with that name exists. */
export async function insertServiceKey(tx: Tx, row: ServiceKeyRow): Promise<boolean> {
  const rows = await tx`
    insert into service_keys (name, public_key, secret, secret_key_id, created_at)
    values (${row.name}, ${row.publicKey}, ${row.secret}, ${row.secretKeyId}, ${row.createdAt})
    on conflict (name) do nothing returning name`;
  return rows.length === 1;
}

export async function deleteServiceKeys(tx: Tx, names: string[]): Promise<void> {
  await tx`delete from service_keys where name = any(${names})`;
}
