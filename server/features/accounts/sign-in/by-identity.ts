import type { Tx } from '#platform/database.ts';
import { alreadyExists, inMaintenance, permissionDenied } from '#platform/errors.ts';
import type { AccountDeps } from '../deps.ts';
import {
  findAnnounced,
  findIdentityOwner,
  insertIdentity,
  insertManagedAccount,
  lockIdentity,
  type ProvenIdentity,
  selectIdentities,
  takeIdentity,
  updateSubject,
} from '../identities/proven.ts';
import { hasNoMeans } from '../means.ts';
import { findEmailOwner, lockAccount, selectLogin } from '../queries.ts';
import { type Email, readEmail } from '../rules.ts';
import { selectSecret } from '../second-factor/two-factor-queries.ts';
import type { Visitor } from '../throttle/throttle.ts';
import { askForCode, enter, proofOf, type SecondStep, type SignedIn } from './sign-in.ts';

/** Whom a provider may bring, as operators decided. */
export interface IdentityPolicy {
  /** A confirmed address leads to the account that has it, once its owner agrees. */
  findsByEmail: boolean;
  createsAccounts: boolean;
  /** Of confirmed addresses that may be connected or get an account; none: all. */
  domains: readonly string[];
  needsSecondFactor: boolean;
}

/** The decisions of operators, and writes that join the transaction of the sign-in. */
interface IdentityOptions {
  policy: IdentityPolicy;
  extraWrites: (tx: Tx, accountId: string) => Promise<void>;
}

/** The account that has the confirmed address: its owner signs in by other means, and is then connected. */
export interface ToConfirm {
  confirms: { accountId: string; email: string };
}

/**
 * Signs in somebody whom a provider has proven: to the account that they are connected with, to the one that the provider
 * announced, or to a new one.
 *
 * @throws ApiError 403, 409
 */
export async function signInByIdentity(
  deps: AccountDeps,
  visitor: Visitor,
  identity: ProvenIdentity,
  options: IdentityOptions,
): Promise<SignedIn | SecondStep | ToConfirm> {
  const { db } = deps;
  const { policy } = options;
  const connected = await findIdentityOwner(db, identity);
  if (connected !== undefined)
    return enterAccount(deps, visitor, identity, {
      ...options,
      accountId: connected,
      admit: (tx) => lockIdentity(tx, identity, connected),
    });
  const email = readGivenEmail(identity);
  const owner = email && (await findEmailOwner(db, email));
  const announced = await findAnnouncedAccount(deps, identity, owner);
  if (announced !== undefined)
    return enterAccount(deps, visitor, identity, {
      ...options,
      accountId: announced,
      admit: async (tx) =>
        (await lockAccount(tx, announced)) &&
        (await takeIdentity(tx, identity, announced)) &&
        updateSubject(tx, identity, announced),
    });
  refuseDomain(identity, email, policy);
  if (owner !== undefined && email && identity.isEmailVerified && policy.findsByEmail) {
    if (!(await hasNoMeans(db, owner))) return { confirms: { accountId: owner, email: email.address } };
    return enterAccount(deps, visitor, identity, {
      ...options,
      accountId: owner,
      admit: (tx) => connectFirst(tx, identity, { accountId: owner, email, at: deps.clock.now() }),
    });
  }
  if (!policy.createsAccounts || deps.config.signUps.kind === 'closed')
    throw permissionDenied('provider.no-account');
  if (!email) throw permissionDenied('provider.needs-email');
  if (owner !== undefined) {
    await deps.throttle.countFailedSignUp(visitor);
    throw alreadyExists('provider.email-taken');
  }
  return createAccount(deps, visitor, identity, { ...options, email });
}

/** Connects an account without any means of signing in; its address is the one that the provider has confirmed. */
async function connectFirst(
  tx: Tx,
  identity: ProvenIdentity,
  { accountId, email, at }: { accountId: string; email: Email; at: number },
): Promise<boolean> {
  const { issuer, subject } = identity;
  const isOpen =
    (await lockAccount(tx, accountId)) &&
    (await hasNoMeans(tx, accountId)) &&
    (await findEmailOwner(tx, email)) === accountId;
  if (!isOpen || !(await takeIdentity(tx, identity, accountId))) return false;
  await tx`
    update accounts set email_confirmed_at = coalesce(email_confirmed_at, ${at}) where account_id = ${accountId}`;
  const userName = email.address;
  return insertIdentity(tx, { accountId, issuer, subject, connectedAt: at, userName, lastUsedAt: at });
}

