import type { Db, Tx } from '#platform/database.ts';

/** A provider, as it is stored. */
export interface ProviderRow {
  providerId: string;
  name: string;
  issuer: string;
  clientId: string;
  clientSecret: Buffer;
  clientSecretKeyId: number;
  domains: string[];
  findsByEmail: boolean;
  createsAccounts: boolean;
  passwordsOff: boolean;
  needsSecondFactor: boolean;
  operatorsClaim: string | null;
  operatorsValue: string | null;
  scimTokenHash: Buffer | null;
  createdAt: number;
  changedAt: number;
}

function columns(db: Db) {
  return db`provider_id, name, issuer, client_id, client_secret, client_secret_key_id, domains, finds_by_email,
    creates_accounts, passwords_off, needs_second_factor, operators_claim, operators_value, scim_token_hash,
    created_at, changed_at`;
}

/** The oldest first; they are few. */
export async function selectProviders(db: Db): Promise<ProviderRow[]> {
  return db<ProviderRow[]>`select ${columns(db)} from sign_in_providers order by created_at, provider_id`;
}

export async function selectProvider(db: Db, providerId: string): Promise<ProviderRow | undefined> {
  const [row] = await db<ProviderRow[]>`
    select ${columns(db)} from sign_in_providers where provider_id = ${providerId}`;
  return row;
}

/** The same; keeps it from changing, and other acts of it from beginning, until the transaction ends. */
export async function lockProvider(tx: Tx, providerId: string): Promise<ProviderRow | undefined> {
  const [row] = await tx<ProviderRow[]>`
    select ${columns(tx)} from sign_in_providers where provider_id = ${providerId} for no key update`;
  return row;
}

/** False if there is one with this issuer. */
export async function insertProvider(tx: Tx, row: ProviderRow): Promise<boolean> {
  const rows = await tx`
    insert into sign_in_providers (${columns(tx)})
    values (${row.providerId}, ${row.name}, ${row.issuer}, ${row.clientId}, ${row.clientSecret},
      ${row.clientSecretKeyId}, ${row.domains}, ${row.findsByEmail}, ${row.createsAccounts}, ${row.passwordsOff},
      ${row.needsSecondFactor}, ${row.operatorsClaim}, ${row.operatorsValue}, ${row.scimTokenHash},
      ${row.createdAt}, ${row.changedAt})
    on conflict (issuer) do nothing returning provider_id`;
  return rows.length === 1;
}

export async function updateProvider(tx: Tx, row: ProviderRow): Promise<void> {
  await tx`
    update sign_in_providers
    set name = ${row.name}, client_id = ${row.clientId}, client_secret = ${row.clientSecret},
      client_secret_key_id = ${row.clientSecretKeyId}, domains = ${row.domains},
      finds_by_email = ${row.findsByEmail}, creates_accounts = ${row.createsAccounts},
      passwords_off = ${row.passwordsOff}, needs_second_factor = ${row.needsSecondFactor},
      operators_claim = ${row.operatorsClaim}, operators_value = ${row.operatorsValue},
      scim_token_hash = ${row.scimTokenHash}, changed_at = ${row.changedAt}
    where provider_id = ${row.providerId}`;
}

/** Whether no provider has replaced passwords. */
export async function findTakesPasswords(db: Db): Promise<boolean> {
  const rows = await db`select provider_id from sign_in_providers where passwords_off limit 1`;
  return rows.length === 0;
}

export async function hasProvider(db: Db, providerId: string): Promise<boolean> {
  const rows = await db`select provider_id from sign_in_providers where provider_id = ${providerId}`;
  return rows.length === 1;
}
