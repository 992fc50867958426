import type { Language } from '#contract/languages.ts';
import type { Tx } from '#platform/database.ts';
import { type ApiError, alreadyExists, permissionDenied } from '#platform/errors.ts';
import type { AccountDeps } from '../deps.ts';
import { askToConfirmEmail } from '../email.ts';
import { isInvited, type Joining, join, refuseToJoin } from '../joining.ts';
import { hashPassword, refuseLeakedPassword, requirePasswords } from '../passwords.ts';
import { findEmailOwner, insertPerson } from '../queries.ts';
import { type Email, readEmail } from '../rules.ts';
import type { Visitor } from '../throttle/throttle.ts';
import { enter, type SignedIn } from './sign-in.ts';

/** Creates a person's account and signs in. Of concurrent calls with one e-mail address, one succeeds. */
export async function signUp(
  deps: AccountDeps,
  visitor: Visitor,
  given: { email: string; password: string; name: string; language?: Language } & Joining,
): Promise<SignedIn | { confirmationTo: string }> {
  const { clock, random, newId, throttle } = deps;
  const email = readEmail(given.email);
  refuseToJoin(deps, email, given);
  await requirePasswords(deps);
  await refuseLeakedPassword('password', given.password);
  const fault = await findFault(deps, email, given);
  if (fault) {
    await throttle.countFailedSignUp(visitor);
    throw fault;
  }
  const turns = throttle.turnsOf(visitor, { account: email.uniqueName });
  const account = { accountId: newId('usr'), name: given.name, email: email.address };
  const createdAt = clock.now();
  // If only some domains may sign up, the address has to be confirmed before the first sign-in.
  const isBarred = deps.config.signUps.kind === 'domains';
  const made = await throttle.aroundSignUp(visitor, async () => {
    const passwordHash = await hashPassword(random, given.password, turns);
    const make = async (tx: Tx) => {
      if (!(await insertPerson(tx, { ...account, email, passwordHash, createdAt }))) return false;
      await join(tx, deps, account.accountId, given);
      return true;
    };
    const done = isBarred
      ? await deps.db.begin(make)
      : await enter(deps, visitor, account, { methods: ['pwd'] }, make);
    if (!done) throw alreadyExists('account.email-taken');
    return done;
  });
  // The account exists even if the mail fails; the person can request another one.
  askToConfirmEmail(deps, account.accountId, given.language ?? 'en').catch((error) =>
    deps.log.warn({ err: error, requestId: visitor.requestId }, 'an address was not asked to be confirmed'),
  );
  return made === true ? { confirmationTo: email.address } : made;
}

/** The fault that is known before a password is hashed; the transaction decides. */
async function findFault(deps: AccountDeps, email: Email, given: Joining): Promise<ApiError | undefined> {
  if (!(await isInvited(deps, given))) return permissionDenied('sign-up.invitation-ended');
  const owner = await findEmailOwner(deps.db, email);
  return owner === undefined ? undefined : alreadyExists('account.email-taken');
}
