import type { Db } from '#platform/database.ts';
import { selectIdentities } from './identities/proven.ts';
import { selectLogin } from './queries.ts';
import { selectPasskeys } from './second-factor/two-factor-queries.ts';

/**
 * Whether nobody can sign in to the account, as to one that an import or an operator made for somebody.
 *
 * @param countsPassword whether a password is one of the ways
 */
export async function hasNoMeans(db: Db, accountId: string, countsPassword = true): Promise<boolean> {
  const login = await selectLogin(db, accountId);
  if (!login || (countsPassword && login.passwordHash !== null)) return false;
  const [passkeys, identities] = [await selectPasskeys(db, accountId), await selectIdentities(db, accountId)];
  return passkeys.length === 0 && identities.length === 0;
}
