import { say } from '#contract/reasons.ts';
import { withReturnTo } from '#contract/return-to.ts';
import type { Browser, Person, ProvenIdentity } from '#features/accounts/index.ts';
import { openText, sealText } from '#platform/crypto/sealed-text.ts';
import { notSignedIn, rateLimitExceeded } from '#platform/errors.ts';
import { networkOf } from '#platform/http/client-address.ts';
import { readIdentity, readIsOperator } from './claims.ts';
import type { ProviderDeps } from './deps.ts';
import { comeFromProvider, type Flow, goToProvider, type Purpose } from './flow.ts';
import { requireProvider } from './providers.ts';

/** Where a person continues who has signed in by other means, to be connected with the provider. */
export const CONNECTING_PATH = '/sign-in/providers/connect';

/** Failed arrivals of a network in a quarter of an hour; each costs a request to the provider. */
const FAILURES_PER_NETWORK = 200;
const LIFETIME_MS = 10 * 60_000;

/** Kept by the browser, sealed, until its person has signed in by other means. */
interface Pending {
  identity: ProvenIdentity;
  accountId: string;
  at: number;
  returnTo: string;
}

const CONTEXT = { table: 'pending_identities', rowId: '' };

/** Sends the browser to a provider; it keeps what is needed for the way back. @throws ApiError 404, 503 */
export async function leave(
  deps: ProviderDeps,
  browser: Browser,
  providerId: string,
  asked: { purpose: Purpose; returnTo: string | undefined; person?: Person },
): Promise<{ url: string }> {
  const { url, flow } = await goToProvider(deps, providerId, asked);
  browser.remember('provider', flow);
  return { url };
}

/**
 * The browser comes back from a provider: its person is signed in, connected or confirmed.
 *
 * @returns the path of this server at which the person continues
 * @throws ApiError 401, 403, 404, 409, 429, 503
 */
export async function arrive(
  deps: ProviderDeps,
  browser: Browser,
  providerId: string,
  { url, person }: { url: string; person: Person | undefined },
): Promise<string> {
  const { arrivals, clock } = deps;
  const network = networkOf(browser.address);
  const { allowed, resetAt } = await arrivals.hit(network, FAILURES_PER_NETWORK);
  if (!allowed) throw rateLimitExceeded(say('sign-in.too-many-attempts'), (resetAt - clock.now()) / 1000);
  const flow = browser.recall('provider');
  browser.remember('provider');
  const proven = await comeFromProvider(deps, providerId, { url, flow, person });
  await arrivals.undo(network);
  return finish(deps, browser, proven, person);
}

async function finish(
  deps: ProviderDeps,
  browser: Browser,
  { flow, provider, claims }: Awaited<ReturnType<typeof comeFromProvider>>,
  person: Person | undefined,
): Promise<string> {
  const { identities } = deps.accounts;
  const identity = readIdentity(provider, claims);
  if (flow.purpose !== 'sign-in') {
    if (!person) throw notSignedIn('provider.flow-ended');
    if (flow.purpose === 'connect') await identities.connectIdentity(person, identity);
    else await identities.confirmByIdentity(person, identity, flow.at);
    return flow.returnTo;
  }
  const isOperator = readIsOperator(provider, claims);
  const step = await identities.signInByIdentity(browser, identity, {
    policy: provider,
    extraWrites: async (tx, accountId) => {
      if (isOperator !== undefined)
        await deps.setOperator(tx, { accountId, providerId: provider.providerId, isOperator });
    },
  });
  if ('confirms' in step) return askToConfirm(deps, browser, { flow, identity, ...step.confirms });
  // Behind the #, so that no log has it.
  if ('ticket' in step) return `${withReturnTo('/sign-in', flow.returnTo)}#code=${step.ticket}`;
  browser.keep(step);
  return flow.returnTo;
}

function askToConfirm(
  { keyring, clock }: ProviderDeps,
  browser: Browser,
  {
    flow,
    identity,
    accountId,
    email,
  }: { flow: Flow; identity: ProvenIdentity; accountId: string; email: string },
): string {
  const pending: Pending = { identity, accountId, at: clock.now(), returnTo: flow.returnTo };
  browser.remember('identity', sealText(keyring, CONTEXT, pending));
  const query = { again: '', email, connect: flow.providerId, returnTo: CONNECTING_PATH };
  return `/sign-in?${new URLSearchParams(query)}`;
}

/**
 * The person has signed in by other means after they came from the provider, in this browser, and is connected with it.
 *
 * @returns the path at which the person continues
 * @throws ApiError 401, 409
 */
export async function finishConnecting(
  deps: ProviderDeps,
  browser: Browser,
  person: Person | undefined,
): Promise<string> {
  const { accounts, clock, keyring } = deps;
  const text = browser.recall('identity');
  browser.remember('identity');
  const pending = text === undefined ? undefined : openText<Pending>(keyring, CONTEXT, text);
  const isOpen =
    pending !== undefined &&
    clock.now() - pending.at < LIFETIME_MS &&
    person?.accountId === pending.accountId &&
    person.authenticatedAt >= pending.at;
  if (!isOpen || !person) throw notSignedIn('provider.flow-ended');
  await requireProvider(deps, pending.identity.provider.providerId);
  await accounts.identities.connectIdentity(person, pending.identity);
  return pending.returnTo;
}
