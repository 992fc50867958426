import {
  AuthorizationResponseError,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  fetchUserInfo,
  ResponseBodyError,
} from 'openid-client';
import { safeReturnTo } from '#contract/return-to.ts';
import { openSessionOf, type Person } from '#features/accounts/index.ts';
import { openText, sealText } from '#platform/crypto/sealed-text.ts';
import { ApiError, notSignedIn, permissionDenied, shorten, unavailable } from '#platform/errors.ts';
import type { Claims } from './claims.ts';
import { type ProviderClient, Unreachable } from './clients.ts';
import type { ProviderDeps } from './deps.ts';
import { addressesOf, type Provider, requireProvider } from './providers.ts';

/** How long a person may take at the provider. */
const LIFETIME_MS = 10 * 60_000;
const SECRET_BYTES = 32;
const SCOPE = 'openid profile email';

/** Why the person goes to the provider. */
export type Purpose = 'sign-in' | 'connect' | 'confirm';

/** Kept by the browser, sealed in a cookie, so that only it can continue what it began. */
export interface Flow {
  purpose: Purpose;
  providerId: string;
  state: string;
  nonce: string;
  verifier: string;
  returnTo: string;
  /** The session that connects or confirms something. */
  sessionId: string | undefined;
  at: number;
}

const CONTEXT = { table: 'provider_flows', rowId: '' };

/**
 * Sends a person to a provider.
 *
 * @returns the address there, and what the browser keeps
 * @throws ApiError 404, 503
 */
export async function goToProvider(
  deps: ProviderDeps,
  providerId: string,
  { purpose, returnTo, person }: { purpose: Purpose; returnTo: string | undefined; person?: Person },
): Promise<{ url: string; flow: string }> {
  const { random, clock, keyring, config } = deps;
  const provider = await requireProvider(deps, providerId);
  const secret = () => random.bytes(SECRET_BYTES).toString('base64url');
  const flow: Flow = {
    ...{ purpose, providerId, state: secret(), nonce: secret(), verifier: secret() },
    ...{ returnTo: safeReturnTo(returnTo), at: clock.now() },
    sessionId: person && openSessionOf(person).sessionId,
  };
  const challenge = await calculatePKCECodeChallenge(flow.verifier);
  const url = await ask(deps, provider, ({ config: client }) =>
    buildAuthorizationUrl(client, {
      ...{ scope: SCOPE, redirect_uri: addressesOf(config, providerId).callbackUrl },
      ...{ state: flow.state, nonce: flow.nonce },
      ...{ code_challenge: challenge, code_challenge_method: 'S256' },
      // Whoever happens to be signed in at the provider must not be connected, nor confirm anything, by a click.
      ...(purpose === 'connect' && { prompt: 'login' }),
      ...(purpose === 'confirm' && { prompt: 'login', max_age: '0' }),
    }),
  );
  return { url: url.href, flow: sealText(keyring, CONTEXT, flow) };
}

/**
 * Takes a person back from a provider: checks that this browser went there, exchanges the code, and verifies the ID token.
 *
 * @param url of the request, with its query
 * @throws ApiError 401, 403, 404, 503
 */
export async function comeFromProvider(
  deps: ProviderDeps,
  providerId: string,
  { url, flow: text, person }: { url: string; flow: string | undefined; person: Person | undefined },
): Promise<{ flow: Flow; provider: Provider; claims: Claims }> {
  const { keyring, clock, config } = deps;
  const flow = text === undefined ? undefined : openText<Flow>(keyring, CONTEXT, text);
  const isOpen = flow?.providerId === providerId && clock.now() - flow.at < LIFETIME_MS;
  const isSameSession =
    flow?.sessionId === undefined || flow.sessionId === (person && openSessionOf(person).sessionId);
  if (!flow || !isOpen || !isSameSession) throw notSignedIn('provider.flow-ended');
  const provider = await requireProvider(deps, providerId);
  const { search } = new URL(url, 'http://localhost');
  const here = new URL(addressesOf(config, providerId).callbackUrl + search);
  const claims = await ask(deps, provider, (client) => exchange(client, here, flow));
  // A provider of many tenants names the tenant of each person.
  if (claims.iss !== provider.issuer) throw notSignedIn('provider.answer-invalid');
  return { flow, provider, claims };
}

async function exchange({ config }: ProviderClient, here: URL, flow: Flow): Promise<Claims> {
  const tokens = await authorizationCodeGrant(config, here, {
    expectedState: flow.state,
    expectedNonce: flow.nonce,
    pkceCodeVerifier: flow.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw notSignedIn('provider.flow-ended');
  const isWhole = claims['email'] !== undefined && claims['name'] !== undefined;
  if (isWhole || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  return { ...(await fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
}

/** Asks a provider; a failure is logged for the operator, and told to the person in a few words. */
async function ask<T>(
  { clients, log }: ProviderDeps,
  provider: Provider,
  work: (client: ProviderClient) => T | Promise<T>,
): Promise<T> {
  try {
    return await clients.use(provider, async (client) => work(client));
  } catch (error) {
    const told = toApiError(error);
    const { code, cause } = error as { code?: string; cause?: { message?: string; error?: string } };
    const details = { providerId: provider.providerId, code, cause: cause?.error ?? cause?.message };
    log.warn(
      { event: 'sign-in.failed', what: 'provider', reason: told.message, ...details },
      'a sign-in was refused',
    );
    throw told;
  }
}

function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof AuthorizationResponseError)
    return permissionDenied('provider.refused', { error: shorten(error.error) });
  if (error instanceof ResponseBodyError && error.error === 'invalid_grant')
    return notSignedIn('provider.flow-ended');
  if (isUnreachable(error)) return unavailable('provider.away');
  return notSignedIn('provider.answer-invalid');
}

/** The library wraps errors of requests. */
function isUnreachable(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof Unreachable) return true;
  return false;
}
