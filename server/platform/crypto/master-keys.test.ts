import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createTestPlatform } from '#testing/platform.ts';
import { scratchFolder } from '#testing/scratch-folder.ts';
import { prepareStorage } from '../../server.ts';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../database.ts';
import { createLog } from '../log.ts';
import { systemRandom } from '../random.ts';
import { formatKey, KEY_BYTES, Keyring } from './keyring.ts';
import { loadKeyring, MasterKeyError, proveKeyring } from './master-keys.ts';

const CONTEXT = { table: 'messages', rowId: 'msg_1' };
const key = () => systemRandom.bytes(KEY_BYTES);
const keyringOf = (...keys: [id: number, key: Buffer][]) => new Keyring(new Map(keys), systemRandom);
const KEY = formatKey(7, key());
const UNSET = { masterKeys: undefined, masterKeysFile: undefined, databaseUrl: undefined };

async function scratch(t: TestContext) {
  const dataDir = await scratchFolder(t);
  const warnings: string[] = [];
  const log = { warn: (message: string) => warnings.push(message) };
  const load = (settings: Partial<Parameters<typeof loadKeyring>[0]>) =>
    loadKeyring(
      { ...UNSET, dataDir, ...settings },
      { random: systemRandom, clock: systemClock, log: log as never },
    );
  return { dataDir, warnings, load };
}

function fault(message: string | RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof MasterKeyError, `${error}`);
    if (typeof message === 'string') assert.equal(error.message, message);
    else assert.match(error.message, message);
    return true;
  };
}

test('the first start creates a key that only its owner may read, with a warning, and later starts use it', async (t) => {
  const { dataDir, warnings, load } = await scratch(t);
  const path = join(dataDir, 'new', 'master.keys');
  const first = await load({ dataDir: join(dataDir, 'new') });
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.equal((await stat(join(dataDir, 'new'))).mode & 0o777, 0o700);
  assert.match(await readFile(path, 'utf8'), /^1:[0-9a-f]{64}\n$/);
  assert.deepEqual(warnings, [
    `made the encryption key ${path}: back it up, without it no message can be read`,
  ]);
  const second = await load({ dataDir: join(dataDir, 'new') });
  assert.equal(String(second.open(CONTEXT, first.seal(CONTEXT, Buffer.from('text')))), 'text');
  assert.equal(warnings.length, 1);
});

test('keys come from the settings or a file that they name', async (t) => {
  const { dataDir, load } = await scratch(t);
  const masterKeysFile = join(dataDir, 'my.keys');
  await writeFile(masterKeysFile, `${KEY}\n`);
  assert.deepEqual((await load({ masterKeys: KEY })).keyIds, [7]);
  assert.deepEqual((await load({ masterKeysFile, databaseUrl: 'postgres://db' })).keyIds, [7]);
});

test('no key is created for a database of another installation', async (t) => {
  const { dataDir, load } = await scratch(t);
  const message =
    'DATABASE_URL needs MASTER_KEYS or MASTER_KEYS_FILE; make a key with: npm run parley -- keys new';
  await assert.rejects(load({ databaseUrl: 'postgres://db' }), fault(message));
  await assert.rejects(stat(join(dataDir, 'master.keys')), { code: 'ENOENT' });
});

test('no key is created for a database whose keys are missing, and the error says where they are expected', async (t) => {
  const { dataDir, load } = await scratch(t);
  const path = join(dataDir, 'master.keys');
  await mkdir(join(dataDir, 'postgres'));
  await assert.rejects(
    load({}),
    fault(
      `${dataDir} holds a database, but not its encryption keys, which are expected in ${path}: ` +
        'bring that file back; a new key would open no message, so none was made',
    ),
  );
  assert.deepEqual(await readdir(dataDir), ['postgres']);

  await using platform = await createTestPlatform();
  const { db, clock } = platform;
  const databaseUrl = platform.config.databaseUrl;
  await assert.rejects(load({ databaseUrl }), fault(/^DATABASE_URL needs MASTER_KEYS .*keys new$/));
  await proveKeyring({ db, clock, keyring: keyringOf([3, key()]) });
  await assert.rejects(
    load({ databaseUrl }),
    fault(
      'the database of DATABASE_URL was written with encryption key 3, which is expected in MASTER_KEYS, in the file ' +
        `that MASTER_KEYS_FILE names, or in ${path}: bring it back; a new key would open no message, so none was made`,
    ),
  );
  assert.deepEqual(await readdir(dataDir), ['postgres']);
});

