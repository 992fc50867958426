import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LIMIT_SETTINGS } from './config/limit-settings.ts';
import { SETTINGS } from './config/settings.ts';
import { ConfigError, readConfig } from './config.ts';

function faultsOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig(environment);
  } catch (error) {
    assert.ok(error instanceof ConfigError, `${error}`);
    return error.faults;
  }
  return [];
}

test('missing settings have defaults, and an empty text counts as missing', () => {
  const config = readConfig({});
  assert.partialDeepStrictEqual(config, {
    port: 3000,
    host: '127.0.0.1',
    publicUrl: undefined,
    dataDir: './data',
    databaseUrl: undefined,
    roles: ['api', 'worker'],
    requestsPerMinute: 60,
    trustProxy: [],
    webhookTrustedHosts: [],
  });
  const empty = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, '']));
  assert.deepEqual(readConfig({ ...empty, UNKNOWN: 'x' }), config);
});

test('settings are read', () => {
  const config = readConfig({
    PORT: '8080',
    PUBLIC_URL: 'https://Chat.Example.com:443/',
    DATABASE_URL: 'postgresql://me:pw@db/parley',
    ROLES: 'worker',
    PROCESSES: '2',
    REDIS_URL: 'redis://a.example:7000, redis://b.example:7001',
    SERVICE_NAME: 'Acme2',
    TRUST_PROXY: '10.0.0.0/8, fd00::/8 ,',
    WEBHOOK_TRUSTED_HOSTS: 'localhost:4000,receiver',
    LOG_LEVEL: 'silent',
    S3_ENDPOINT: 'https://store.example/storage/v1/s3/',
    S3_BUCKET: 'uploads',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  });
  assert.equal(config.s3?.endpoint, 'https://store.example/storage/v1/s3', 'below a path, as some are');
  assert.equal(config.port, 8080);
  assert.equal(config.publicUrl, 'https://chat.example.com');
  assert.equal(config.databaseUrl, 'postgresql://me:pw@db/parley');
  assert.deepEqual(config.roles, ['worker']);
  assert.equal(config.processes, 2);
  assert.deepEqual(config.redisUrls, ['redis://a.example:7000', 'redis://b.example:7001']);
  assert.equal(config.serviceName, 'Acme2');
  assert.deepEqual(config.trustProxy, ['10.0.0.0/8', 'fd00::/8']);
  assert.deepEqual(config.webhookTrustedHosts, ['localhost:4000', 'receiver']);
  assert.equal(config.logLevel, 'silent');
});

test('every fault is reported at once, by name', () => {
  const environment = {
    PORT: 'http',
    PUBLIC_URL: 'chat.example.com',
    DATABASE_URL: 'mysql://db',
    DATABASE_POOL_SIZE: '1',
    ROLES: 'api,boss',
    REDIS_URL: 'redis.example:6379',
    SERVICE_NAME: 'a b',
    TRUST_PROXY: 'true',
    WEBHOOK_TRUSTED_HOSTS: 'http://localhost',
    WEBHOOK_CA_FILE: 'package.json',
    SMTP_URL: 'mail.example.com',
    ALERT_FROM: 'Parley',
    METRICS_TOKEN: 'short',
    LOG_LEVEL: 'loud',
    MASTER_KEYS: 'x',
    MASTER_KEYS_FILE: 'y',
    // These need others, which are set, although wrong.
    PROCESSES: '2',
    SIGN_UPS: 'domains:example.com',
    S3_ENDPOINT: 's3.example.com',
    S3_BUCKET: 'uploads',
    S3_ACCESS_KEY_ID: 'key',
    S3_SECRET_ACCESS_KEY: 'secret',
  };
  const faults = [
    'PORT must be a whole number from 0 to 65535',
    'PUBLIC_URL must be an address such as https://chat.example.com, without a path',
    'DATABASE_URL must begin with postgres://',
    'DATABASE_POOL_SIZE must be a whole number from 2 to 500',
    'MASTER_KEYS each key must have the form <id>:<64 hexadecimal digits>',
    'ROLES must be api, worker or api,worker',
    'REDIS_URL must be such as redis://redis.example.com:6379, several of one cluster separated by commas',
    'SERVICE_NAME must be 2 to 31 letters and digits, a letter first',
    'S3_ENDPOINT must be an address such as https://s3.eu-central-1.amazonaws.com',
    'TRUST_PROXY must be CIDR ranges such as 10.0.0.0/8, separated by commas',
    'WEBHOOK_TRUSTED_HOSTS must be host or host:port, not "http://localhost"',
    'WEBHOOK_CA_FILE must name a PEM file of certificates: error:0480006C:PEM routines::no start line',
    'SMTP_URL must be such as smtps://user:password@mail.example.com',
    'ALERT_FROM must be such as Parley <parley@example.com>',
    'METRICS_TOKEN must be 16 visible ASCII characters or more',
    'LOG_LEVEL must be one of fatal, error, warn, info, debug, trace, silent',
    'MASTER_KEYS and MASTER_KEYS_FILE are both set; keep one',
  ];
  assert.deepEqual(faultsOf(environment), faults);
  assert.throws(() => readConfig(environment), {
    name: 'ConfigError',
    message: `the settings are not right:\n${faults.map((fault) => `  ${fault}`).join('\n')}`,
  });
});

