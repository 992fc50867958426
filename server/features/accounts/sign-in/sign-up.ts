import type { Language } from '#contract/languages.ts';
import { alreadyExists } from '#platform/errors.ts';
import type { Platform } from '#platform/platform.ts';
import type { RateLimit } from '#platform/rate-limit.ts';
import { askToConfirmEmail } from '../email/confirmation.ts';
import { insertAccount, insertUniqueName } from '../queries.ts';
import { readEmail } from '../rules.ts';
import { enter, type SignedIn } from './enter.ts';
import { refuseLeakedPassword } from './leaked-passwords.ts';
import { hashPassword } from './password-hash.ts';
import type { Throttle } from './throttle.ts';
import type { Visitor } from './visitor.ts';

type Deps = Platform & { throttle: Throttle; emailLinks: RateLimit };

/** Makes a person's account and signs in to it. Of several at once with one e-mail address, one gets it. */
export async function signUp(
  deps: Deps,
  visitor: Visitor,
  given: { email: string; password: string; name: string; language?: Language },
): Promise<SignedIn> {
  const { clock, random, newId, throttle } = deps;
  const email = readEmail(given.email);
  await refuseLeakedPassword('password', given.password);
  await throttle.countSignUp(visitor);
  const turns = throttle.turnsOf(visitor, { account: email.uniqueName });
  const passwordHash = await hashPassword(random, given.password, turns);
  const account = { accountId: newId('usr'), name: given.name, email: email.address };
  const createdAt = clock.now();
  const signedIn = await enter(deps, visitor, account, ['pwd'], async (tx) => {
    const name = { value: email.uniqueName, kind: 'email', ownerId: account.accountId } as const;
    if (!(await insertUniqueName(tx, name))) return false;
    await insertAccount(tx, {
      ...account,
      isBot: false,
      appId: null,
      username: null,
      passwordHash,
      createdAt,
    });
    return true;
  });
  if (!signedIn) throw alreadyExists('account.email-taken');
  // The account is there, whatever the mail server says; the person can ask for another mail.
  askToConfirmEmail(deps, account.accountId, given.language ?? 'en').catch((error) =>
    deps.log.error({ err: error, requestId: visitor.requestId }, 'an address was not asked to be confirmed'),
  );
  return signedIn;
}
