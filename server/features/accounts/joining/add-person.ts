import type { Tx } from '#platform/database.ts';
import { alreadyExists } from '#platform/errors.ts';
import type { OperatorAccountDeps } from '../deps.ts';
import { hashPassword } from '../passwords/password-hash.ts';
import { insertAccount, insertUniqueName } from '../queries.ts';
import { readEmail, requirePasswordLength } from '../rules.ts';

/** The operator creates an account, whatever the sign-up policy. @throws ApiError 400, 409 */
export async function addPerson(
  { db, clock, random, newId }: OperatorAccountDeps,
  given: { email: string; name: string; password: string },
  extraWrites: (tx: Tx, accountId: string) => Promise<void>,
): Promise<string> {
  const email = readEmail(given.email);
  requirePasswordLength(given.password);
  const passwordHash = await hashPassword(random, given.password);
  const accountId = newId('usr');
  await db.begin(async (tx) => {
    const name = { value: email.uniqueName, kind: 'email', ownerId: accountId } as const;
    if (!(await insertUniqueName(tx, name))) throw alreadyExists('account.email-taken');
    const person = { accountId, name: given.name, email: email.address, passwordHash };
    await insertAccount(tx, { ...person, isBot: false, appId: null, username: null, createdAt: clock.now() });
    await extraWrites(tx, accountId);
  });
  return accountId;
}
