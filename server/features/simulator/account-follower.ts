import type { AccountFollower } from '#features/accounts/follower.ts';
import { markAccountDeleted } from '#features/accounts/service.ts';
import { findTestPersonId, forgetTestPerson } from '#features/accounts/test-person.ts';

/** The test person goes with the person who played it; `messages` takes away what it holds of conversations. */
export function createSimulatorAccountFollower(messages: AccountFollower): AccountFollower {
  return {
    async deleted(tx, { accountId, at }) {
      const testPersonId = await findTestPersonId(tx, accountId);
      if (testPersonId === undefined) return;
      await messages.deleted?.(tx, { accountId: testPersonId, at });
      await markAccountDeleted(tx, testPersonId, at);
      await forgetTestPerson(tx, accountId);
    },
  };
}
