import type { OperatedPerson, PersonSessions } from '#contract/operate/people.ts';
import { UsageError } from '../../../sdk/cli/kit.ts';
import type { Command } from '../command.ts';
import { printable, toColumns, toTime } from './columns.ts';
import { withFeatures } from './server.ts';

/** One person, help for those who are locked out, and the end of an account. */
export const peopleCommands: readonly Command[] = [
  {
    name: 'admin person',
    parameters: ['<email>'],
    about: 'show a person: suspension, limits and sessions',
    async run(deps, { args: [email = ''] }) {
      const person = await withFeatures(deps, async ({ accounts, operators }) => {
        const accountId = await accounts.requireIdByEmail(email);
        const sessions = await operators.listSessionsOf(accountId);
        return { ...(await operators.showPerson(accountId)), sessions };
      });
      return { text: describe(person), data: person };
    },
  },
  {
    name: 'admin password-link',
    parameters: ['<email>'],
    about: 'create a link to set a new password; it is shown once and works for 24 hours',
    async run(deps, { args: [email = ''] }) {
      const { link, expiresAt } = await withFeatures(deps, async ({ accounts, operators }) =>
        operators.makePasswordLink({ accountId: await accounts.requireIdByEmail(email) }),
      );
      return { text: link, data: { email, link, expiresAt } };
    },
  },
  {
    name: 'admin recovery-code',
    parameters: ['<email>'],
    about: 'create a code that replaces a lost second factor; it is shown once',
    async run(deps, { args: [email = ''] }) {
      const { recoveryCode } = await withFeatures(deps, async ({ accounts, operators }) =>
        operators.makeRecoveryCode({ accountId: await accounts.requireIdByEmail(email) }),
      );
      return { text: recoveryCode, data: { email, recoveryCode } };
    },
  },
  {
    name: 'admin delete-person',
    parameters: ['<email>'],
    about: 'permanently delete the account of a person, with applications and bots',
    options: { reason: "recorded in the operators' trail (required)" },
    async run(deps, { args: [email = ''], options: { reason = '' } }) {
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

function describe(person: Omit<OperatedPerson, 'sessions'> & PersonSessions): string {
  const { accountId, name, email, createdAt, isTwoFactorOn, suspension, ownLimits, sessions } = person;
  const until = suspension?.until === undefined ? 'it is lifted' : toTime(suspension.until);
  return toColumns([
    [accountId, printable(name), email],
    ['joined', toTime(createdAt)],
    ['two-factor sign-in', isTwoFactorOn ? 'on' : 'off'],
    ...(suspension ? [['suspended', `until ${until}`, printable(suspension.reason)]] : []),
    ...Object.entries(ownLimits).map(([limit, most]) => [limit, String(most)]),
    ...sessions.map((one) => ['signed in', toTime(one.lastSeenAt), printable(one.userAgent)]),
  ]);
}
