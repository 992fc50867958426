import type { EndReason } from '#contract/oauth.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import type { Db, Tx } from '#platform/database.ts';
import type { Shards } from '#platform/partitioning/shards.ts';

/** True for the first decision on a consent: of concurrent ones, the primary key lets one succeed. */
export async function insertDecision(tx: Tx, familyId: string, decidedAt: number): Promise<boolean> {
  const rows = await tx`
    insert into decided_consents (family_id, decided_at) values (${familyId}, ${decidedAt})
    on conflict (family_id) do nothing returning family_id`;
  return rows.length === 1;
}

export interface GrantRow {
  familyId: string;
  appId: string;
  accountId: string;
  scopes: GrantedScope[];
  codeHash: Buffer;
  codeRedirectUri: string | null;
  codeChallenge: string | null;
  codeConsumedAt: number | null;
  accessHash: Buffer | null;
  refreshHash: Buffer | null;
  lineageHash: Buffer | null;
  refreshedAt: number | null;
  expiresAt: number;
  createdAt: number;
  endedAt: number | null;
  endReason: EndReason | null;
  /** Until when its tokens are refused, because the person is suspended. */
  heldUntil: number | null;
}

/** For several, a read over many shards. */
export async function findGrants(db: Db, familyIds: string[]): Promise<GrantRow[]> {
  return db<GrantRow[]>`
    select family_id, app_id, account_id, scopes, code_hash, code_redirect_uri, code_challenge, code_consumed_at,
      access_hash, refresh_hash, lineage_hash, refreshed_at, expires_at, created_at, ended_at, end_reason, held_until
    from grants where family_id = any(${familyIds})`;
}

export interface AccessRow extends Pick<GrantRow, 'familyId' | 'appId' | 'accountId'> {
  accessHash: Buffer;
  accessScopes: GrantedScope[];
  accessExpiresAt: number;
}

/** The access tokens, one each, of the families that have not ended and whose person is not suspended. */
export async function findAccess(db: Db, familyIds: string[], now: number): Promise<AccessRow[]> {
  return db<AccessRow[]>`
    select family_id, app_id, account_id, access_hash, access_scopes, access_expires_at
    from grants
    where family_id = any(${familyIds}) and ended_at is null and access_hash is not null
      and (held_until is null or held_until <= ${now})`;
}

/** A pair of tokens to be issued, by their fingerprints, and when they expire. */
export interface TokenPairRow {
  accessHash: Buffer;
  accessExpiresAt: number;
  refreshHash: Buffer;
  issuedAt: number;
  expiresAt: number;
  expiresOn: number;
}

export interface CodeExchange extends TokenPairRow {
  familyId: string;
  appId: string;
  codeHash: Buffer;
  redirectUri: string;
  codeChallenge: string | null;
  lineageHash: Buffer;
}

/**
 * Consumes a code if everything that it is bound to matches, and issues its first pair of tokens. Exactly one
 * call succeeds.
 */
export async function consumeCode(tx: Tx, exchange: CodeExchange): Promise<GrantedScope[] | undefined> {
  const [row] = await tx<{ scopes: GrantedScope[] }[]>`
    update grants
    set code_consumed_at = ${exchange.issuedAt}, code_redirect_uri = null, code_challenge = null,
      access_hash = ${exchange.accessHash}, access_scopes = scopes, access_expires_at = ${exchange.accessExpiresAt},
      refresh_hash = ${exchange.refreshHash}, lineage_hash = ${exchange.lineageHash},
      refreshed_at = ${exchange.issuedAt}, expires_at = ${exchange.expiresAt}, expires_on = ${exchange.expiresOn}
    where family_id = ${exchange.familyId} and app_id = ${exchange.appId} and code_hash = ${exchange.codeHash}
      and code_consumed_at is null and ended_at is null and expires_at > ${exchange.issuedAt}
      and (held_until is null or held_until <= ${exchange.issuedAt})
      and code_redirect_uri = ${exchange.redirectUri}
      and code_challenge is not distinct from ${exchange.codeChallenge}
    returning scopes`;
  return row?.scopes;
}

