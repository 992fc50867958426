import type { SignInByPasskey } from '#contract/second-factors.ts';
import { ApiError } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { holdAccount, selectLogin } from '../queries.ts';
import { provePasskey, redeemPasskey } from '../second-factor/prove-passkey.ts';
import type { RelyingParty } from '../second-factor/relying-party.ts';
import { enter, type SignedIn, type Visitor } from './enter.ts';
import type { Throttle } from './throttle.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'random' | 'live' | 'keyring'> & { throttle: Throttle };

/**
 * Signs in by a passkey, which proves two factors at once: the device, and the person before it.
 *
 * @throws ApiError 401
 */
export async function signInByPasskey(
  deps: Deps,
  party: RelyingParty,
  visitor: Visitor,
  given: SignInByPasskey,
): Promise<SignedIn> {
  const { db, clock, throttle } = deps;
  let signedIn: SignedIn | undefined;
  await throttle.guess(visitor, { what: 'passkey', account: given.response.id }, async () => {
    const proven = await provePasskey(deps, party, given, { purpose: 'passkey-sign-in', holder: undefined });
    const login = proven && (await selectLogin(db, proven.accountId));
    if (!login) return { isRight: false };
    signedIn = await enter(deps, visitor, login, async (tx) => {
      const account = await holdAccount(tx, login.accountId);
      if (account?.deletedAt !== null) return false;
      if (await redeemPasskey(tx, proven, clock.now())) return true;
      throw notAccepted();
    });
    return { isRight: signedIn !== undefined, accountId: login.accountId };
  });
  if (!signedIn) throw notAccepted();
  return signedIn;
}

function notAccepted(): ApiError {
  return new ApiError(401, 'unauthenticated', 'the passkey was not accepted; try again');
}
