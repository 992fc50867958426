import { timingSafeEqual } from 'node:crypto';
import type { AddProvider, ChangeProvider, OperatedProvider } from '#contract/operate/providers.ts';
import { hashSecret } from '#platform/crypto/random-secrets.ts';
import type { Db, Tx } from '#platform/database.ts';
import { alreadyExists, invalidArgument, notFound, resourceExhausted } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Platform } from '#platform/platform.ts';
import { publicUrlOf } from '#platform/public-url.ts';
import type { Guard } from '#platform/safe-fetch/guard.ts';
import { portOf } from '#platform/safe-fetch/trusted-hosts.ts';
import { checkUrl } from '#platform/safe-fetch/url.ts';
import {
  insertProvider,
  lockProvider,
  type ProviderRow,
  selectProvider,
  selectProviders,
  updateProvider,
} from './queries.ts';

const MOST_PROVIDERS = 20;
const TOKEN_BYTES = 32;
const TOKEN = /^scim_(idp_[a-z0-9]+)_[A-Za-z0-9_-]{43}$/;

/** A provider with its secret opened. */
export interface Provider extends Omit<ProviderRow, 'clientSecret' | 'clientSecretKeyId'> {
  clientSecret: string;
}

/** Dependencies of keeping providers; the command line has no more. */
export type ProviderStoreDeps = Pick<
  Platform,
  'db' | 'clock' | 'random' | 'newId' | 'keyring' | 'guard' | 'config'
>;

export type ExtraWrites = (tx: Tx, providerId: string) => Promise<void>;
type WritesOfChange = (tx: Tx, providerId: string, before: ProviderRow) => Promise<void>;

function contextOf(providerId: string) {
  return { table: 'sign_in_providers', rowId: providerId };
}

/** An unreadable secret leaves the provider listed; the provider then refuses this server. */
function open({ keyring }: Pick<Platform, 'keyring'>, row: ProviderRow): Provider {
  const { clientSecret: ciphertext, clientSecretKeyId: keyId, ...provider } = row;
  const secret = keyring.openIfReadable(contextOf(row.providerId), { keyId, ciphertext });
  return { ...provider, clientSecret: secret?.toString() ?? '' };
}

/** The oldest first. */
export async function listProviders(deps: Pick<Platform, 'keyring'> & { db: Db }): Promise<Provider[]> {
  return (await selectProviders(deps.db)).map((row) => open(deps, row));
}

/** @throws ApiError 404 */
export async function requireProvider(
  deps: Pick<Platform, 'keyring'> & { db: Db },
  providerId: string,
): Promise<Provider> {
  return open(deps, await requireRow(providerId, (id) => selectProvider(deps.db, id)));
}

async function requireRow(
  providerId: string,
  find: (id: string) => Promise<ProviderRow | undefined>,
): Promise<ProviderRow> {
  const row = isId('idp', providerId) ? await find(providerId) : undefined;
  if (!row) throw notFound('provider.unknown');
  return row;
}

/** Where the provider sends people, and what it tells this server. */
export function addressesOf(config: Pick<Platform['config'], 'publicUrl' | 'port'>, providerId: string) {
  const own = `${publicUrlOf(config)}/sign-in/providers/${providerId}`;
  return {
    callbackUrl: `${own}/callback`,
    logoutUrl: `${own}/logout`,
    scimUrl: `${publicUrlOf(config)}/scim/v2`,
  };
}

export function viewProvider(
  { config }: Pick<Platform, 'config'>,
  row: Omit<ProviderRow, 'clientSecret' | 'clientSecretKeyId'>,
): OperatedProvider {
  const { providerId, name, issuer, clientId, domains, createdAt, operatorsClaim, operatorsValue } = row;
  return {
    ...{ providerId, name, issuer, clientId, domains, createdAt },
    ...{ findsByEmail: row.findsByEmail, createsAccounts: row.createsAccounts },
    ...{ passwordsOff: row.passwordsOff, needsSecondFactor: row.needsSecondFactor },
    ...addressesOf(config, providerId),
    hasScimToken: row.scimTokenHash !== null,
    ...(operatorsClaim !== null &&
      operatorsValue !== null && { operators: { claim: operatorsClaim, value: operatorsValue } }),
  };
}

