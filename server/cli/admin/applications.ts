import { UsageError } from '../../../sdk/cli/kit.ts';
import type { Command } from '../command.ts';
import { printable, toColumns, toTime } from './columns.ts';
import { listApplications } from './lists.ts';
import { openAccounts, openOperators, withFeatures } from './open.ts';

const HIGHEST_QUOTA = 1_000_000_000;

/** Applications: listed, looked at, suspended and given quotas. */
export const applicationCommands: readonly Command[] = [
  {
    name: 'admin applications',
    about: 'list applications: state, quota, owner, bot',
    options: { owner: 'only those of the person with this e-mail address' },
    async run(deps, { options: { owner } }) {
      const ownerId = owner && (await (await openAccounts(deps)).requireIdByEmail(owner));
      const applications = await listApplications(await deps.openDatabase(), ownerId);
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
    name: 'admin application',
    parameters: ['<appId>'],
    about: 'show an application: traffic, pending webhooks, and its latest grants',
    async run(deps, { args: [appId = ''] }) {
      const shown = await withFeatures(deps, async ({ operators }) => ({
        ...(await operators.showApplication(appId)),
        endpoint: await operators.showEndpoint(appId),
        ...(await operators.listGrantsOf(appId)),
      }));
      const { name, state, requestsPerMinute, lastDay, endpoint, grants } = shown;
      const { host = 'none', waiting, breakerOpenedAt } = endpoint;
      const rows = [
        [appId, state, `${requestsPerMinute}/min`, printable(name)],
        ['last 24 hours', `${lastDay.requests} requests`, `${lastDay.errors} errors`],
        ['', `${lastDay.deliveries} deliveries`, `${lastDay.failedDeliveries} failed`],
        ['endpoint', host, `${waiting} waiting`],
        ...(breakerOpenedAt === undefined ? [] : [['', 'has not answered since', toTime(breakerOpenedAt)]]),
        ...grants.map(({ grantedAt, scopes, endedAt }) => [
          'grant',
          toTime(grantedAt),
          scopes.join(' '),
          endedAt === undefined ? '' : 'ended',
        ]),
      ];
      return { text: toColumns(rows), data: shown };
    },
  },
  {
    name: 'admin endpoints',
    about: 'list the endpoints that do not answer, longest first',
    async run(deps) {
      const failing = await withFeatures(deps, ({ operators }) => operators.listFailingEndpoints());
      const rows = failing.endpoints.map((one) => [
        one.appId,
        toTime(one.breakerOpenedAt),
        printable(one.name),
      ]);
      return { text: toColumns(rows), data: failing };
    },
  },
  {
    name: 'admin suspend',
    parameters: ['<appId>'],
    about: 'refuse the API key and tokens of an application until it is unsuspended',
    options: { reason: "recorded in the operators' trail" },
    async run(deps, { args: [appId = ''], options }) {
      const { perform } = await openOperators(deps);
      await perform('application.suspended', { appId }, { reason: options['reason'] });
      return `${appId} is suspended`;
    },
  },
  {
    name: 'admin unsuspend',
    parameters: ['<appId>'],
    about: 'return an application to its state before the suspension',
    options: { reason: "recorded in the operators' trail" },
    async run(deps, { args: [appId = ''], options }) {
      const { perform } = await openOperators(deps);
      const state = await perform('application.unsuspended', { appId }, { reason: options['reason'] });
      return `${appId} is ${state} again`;
    },
  },
  {
    name: 'admin quota',
    parameters: ['<appId>', '<requestsPerMinute>'],
    about: 'change how many requests a minute an application may make to each endpoint',
    async run(deps, { args: [appId = '', text = ''] }) {
      const requestsPerMinute = Number(text);
      if (!/^\d+$/.test(text) || requestsPerMinute < 1 || requestsPerMinute > HIGHEST_QUOTA) {
        throw new UsageError(`requestsPerMinute must be a whole number from 1 to ${HIGHEST_QUOTA}`);
      }
      const { perform } = await openOperators(deps);
      await perform('application.quota-changed', { appId }, { requestsPerMinute });
      return `${appId} may make ${requestsPerMinute} requests per minute to each endpoint`;
    },
  },
];