test('several processes without a shared Redis are refused with the reason', () => {
  const why = 'REDIS_URL is not set: several processes share quotas and live events through it';
  assert.deepEqual(faultsOf({ PROCESSES: '2' }), [`PROCESSES is 2 but ${why}`]);
  assert.deepEqual(faultsOf({ ROLES: 'api' }), [
    `ROLES is api, so the worker is another process, but ${why}`,
  ]);
  assert.deepEqual(faultsOf({ ROLES: 'worker' }), [
    `ROLES is worker, so the api is another process, but ${why}`,
  ]);
  const shared = { REDIS_URL: 'rediss://user:password@redis.example.com' };
  for (const ROLES of ['api', 'worker', 'api,worker'])
    assert.deepEqual(faultsOf({ ROLES, PROCESSES: '4', ...shared }), []);
  assert.match(faultsOf({ PROCESSES: '4', REDIS_URL: ',' }).join(), /^REDIS_URL must be such as/);
});

test('the embedded database of several processes is no setting', () => {
  const url = 'postgres://me@127.0.0.1/postgres';
  const { databaseUrl, shown } = readConfig({ EMBEDDED_DATABASE_URL: url });
  assert.equal(databaseUrl, url);
  assert.equal(shown.find(({ name }) => name === 'DATABASE_URL')?.value, undefined);
});

test('a process does not listen twice on one port', () => {
  assert.deepEqual(faultsOf({ METRICS_PORT: '3000' }), [
    'METRICS_PORT and PORT are both 3000; they must differ',
  ]);
  assert.deepEqual(faultsOf({ PORT: '0', METRICS_PORT: '0' }), []);
  const worker = { ROLES: 'worker', REDIS_URL: 'redis://redis.example.com' };
  assert.deepEqual(faultsOf({ METRICS_PORT: '3000', ...worker }), []);
});

/** Of settings that have a form of their own: what they take, and what not. */
const FORMS: Record<string, { takes: string[]; refuses: string[] }> = {
  DATABASE_POOL_SIZE: {
    takes: ['2', '500'],
    refuses: ['1', '501', '1e3', '0x10', ' 5', '5.0', '+5', '५'],
  },
  PUBLIC_URL: {
    takes: ['http://localhost:3000', 'https://a.example', 'https://a.example/'],
    refuses: [
      'ftp://a.example',
      'x',
      ...['x', '?x', '#x'].map((end) => `https://a.example/${end}`),
      'https://u@a.example',
    ],
  },
  TRUST_PROXY: {
    takes: ['10.0.0.0/8', '192.0.2.1/32', '0.0.0.0/0', '::1/128'],
    refuses: [
      '10.0.0.1',
      'loopback',
      '1',
      '10.0.0.0/33',
      '::1/129',
      '10.0.0.0/8/8',
      '10.0.0.0/',
      '10.0.0.0/x',
    ],
  },
  SERVICE_NAME: {
    takes: ['Ab', `A${'1'.repeat(30)}`],
    refuses: ['A', `A${'1'.repeat(31)}`, '1A', 'A-b', 'Ä1', 'A\nb'],
  },
  ALERT_FROM: {
    takes: ['a@localhost', 'Parley <a@example.com>', '"Parley, Inc." <a@example.com>', '<a@example.com>'],
    refuses: ['Parley', 'a@b, c@d', 'A <a@b>, B <c@d>', 'A <a@b', 'A a@b', 'A <a>'],
  },
};

/** The least and the greatest of whole numbers. */
const RANGES: Record<string, [least: number, greatest: number]> = {
  ...Object.fromEntries(Object.keys(LIMIT_SETTINGS).map((name) => [name, [1, 1_000_000_000]])),
  REQUESTS_PER_MINUTE: [1, 1_000_000_000],
  MAX_GROUP_MEMBERS: [1, 100_000],
  STORY_LIFETIME_HOURS: [0, 8760],
  UPLOAD_MB_PER_DAY: [1, 1_000_000],
  EVENT_RETENTION_DAYS: [1, 365],
  PORT: [0, 65_535],
  METRICS_PORT: [0, 65_535],
};

test('whole numbers have their limits', () => {
  for (const [name, [least, greatest]] of Object.entries(RANGES)) {
    for (const value of [least, greatest]) assert.deepEqual(faultsOf({ [name]: `${value}` }), [], name);
    for (const value of [least - 1, greatest + 1])
      assert.equal(faultsOf({ [name]: `${value}` }).length, 1, `${name} ${value}`);
  }
});

for (const [name, { takes, refuses }] of Object.entries(FORMS))
  test(`${name} takes what has its form, and nothing else`, () => {
    for (const value of takes) assert.deepEqual(faultsOf({ [name]: value }), [], value);
    for (const value of refuses) assert.equal(faultsOf({ [name]: value }).length, 1, value);
  });

test('an unreadable file is named with its setting', () => {
  const [fault] = faultsOf({ WEBHOOK_CA_FILE: '/nowhere/ca.pem' });
  assert.match(
    fault ?? '',
    /^WEBHOOK_CA_FILE must name a PEM file of certificates: ENOENT.*\/nowhere\/ca\.pem/,
  );
});
