import { timingSafeEqual } from 'node:crypto';
import { LIFETIME_SECONDS, type TokenReply } from '#contract/oauth.ts';
import { say, sayOfField } from '#contract/reasons.ts';
import type { GrantedScope } from '#contract/scopes.ts';
import type { Client, Credential } from '#features/applications/index.ts';
import { Batcher } from '#platform/batch.ts';
import { submitById } from '#platform/partitioning/shards.ts';
import { readScopes } from './authorize/authorize.ts';
import type { OAuthDeps } from './deps.ts';
import {
  badRefreshToken,
  invalidRequest,
  type OAuthError,
  scopeNotGranted,
  unsupportedGrantType,
} from './oauth-error.ts';
import { ALL_SCOPES } from './openid/request.ts';
import {
  type AccessRow,
  endGrants,
  findAccess,
  type Rotation,
  rotate,
  type TokenPairRow,
} from './queries.ts';
import { dayOf, findEnd, isHeld } from './rules.ts';
import {
  makeAccessToken,
  makeRefreshToken,
  type Presented,
  type PresentedRefreshToken,
  parseAccessToken,
  parseRefreshToken,
} from './token-strings.ts';

/** The body of a request to `/oauth/*`, as JSON or form. */
export type OAuthBody = Readonly<Record<string, string | undefined>>;

type TokenRequest =
  | { grantType: 'authorization_code'; code: string; redirectUri: string; verifier: string | undefined }
  | { grantType: 'refresh_token'; refreshToken: string; scope: string | undefined };

const KNOWN = [
  'grant_type',
  'client_id',
  'client_secret',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  'scope',
  'token',
  'token_type_hint',
];

/**
 * The known fields of a body, without coercion. A field without a value counts as absent (RFC 6749 §3.1), as
 * does `null` in JSON.
 *
 * @throws OAuthError 400
 */
export function readOAuthBody(body: unknown): OAuthBody {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw invalidRequest(say('token.form'));
  }
  const fields: Record<string, string> = {};
  for (const name of KNOWN) {
    const value: unknown = Object.hasOwn(body, name) ? (body as Record<string, unknown>)[name] : undefined;
    if (value === undefined || value === null || value === '') continue;
    if (typeof value !== 'string') throw invalidRequest(sayOfField(name, 'type', { type: 'string' }));
    fields[name] = value;
  }
  return fields;
}

/** @throws OAuthError 400 naming the missing field */
export function readTokenRequest(body: OAuthBody): TokenRequest {
  const grantType = required(body, 'grant_type');
  switch (grantType) {
    case 'authorization_code': {
      const verifier = body['code_verifier'];
      if (verifier !== undefined && !/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) {
        throw invalidRequest(sayOfField('code_verifier', 'verifier'));
      }
      return {
        grantType,
        code: required(body, 'code'),
        redirectUri: required(body, 'redirect_uri'),
        verifier,
      };
    }
    case 'refresh_token':
      return { grantType, refreshToken: required(body, 'refresh_token'), scope: body['scope'] };
    default:
      throw unsupportedGrantType();
  }
}

/** @throws OAuthError 400 */
export function required(body: OAuthBody, name: string): string {
  const value = body[name];
  if (value === undefined) throw invalidRequest(sayOfField(name, 'required'));
  return value;
}

interface Refresh {
  appId: string;
  refreshToken: string;
  /** Fewer scopes for the new access token; the refresh token keeps all. */
  scope: string | undefined;
}

/**
 * Rotates refresh tokens, a batch in one statement. Of several requests with one token at most one
 * wins; the others count as reuse and end the family (decisions: OAuth).
 *
 * @returns a function that throws OAuthError 401, or 400 for a scope that was not granted
 */
export function createRefresher(deps: OAuthDeps) {
  const batcher = new Batcher<Rotation, GrantedScope[] | undefined>((rotations) =>
    rotateBatch(deps, rotations),
  );
  return async ({ appId, refreshToken, scope }: Refresh): Promise<TokenReply> => {
    const presented = parseRefreshToken(refreshToken);
    if (!presented) throw badRefreshToken(say('token.refresh-malformed'));
    const scopes = scope === undefined ? undefined : readScopes(scope, ALL_SCOPES);
    if (scopes && !Array.isArray(scopes)) throw scopeNotGranted();
    const { familyId, hash: presentedHash, lineage } = presented;
    const pair = makePair(deps, familyId, lineage);
    const rotation = { ...pair.row, familyId, appId, presentedHash, scope: scopes?.join(' ') ?? null };
    const granted = await submitById(deps.shards, batcher, rotation, { table: 'grants', id: familyId });
    if (granted) return toTokenReply(pair, granted);
    throw await explain(deps, presented, appId);
  };
}

/**
 * Of several rotations of one token in a batch, the statement performs one; the new token's hash shows which.
 */
