import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { insertMedia, updateUsed } from '#features/media/queries.ts';
import { formatKey } from '#platform/crypto/keyring.ts';
import { proveKeyring } from '#platform/crypto/master-keys.ts';
import type { Value } from '#platform/database/values.ts';
import { systemRandom } from '#platform/random.ts';
import { createSchema, listMigrationFiles } from '#platform/schema/migrate.ts';
import { listing, opened, backupScene as scene } from '#testing/backup-scene.ts';
import { createEmptyDatabase } from '#testing/database.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';

test('a restore that is refused or fails leaves the folder and the database as it found them', async (t) => {
  const { world, directory, environment, file, run } = await scene(t);
  await (await world.person()).writes(await world.bot(), 'Hello');
  await mkdir(join(directory, 'media', 'ab'), { recursive: true });
  await writeFile(join(directory, 'media', 'ab', 'picture'), systemRandom.bytes(900_000));
  await run('backup', { flags: ['with-keys'] });
  // Found out late: after the tables, during the uploads.
  const damaged = await readFile(file);
  damaged[damaged.length - 100] = (damaged[damaged.length - 100] ?? 0) ^ 1;
  await writeFile(join(directory, 'damaged'), damaged);
  const otherKeys = join(directory, 'other.keys');
  await writeFile(otherKeys, formatKey(1, systemRandom.bytes(32)), { mode: 0o600 });

  await using empty = await createEmptyDatabase();
  const target = await scratchFolder(t);
  await mkdir(join(target, 'occupied', 'postgres'), { recursive: true });
  await mkdir(join(target, 'uploads', 'media', 'ab'), { recursive: true });
  await writeFile(join(target, 'uploads', 'media', 'ab', 'theirs'), 'theirs');
  await mkdir(join(target, 'empty'), { mode: 0o700 });
  await mkdir(join(target, 'beside'));
  await writeFile(join(target, 'beside', 'notes'), 'mine');
  const embedded = { DATABASE_URL: '', MASTER_KEYS_FILE: '' };
  const external = { DATABASE_URL: empty.url };
  const cases: [string, RegExp, { on?: string } & Record<string, string>][] = [
    ['empty', /passphrase does not open/, { ...embedded, PARLEY_BACKUP_PASSPHRASE: 'another passphrase' }],
    ['new/deep', /passphrase does not open/, { ...embedded, PARLEY_BACKUP_PASSPHRASE: 'another passphrase' }],
    ['occupied', /occupied already contains a database: restore into a new folder$/, embedded],
    ['uploads', /media already contains uploads: restore into a new folder$/, embedded],
    ['uploads', /media already contains uploads/, external],
    ['beside', /^Error: the database is not empty/, { DATABASE_URL: environment.DATABASE_URL }],
    ['empty', /damaged or cut off/, { ...embedded, on: 'damaged' }],
    ['new/deep', /damaged or cut off/, { ...embedded, on: 'damaged' }],
    ['beside', /damaged or cut off/, { ...external, MASTER_KEYS_FILE: '', on: 'damaged' }],
    ['beside', /encryption key 1 is not the one/, { ...external, MASTER_KEYS_FILE: otherKeys }],
  ];
  const before = await listing(target);
  for (const [dataDir, message, { on = 'parley.backup', ...settings }] of cases) {
    const restoring = run('restore', {
      on: join(directory, on),
      settings: { ...settings, DATA_DIR: join(target, dataDir) },
    });
    await assert.rejects(restoring, message, `${dataDir} ${message}`);
    assert.deepEqual(await listing(target), before, `${dataDir} ${message}`);
  }
  const db = opened(t, empty);
  assert.deepEqual([...(await db`select tablename from pg_tables where schemaname = 'public'`)], []);

  const whole = await run('restore', { settings: { ...embedded, DATA_DIR: join(target, 'new', 'deep') } });
  assert.match(
    whole.text,
    /^restored \d+ rows in \d+ tables and 1 files.*\nthe encryption keys are in .*deep\/master.keys$/,
  );
});

