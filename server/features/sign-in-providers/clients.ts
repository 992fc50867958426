import { createRemoteJWKSet, type JWTVerifyGetKey, customFetch as keysFetch } from 'jose';
import {
  allowInsecureRequests,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
} from 'openid-client';
import type { Said } from '#contract/reasons.ts';
import { unavailable } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { Guard } from '#platform/safe-fetch/guard.ts';
import { safeRequest } from '#platform/safe-fetch/safe-request.ts';
import { guardFor, type Provider } from './providers.ts';

/** Of everything that one request asks a provider. */
const TIME_LIMIT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
/** How long what a provider published about itself is kept. */
const KEPT_MS = 10 * 60_000;
/** How many requests of a process wait for one provider at the same time. */
const MOST_WAITING = 64;

/** The provider could not be asked. */
export class Unreachable extends Error {
  readonly said: Said;

  constructor(said: Said) {
    super(said.message);
    this.name = 'Unreachable';
    this.said = said;
  }
}

/** A provider as the library knows it, and its keys. */
export interface ProviderClient {
  config: Configuration;
  findKey: JWTVerifyGetKey;
}

/**
 * The published metadata of the providers, kept for a while. A provider that hangs takes 10 s at most of its own people,
 * and nobody else's: each has its own requests, and a bound on those that wait.
 */
export class ProviderClients {
  readonly #deps: Pick<Platform, 'guard' | 'clock'>;
  readonly #kept = new Map<string, { changedAt: number; at: number; client: Promise<ProviderClient> }>();
  readonly #waiting = new Map<string, number>();

  constructor(deps: Pick<Platform, 'guard' | 'clock'>) {
    this.#deps = deps;
  }

  /** @throws ApiError 503 if it takes too long or too many wait; and whatever the work throws */
  async use<T>(provider: Provider, work: (client: ProviderClient) => Promise<T>): Promise<T> {
    const { providerId } = provider;
    const waiting = this.#waiting.get(providerId) ?? 0;
    if (waiting >= MOST_WAITING) throw unavailable('provider.away');
    this.#waiting.set(providerId, waiting + 1);
    const limit = Promise.withResolvers<never>();
    const timer = setTimeout(() => limit.reject(unavailable('provider.away')), TIME_LIMIT_MS);
    try {
      return await Promise.race([this.#find(provider).then(work), limit.promise]);
    } finally {
      clearTimeout(timer);
      const left = (this.#waiting.get(providerId) ?? 1) - 1;
      if (left > 0) this.#waiting.set(providerId, left);
      else this.#waiting.delete(providerId);
    }
  }

  #find(provider: Provider): Promise<ProviderClient> {
    const at = this.#deps.clock.now();
    const kept = this.#kept.get(provider.providerId);
    if (kept && kept.changedAt === provider.changedAt && Math.abs(at - kept.at) < KEPT_MS) return kept.client;
    const client = discover(this.#deps.guard, provider);
    const entry = { changedAt: provider.changedAt, at, client };
    this.#kept.set(provider.providerId, entry);
    client.catch(() => {
      if (this.#kept.get(provider.providerId) === entry) this.#kept.delete(provider.providerId);
    });
    return client;
  }
}

/** Reads what a provider publishes about itself. */
export async function discover(
  guard: Guard,
  { issuer, clientId, clientSecret }: Pick<Provider, 'issuer' | 'clientId' | 'clientSecret'>,
): Promise<ProviderClient> {
  const fetch = fetchThrough(guardFor(guard, issuer));
  // An issuer over http was let through by the setting that names trusted hosts.
  const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  const found = await discovery(new URL(issuer), clientId, clientSecret, undefined, {
    ...{ execute, timeout: TIME_LIMIT_MS / 1000 },
    [customFetch]: fetch,
  });
  const server = found.serverMetadata();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  // Providers disagree about how a secret is written in HTTP Basic.
  const authentication = methods.includes('client_secret_post') ? ClientSecretPost : ClientSecretBasic;
  const config = new Configuration(server, clientId, clientSecret, authentication(clientSecret));
  config[customFetch] = fetch;
  config.timeout = TIME_LIMIT_MS / 1000;
  for (const configure of [...execute, enableNonRepudiationChecks]) configure(config);
  const findKey = createRemoteJWKSet(new URL(server.jwks_uri ?? issuer), {
    [keysFetch]: (url, { headers }) =>
      fetch(url, {
        method: 'GET',
        headers: Object.fromEntries(headers),
        body: undefined,
        redirect: 'manual',
      }),
  });
  return { config, findKey };
}

function fetchThrough(guard: Guard): CustomFetch {
  return async (url, { headers, body, method }) => {
    const answer = await safeRequest(guard, url, {
      headers,
      body: method === 'POST' ? String(body ?? '') : undefined,
      deadlineMs: TIME_LIMIT_MS,
      maxBytes: MAX_BYTES,
    });
    if (answer.kind === 'failure') throw new Unreachable(answer.said);
    const hasBody = answer.status !== 204 && answer.status !== 304;
    const named = Object.entries(answer.headers).map(
      ([name, value]) => [name, String(value)] as [string, string],
    );
    return new Response(hasBody ? new Uint8Array(answer.body) : null, {
      status: answer.status,
      headers: named,
    });
  };
}
