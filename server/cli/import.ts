import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { openImportedMedia } from '#features/media/index.ts';
import { UsageError } from '../../sdk/cli/kit.ts';
import type { Command, CommandDeps } from './command.ts';
import { Conversations } from './import/conversations.ts';
import type { Item } from './import/items.ts';
import { readMattermost } from './import/mattermost.ts';
import { type ImportOptions, People } from './import/people.ts';
import type { Reading } from './import/records.ts';
import { IMPORT_FLAGS, Progress, Report, readImportFlags, toOutcome } from './import/report.ts';
import { readSlack } from './import/slack.ts';
import { openSource, type Source } from './import/source.ts';
import { readTelegram } from './import/telegram.ts';
import { HistoryWriter } from './import/writer.ts';
import { openInstallation } from './installation.ts';

type Reader = (source: Source, reading: Reading) => AsyncGenerator<Item>;

const PRODUCTS: readonly { name: string; product: string; file: string; read: Reader }[] = [
  {
    name: 'mattermost',
    product: 'Mattermost',
    file: 'a bulk export (JSONL, zip or folder)',
    read: readMattermost,
  },
  { name: 'slack', product: 'Slack', file: 'an export (zip or folder)', read: readSlack },
  {
    name: 'telegram',
    product: 'Telegram',
    file: 'a JSON export of a chat or an account (result.json, zip or folder)',
    read: readTelegram,
  },
];

/** Commands that bring the history of another product. */
export const historyCommands: readonly Command[] = PRODUCTS.map(({ name, product, file: files, read }) => ({
  name: `import ${name}`,
  parameters: ['<file>'],
  about: `import people, groups and messages of ${product} from ${files}`,
  details: [
    'Works while the server runs; people see everything at the end, and everything is read. Run it twice, and nothing is there',
    'twice; interrupted, it goes on where it is run again. People are found by their confirmed address; others get accounts',
    'that a link for a new password opens: admin password-link.',
  ].join('\n'),
  options: {
    people: 'a file with lines of id,address for people whose address is not in the export',
    source: `a name that tells two exports apart which have the same ids (default: ${name})`,
  },
  flags: IMPORT_FLAGS,
  async run(deps, { args: [file = ''], options, flags }) {
    const source = options['source'] ?? name;
    if (!/^[a-z0-9][a-z0-9-]{0,30}$/.test(source))
      throw new UsageError('--source takes up to 31 lower-case letters, digits and hyphens');
    const given = readImportFlags(flags);
    const emails = await readEmails(options['people']);
    const report = await importHistory(deps, file, read, { name: source, product, ...given, emails });
    return toOutcome(report, given.isDry);
  },
}));

async function importHistory(
  deps: CommandDeps,
  file: string,
  read: Reader,
  options: ImportOptions,
): Promise<Report> {
  await using source = await openSource(file);
  await using opened = await openInstallation(deps);
  const platform = { ...deps, ...opened };
  const report = new Report();
  const progress = new Progress(deps.clock, deps.printError);
  const people = new People(platform, options, report);
  const conversations = new Conversations(platform, options.name, people, report);
  const media = openImportedMedia(platform);
  const { name, isDry } = options;
  const writer = new HistoryWriter(platform, { source, name, people, conversations, report, media, isDry });
  for await (const item of read(source, progress)) {
    deps.signal.throwIfAborted();
    await writer.add(item);
    progress.step(report.of('messages') + report.of('messages that are here'));
  }
  await writer.finish();
  if (!isDry) await conversations.finish(() => deps.signal.throwIfAborted());
  return report;
}

const EMAIL_LINE = /^\s*"?([^",;\s]+)"?\s*[,;]\s*"?([^",;\s]+@[^",;\s]+)"?\s*$/;

async function readEmails(file: string | undefined): Promise<ReadonlyMap<string, string>> {
  const emails = new Map<string, string>();
  if (file === undefined) return emails;
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(file) })) {
    line++;
    if (text.trim() === '') continue;
    const [, id, email] = EMAIL_LINE.exec(text) ?? [];
    if (id === undefined || email === undefined) throw new Error(`${file}:${line}: not id,address`);
    emails.set(id, email);
  }
  return emails;
}
