import type { AccountHook } from '#features/accounts/index.ts';
import { markAccountDeleted } from '#features/accounts/service.ts';
import { findTestPersonId, forgetTestPerson } from '#features/accounts/test-person.ts';

/** The test person goes with the person who played it; `messages` takes away what it holds of conversations. */
export function createSimulatorAccountFollower(messages: AccountHook): AccountHook {
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
