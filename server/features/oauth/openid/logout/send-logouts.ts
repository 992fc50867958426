import { type Said, say } from '#contract/reasons.ts';
import { createWebhookAgent } from '#platform/safe-fetch/agent.ts';
import { safePost } from '#platform/safe-fetch/safe-post.ts';
import type { OAuthDeps } from '../../deps.ts';
import { makeLogoutToken } from '../id-token.ts';
import { selectOpenIdClients, updateLogoutFailure } from '../settings-queries.ts';
import { claimNotice, delayNotice, deleteNotice, type SignInRow, selectDueNotices } from './queries.ts';

const PER_STEP = 20;
/** Longer than the timeout of a receiver. */
const LEASE_MS = 60_000;
/** Seconds until the next attempt, after each failed one. */
const WAITS = [10, 60, 5 * 60, 30 * 60];

/** One step of the worker: posts the logout tokens that are due, each up to 5 times. Returns how many were tried. */
export async function sendLogouts(deps: OAuthDeps): Promise<number> {
  const { db, clock, random } = deps;
  const now = clock.now();
  const lease = { owner: random.bytes(12).toString('base64url'), endsAt: now + LEASE_MS };
  const due = await selectDueNotices(db, now, PER_STEP);
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
    await db.write((tx) => delayNotice(tx, signIn, { owner, attempts, nextAttemptAt }));
    return;
  }
  if (fault) log.warn({ appId, reason: fault.reason }, 'a logout token was given up');
  await db.begin(async (tx) => {
    await updateLogoutFailure(tx, appId, fault && { at: clock.now(), fault });
    await deleteNotice(tx, signIn, owner);
  });
}

/** Undefined if it has arrived, or is no longer wanted. */
async function post(deps: OAuthDeps, signIn: SignInRow): Promise<Said | undefined> {
  const { db, guard, applications } = deps;
  const { appId } = signIn;
  const [client] = await selectOpenIdClients(db, [appId]);
  const isWanted = await applications.hasExtension(appId, 'openid');
  if (client?.logoutUrl == null || !isWanted) return undefined;
  using agent = createWebhookAgent(guard, { maxIdleSockets: 0 });
  const token = await makeLogoutToken(deps, signIn);
  const result = await safePost(agent, {
    url: client.logoutUrl,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: Buffer.from(new URLSearchParams({ logout_token: token }).toString()),
  });
  if (result.kind === 'failure') return result.said;
  return result.status < 300 ? undefined : say('openid.logout-refused', { status: result.status });
}