/** @throws ApiError 400, 409, 429 */
export async function addProvider(
  deps: ProviderStoreDeps,
  given: AddProvider,
  extraWrites: ExtraWrites,
): Promise<OperatedProvider> {
  const { db, clock, newId } = deps;
  requireIssuer(deps, given.issuer);
  const providerId = newId('idp');
  const at = clock.now();
  const { clientSecret, ...settings } = given;
  const row: ProviderRow = {
    ...{ ...settings, domains: toDomains(given.domains), providerId, createdAt: at, changedAt: at },
    ...sealSecret(deps, providerId, clientSecret),
    ...{ operatorsClaim: null, operatorsValue: null, scimTokenHash: null },
  };
  await db.begin(async (tx) => {
    // Until the transaction ends, no other provider is added.
    await tx`lock table sign_in_providers in share row exclusive mode`;
    if ((await selectProviders(tx)).length >= MOST_PROVIDERS)
      throw resourceExhausted('provider.too-many', { count: MOST_PROVIDERS });
    if (!(await insertProvider(tx, row))) throw alreadyExists('provider.issuer-taken');
    await extraWrites(tx, providerId);
  });
  return viewProvider(deps, row);
}

/** Settings that only the command line changes. */
export interface FurtherChange {
  operatorsClaim?: string | null;
  operatorsValue?: string | null;
}

/** @throws ApiError 404 */
export async function changeProvider(
  deps: ProviderStoreDeps,
  providerId: string,
  { clientSecret, domains, ...change }: ChangeProvider & FurtherChange,
  extraWrites: WritesOfChange,
): Promise<OperatedProvider> {
  return update(deps, providerId, extraWrites, () => ({
    ...change,
    ...(domains && { domains: toDomains(domains) }),
    ...(clientSecret !== undefined && sealSecret(deps, providerId, clientSecret)),
  }));
}

/** @throws ApiError 404 */
export async function removeProvider(
  { db }: ProviderStoreDeps,
  providerId: string,
  extraWrites: ExtraWrites,
): Promise<void> {
  await db.begin(async (tx) => {
    const removed = await tx`
      delete from sign_in_providers where provider_id = ${providerId} returning provider_id`;
    if (removed.length === 0) throw notFound('provider.unknown');
    await extraWrites(tx, providerId);
  });
}

/** A new token with which the provider manages its people. @throws ApiError 404 */
export async function makeScimToken(
  deps: ProviderStoreDeps,
  providerId: string,
  extraWrites: ExtraWrites,
): Promise<string> {
  const token = `scim_${providerId}_${deps.random.bytes(TOKEN_BYTES).toString('base64url')}`;
  await update(deps, providerId, extraWrites, () => ({ scimTokenHash: hashSecret(token) }));
  return token;
}

/** @throws ApiError 404 */
export async function removeScimToken(
  deps: ProviderStoreDeps,
  providerId: string,
  extraWrites: ExtraWrites,
): Promise<void> {
  await update(deps, providerId, extraWrites, () => ({ scimTokenHash: null }));
}

/** The provider that has this SCIM token. */
export async function findByScimToken(
  { db }: Pick<Platform, 'db'>,
  token: string,
): Promise<ProviderRow | undefined> {
  const [, providerId] = TOKEN.exec(token) ?? [];
  const row = providerId === undefined ? undefined : await selectProvider(db, providerId);
  const isRight = row?.scimTokenHash != null && timingSafeEqual(row.scimTokenHash, hashSecret(token));
  return isRight ? row : undefined;
}

async function update(
  deps: ProviderStoreDeps,
  providerId: string,
  extraWrites: WritesOfChange,
  change: () => Partial<ProviderRow>,
): Promise<OperatedProvider> {
  const { db, clock } = deps;
  const changed = await db.begin(async (tx) => {
    const before = await requireRow(providerId, (id) => lockProvider(tx, id));
    // Never the same twice: processes keep what they read under this number.
    const changedAt = Math.max(clock.now(), before.changedAt + 1);
    const row = { ...before, ...change(), changedAt };
    await updateProvider(tx, row);
    await extraWrites(tx, providerId, before);
    return row;
  });
  return viewProvider(deps, changed);
}

function sealSecret({ keyring }: ProviderStoreDeps, providerId: string, secret: string) {
  const { ciphertext, keyId } = keyring.seal(contextOf(providerId), Buffer.from(secret));
  return { clientSecret: ciphertext, clientSecretKeyId: keyId };
}

const toDomains = (domains: readonly string[]) => [...new Set(domains.map((domain) => domain.toLowerCase()))];

/** An issuer is a URL without a query, over https unless the settings trust its host. @throws ApiError 400 */
function requireIssuer({ guard }: Pick<Platform, 'guard'>, issuer: string): void {
  const url = URL.parse(issuer);
  if (url?.search) throw invalidArgument('issuer', 'url-form');
  const isSecure = url?.protocol === 'https:';
  const checked = checkUrl(issuer, isSecure ? guardFor(guard, issuer) : guard);
  if ('fault' in checked) throw invalidArgument('issuer', `url-${checked.fault}`);
}

/** The issuer's own host may be in the operator's network; it proves by its certificate that it is meant. */
export function guardFor(guard: Guard, issuer: string): Guard {
  const url = new URL(issuer);
  return guard.trusting(`${url.hostname}:${portOf(url)}`);
}
