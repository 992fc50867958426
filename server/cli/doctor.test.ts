import assert from 'node:assert/strict';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemClock } from '#platform/clock.ts';
import { readConfig } from '#platform/config.ts';
import { formatKey } from '#platform/crypto/keyring.ts';
import type { Tx } from '#platform/database.ts';
import { Metrics } from '#platform/monitoring/metrics.ts';
import { systemRandom } from '#platform/random.ts';
import { createAuthority } from '#testing/certificates.ts';
import { columnOf, columnsOf } from '#testing/columns.ts';
import { damage } from '#testing/damage.ts';
import { createEmptyDatabase } from '#testing/database.ts';
import { type Installation, installation } from '#testing/installation.ts';
import { startReceiver } from '#testing/receiver.ts';
import { startS3Server } from '#testing/s3-server.ts';
import { checkVersion } from '../health/database.ts';
import { watchCertificate } from '../health/network.ts';
import { examine } from './doctor.ts';

const NOWHERE = '127.0.0.1:1';

interface Visit {
  environment: Record<string, string | undefined>;
  clock?: { now(): number };
  minFreeBytes?: number;
  maxRows?: number;
  /** Other tests get this database after the test, emptied except for its ledger of migrations. */
  undo?: (tx: Tx) => PromiseLike<unknown>;
}

function examined({ environment, clock = systemClock, minFreeBytes = 0, maxRows = 10 }: Visit) {
  const limits = { minFreeBytes, maxRows, webhookUrl: undefined };
  return examine({ environment, clock, random: systemRandom }, limits);
}

/** The findings of one check. */
async function findingsOf(wanted: string, visit: Visit) {
  return columnsOf(
    (await examined(visit)).filter(({ check }) => check === wanted),
    'state',
    'what',
  );
}

/** The faults that doctor found; each must have a remedy. */
async function faults(visit: Visit) {
  const found = (await examined(visit)).filter(({ state }) => state === 'fault');
  for (const { check, remedy } of found) assert.ok(remedy, `${check} has a remedy`);
  // The database of the tests is not durable, and doctor says so each time.
  return found.filter(({ check }) => check !== 'durability');
}

/** Plants one fault in a sound installation and demands that it, and nothing else, is named. */
function plant(
  check: string,
  what: RegExp,
  sow: (sound: Installation, t: TestContext) => Promise<Partial<Visit>> | Partial<Visit>,
) {
  test(`doctor names a planted fault: ${check}`, async (t) => {
    const sound = await installation(t);
    assert.deepEqual(await faults(sound), []);
    const planted = await sow(sound, t);
    const found = await faults({ ...sound, ...planted });
    await sound.world.db.begin(async (tx) => planted.undo?.(tx));
    assert.deepEqual(columnOf(found, 'check'), [check]);
    assert.match(found[0]?.what ?? '', what);
  });
}

const set = (settings: Record<string, string>) => (sound: Installation) => ({
  environment: { ...sound.environment, ...settings },
});

/** Another address of the database. */
const at = (change: (url: URL) => void) => (sound: Installation) => {
  const url = new URL(sound.environment.DATABASE_URL);
  change(url);
  return set({ DATABASE_URL: url.href })(sound);
};
const withOption = (option: string) => at((url) => url.searchParams.set('options', `-c ${option}`));