test('once all rows are there, uploads and keys stay with them, also when a later migration fails', async (t) => {
  const { world, directory, run } = await scene(t);
  await mkdir(join(directory, 'media', 'ab'), { recursive: true });
  await writeFile(join(directory, 'media', 'ab', 'picture'), 'a cat');
  await using older = await createEmptyDatabase();
  const db = opened(t, older);
  const migrations = (await listMigrationFiles()).filter((name) => !name.startsWith('0149_'));
  const create = (text: string, values: unknown[] = []) => db.unsafe(text, values as Value[]);
  await createSchema(create, { migrations, now: 0 });
  await proveKeyring({ ...world, db });
  await run('backup', { flags: ['with-keys'], settings: { DATABASE_URL: older.url } });

  await using empty = await createEmptyDatabase();
  const there = opened(t, empty);
  await there`create view story_views_by_owner as select 1 as one`;
  const dataDir = join(directory, 'restored');
  const settings = { DATABASE_URL: empty.url, MASTER_KEYS_FILE: '', DATA_DIR: dataDir };
  await assert.rejects(
    run('restore', { settings }),
    /^Error: all is restored, but a later migration failed, .*exists$/,
  );
  assert.equal((await there`select from encryption_keys`).length, 1);
  assert.equal(await readFile(join(dataDir, 'media', 'ab', 'picture'), 'utf8'), 'a cat');
  assert.match(await readFile(join(dataDir, 'master.keys'), 'utf8'), /^1/);
});

test('a backup with keys and without uploads goes into a database of its own, and a folder that does not exist yet', async (t) => {
  const { directory, environment, run } = await scene(t);
  await run('backup', { flags: ['with-keys'] });
  await using empty = await createEmptyDatabase();
  const dataDir = join(directory, 'new', 'deep');
  const settings = { DATABASE_URL: empty.url, MASTER_KEYS_FILE: '', DATA_DIR: dataDir };
  const { text } = await run('restore', { settings });
  assert.match(text, /\nthe encryption keys are in .*deep\/master.keys$/);
  const keys = await readFile(environment.MASTER_KEYS_FILE, 'utf8');
  assert.equal(await readFile(join(dataDir, 'master.keys'), 'utf8'), keys);
});

test('a restore says whether the server finds the keys of the backup', async (t) => {
  const { directory, environment, run } = await scene(t);
  await run('backup');
  for (const [keyFile, told] of [
    [environment.MASTER_KEYS_FILE, /\nthe encryption keys of the settings are those of the backup$/],
    ['', /\nthe server needs the encryption keys 1$/],
  ] as const) {
    await using empty = await createEmptyDatabase();
    const settings = { DATABASE_URL: empty.url, MASTER_KEYS_FILE: keyFile, DATA_DIR: join(directory, 'new') };
    const { text } = await run('restore', { settings });
    assert.match(text, told);
  }
});

test('uploads in an object store are named, with how to copy them, by the backup and by the restore', async (t) => {
  const { world, directory, run } = await scene(t);
  const { accountId } = await world.person();
  const sealed = world.keyring.seal({ table: 'media', rowId: 'm1' }, Buffer.from('cat.png'));
  await world.db.begin((tx) =>
    insertMedia(tx, {
      mediaId: 'm1',
      ownerId: accountId,
      kind: 'image',
      contentType: 'image/png',
      fileName: sealed.ciphertext,
      fileNameKeyId: sealed.keyId,
      size: 9,
      createdAt: world.clock.now(),
    }),
  );
  await world.db.begin((tx) => updateUsed(tx, 'm1', world.clock.now()));
  await assert.rejects(
    run('backup'),
    /^Error: people use 1 uploads, but .*media does not exist: set DATA_DIR, or S3_\*, as for the server$/,
  );
  await mkdir(join(directory, 'media'));
  const incomplete = await run('backup', { on: join(directory, 'incomplete') });
  assert.match(incomplete.text, /\n1 uploads have no file in .*media\n/);

  const settings = {
    S3_ENDPOINT: 'https://s3.example.com',
    S3_BUCKET: 'uploads',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  const { text, data } = await run('backup', { settings });
  const where = '1 uploads are in the bucket uploads of https://s3.example.com';
  const address = 's3://uploads/media --endpoint-url https://s3.example.com';
  assert.ok(text.includes(`\n${where}, not in it; copy them: aws s3 sync ${address} <folder>\n`), text);
  const store = { endpoint: 'https://s3.example.com', bucket: 'uploads', files: 1 };
  assert.deepEqual((data as { store: object }).store, store);
  await using empty = await createEmptyDatabase();
  const restored = await run('restore', {
    settings: { ...settings, DATABASE_URL: empty.url, DATA_DIR: join(directory, 'elsewhere') },
  });
  assert.ok(
    restored.text.endsWith(`\n${where}; copied ones go back: aws s3 sync <folder> ${address}`),
    restored.text,
  );
});
