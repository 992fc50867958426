import type { OperatedPerson, PersonSessions } from '#contract/operate/people.ts';
import { applicationCommands } from './admin/applications.ts';
import { makePassword, printable, REASON, requireReason, toColumns, toTime } from './admin/columns.ts';
import { listPeople } from './admin/lists.ts';
import { noticeCommands } from './admin/notices.ts';
import { onPerson, onPersonOfServer, openAccounts, openOperators } from './admin/open.ts';
import { operatorCommands } from './admin/operators.ts';
import { policyCommands } from './admin/policy.ts';
import { providerCommands } from './admin/providers.ts';
import { reportCommands } from './admin/reports.ts';
import type { Command } from './command.ts';

/** One person, help for those who are locked out, and the end of an account. */
const peopleCommands: readonly Command[] = [
  {
    name: 'admin person',
    parameters: ['<email>'],
    about: 'show a person: suspension, limits and sessions',
    run: onPersonOfServer(async ({ listSessionsOf, showPerson }, { accountId }) => {
      const sessions = await listSessionsOf(accountId);
      const person = { ...(await showPerson(accountId)), sessions };
      return { text: describe(person), data: person };
    }),
  },
  {
    name: 'admin password-link',
    parameters: ['<email>'],
    about: 'create a link to set a new password; it is shown once and works for 24 hours',
    run: onPersonOfServer(async ({ perform }, { accountId, email }) => {
      const made = await perform('person.password-link-made', { accountId });
      return { text: made.link, data: { email, ...made } };
    }),
  },
  {
    name: 'admin recovery-code',
    parameters: ['<email>'],
    about: 'create a code that replaces a lost second factor; it is shown once',
    run: onPersonOfServer(async ({ perform }, { accountId, email }) => {
      const made = await perform('person.recovery-code-made', { accountId });
      return { text: made.recoveryCode, data: { email, ...made } };
    }),
  },
  {
    name: 'admin delete-person',
    parameters: ['<email>'],
    about: 'permanently delete the account of a person, with applications and bots',
    options: REASON,
    async run(deps, typed) {
      const reason = requireReason(typed.options);
      return onPersonOfServer(async ({ perform }, { accountId, email }) => {
        await perform('person.deleted', { accountId }, { reason });
        return { text: `the account of ${email} is deleted`, data: { accountId } };
      })(deps, typed);
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

/** Commands of operators. */
export const adminCommands: readonly Command[] = [
  ...applicationCommands,
  {
    name: 'admin accounts',
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
      const password = makePassword(deps);
      const accountId = await (await openAccounts(deps)).requireIdByEmail(email);
      await (await openOperators(deps)).perform('person.password-reset', { accountId }, password);
      return { text: `the new password of ${email} is ${password}`, data: { email, password } };
    },
  },
  {
    name: 'admin end-sessions',
    parameters: ['<email>'],
    about: 'sign a person out everywhere',
    run: onPerson(async ({ perform }, { accountId, email }) => {
      const { ended } = await perform('person.signed-out', { accountId });
      const sessions = ended === 1 ? '1 session' : `${ended} sessions`;
      return { text: `ended ${sessions} of ${email}`, data: { email, ended } };
    }),
  },
  {
    name: 'admin disable-two-factor',
    parameters: ['<email>'],
    about: 'turn off two-factor sign-in for a person who lost the authenticator app and the recovery codes',
    run: onPerson(async ({ perform }, { accountId, email }) => {
      await perform('person.two-factor-disabled', { accountId });
      return { text: `two-factor sign-in is off for ${email}`, data: { email } };
    }),
  },
  ...peopleCommands,
  ...operatorCommands,
  ...policyCommands,
  ...providerCommands,
  ...reportCommands,
  ...noticeCommands,
];
