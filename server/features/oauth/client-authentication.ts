import { timingSafeEqual } from 'node:crypto';
import { say, sayOfField } from '#contract/reasons.ts';
import type { Client } from '#features/applications/index.ts';
import { Batcher } from '#platform/batch.ts';
import { hashSecret } from '#platform/crypto/random-secrets.ts';
import { idOf, isId } from '#platform/ids.ts';
import { submitById } from '#platform/partitioning/shards.ts';
import type { OAuthDeps } from './deps.ts';
import { invalidClient, invalidRequest } from './oauth-error.ts';
import { isClientUrl } from './published.ts';

/** The credentials that a client presents, and in which of the two ways. */
export interface ClientCredentials {
  clientId: string;
  /** Missing for a published client, which is authenticated by PKCE. */
  clientSecret?: string;
  usedBasic: boolean;
}

/**
 * The client's credentials: from the body, or from HTTP Basic; both ways at once are refused (decisions:
 * OAuth).
 *
 * @param takesPublishedClients whether clients without a secret are accepted
 * @throws OAuthError 400, and 401 for an unreadable `Authorization` header
 */
export function readClientCredentials(
  rawHeaders: readonly string[],
  body: Readonly<Record<string, string | undefined>>,
  takesPublishedClients = false,
): ClientCredentials {
  const { client_id: clientId, client_secret: clientSecret } = body;
  const header = findAuthorization(rawHeaders);
  if (header === undefined) {
    if (!clientId) throw invalidRequest(sayOfField('client_id', 'required'));
    if (!clientSecret && takesPublishedClients && isClientUrl(clientId))
      return { clientId, usedBasic: false };
    if (!clientSecret) throw invalidRequest(sayOfField('client_secret', 'required'));
    return { clientId, clientSecret, usedBasic: false };
  }
  if (clientSecret) throw invalidRequest(say('token.two-secrets'));
  const basic = readBasic(header);
  if (!basic) throw invalidClient(say('token.basic'), true);
  if (clientId && clientId !== basic.clientId) {
    throw invalidRequest(say('token.other-client'));
  }
  return { ...basic, usedBasic: true };
}

function findAuthorization(rawHeaders: readonly string[]): string | undefined {
  const found = rawHeaders.filter(
    (_, i) => i % 2 === 1 && rawHeaders[i - 1]?.toLowerCase() === 'authorization',
  );
  if (found.length > 1) throw invalidRequest(say('credential.repeated'));
  return found[0];
}

/** Both parts are form-encoded before they are joined (RFC 6749 §2.3.1). */
function readBasic(header: string): { clientId: string; clientSecret: string } | undefined {
  const [, encoded] = /^basic +([A-Za-z0-9+/]+=*) *$/i.exec(header) ?? [];
  if (!encoded) return undefined;
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon < 1) return undefined;
  try {
    const [clientId, clientSecret] = [text.slice(0, colon), text.slice(colon + 1)].map((part) =>
      decodeURIComponent(part.replaceAll('+', ' ')),
    ) as [string, string];
    return { clientId, clientSecret };
  } catch {
    return undefined;
  }
}

/** Secrets that builders mistake for a client secret. */
const OTHER_SECRET = /^(xk_live|whsec|xat|xrt)_/;

/**
 * Authenticates clients by their secrets; a batch is looked up in one statement, and nothing is cached.
 *
 * @returns a function that gives the application, active or not, or throws OAuthError 401
 */
export function createClientAuthenticator({ applications, shards }: OAuthDeps) {
  const batcher = new Batcher<string, Client | undefined>(async (appIds) => {
    const clients = await applications.findClients([...new Set(appIds)]);
    const found = new Map(clients.map((client) => [client.appId, client]));
    return appIds.map((appId) => found.get(appId));
  });
  return async ({ clientId, clientSecret, usedBasic }: ClientCredentials): Promise<Client> => {
    const appId = clientSecret === undefined ? idOf('app', clientId) : clientId;
    const client = isId('app', appId)
      ? await submitById(shards, batcher, appId, { table: 'applications', id: appId })
      : undefined;
    const isProven =
      client &&
      (clientSecret === undefined
        ? client.clientUrl === clientId
        : timingSafeEqual(client.clientSecretHash, hashSecret(clientSecret)));
    if (!isProven) {
      const isOther = clientSecret !== undefined && OTHER_SECRET.test(clientSecret);
      throw invalidClient(say(isOther ? 'token.client-secret-kind' : 'token.client-wrong'), usedBasic);
    }
    return client;
  };
}
