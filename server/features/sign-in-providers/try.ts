import { genericGrantRequest, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client';
import { type Said, say } from '#contract/reasons.ts';
import type { Platform } from '#platform/platform.ts';
import { safeRequest } from '#platform/safe-fetch/safe-request.ts';
import { discover, type ProviderClient, Unreachable } from './clients.ts';
import { addressesOf, guardFor, type Provider } from './providers.ts';

const TIME_LIMIT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
const SKEW_MS = 30_000;
/** Keys have a type of their own (RFC 7517 §8.5). */
const ACCEPT = { accept: 'application/json, application/jwk-set+json' };

/** A fault of a provider, and what an operator can do about it. */
export interface ProviderFault {
  what: Said;
  remedy: Said;
}

/**
 * Tries a provider as far as that is possible without a person: what it publishes, its keys, its clock, and whether it knows
 * this server's client.
 */
export async function tryProvider(
  { guard, clock, config }: Pick<Platform, 'guard' | 'clock' | 'config'>,
  provider: Provider,
): Promise<ProviderFault[]> {
  let client: ProviderClient;
  try {
    client = await discover(guard, provider);
  } catch (error) {
    return [await explainDiscovery(guard, provider, error)];
  }
  const { callbackUrl } = addressesOf(config, provider.providerId);
  const faults = await Promise.all([
    checkIssuer(client, provider),
    checkKeys(guard, client, provider),
    checkClock(guard, clock, provider),
    checkCredentials(client, callbackUrl),
  ]);
  return faults.filter((fault) => fault !== undefined);
}

async function explainDiscovery(
  guard: Platform['guard'],
  { issuer }: Provider,
  error: unknown,
): Promise<ProviderFault> {
  for (let one: unknown = error; one instanceof Error; one = one.cause)
    if (one instanceof Unreachable)
      return {
        what: say('health.provider-away', { issuer, reason: one.said.message }),
        remedy: say('health.provider-away.remedy'),
      };
  const named = await readIssuer(guard, issuer);
  return {
    what:
      named === undefined
        ? say('health.provider-no-discovery', { issuer })
        : say('health.provider-other-issuer', { issuer, named }),
    remedy: say('health.provider-other-issuer.remedy'),
  };
}

/** How the provider calls itself, if it publishes that. */
async function readIssuer(guard: Platform['guard'], issuer: string): Promise<string | undefined> {
  const answer = await read(guard, issuer);
  try {
    const named: unknown = answer.kind === 'response' ? JSON.parse(String(answer.body)).issuer : undefined;
    return typeof named === 'string' ? named.slice(0, 200) : undefined;
  } catch {
    return undefined;
  }
}

/** Asks a provider for what it publishes: its metadata, unless another address is given. */
function read(
  guard: Platform['guard'],
  issuer: string,
  url = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
) {
  const options = { headers: ACCEPT, deadlineMs: TIME_LIMIT_MS, maxBytes: MAX_BYTES };
  return safeRequest(guardFor(guard, issuer), url, options);
}

async function checkIssuer(
  { config }: ProviderClient,
  { issuer }: Provider,
): Promise<ProviderFault | undefined> {
  const named = config.serverMetadata().issuer;
  if (named === issuer) return undefined;
  return {
    what: say('health.provider-other-issuer', { issuer, named }),
    remedy: say('health.provider-other-issuer.remedy'),
  };
}

async function checkKeys(
  guard: Platform['guard'],
  { config }: ProviderClient,
  { issuer }: Provider,
): Promise<ProviderFault | undefined> {
  const { jwks_uri: url, authorization_endpoint, token_endpoint } = config.serverMetadata();
  if (url !== undefined && authorization_endpoint !== undefined && token_endpoint !== undefined) {
    const answer = await read(guard, issuer, url);
    if (answer.kind === 'response' && hasKeys(String(answer.body))) return undefined;
  }
  return { what: say('health.provider-no-keys', { issuer }), remedy: say('health.provider-no-keys.remedy') };
}

function hasKeys(text: string): boolean {
  try {
    return JSON.parse(text).keys.length > 0;
  } catch {
    return false;
  }
}

async function checkClock(
  guard: Platform['guard'],
  clock: Platform['clock'],
  { issuer }: Provider,
): Promise<ProviderFault | undefined> {
  const answer = await read(guard, issuer);
  const at = answer.kind === 'response' ? Date.parse(answer.headers.date ?? '') : Number.NaN;
  const apart = Math.abs(at - clock.now());
  if (Number.isNaN(apart) || apart <= SKEW_MS) return undefined;
  return {
    what: say('health.provider-clock', { issuer, seconds: Math.round(apart / 1000) }),
    remedy: say('health.provider-clock.remedy'),
  };
}

/** Some providers say so of a client that they do not know, or of a wrong secret, among them Keycloak and Entra ID. */
const REFUSED_CLIENTS: ReadonlySet<string> = new Set(['invalid_client', 'unauthorized_client']);

/** An invented code: the provider refuses either the code, and then it knows the client, or the client. */
async function checkCredentials(
  { config }: ProviderClient,
  callbackUrl: string,
): Promise<ProviderFault | undefined> {
  try {
    await genericGrantRequest(config, 'authorization_code', {
      code: 'parley-doctor',
      code_verifier: 'parley-doctor-parley-doctor-parley-doctor-parley',
      redirect_uri: callbackUrl,
    });
    return undefined;
  } catch (error) {
    const isRefused = error instanceof ResponseBodyError && REFUSED_CLIENTS.has(error.error);
    if (!isRefused && !(error instanceof WWWAuthenticateChallengeError)) return undefined;
    return {
      what: say('health.provider-client', { issuer: config.serverMetadata().issuer }),
      remedy: say('health.provider-client.remedy', { url: callbackUrl }),
    };
  }
}
