import { printable, toColumns } from './admin/columns.ts';
import { listApplications, listPeople } from './admin/lists.ts';
import { noticeCommands } from './admin/notices.ts';
import { openAccounts, openOperators } from './admin/open.ts';
import { operatorCommands } from './admin/operators.ts';
import { peopleCommands } from './admin/people.ts';
import { policyCommands } from './admin/policy.ts';
import { reportCommands } from './admin/reports.ts';
import { type Command, UsageError } from './command.ts';

const PASSWORD_BYTES = 15;
const HIGHEST_QUOTA = 1_000_000_000;

/** The platform team's part: what no console does. */
export const adminCommands: readonly Command[] = [
  {
    name: 'admin applications',
    parameters: [],
    about: 'list applications: state, quota, owner, bot',
    options: { owner: 'only those of the person with this e-mail address' },
    async run({ openDatabase }, _args, { owner }) {
      const applications = await listApplications(await openDatabase(), owner);
      const rows = applications.map((one) => [
        one.appId,
        one.state,
        `${one.requestsPerMinute}/min`,
        one.ownerEmail ?? '',
        one.botUsername ?? '',
        printable(one.name),
      ]);
      return { text: toColumns(rows), data: { applications } };
    },
  },
  {
    name: 'admin accounts',
    parameters: [],
    about: 'list people: e-mail address, last seen, sessions, applications',
    async run({ openDatabase }) {
      const accounts = await listPeople(await openDatabase());
      const rows = accounts.map((one) => [
        one.accountId,
        one.email ?? '',
        one.lastSeenAt === null ? 'never seen' : new Date(one.lastSeenAt).toISOString(),
        `${one.sessions} sessions`,
        `${one.applications} applications`,
        printable(one.name),
      ]);
      return { text: toColumns(rows), data: { accounts } };
    },
  },
  {
    name: 'admin suspend',
    parameters: ['<appId>'],
    about: 'refuse the API key and tokens of an application until it is unsuspended',
    options: { reason: 'stands in the trail of what operators did' },
    async run(deps, [appId = ''], options) {
      await (await openOperators(deps)).suspendApplication({ appId }, options['reason']);
      return `${appId} is suspended`;
    },
  },
  {
    name: 'admin unsuspend',
    parameters: ['<appId>'],
    about: 'return an application to its state before the suspension',
    options: { reason: 'stands in the trail of what operators did' },
    async run(deps, [appId = ''], options) {
      const state = await (await openOperators(deps)).unsuspendApplication({ appId }, options['reason']);
      return `${appId} is ${state} again`;
    },
  },
  {
    name: 'admin quota',
    parameters: ['<appId>', '<requestsPerMinute>'],
    about: 'change how many requests a minute each credential may make to each endpoint',
    async run(deps, [appId = '', text = '']) {
      const requestsPerMinute = Number(text);
      if (!/^\d+$/.test(text) || requestsPerMinute < 1 || requestsPerMinute > HIGHEST_QUOTA) {
        throw new UsageError(`requestsPerMinute must be a whole number from 1 to ${HIGHEST_QUOTA}`);
      }
      await (await openOperators(deps)).changeQuota({ appId }, requestsPerMinute);
      return `${appId} may make ${requestsPerMinute} requests per minute with each credential, to each endpoint`;
    },
  },
  {
    name: 'admin reset-password',
    parameters: ['<email>'],
    about: 'give a person a new password, shown once, and end all of their sessions',
    async run(deps, [email = '']) {
      const password = deps.random.bytes(PASSWORD_BYTES).toString('base64url');
      await (await openAccounts(deps)).resetPassword(email, password);
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
    async run(deps, [email = '']) {
      const ended = await (await openAccounts(deps)).endSessionsOf(email);
      return { text: `ended ${ended} sessions of ${email}`, data: { email, ended } };
    },
  },
  {
    name: 'admin disable-two-factor',
    parameters: ['<email>'],
    about: 'turn off two-factor sign-in for a person who lost the authenticator app and the recovery codes',
    async run(deps, [email = '']) {
      await (await openAccounts(deps)).disableTwoFactorOf(email);
      return { text: `two-factor sign-in is off for ${email}`, data: { email } };
    },
  },
  ...peopleCommands,
  ...operatorCommands,
  ...policyCommands,
  ...reportCommands,
  ...noticeCommands,
];