async function rotateBatch(
  { db }: OAuthDeps,
  rotations: Rotation[],
): Promise<(GrantedScope[] | undefined)[]> {
  const rotated = await db.write((tx) => rotate(tx, rotations));
  const scopesOf = new Map(rotated.map((one) => [one.refreshHash.toString('latin1'), one.accessScopes]));
  return rotations.map(({ refreshHash }) => scopesOf.get(refreshHash.toString('latin1')));
}

/** Why a refresh token was refused. First ends the family of a reused one. */
async function explain(
  { db, clock, shards, findGrant }: OAuthDeps,
  presented: PresentedRefreshToken,
  appId: string,
): Promise<OAuthError> {
  const now = clock.now();
  const grant = await findGrant(presented.familyId);
  const isOurs =
    grant?.appId === appId && grant.lineageHash && timingSafeEqual(grant.lineageHash, presented.lineageHash);
  if (!isOurs || !grant.refreshHash) return badRefreshToken(say('token.refresh-unknown'));
  const end = findEnd(grant, now);
  if (end) return badRefreshToken(say('token.consent-again', { reason: end.endReason }));
  if (timingSafeEqual(grant.refreshHash, presented.hash)) {
    return isHeld(grant, now) ? badRefreshToken(say('token.person-suspended')) : scopeNotGranted();
  }
  await db.write((tx) =>
    endGrants(tx, shards, [grant.familyId], { at: now, reason: 'refresh-token-reused' }),
  );
  return badRefreshToken(say('token.refresh-reused'));
}

/**
 * Looks access tokens up in the database at every request, a batch in one statement for the families
 * and one for the applications. Nothing is cached: an ended family is refused once the request that ended it is answered.
 *
 * @returns a function that resolves to `undefined` for a token that is malformed, unknown, rotated away, revoked,
 * expired or of a deleted application: the caller cannot distinguish these
 */
export function createAccessTokenAuthenticator({ db, clock, applications, shards }: OAuthDeps) {
  const batcher = new Batcher<Presented, Credential | undefined>(async (presented) => {
    const now = clock.now();
    const rows = await findAccess(
      db,
      presented.map(({ familyId }) => familyId),
      now,
    );
    if (rows.length === 0) return presented.map(() => undefined);
    const clients = await applications.findClients([...new Set(rows.map(({ appId }) => appId))]);
    const rowOf = new Map(rows.map((row) => [row.familyId, row]));
    const clientOf = new Map(clients.map((client) => [client.appId, client]));
    return presented.map(({ familyId, hash }) => {
      const row = rowOf.get(familyId);
      if (!row || now >= row.accessExpiresAt || !timingSafeEqual(row.accessHash, hash)) return undefined;
      const client = clientOf.get(row.appId);
      return client && toCredential(row, client);
    });
  });
  return async (token: string): Promise<Credential | undefined> => {
    const presented = parseAccessToken(token);
    return presented && submitById(shards, batcher, presented, { table: 'grants', id: presented.familyId });
  };
}

function toCredential(row: AccessRow, client: Client): Credential {
  return {
    kind: 'user',
    appId: row.appId,
    applicationState: client.state,
    scopes: row.accessScopes,
    requestsPerMinute: client.requestsPerMinute,
    accountId: row.accountId,
    // No single party is responsible for such a client: each person has a separate quota.
    ...(client.clientUrl !== null && { quotaOf: `${row.appId} ${row.accountId}` }),
  };
}

/** A new pair of tokens: the tokens for the client, and the row for the database. */
interface TokenPair {
  accessToken: string;
  refreshToken: string;
  row: TokenPairRow & { lineageHash: Buffer };
}

/** @param lineage of the refresh token that the pair is exchanged for; missing for the first of a family */
export function makePair(
  { clock, random }: Pick<OAuthDeps, 'clock' | 'random'>,
  familyId: string,
  lineage?: string,
): TokenPair {
  const now = clock.now();
  const access = makeAccessToken(familyId, random);
  const refresh = makeRefreshToken(familyId, random, lineage);
  const expiresAt = now + LIFETIME_SECONDS.refreshToken * 1000;
  return {
    accessToken: access.text,
    refreshToken: refresh.text,
    row: {
      accessHash: access.hash,
      accessExpiresAt: now + LIFETIME_SECONDS.accessToken * 1000,
      refreshHash: refresh.hash,
      lineageHash: refresh.lineageHash,
      issuedAt: now,
      expiresAt,
      expiresOn: dayOf(expiresAt),
    },
  };
}

export function toTokenReply(
  { accessToken, refreshToken }: TokenPair,
  scopes: readonly GrantedScope[],
): TokenReply {
  return {
    access_token: accessToken,
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: LIFETIME_SECONDS.accessToken,
    scope: scopes.join(' '),
  };
}
