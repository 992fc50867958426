import { type Said, say } from '#contract/reasons.ts';
import type { Person } from '#features/accounts/index.ts';
import type { Db, Tx } from '#platform/database.ts';
import { isId } from '#platform/ids.ts';
import { WebhookAgent } from '#platform/safe-fetch/agent.ts';
import { safePost } from '#platform/safe-fetch/safe-post.ts';
import { selectGrantsOf } from '../connection-queries.ts';
import type { OAuthDeps } from '../deps.ts';
import { endGrants } from '../queries.ts';
import { redirectTo } from '../rules.ts';
import { sessionClaim } from './claims.ts';
import { type IdTokenHint, makeLogoutToken, readIdTokenHint } from './id-token.ts';
import { selectLogoutRedirectUris, selectOpenIdClients, updateLogoutFailure } from './settings.ts';

const PER_STEP = 20;
/** Longer than the timeout of a receiver. */
const LEASE_MS = 60_000;
/** Seconds until the next attempt, after each failed one. */
const WAITS = [10, 60, 5 * 60, 30 * 60];

/** One step of the worker: posts the logout tokens that are due, each up to 5 times. Returns how many were tried. A read over all shards. */
export async function sendLogouts(deps: OAuthDeps): Promise<number> {
  const { db, clock, random } = deps;
  const now = clock.now();
  const lease = { owner: random.bytes(12).toString('base64url'), endsAt: now + LEASE_MS };
  const due = await db<SignInRow[]>`
    select app_id, account_id, sign_in_id from logout_notices
    where next_attempt_at <= ${now} order by next_attempt_at limit ${PER_STEP}`;
  const sent = due.map(async (signIn) => {
    const attempts = await db.write((tx) => claimNotice(tx, signIn, { now, lease }));
    if (attempts !== undefined) await attempt(deps, signIn, { owner: lease.owner, attempts: attempts + 1 });
  });
  await Promise.all(sent);
  return due.length;
}

async function attempt(
  deps: OAuthDeps,
  signIn: SignInRow,
  { owner, attempts }: { owner: string; attempts: number },
): Promise<void> {
  const { db, clock, log } = deps;
  const { appId } = signIn;
  const fault = await post(deps, signIn);
  const waitSeconds = fault && WAITS[attempts - 1];
  if (waitSeconds !== undefined) {
    const nextAttemptAt = clock.now() + waitSeconds * 1000;
    await db.write(
      (tx) => tx`
        update logout_notices
        set attempts = ${attempts}, next_attempt_at = ${nextAttemptAt}, lease_owner = null
        where ${isNotice(tx, signIn)} and lease_owner = ${owner}`,
    );
    return;
  }
  if (fault) log.warn({ appId, reason: fault.reason }, 'a logout token was given up');
  await db.begin(async (tx) => {
    await updateLogoutFailure(tx, appId, fault && { at: clock.now(), fault });
    await tx`delete from logout_notices where ${isNotice(tx, signIn)} and lease_owner = ${owner}`;
  });
}

/** Undefined if it has arrived, or is no longer wanted. */
async function post(deps: OAuthDeps, signIn: SignInRow): Promise<Said | undefined> {
  const { db, guard, applications } = deps;
  const { appId } = signIn;
  const [client] = await selectOpenIdClients(db, [appId]);
  const isWanted = await applications.hasExtension(appId, 'openid');
  if (client?.logoutUrl == null || !isWanted) return undefined;
  using agent = new WebhookAgent(guard, { maxIdleSockets: 0 });
  const token = await makeLogoutToken(deps, signIn);
  const result = await safePost(agent, {
    url: client.logoutUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams({ logout_token: token }).toString()),
  });
  if (result.kind === 'failure') return result.said;
  return result.status < 300 ? undefined : say('openid.logout-refused', { status: result.status });
}

/** An application's request to sign a person out here (RP-Initiated Logout §2). */
export interface LogoutRequest {
  appId?: string;
  hint?: IdTokenHint;
  /** Where the browser is redirected. */
  redirectTo?: string;
}

