import { applicationCommands } from './admin/applications.ts';
import { printable, toColumns, toTime } from './admin/columns.ts';
import { listPeople } from './admin/lists.ts';
import { noticeCommands } from './admin/notices.ts';
import { openAccounts, openOperators } from './admin/open.ts';
import { operatorCommands } from './admin/operators.ts';
import { peopleCommands } from './admin/people.ts';
import { policyCommands } from './admin/policy.ts';
import { reportCommands } from './admin/reports.ts';
import type { Command } from './command.ts';

const PASSWORD_BYTES = 15;

/** Commands of operators. */
export const adminCommands: readonly Command[] = [
  ...applicationCommands,
  {
    name: 'admin accounts',
    parameters: [],
    about: 'list people: e-mail address, last seen, sessions, applications',
    async run({ openDatabase }) {
      const accounts = await listPeople(await openDatabase());
      const rows = accounts.map((one) => [
        one.accountId,
        one.email ?? '',
        one.lastSeenAt === null ? 'never seen' : toTime(one.lastSeenAt),
        `${one.sessions} sessions`,
        `${one.applications} applications`,
        printable(one.name),
      ]);
      return { text: toColumns(rows), data: { accounts } };
    },
  },
  {
    name: 'admin reset-password',
    parameters: ['<email>'],
    about: 'give a person a new password, shown once, and end all of their sessions',
    async run(deps, { args: [email = ''] }) {
      const password = deps.random.bytes(PASSWORD_BYTES).toString('base64url');
      const accountId = await (await openAccounts(deps)).requireIdByEmail(email);
      await (await openOperators(deps)).resetPassword({ accountId }, password);
      return {
        text: `the new password of ${email} is ${password}`,
        data: { email, password },
      };
    },
  },
  {
    name: 'admin end-sessions',
    parameters: ['<email>'],
    about: 'sign a person out everywhere',
    async run(deps, { args: [email = ''] }) {
      const accountId = await (await openAccounts(deps)).requireIdByEmail(email);
      const ended = await (await openOperators(deps)).signPersonOut({ accountId });
      return {
        text: `ended ${ended === 1 ? '1 session' : `${ended} sessions`} of ${email}`,
        data: { email, ended },
      };
    },
  },
  {
    name: 'admin disable-two-factor',
    parameters: ['<email>'],
    about: 'turn off two-factor sign-in for a person who lost the authenticator app and the recovery codes',
    async run(deps, { args: [email = ''] }) {
      const accountId = await (await openAccounts(deps)).requireIdByEmail(email);
      await (await openOperators(deps)).disableTwoFactor({ accountId });
      return { text: `two-factor sign-in is off for ${email}`, data: { email } };
    },
  },
  ...peopleCommands,
  ...operatorCommands,
  ...policyCommands,
  ...reportCommands,
  ...noticeCommands,
];
