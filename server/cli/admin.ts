import { openOperatorAccounts } from '#features/accounts/index.ts';
import { type ApplicationHook, openOperatorApplications } from '#features/applications/index.ts';
import { createWebhookApplicationHook } from '#features/webhooks/index.ts';
import { createIds } from '#platform/ids.ts';
import { Signal } from '#platform/signal.ts';
import { findDistribution, toShards } from '../distribution/shards.ts';
import { listApplications, listPeople } from './admin/lists.ts';
import { type Command, type CommandDeps, UsageError } from './command.ts';

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
    async run(deps, [appId = '']) {
      await (await openApplications(deps)).suspend(appId);
      return `${appId} is suspended`;
    },
  },
  {
    name: 'admin unsuspend',
    parameters: ['<appId>'],
    about: 'return an application to its state before the suspension',
    async run(deps, [appId = '']) {
      const state = await (await openApplications(deps)).unsuspend(appId);
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
      await (await openApplications(deps)).changeQuota(appId, requestsPerMinute);
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
];

function toColumns(rows: string[][]): string {
  const widths = rows[0]?.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** Text by people must not move the cursor of the operator's terminal. */
function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '�');
}

async function openAccounts(deps: CommandDeps) {
  return openOperatorAccounts({ ...deps, db: await deps.openDatabase() });
}

async function openApplications({ openDatabase, clock, random }: CommandDeps) {
  const db = await openDatabase();
  const shards = toShards(await findDistribution(db));
  const deps = { db, clock, shards, newId: createIds(clock, random) };
  const hooks: ApplicationHook[] = [];
  const applications = openOperatorApplications(deps, hooks);
  // The server's worker finds the events of an application that is unsuspended at its next look.
  hooks.push(createWebhookApplicationHook({ ...deps, applications, dueDeliveries: new Signal() }));
  return applications;
}
