import { type Command, UsageError } from '../command.ts';
import { printable, toColumns } from './columns.ts';
import { readDays } from './days.ts';
import { openAccounts, openOperators } from './open.ts';

/** Who may enter the operator's console, suspensions of people, and the trail of what was done. */
export const operatorCommands: readonly Command[] = [
  {
    name: 'admin operators',
    parameters: [],
    about: "list who may enter the operator's console",
    async run(deps) {
      const operators = await (await openOperators(deps)).listOperators();
      const rows = operators.map((one) => [
        one.accountId,
        new Date(one.namedAt).toISOString(),
        printable(one.name),
      ]);
      return { text: toColumns(rows), data: { operators } };
    },
  },
  {
    name: 'admin operators add',
    parameters: ['<email>'],
    about: "let a person into the operator's console, with two-factor sign-in",
    async run(deps, [email = '']) {
      const accountId = await (await openOperators(deps)).addOperator(email);
      return { text: `${email} is an operator`, data: { accountId } };
    },
  },
  {
    name: 'admin operators remove',
    parameters: ['<email>'],
    about: 'remove a person from the operators',
    async run(deps, [email = '']) {
      const accountId = await (await openOperators(deps)).removeOperator(email);
      return { text: `${email} is no operator any more`, data: { accountId } };
    },
  },
  {
    name: 'admin suspend-person',
    parameters: ['<email>'],
    about: 'sign a person out everywhere and let nobody sign in to the account',
    options: {
      reason: 'the person reads it at sign-in (required)',
      days: 'for so many days; until it is lifted where it is left out',
    },
    async run(deps, [email = ''], { reason, days }) {
      if (reason === undefined || reason.trim() === '') throw new UsageError('--reason is required');
      const until = readDays(deps, days);
      const accountId = await findPerson(deps, email);
      const suspension = { reason, ...(until !== undefined && { until }) };
      await (await openOperators(deps)).suspendPerson({ accountId }, suspension);
      const end = until === undefined ? 'until it is lifted' : `until ${new Date(until).toISOString()}`;
      return { text: `${email} is suspended ${end}`, data: { accountId, ...suspension } };
    },
  },
  {
    name: 'admin unsuspend-person',
    parameters: ['<email>'],
    about: 'lift the suspension of a person',
    options: { reason: 'stands in the trail of what operators did' },
    async run(deps, [email = ''], { reason = '' }) {
      const accountId = await findPerson(deps, email);
      await (await openOperators(deps)).liftSuspension({ accountId }, reason);
      return { text: `${email} may sign in again`, data: { accountId } };
    },
  },
  {
    name: 'admin acts',
    parameters: [],
    about: 'list what operators did, newest first',
    options: { before: 'only what came before this act' },
    async run(deps, _args, { before }) {
      const page = await (await openOperators(deps)).listActs(before);
      const rows = page.acts.map((one) => [
        one.actId,
        new Date(one.at).toISOString(),
        one.act,
        one.subject,
        printable(one.operator?.name ?? 'command line'),
        printable(
          Object.entries(one.details)
            .map(([name, value]) => `${name}: ${value}`)
            .join(', '),
        ),
      ]);
      return { text: toColumns(rows), data: page };
    },
  },
];

async function findPerson(deps: Parameters<typeof openAccounts>[0], email: string): Promise<string> {
  return (await openAccounts(deps)).requireIdByEmail(email);
}
