import type { AccountHook, Accounts } from '#features/accounts/index.ts';
import type { Messages } from '#features/messages/index.ts';

/** The test person is deleted with its owner; `messages` deletes its conversations. */
export function createSimulatorAccountHook({
  accounts,
  messages,
}: {
  accounts: Accounts;
  messages: Pick<Messages, 'removeAccount'>;
}): AccountHook {
  return {
    async deleted(tx, { accountId, at }) {
      const testPersonId = await accounts.findTestPersonId(accountId, tx);
      if (testPersonId === undefined) return;
      await messages.removeAccount?.(tx, { accountId: testPersonId, at });
      await accounts.markDeleted(tx, testPersonId, at);
      await accounts.forgetTestPerson(tx, accountId);
    },
  };
}
