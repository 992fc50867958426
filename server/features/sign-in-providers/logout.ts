import { type JWTPayload, jwtVerify } from 'jose';
import { invalidArgument } from '#platform/errors.ts';
import type { ProviderDeps } from './deps.ts';
import { requireProvider } from './providers.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const OLDEST_SECONDS = 300;
const SKEW_SECONDS = 60;
const SYMMETRIC = /^HS|^none$/i;
const LONGEST_ID = 512;

/**
 * Signs a person out because the provider says so (OpenID Connect Back-Channel Logout 1.0): of the session that it names, or
 * of all that began there. Each token is accepted once.
 *
 * @throws ApiError 400, 404, 503
 */
export async function takeLogout(deps: ProviderDeps, providerId: string, token: string): Promise<void> {
  const { db, clock, accounts } = deps;
  const provider = await requireProvider(deps, providerId);
  const claims = await deps.clients.use(provider, async ({ config, findKey }) => {
    const algorithms = config.serverMetadata().id_token_signing_alg_values_supported ?? ['RS256'];
    const { payload, protectedHeader } = await jwtVerify(token, findKey, {
      issuer: provider.issuer,
      audience: provider.clientId,
      algorithms: algorithms.filter((name) => !SYMMETRIC.test(name)),
      clockTolerance: SKEW_SECONDS,
      maxTokenAge: OLDEST_SECONDS,
      currentDate: new Date(clock.now()),
    }).catch(() => {
      throw refused();
    });
    // Other kinds of tokens, such as ID tokens, may have another type.
    if (!/^((application\/)?logout\+jwt|jwt)?$/i.test(protectedHeader.typ ?? '')) throw refused();
    return payload;
  });
  const { tokenId, subject, sessionId } = readLogout(claims);
  const used = await db`
    select token_id from provider_logouts where provider_id = ${providerId} and token_id = ${tokenId}`;
  if (used.length > 0) throw refused();
  const { issuer } = provider;
  await accounts.identities.signOutByProvider({ providerId, issuer, subject, sessionId });
  const now = clock.now();
  // Remembered until it would be refused as too old anyway.
  const expiresAt = now + (OLDEST_SECONDS + 2 * SKEW_SECONDS) * 1000;
  await db.begin(async (tx) => {
    await tx`delete from provider_logouts where expires_at <= ${now}`;
    await tx`
      insert into provider_logouts ${tx({ providerId, tokenId, expiresAt })}
      on conflict (provider_id, token_id) do nothing`;
  });
}

/** The claims that a logout token must, and must not, have (§2.6). */
function readLogout({ jti, sub, sid, nonce, events }: JWTPayload) {
  const isLogout = isObject(events) && isObject(events[EVENT]);
  const [tokenId, subject, sessionId] = [jti, sub, sid].map(shortText);
  if (!isLogout || nonce !== undefined || tokenId === undefined || (subject ?? sessionId) === undefined)
    throw refused();
  return { tokenId, subject, sessionId };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function shortText(value: unknown): string | undefined {
  return typeof value === 'string' && value.length > 0 && value.length <= LONGEST_ID ? value : undefined;
}

function refused() {
  return invalidArgument('logout_token', 'not-valid');
}