/** By an id that only the provider gives, or by the address that it has confirmed. */
async function findAnnouncedAccount(
  { db }: AccountDeps,
  identity: ProvenIdentity,
  emailOwner: string | undefined,
): Promise<string | undefined> {
  const byId = await findAnnounced(db, identity);
  if (byId !== undefined || emailOwner === undefined || !identity.isEmailVerified) return byId;
  const rows = await selectIdentities(db, emailOwner);
  return rows.some(
    ({ issuer, subject, isManaged }) => issuer === identity.issuer && subject === null && isManaged,
  )
    ? emailOwner
    : undefined;
}

/** Asks for the person's code unless the provider has verified two factors. */
async function enterAccount(
  deps: AccountDeps,
  visitor: Visitor,
  identity: ProvenIdentity,
  {
    accountId,
    policy,
    extraWrites,
    admit,
  }: IdentityOptions & { accountId: string; admit: (tx: Tx) => Promise<boolean> },
): Promise<SignedIn | SecondStep> {
  const { db, clock } = deps;
  const login = await selectLogin(db, accountId);
  if (!login) throw permissionDenied('provider.no-account');
  const asksForCode = !identity.isTwoFactor && (await selectSecret(db, accountId))?.enabledAt != null;
  if (!asksForCode) requireSecondFactor(identity, policy);
  const write = async (tx: Tx) => {
    if (!(await admit(tx))) return false;
    await tx`
      update identities set last_used_at = ${clock.now()}
      where account_id = ${accountId} and issuer = ${identity.issuer}`;
    await extraWrites(tx, accountId);
    return true;
  };
  if (asksForCode) {
    if (!(await db.begin(write))) throw permissionDenied('provider.no-account');
    return askForCode(deps, { accountId, identity });
  }
  const signedIn = await enter(deps, visitor, login, proofOf(identity), write);
  if (!signedIn) throw permissionDenied('provider.no-account');
  return signedIn;
}

async function createAccount(
  deps: AccountDeps,
  visitor: Visitor,
  identity: ProvenIdentity,
  { email, policy, extraWrites }: IdentityOptions & { email: Email },
): Promise<SignedIn> {
  requireSecondFactor(identity, policy);
  const { maintenance } = deps.notices;
  if (maintenance) throw inMaintenance(maintenance, deps.clock.now());
  const accountId = deps.newId('usr');
  const name = identity.name ?? email.address.split('@', 1)[0] ?? '';
  const signedIn = await enter(
    deps,
    visitor,
    { accountId, name, email: email.address },
    proofOf(identity),
    async (tx) => {
      const isNew =
        (await takeIdentity(tx, identity, accountId)) &&
        (await insertManagedAccount(tx, deps, {
          ...{ accountId, email, name, isConfirmed: identity.isEmailVerified },
          ...{ pictureUrl: identity.pictureUrl, issuer: identity.issuer, subject: identity.subject },
        }));
      if (isNew) await extraWrites(tx, accountId);
      return isNew;
    },
  );
  if (!signedIn) throw alreadyExists('provider.email-taken');
  return signedIn;
}

function readGivenEmail({ email }: ProvenIdentity): Email | undefined {
  try {
    return email === undefined ? undefined : readEmail(email);
  } catch {
    return undefined;
  }
}

/** @throws ApiError 403 for an address that is not confirmed or not of these domains */
function refuseDomain(
  { isEmailVerified }: ProvenIdentity,
  email: Email | undefined,
  { domains }: IdentityPolicy,
): void {
  if (domains.length === 0) return;
  const domain = email?.uniqueName.split('@').at(-1);
  if (domain === undefined || !isEmailVerified || !domains.includes(domain))
    throw permissionDenied('provider.other-domain', { domains: domains.join(', ') });
}

/** @throws ApiError 403 if neither the provider nor this server asks for a second factor */
function requireSecondFactor({ isTwoFactor }: ProvenIdentity, { needsSecondFactor }: IdentityPolicy): void {
  if (needsSecondFactor && !isTwoFactor) throw permissionDenied('provider.needs-second-factor');
}
