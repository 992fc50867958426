import type { Db, Tx } from '#platform/database.ts';
import { unauthenticated } from '#platform/errors.ts';
import type { AccountDeps } from './deps.ts';
import { insertAccount, lockAccount } from './queries.ts';

const NAME = 'Test person';

/** The test person with whom somebody writes to their own bots; undefined while there is none. */
export async function findTestPersonId(db: Db, ownerId: string): Promise<string | undefined> {
  const [row] = await db<{ testPersonId: string }[]>`
    select test_person_id from test_people where account_id = ${ownerId}`;
  return row?.testPersonId;
}

/** The same, created on first use: an account that nobody can sign in to. */
export async function keepTestPerson({ db, clock, newId }: AccountDeps, ownerId: string): Promise<string> {
  const known = await findTestPersonId(db, ownerId);
  if (known !== undefined) return known;
  return db.begin(async (tx) => {
    if (!(await lockAccount(tx, ownerId))) throw unauthenticated('session.account-deleted');
    const made = await findTestPersonId(tx, ownerId);
    if (made !== undefined) return made;
    const [testPersonId, createdAt] = [newId('usr'), clock.now()];
    const nothing = { appId: null, email: null, username: null, passwordHash: null };
    await insertAccount(tx, { accountId: testPersonId, isBot: false, name: NAME, ...nothing, createdAt });
    await tx`
      insert into test_people (account_id, test_person_id, created_at)
      values (${ownerId}, ${testPersonId}, ${createdAt})`;
    return testPersonId;
  });
}

export async function forgetTestPerson(tx: Tx, ownerId: string): Promise<void> {
  await tx`delete from test_people where account_id = ${ownerId}`;
}