test('a server whose keys are not those of its database changes nothing there', async (t) => {
  const { dataDir } = await scratch(t);
  await using platform = await createTestPlatform();
  const { db, clock } = platform;
  await proveKeyring({ db, clock, keyring: keyringOf([3, key()]) });
  const [last] = await db<{ name: string }[]>`
    delete from schema_migrations where name = (select max(name) from schema_migrations) returning name`;
  await using started = new AsyncDisposableStack();
  const environment = { DATABASE_URL: platform.config.databaseUrl, MASTER_KEYS: KEY, DATA_DIR: dataDir };
  await assert.rejects(
    prepareStorage(readConfig(environment), createLog('silent'), started),
    fault(
      'this database was written with encryption key 3, which is missing; the keys were read from MASTER_KEYS',
    ),
  );
  const applied = await db`select name from schema_migrations where name = ${last?.name ?? ''}`;
  assert.deepEqual([...applied], [], 'nothing was migrated');
  await db`insert into schema_migrations (name, applied_at) values (${last?.name ?? ''}, 0)`;
});

test('a fault of the keys is reported with its location', async (t) => {
  const { dataDir, load } = await scratch(t);
  const form = 'are not right: each key must have the form <id>:<64 hexadecimal digits>';
  await assert.rejects(load({ masterKeys: 'secret' }), fault(`the encryption keys in MASTER_KEYS ${form}`));
  const path = join(dataDir, 'master.keys');
  await assert.rejects(
    load({ masterKeysFile: path }),
    fault(`MASTER_KEYS_FILE names ${path}, which does not exist`),
  );
  await writeFile(path, 'secret');
  await assert.rejects(load({}), fault(`the encryption keys in ${path} ${form}`));
  await assert.rejects(
    load({ masterKeysFile: dataDir }),
    fault(/^the encryption keys in .* cannot be read: EISDIR/),
  );
});

/** Fails whatever writes. */
function readOnly(db: Database): Database {
  const refuse = () => assert.fail('a known key needs no write');
  return new Proxy(db, {
    get: (target, name) => (name === 'begin' || name === 'write' ? refuse : Reflect.get(target, name)),
  });
}

test('the database proves that the keys belong to it', async () => {
  await using platform = await createTestPlatform();
  const { db, clock } = platform;
  const prove = (...keys: [number, Buffer][]) => proveKeyring({ db, clock, keyring: keyringOf(...keys) });
  const [first, second, foreign] = [key(), key(), key()];
  await prove([1, first]);
  await proveKeyring({ db: readOnly(db), clock, keyring: keyringOf([1, first]) });
  await assert.rejects(
    prove([1, foreign]),
    fault('encryption key 1 is not the one that this database was written with'),
  );
  await assert.rejects(
    prove([2, second]),
    fault('this database was written with encryption key 1, which is missing'),
  );
  await prove([1, first], [2, second]);
  await assert.rejects(
    prove([1, first]),
    fault('this database was written with encryption key 2, which is missing'),
  );
  const rows = await db`select key_id, created_at from encryption_keys order by key_id`;
  assert.deepEqual(
    [...rows],
    [1, 2].map((keyId) => ({ keyId, createdAt: clock.now() })),
  );
});

test('two processes that prove their first key concurrently agree on one key', async () => {
  await using platform = await createTestPlatform();
  const { db, clock } = platform;
  const prove = (bytes: Buffer) => proveKeyring({ db, clock, keyring: keyringOf([1, bytes]) });
  const same = key();
  await Promise.all([prove(same), prove(same), prove(same)]);
  await prove(same);
  await db`delete from encryption_keys`;
  const outcomes = await Promise.allSettled([prove(key()), prove(key())]);
  assert.deepEqual(outcomes.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});
