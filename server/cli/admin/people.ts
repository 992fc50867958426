import type { Command } from '../command.ts';
import { UsageError } from '../command.ts';
import { withFeatures } from './server.ts';

/** Help for people who are locked out, and the end of an account. */
export const peopleCommands: readonly Command[] = [
  {
    name: 'admin password-link',
    parameters: ['<email>'],
    about: 'make a link with which a person sets a new password, shown once; it works for 24 hours',
    async run(deps, [email = '']) {
      const { link, expiresAt } = await withFeatures(deps, async ({ accounts, operators }) =>
        operators.makePasswordLink({ accountId: await accounts.requireIdByEmail(email) }),
      );
      return { text: link, data: { email, link, expiresAt } };
    },
  },
  {
    name: 'admin recovery-code',
    parameters: ['<email>'],
    about: 'make a code in place of a lost second factor, shown once',
    async run(deps, [email = '']) {
      const { recoveryCode } = await withFeatures(deps, async ({ accounts, operators }) =>
        operators.makeRecoveryCode({ accountId: await accounts.requireIdByEmail(email) }),
      );
      return { text: recoveryCode, data: { email, recoveryCode } };
    },
  },
  {
    name: 'admin delete-person',
    parameters: ['<email>'],
    about: 'delete the account of a person, with applications and bots, for good',
    options: { reason: 'stands in the trail of what operators did (required)' },
    async run(deps, [email = ''], { reason = '' }) {
      if (reason.trim() === '') throw new UsageError('--reason is required');
      const accountId = await withFeatures(deps, async ({ accounts, operators }) => {
        const found = await accounts.requireIdByEmail(email);
        await operators.deletePerson({ accountId: found }, reason);
        return found;
      });
      return { text: `the account of ${email} is deleted`, data: { accountId } };
    },
  },
];
