import { existsSync } from 'node:fs';
import { open, rm, stat } from 'node:fs/promises';
import { openImportedMedia } from '#features/media/index.ts';
import { writeWhole } from '#platform/files/whole-file.ts';
import { toColumns } from './admin/columns.ts';
import { isSealedFile, readSealedAs, SealingWriter } from './backup/sealed-stream.ts';
import type { Command, CommandDeps } from './command.ts';
import { bringExport } from './export/bring.ts';
import { BROUGHT, type Brought } from './export/deps.ts';
import { IdsHere } from './export/ids-here.ts';
import { type Exported, takeExport } from './export/take.ts';
import { IMPORT_FLAGS, Progress, Report, readImportFlags, toOutcome } from './import/report.ts';
import { openSource } from './import/source.ts';
import { openInstallation } from './installation.ts';
import { readPassphrase } from './passphrase.ts';

const SHOWN_EVERY = 100_000;

/** Commands that take a whole server out of Parley, and into another one. */
export const exportCommands: readonly Command[] = [
  {
    name: 'export server',
    parameters: ['<file>'],
    about:
      'write people, groups, messages and files into an archive in an open format, while the server runs',
    details: [
      'A zip archive with lines of JSON and the files, described in docs/operate/moving-in.md; import parley reads it back.',
      'It is plain text: whoever has it reads everything that people have written. With --passphrase-file it is encrypted as',
      'backups are. Passwords, keys, tokens and other secrets are not in it.',
    ].join('\n'),
    options: { 'passphrase-file': 'file whose first line is the passphrase: encrypts the archive' },
    async run(deps, { args: [file = ''], options }) {
      if (existsSync(file)) throw new Error(`${file} already exists`);
      const passphrase = options['passphrase-file'] && (await readPassphrase(deps, options));
      const counts = await exportServer(deps, file, passphrase);
      const rows = Object.entries(counts).map(([what, count]) => [count.toLocaleString('en'), what]);
      const { size } = await stat(file);
      const kept = passphrase ? 'encrypted' : 'in plain text: keep it secret';
      return { text: `${toColumns(rows)}\n\n${file}: ${size} bytes, ${kept}`, data: { file, size, counts } };
    },
  },
  {
    name: 'import parley',
    parameters: ['<file>'],
    about: 'import people, groups, messages and files of another server of Parley from export server',
    details: [
      'Works while the server runs, and keeps all ids. Run it twice, and nothing is there twice; interrupted, it goes on where',
      'it is run again. People who have an account here with their confirmed address keep it; others get a link for a new',
      'password: admin password-link.',
    ].join('\n'),
    options: { 'passphrase-file': 'file whose first line is the passphrase of an encrypted archive' },
    flags: IMPORT_FLAGS,
    async run(deps, { args: [file = ''], options, flags }) {
      const given = readImportFlags(flags);
      await using opened = await openExport(deps, file, options);
      return toOutcome(await importServer(deps, opened.path, given), given.isDry);
    },
  },
];

async function exportServer(
  deps: CommandDeps,
  file: string,
  passphrase: string | undefined,
): Promise<Record<string, number>> {
  await using opened = await openInstallation(deps);
  const counts = new Map<Exported, number>();
  const count = (what: Exported, by = 1) => {
    const before = counts.get(what) ?? 0;
    if (by > 0) counts.set(what, before + by);
    if (Math.floor((before + by) / SHOWN_EVERY) > Math.floor(before / SHOWN_EVERY))
      deps.printError(`${(before + by).toLocaleString('en')} ${what}`);
  };
  await writeWhole(file, async (handle) => {
    const sealed = passphrase && (await SealingWriter.begin(handle, { ...deps, passphrase }));
    await takeExport({ ...deps, ...opened, count }, (bytes) =>
      sealed ? sealed.write(bytes) : handle.appendFile(bytes),
    );
    if (sealed) await sealed.end();
  });
  return Object.fromEntries(counts);
}

async function importServer(
  deps: CommandDeps,
  file: string,
  options: { isDry: boolean; matchesUnconfirmed: boolean },
): Promise<Report<Brought>> {
  await using source = await openSource(file);
  await using opened = await openInstallation(deps);
  const report = new Report<Brought>(BROUGHT);
  const progress = new Progress(deps.clock, deps.printError);
  const platform = { ...deps, ...opened };
  const ids = new IdsHere();
  const media = openImportedMedia(platform);
  const bringing = { ...platform, ...options, source, report, ids, kept: new Set<string>(), media };
  await bringExport(bringing, {
    ...progress,
    step() {
      deps.signal.throwIfAborted();
      progress.step(report.of('messages') + report.of('messages that are here'));
    },
  });
  if (!options.isDry)
    for (const accountId of ids.accounts.values())
      deps.live.publish(accountId, { type: 'profile.changed', data: {} });
  return report;
}

/** An encrypted archive is decrypted beside itself, since it has to be read at any place; that goes at the end. */
async function openExport(
  deps: CommandDeps,
  file: string,
  options: Record<string, string>,
): Promise<AsyncDisposable & { path: string }> {
  if (!(await isEncrypted(file))) return { path: file, async [Symbol.asyncDispose]() {} };
  const passphrase = await readPassphrase(deps, options);
  const path = `${file}.decrypted.zip`;
  await using source = await open(file);
  await writeWhole(path, async (handle) => {
    for await (const piece of readSealedAs('export', source.createReadStream(), passphrase, deps.signal))
      await handle.appendFile(piece);
  });
  return { path, [Symbol.asyncDispose]: () => rm(path, { force: true }) };
}

async function isEncrypted(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) return false;
  await using file = await open(path);
  return isSealedFile(file);
}