/** No redirect unless the address is known to be the application's. */
export async function readLogoutRequest(
  deps: OAuthDeps,
  query: Readonly<Record<string, string | undefined>>,
): Promise<LogoutRequest | { fault: Said }> {
  const { client_id: clientId, id_token_hint: token, post_logout_redirect_uri: uri, state } = query;
  // A hint that cannot be read proves nothing, and the person is asked.
  const read = token === undefined ? undefined : await readIdTokenHint(deps, token);
  if (read && clientId !== undefined && clientId !== read.appId) return { fault: say('openid.other-client') };
  const asked = read?.appId ?? clientId;
  // An application with OpenID Connect off is treated as unknown.
  const isOn =
    asked !== undefined && isId('app', asked) && (await deps.applications.hasExtension(asked, 'openid'));
  const request = isOn ? { appId: asked, ...(read && { hint: read }) } : {};
  if (uri === undefined) return request;
  const client = isOn ? await deps.applications.findActiveClient(asked) : undefined;
  const isKnown = client && (await selectLogoutRedirectUris(deps.db, client.appId)).includes(uri);
  if (!isKnown) return { fault: say('openid.logout-uri-unknown') };
  return { ...request, redirectTo: state === undefined ? uri : redirectTo(uri, { state }) };
}

/**
 * Whether the hint proves that the request is for the person's current session; then the person is not asked.
 */
export async function isProvenLogout(
  { accounts }: OAuthDeps,
  { hint }: LogoutRequest,
  person: Person,
): Promise<boolean> {
  if (hint?.accountId !== person.accountId) return false;
  const session = await accounts.findAuthentication(person);
  return session !== undefined && sessionClaim(hint.appId, session.signInId) === hint.sid;
}

/**
 * Notifies every application that the person signed in to with this session, and ends the grants of the
 * requesting one. The caller, which has the cookie, ends the session itself.
 */
export async function endSignIn(
  { db, clock, shards, accounts }: OAuthDeps,
  person: Person,
  appId: string | undefined,
): Promise<void> {
  const session = await accounts.findAuthentication(person);
  if (!session) return;
  const families = await selectGrantsOf(db, person.accountId);
  await db.begin(async (tx) => {
    const ofSession = (await selectSignIns(tx, families)).filter(
      ({ signInId }) => signInId === session.signInId,
    );
    const familyIds = ofSession.map(({ familyId }) => familyId);
    await recordLogouts(tx, familyIds);
    const ended = ofSession.filter((one) => one.appId === appId).map(({ familyId }) => familyId);
    await endGrants(tx, shards, ended, { at: clock.now(), reason: 'revoked-by-client' });
  });
}

/**
 * In the transaction that ends or suspends these grants, before it does: queues one logout token per sign-in
 * for each application with a logout address.
 */
export async function recordLogouts(tx: Tx, familyIds: string[]): Promise<void> {
  const signIns = await selectSignIns(tx, familyIds);
  if (signIns.length === 0) return;
  const clients = await selectOpenIdClients(tx, [...new Set(signIns.map(({ appId }) => appId))]);
  const notified = new Set(clients.filter(({ logoutUrl }) => logoutUrl !== null).map(({ appId }) => appId));
  const distinct = new Map(signIns.map((signIn) => [`${signIn.appId} ${signIn.signInId}`, signIn]));
  for (const { appId, accountId, signInId } of distinct.values())
    if (notified.has(appId))
      // Due at once; one that waits for another attempt starts over.
      await tx`
        insert into logout_notices ${tx({ appId, accountId, signInId, attempts: 0, nextAttemptAt: 0 })}
        on conflict (app_id, account_id, sign_in_id) do update
        set attempts = 0, next_attempt_at = 0, lease_owner = null`;
}

/** A person's session at one application. */
interface SignInRow {
  appId: string;
  accountId: string;
  signInId: string;
}

/** The sign-ins of those of the families that have not ended. A read over many shards. */
async function selectSignIns(db: Db, familyIds: string[]): Promise<(SignInRow & { familyId: string })[]> {
  return db<(SignInRow & { familyId: string })[]>`
    select grants.family_id, grants.app_id, grants.account_id, openid_grants.sign_in_id
    from openid_grants join grants on grants.family_id = openid_grants.family_id
    where openid_grants.family_id = any(${familyIds}) and grants.ended_at is null`;
}

function isNotice(tx: Tx, { appId, accountId, signInId }: SignInRow) {
  return tx`app_id = ${appId} and account_id = ${accountId} and sign_in_id = ${signInId}`;
}

/** The number of attempts; undefined if another worker was faster. */
async function claimNotice(
  tx: Tx,
  signIn: SignInRow,
  { now, lease }: { now: number; lease: { owner: string; endsAt: number } },
): Promise<number | undefined> {
  const [row] = await tx<{ attempts: number }[]>`
    update logout_notices set lease_owner = ${lease.owner}, next_attempt_at = ${lease.endsAt}
    where ${isNotice(tx, signIn)} and next_attempt_at <= ${now} returning attempts`;
  return row?.attempts;
}
