import { writeFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { HIGHEST_LIMIT, PERSON_LIMITS } from '#contract/accounts/person-limits.ts';
import type { ActDetail, ActDetails } from '#contract/operate/acts.ts';
import type { PersonLimits } from '#contract/operate/people.ts';
import { UsageError } from '../../../sdk/cli/kit.ts';
import type { Command } from '../command.ts';
import { printable, readDays, requireReason, toColumns, toTime } from './columns.ts';
import { onPerson, openAccounts, openOperators, withFeatures } from './open.ts';

/** A detail of an act, or what it was changed from and to. */
const shown = (detail: ActDetails[ActDetail]) =>
  typeof detail === 'object' ? `${orUnset(detail.from)} → ${orUnset(detail.to)}` : detail;

/** Of a list that is empty, the trail has an empty text. */
const orUnset = (value: unknown) => (value === undefined || value === '' ? 'unset' : value);

/** Who may enter the operators' console, suspensions of people, and the trail of what was done. */
export const operatorCommands: readonly Command[] = [
  {
    name: 'admin operators',
    about: "list the operators, who may use the operators' console",
    async run(deps) {
      const operators = await (await openOperators(deps)).listOperators();
      const rows = operators.map((one) => [one.accountId, toTime(one.namedAt), printable(one.name)]);
      return { text: toColumns(rows), data: { operators } };
    },
  },
  {
    name: 'admin operators add',
    parameters: ['<email>'],
    about: "make a person an operator, who can use the operators' console with two-factor sign-in",
    async run(deps, { args: [email = ''] }) {
      const accountId = await (await openOperators(deps)).addOperator(email);
      return { text: `${email} is an operator`, data: { accountId } };
    },
  },
  {
    name: 'admin operators remove',
    parameters: ['<email>'],
    about: 'remove a person from the operators',
    async run(deps, { args: [email = ''] }) {
      const accountId = await (await openOperators(deps)).removeOperator(email);
      return { text: `${email} is no longer an operator`, data: { accountId } };
    },
  },
  {
    name: 'admin suspend-person',
    parameters: ['<email>'],
    about: 'sign a person out everywhere and block sign-in to the account',
    options: {
      reason: 'shown to the person at sign-in (required)',
      days: 'for how many days; without it, until it is lifted',
    },
    async run(deps, { args: [email = ''], options }) {
      const reason = requireReason(options);
      const until = readDays(deps, options['days']);
      const accountId = await (await openAccounts(deps)).requireIdByEmail(email);
      const suspension = { reason, ...(until !== undefined && { until }) };
      await (await openOperators(deps)).perform('person.suspended', { accountId }, suspension);
      const end = until === undefined ? 'until it is lifted' : `until ${toTime(until)}`;
      return { text: `${email} is suspended ${end}`, data: { accountId, ...suspension } };
    },
  },
  {
    name: 'admin unsuspend-person',
    parameters: ['<email>'],
    about: 'lift the suspension of a person',
    options: { reason: "recorded in the operators' trail" },
    run: onPerson(async ({ perform }, { accountId, email }, { options: { reason = '' } }) => {
      await perform('person.suspension-lifted', { accountId }, { reason });
      return { text: `${email} can sign in again`, data: { accountId } };
    }),
  },
  {
    name: 'admin limits',
    parameters: ['<email>'],
    about: "set the limits of a person instead of the server's settings; without options, restore those",
    details:
      'A limit that is not given is that of the server. Applies at every process within 10 seconds; 0 allows nothing.',
    options: {
      'messages-per-minute': 'messages, polls and stories',
      'unanswered-messages-per-hour': 'messages to people who have never answered',
      'new-people-per-day': 'new people written to, who never wrote themselves',
      'new-people-added-per-day': 'people added to groups, who never wrote themselves',
      'groups-per-day': 'new groups and broadcast lists',
      'uploads-per-minute': 'uploads started',
      'upload-megabytes-per-day': 'megabytes of files',
      'live-streams-per-person': 'live connections to the chat, at each process',
    },
    async run(deps, { args: [email = ''], options }) {
      const limits = readLimits(options);
      const accountId = await (await openAccounts(deps)).requireIdByEmail(email);
      await (await openOperators(deps)).perform('person.limits-changed', { accountId }, limits);
      const shown = Object.entries(limits).map(([name, limit]) => `${name} ${limit}`);
      return {
        text: `${email}: ${shown.join(', ') || 'the limits of the server'}`,
        data: { accountId, limits },
      };
    },
  },
  {
    name: 'admin acts',
    about: 'list what operators did, newest first',
    options: { before: 'only entries before this one' },
    async run(deps, { options: { before } }) {
      const page = await (await openOperators(deps)).listActs(before);
      const rows = page.acts.map((one) => [
        one.actId,
        toTime(one.at),
        one.act,
        one.subject,
        printable((one.operator ?? one.provider)?.name ?? 'command line'),
        printable(
          Object.entries(one.details)
            .map(([name, value]) => `${name}: ${shown(value)}`)
            .join(', '),
        ),
      ]);
      return { text: toColumns(rows), data: page };
    },
  },
  {
    name: 'admin acts export',
    parameters: ['<file>'],
    about: 'write the whole trail to a new file, one line of JSON per entry',
    async run(deps, { args: [file = ''] }) {
      let acts = 0;
      await withFeatures(deps, ({ operators }) =>
        writeFile(
          file,
          Readable.from(operators.exportActs()).map((line) => {
            acts++;
            return line;
          }),
          { flag: 'wx', mode: 0o600 },
        ),
      );
      return { text: `${acts} entries are in ${file}`, data: { file, acts } };
    },
  },
];

/** `--messages-per-minute 5` and so on, by the names of the limits. */
function readLimits(options: Record<string, string>): PersonLimits {
  return Object.fromEntries(
    PERSON_LIMITS.flatMap((name) => {
      const option = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
      const text = options[option];
      if (text === undefined) return [];
      if (!/^\d{1,10}$/.test(text) || Number(text) > HIGHEST_LIMIT)
        throw new UsageError(`--${option} must be a whole number from 0 to ${HIGHEST_LIMIT}`);
      return [[name, Number(text)] as const];
    }),
  );
}