plant('settings', /^PORT must be a whole number/, set({ PORT: 'http' }));
plant('public address', /^HOST is 0\.0\.0\.0, but PUBLIC_URL is not set/, set({ HOST: '0.0.0.0' }));
plant('public address', /travel unencrypted/, set({ PUBLIC_URL: 'http://chat.example.com' }));
plant(
  'database host',
  /^127\.0\.0\.1:1 cannot be reached: ECONNREFUSED/,
  at(({ searchParams, hostname, port }) => {
    searchParams.set('host', `${searchParams.get('host') ?? hostname},127.0.0.1`);
    searchParams.set('port', `${port},1`);
  }),
);
plant('database', /cannot be reached: ECONNREFUSED/, set({ DATABASE_URL: `postgres://x@${NOWHERE}/x` }));
plant(
  'database',
  /: password authentication failed for user "x"$|: role "x" does not exist$/,
  at((url) => {
    url.username = 'x';
  }),
);
plant(
  'database',
  /^answers, but does not accept writes: cannot execute .* in a read-only transaction$/,
  withOption('default_transaction_read_only=on'),
);
plant('Redis', /no answer from 127\.0\.0\.1:1 \(ECONNREFUSED\)/, set({ REDIS_URL: `redis://${NOWHERE}` }));
plant(
  'mail',
  /^127\.0\.0\.1:1 does not accept mail: connect ECONNREFUSED/,
  set({ SMTP_URL: `smtp://${NOWHERE}` }),
);
plant(
  'connections',
  /make \d+ connections, but the database allows \d+$/,
  set({ DATABASE_POOL_SIZE: '500' }),
);
plant('disk', /GiB are free/, () => ({ minFreeBytes: 2 ** 60 }));
plant('uploads', /media has mode 755: others on this machine may read uploads$/, async ({ directory }) => {
  await mkdir(join(directory, 'media'));
  await chmod(join(directory, 'media'), 0o755);
  return {};
});
plant('clock', /are 600 s apart$/, () => ({ clock: { now: () => systemClock.now() + 600_000 } }));
plant('key file', /has mode 644: others may read it$/, async ({ keys }) => {
  await chmod(keys, 0o644);
  return {};
});
plant('keys', /^encryption key 1 is not the one/, async ({ keys }) => {
  await writeFile(keys, formatKey(1, systemRandom.bytes(32)));
  return {};
});
plant('keys', /written with encryption key 1, which is missing$/, async ({ keys }) => {
  await writeFile(keys, formatKey(2, systemRandom.bytes(32)));
  return {};
});
plant('schema', /^not yet applied: 0010_media\.sql$/, async ({ world }) => {
  await world.db.begin((tx) => tx`delete from schema_migrations where name = '0010_media.sql'`);
  return {
    undo: (tx) => tx`insert into schema_migrations (name, applied_at) values ('0010_media.sql', 0)`,
  };
});
plant('schema', /is of a version before 0\.2$/, async ({ world }) => {
  await world.db.begin(
    (tx) => tx`insert into schema_migrations (name, applied_at) values ('0000_encryption_keys.sql', 0)`,
  );
  return { undo: (tx) => tx`delete from schema_migrations where name = '0000_encryption_keys.sql'` };
});
plant('schema', /belongs to a later version \(9999_future\.sql\)$/, async ({ world }) => {
  await world.db.begin(
    (tx) => tx`insert into schema_migrations (name, applied_at) values ('9999_future.sql', 0)`,
  );
  return { undo: (tx) => tx`delete from schema_migrations where name = '9999_future.sql'` };
});
plant('webhook egress', /^1 of 1 receivers cannot be reached: nowhere\.invalid \(dns/, async ({ world }) => {
  await world.bot({ webhookUrl: 'https://nowhere.invalid/hook?token=secret' });
  return {};
});
plant(
  'data directory',
  /^\/proc\/parley cannot be written by user id \d+: ENOENT$/,
  set({ DATA_DIR: '/proc/parley/data' }),
);
plant('certificate', /cannot be reached over TLS: CERT_HAS_EXPIRED$/, async (sound, t) => {
  const authority = createAuthority();
  const expired = await startReceiver({ host: 'localhost', authority, tls: 'expired' });
  t.after(() => expired[Symbol.asyncDispose]());
  const ca = join(sound.directory, 'ca.pem');
  await writeFile(ca, authority.pem);
  return set({ PUBLIC_URL: new URL(expired.url).origin, WEBHOOK_CA_FILE: ca })(sound);
});

test('doctor warns of variables that are nearly settings, and of no others', async (t) => {
  const { environment, world } = await installation(t);
  const { clock } = world;
  const look = (more: object) => findingsOf('settings', { environment: { ...environment, ...more }, clock });
  for (const [typed, meant] of [
    ['PULBIC_URL', 'PUBLIC_URL'],
    ['SIGNUPS', 'SIGN_UPS'],
    ['MESSAGE_RETENTION_DAY', 'MESSAGE_RETENTION_DAYS'],
    ['REDIS_URI', 'REDIS_URL'],
    ['LOG_LEVELS', 'LOG_LEVEL'],
  ] as const)
    assert.deepEqual(await look({ [typed]: 'x' }), [
      ['warning', `${typed} is no setting: is ${meant} meant?`],
    ]);
  const others = {
    HOME: '/root',
    POST: '1',
    PATH: '/bin',
    LOGNAME: 'root',
    AWS_REGION: 'eu',
    PARLEY_URL: 'x',
  };
  assert.deepEqual(await look(others), [['ok', 'all readable']]);
});

test('the metric of the certificate also tells that it has expired', async () => {
  await using expired = await startReceiver({ host: 'localhost', tls: 'expired' });
  const read = async (settings: Record<string, string>) => {
    const metrics = new Metrics();
    watchCertificate({ config: readConfig(settings), clock: systemClock, metrics });
    const [, value = ''] = /^parley_certificate_expiry_seconds (\S+)$/m.exec(await metrics.render()) ?? [];
    return Number(value.replace('Inf', 'Infinity'));
  };
  assert.ok((await read({ PUBLIC_URL: new URL(expired.url).origin })) < 0);
  assert.equal(await read({ PUBLIC_URL: `https://${NOWHERE}` }), Number.POSITIVE_INFINITY);
  assert.equal(await read({}), Number.POSITIVE_INFINITY);
});

test('doctor names a planted fault: durability', async (t) => {
  const weak = withOption('synchronous_commit=off')(await installation(t));
  const [fault] = await findingsOf('durability', weak);
  assert.match(
    String(fault),
    /^fault,.*synchronous_commit is off: a power cut can lose acknowledged messages$/s,
  );
});

test('a webhook host that answers is fine, a dead one beside it only a warning', async (t) => {
  const { world, environment, directory } = await installation(t);
  const authority = createAuthority();
  await using alive = await startReceiver({ host: '127.0.0.1', authority });
  const ca = join(directory, 'ca.pem');
  await writeFile(ca, authority.pem);
  await world.bot({ webhookUrl: alive.url });
  await world.bot({ webhookUrl: 'https://nowhere.invalid/hook' });
  const trusting = { ...environment, WEBHOOK_TRUSTED_HOSTS: '127.0.0.1', WEBHOOK_CA_FILE: ca };
  const [egress] = await findingsOf('webhook egress', { environment: trusting });
  assert.match(String(egress), /^warning,1 of 2 receivers cannot be reached: no/);
});

test('an empty database is only waiting for its first start; an old PostgreSQL is a fault', async (t) => {
  const { environment } = await installation(t);
  await using empty = await createEmptyDatabase();
  assert.deepEqual(await faults({ environment: { ...environment, DATABASE_URL: empty.url } }), []);
  assert.equal(checkVersion(150_004).state, 'ok');
  assert.deepEqual(checkVersion(140_011).what, 'PostgreSQL 14 is too old');
});

test('doctor counts the unreadable rows of each table, and checks no more rows than requested', async (t) => {
  const { world, environment } = await installation(t);
  const [ada, bob] = [await world.person('Ada'), await world.person('Bob')];
  const lost: string[] = [];
  for (let i = 0; i < 3; i++) lost.push((await ada.writes(bob, 'lost')).msgId);
  const look = (maxRows: number) => findingsOf('stored rows', { environment, maxRows });
  assert.deepEqual(await look(4), [['ok', 'all can be read']]);
  assert.deepEqual(await look(3), [['ok', 'the first 3 of each table can be read']]);
  await damage(world.db, { table: 'messages', column: 'body' }, 'all');
  await ada.writes(bob, 'kept');
  assert.deepEqual(await look(10), [
    ['fault', `3 of 4 rows of messages cannot be read, in body: ${lost.join(', ')}`],
  ]);
  assert.deepEqual(await look(2), [
    ['fault', `2 of 2 rows of messages cannot be read, in body: ${lost.slice(0, 2).join(', ')}`],
  ]);
});

test('doctor knows a store of uploads without the bucket, one that is away, and one without the earlier uploads', async (t) => {
  const { environment, directory } = await installation(t);
  await using store = await startS3Server();
  const { endpoint, bucket, region, accessKeyId, secretAccessKey } = store.config;
  const settings = {
    ...environment,
    S3_ENDPOINT: endpoint,
    S3_BUCKET: bucket,
    S3_REGION: region,
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  };
  const find = async (wrong: Record<string, string>) =>
    String(await findingsOf('upload store', { environment: { ...settings, ...wrong } }));
  assert.match(await find({}), /^ok,/);
  assert.match(
    await find({ S3_BUCKET: 'others' }),
    /^fault,.* cannot be used: the S3 store answered HEAD with 404$/,
  );
  assert.match(await find({ S3_SECRET_ACCESS_KEY: 'other' }), /^fault,.* HEAD with 403$/);
  assert.match(await find({ S3_ENDPOINT: 'http://127.0.0.1:2' }), /^fault,.* cannot be used: ECONNREFUSED$/);
  const findFiles = async () => String(await findingsOf('uploads', { environment: settings }));
  await mkdir(join(directory, 'media', 'staging'), { recursive: true, mode: 0o700 });
  assert.match(await findFiles(), /^ok,/);
  await mkdir(join(directory, 'media', '3f'));
  assert.match(
    await findFiles(),
    /^warning,there are files in .*media, but uploads are served from the S3 store$/,
  );
});
