import type { PasskeyQuestion, SignInByPasskey } from '#contract/accounts/second-factors.ts';
import { say } from '#contract/reasons.ts';
import { ApiError } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import { lockAccountShared, selectLogin } from '../queries.ts';
import { askForPasskey, provePasskey, redeemPasskey } from '../second-factor/prove-passkey.ts';
import { findRelyingParty } from '../second-factor/relying-party.ts';
import type { Throttle } from '../throttle/throttle.ts';
import type { Visitor } from '../throttle/visitor.ts';
import { enter, type SignedIn } from './enter.ts';

type Deps = Pick<Platform, 'db' | 'clock' | 'random' | 'live' | 'keyring' | 'config'> & {
  throttle: Throttle;
};

const ASKED = { purpose: 'passkey-sign-in', holder: undefined } as const;

/** Asks for any passkey of this site. @throws ApiError 400 where browsers have none */
export async function askToSignInByPasskey(deps: Deps, { site }: Visitor): Promise<PasskeyQuestion> {
  return askForPasskey(deps, findRelyingParty(deps.config, site), ASKED);
}

/**
 * Signs in with a passkey, which proves two factors at once: the device, and its user.
 *
 * @throws ApiError 401
 */
export async function signInByPasskey(
  deps: Deps,
  visitor: Visitor,
  given: SignInByPasskey,
): Promise<SignedIn> {
  const { db, clock, config, throttle } = deps;
  const party = findRelyingParty(config, visitor.site);
  let signedIn: SignedIn | undefined;
  await throttle.guess(visitor, { what: 'passkey', account: given.response.id }, async () => {
    const proven = await provePasskey(deps, party, given, ASKED);
    const login = proven && (await selectLogin(db, proven.accountId));
    if (!login) return { isRight: false };
    signedIn = await enter(deps, visitor, login, ['pop'], async (tx) => {
      const account = await lockAccountShared(tx, login.accountId);
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
  return new ApiError(401, 'unauthenticated', say('sign-in.passkey-refused'));
}
