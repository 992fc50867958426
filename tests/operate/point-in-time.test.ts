import assert from 'node:assert/strict';
import { chmod, chown, cp, mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { type Database, openDatabase } from '#platform/database.ts';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { eventually, PATIENT } from '#testing/waits.ts';

const log = pino({ level: 'silent' });

function open(t: TestContext, url: string): Database {
  const db = openDatabase({ url, poolSize: 1, ...PATIENT });
  t.after(() => db.end({ timeout: 1 }));
  return db;
}

/** As in docs/operate/backup.md, on the embedded PostgreSQL, whose configuration file we may write. */
test('archived WAL restores any point in time: earlier data is there, later data is not', async (t) => {
  const directory = await scratchFolder(t);
  // PostgreSQL runs as another user when the tests run as root.
  await chmod(directory, 0o755);
  const archive = join(directory, 'archive');
  await mkdir(archive);
  await chmod(archive, 0o777);
  const live = join(directory, 'live');
  const base = join(directory, 'base');

  await (await startEmbeddedPostgres({ dataDir: live, log })).stop();
  const [archiving = '', recovering = ''] = await settingsOfThePage(archive);
  await writeFile(join(live, 'postgres', 'postgresql.auto.conf'), archiving);
  await using first = await startEmbeddedPostgres({ dataDir: live, log });
  const db = open(t, first.superuserUrl);
  await db.begin((tx) => tx`create table notes (text text not null)`);
  const note = (text: string) => db.begin((tx) => tx`insert into notes (text) values (${text})`);
  await note('before the base backup');
  await takeBase(first.superuserUrl, join(live, 'postgres'), join(base, 'postgres'), t);
  await note('after the base backup');
  await pause(50);
  const [row] = await db<{ at: string }[]>`select clock_timestamp()::text as at`;
  await pause(50);
  await note('the mistake');
  await db`select pg_switch_wal()`;
  await archived(db);
  await first.stop();

  const recovery = recovering.replace(/(?<=recovery_target_time = ').*(?=')/, String(row?.at));
  await writeFile(join(base, 'postgres', 'postgresql.auto.conf'), `${recovery}archive_mode = off\n`);
  await writeFile(join(base, 'postgres', 'recovery.signal'), '');
  await giveTo(join(live, 'postgres'), join(base, 'postgres'));
  await using second = await startEmbeddedPostgres({ dataDir: base, log });
  const restored = open(t, second.url);
  const rows = await restored<{ text: string }[]>`select text from notes`;
  assert.deepEqual(
    rows.map(({ text }) => text),
    ['before the base backup', 'after the base backup'],
  );
});

/** The settings for `postgresql.conf` from docs/operate/backup.md, with an archive of the test's own. */
async function settingsOfThePage(archive: string): Promise<string[]> {
  const page = await readFile('docs/operate/backup.md', 'utf8');
  return [...page.matchAll(/^```ini\n([\s\S]*?)^```$/gm)].map(([, text = '']) =>
    text.replaceAll('/var/archive', archive),
  );
}

/** Replaces pg_basebackup, which the embedded PostgreSQL does not include. */
async function takeBase(url: string, cluster: string, copy: string, t: TestContext): Promise<void> {
  const db = open(t, url);
  await db`select pg_backup_start('base', true)`;
  await cp(cluster, copy, {
    recursive: true,
    preserveTimestamps: true,
    filter: (path) => !/postmaster\.(pid|opts)$|\.s\.PGSQL\.|pg_wal\/.+/.test(path),
  });
  const [label] = await db<{ labelfile: string }[]>`select labelfile from pg_backup_stop(true)`;
  await writeFile(join(copy, 'backup_label'), label?.labelfile ?? '');
}

/** Gives files copied by root to the user that PostgreSQL runs as. */
async function giveTo(model: string, copy: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(model);
  const entries = await readdir(copy, { recursive: true, withFileTypes: true });
  for (const path of [copy, ...entries.map((entry) => join(entry.parentPath, entry.name))])
    await chown(path, uid, gid);
}

async function archived(db: Database): Promise<void> {
  const waiting = () => db`select from pg_ls_archive_statusdir() where name like '%.ready'`;
  await eventually(async () => (await waiting()).length === 0);
}