export interface Rotation extends TokenPairRow {
  familyId: string;
  appId: string;
  presentedHash: Buffer;
  /** Fewer scopes for the access token, separated by spaces; null for all that were granted. */
  scope: string | null;
}

export interface Rotated {
  /** Of the new refresh token. */
  refreshHash: Buffer;
  accessScopes: GrantedScope[];
}

/**
 * Replaces the pair of tokens of each family whose refresh token was presented. If the same token is presented
 * twice, one of the two succeeds (UPDATE never changes a row twice).
 */
export async function rotate(tx: Tx, rotations: Rotation[]): Promise<Rotated[]> {
  const familyIds = rotations.map(({ familyId }) => familyId);
  return tx<Rotated[]>`
    update grants as held
    set access_hash = said.access_hash, access_expires_at = said.access_expires_at,
      access_scopes = coalesce(string_to_array(said.scope, ' '), held.scopes),
      refresh_hash = said.refresh_hash, refreshed_at = said.issued_at,
      expires_at = said.expires_at, expires_on = said.expires_on
    from unnest(
      ${familyIds}::text[],
      ${rotations.map(({ appId }) => appId)}::text[],
      ${rotations.map(({ presentedHash }) => presentedHash)}::bytea[],
      ${rotations.map(({ scope }) => scope)}::text[],
      ${rotations.map(({ accessHash }) => accessHash)}::bytea[],
      ${rotations.map(({ accessExpiresAt }) => accessExpiresAt)}::bigint[],
      ${rotations.map(({ refreshHash }) => refreshHash)}::bytea[],
      ${rotations.map(({ issuedAt }) => issuedAt)}::bigint[],
      ${rotations.map(({ expiresAt }) => expiresAt)}::bigint[],
      ${rotations.map(({ expiresOn }) => expiresOn)}::integer[]
    ) as said (family_id, app_id, presented_hash, scope, access_hash, access_expires_at, refresh_hash, issued_at,
      expires_at, expires_on)
    where held.family_id = any(${familyIds}) ${lockedInOrder(tx, familyIds)}
      and held.family_id = said.family_id and held.app_id = said.app_id
      and held.refresh_hash = said.presented_hash
      and held.ended_at is null and held.expires_at > said.issued_at
      and (held.held_until is null or held.held_until <= said.issued_at)
      and (said.scope is null or string_to_array(said.scope, ' ') <@ held.scopes)
    returning held.refresh_hash, held.access_scopes`;
}

/**
 * Part of the condition of an update of several families, before which it locks them in the order of their ids: two
 * updates of the same ones never deadlock.
 */
function lockedInOrder(tx: Tx, familyIds: string[]) {
  return tx`and cardinality(array(
    select family_id from grants where family_id = any(${familyIds}) order by family_id for no key update
  )) > 0`;
}

/** The condition of such an update. On Citus, where a rotation is of one family, no statement locks rows of several shards. */
export function withinFamilies(
  tx: Tx,
  { isDistributed }: Pick<Shards, 'isDistributed'>,
  familyIds: string[],
) {
  return tx`family_id = any(${familyIds}) ${isDistributed ? tx`` : lockedInOrder(tx, familyIds)}`;
}

/** Ends families for good, with their codes and tokens; those that have already ended keep their reason. */
export async function endGrants(
  tx: Tx,
  shards: Pick<Shards, 'isDistributed'>,
  familyIds: string[],
  { at, reason }: { at: number; reason: EndReason },
): Promise<void> {
  await tx`
    update grants
    set ended_at = ${at}, end_reason = ${reason}
    where ${withinFamilies(tx, shards, familyIds)} and ended_at is null`;
}

/** Refuses the tokens and codes of families until then; null lifts that. */
export async function updateGrantsHeld(
  tx: Tx,
  shards: Pick<Shards, 'isDistributed'>,
  familyIds: string[],
  heldUntil: number | null,
): Promise<void> {
  await tx`
    update grants set held_until = ${heldUntil} where ${withinFamilies(tx, shards, familyIds)} and ended_at is null`;
}
