import { LANGUAGES, type Language, textIn } from '#contract/languages.ts';
import type { LocalText } from '#contract/notices.ts';
import { UsageError } from '../../../sdk/cli/kit.ts';
import type { Command, CommandDeps } from '../command.ts';
import { printable, readDays, toColumns, toTime } from './columns.ts';
import { openOperators } from './open.ts';

const MINUTE_MS = 60_000;
const TEXTS = Object.fromEntries(
  Object.entries(LANGUAGES).map(([language, name]) => [language, `the text in ${name}`]),
);

/** Announcements and maintenance. */
export const noticeCommands: readonly Command[] = [
  {
    name: 'admin announcements',
    about: 'list announcements and the progress of their messages',
    async run(deps) {
      const announcements = await (await openOperators(deps)).listAnnouncements();
      const rows = announcements.map((one) => [
        one.announcementId,
        toTime(one.createdAt),
        stateOf(one, deps.clock.now()),
        one.isMessage ? `${one.told} of ${one.people} people told` : 'no message',
        printable(textIn(one.text, 'en')),
      ]);
      return { text: toColumns(rows), data: { announcements } };
    },
  },
  {
    name: 'admin announce',
    about: 'publish an announcement as a banner on all pages, as a message, or both',
    details: 'People whose language has no text get the other one.',
    options: {
      ...TEXTS,
      days: 'for how many days the banner is shown; without it, until it is ended',
    },
    flags: {
      line: 'show a banner on all pages',
      message: 'send it to every person, from the account of the service',
    },
    async run(deps, { options, flags }) {
      const text = readText(options);
      if (!text) throw new UsageError('--en or --de is required');
      const endsAt = readDays(deps, options['days']);
      const where = { isLine: flags.has('line'), isMessage: flags.has('message') };
      const body = { text, ...where, ...(endsAt !== undefined && { endsAt }) };
      const data = await (await openOperators(deps)).perform('announcement.made', {}, body);
      return { text: data.announcementId, data };
    },
  },
  {
    name: 'admin announcements end',
    parameters: ['<announcementId>'],
    about: 'remove the banner of an announcement and stop sending its message',
    async run(deps, { args: [announcementId = ''] }) {
      await (await openOperators(deps)).perform('announcement.ended', { announcementId });
      return { text: 'ended', data: { announcementId } };
    },
  },
  {
    name: 'admin maintenance on',
    parameters: ['<minutes>'],
    about: 'start maintenance: refuse all writes, with the expected end, until it is turned off',
    details: 'Reading still works. It applies at every process of the server within 2 seconds.',
    options: TEXTS,
    async run(deps, { args: [minutes = ''], options }) {
      const until = readMinutes(deps, minutes);
      const text = readText(options);
      const { perform } = await openOperators(deps);
      await perform('maintenance.started', {}, { until, ...(text && { text }) });
      return {
        text: `maintenance is in progress, expected to end at ${toTime(until)}`,
        data: { until },
      };
    },
  },
  {
    name: 'admin maintenance off',
    about: 'end maintenance',
    async run(deps) {
      await (await openOperators(deps)).perform('maintenance.ended', {});
      return 'maintenance has ended';
    },
  },
];

function stateOf(
  { isLine, endsAt, endedAt }: { isLine: boolean; endsAt?: number; endedAt?: number },
  now: number,
) {
  if (endedAt !== undefined) return 'ended';
  if (!isLine) return 'no line';
  return endsAt === undefined || now < endsAt ? 'shown' : 'over';
}

function readText(options: Record<string, string>): LocalText | undefined {
  const given = (Object.keys(LANGUAGES) as Language[]).flatMap((language) => {
    const text = options[language];
    if (text === undefined) return [];
    if (text.trim() === '') throw new UsageError(`--${language} must not be empty`);
    return [[language, text] as const];
  });
  return given.length === 0 ? undefined : Object.fromEntries(given);
}

function readMinutes({ clock }: Pick<CommandDeps, 'clock'>, text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new UsageError('<minutes> must be a whole number from 1 to 99999');
  return clock.now() + Number(text) * MINUTE_MS;
}
