import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { LIMITS } from '#contract/limits.ts';

/** One setting: how its text is read, what holds when it is not set, and what an operator needs to know. */
interface Setting<T> {
  read: (text: string) => T;
  fallback: T;
  about: string;
  /** How the fallback is shown to people, where its own text would not say it. */
  shownFallback?: string;
}

function setting<T>(definition: Setting<T>): Setting<T> {
  return definition;
}

export const SETTINGS = {
  PORT: setting({
    read: integer(0, 65_535),
    fallback: 3000,
    about: 'Port to listen on; 0 takes a free one.',
  }),
  HOST: setting({ read: text, fallback: '127.0.0.1', about: 'Address to listen on; `0.0.0.0` for all.' }),
  PUBLIC_URL: setting({
    read: origin,
    fallback: undefined,
    about: 'The address at which people and bots reach this server; `https://…` in production.',
    shownFallback: '`http://localhost:PORT`',
  }),
  DATA_DIR: setting({
    read: text,
    fallback: './data',
    about: 'Where the embedded database, the keys and the uploads live.',
  }),
  DATABASE_URL: setting({
    read: databaseUrl,
    fallback: undefined,
    about: 'An existing PostgreSQL (15 or later) instead of the embedded one.',
    shownFallback: 'embedded',
  }),
  DATABASE_POOL_SIZE: setting({ read: integer(2, 500), fallback: 10, about: 'Connections to the database.' }),
  MASTER_KEYS: setting({
    read: text,
    fallback: undefined,
    about: 'Encryption keys, `<id>:<64 hex digits>` separated by commas; the highest id encrypts.',
    shownFallback: '`DATA_DIR/master.keys`',
  }),
  MASTER_KEYS_FILE: setting({
    read: text,
    fallback: undefined,
    about: 'A file that holds the encryption keys, one per line, instead of `MASTER_KEYS`.',
    shownFallback: '`DATA_DIR/master.keys`',
  }),
  ROLES: setting({
    read: roles,
    fallback: ['api', 'worker'] as Role[],
    about: 'What this process does: `api`, `worker` or both.',
    shownFallback: '`api,worker`',
  }),
  PROCESSES: setting({
    read: integer(1, 128),
    fallback: 1,
    about: 'Processes on this machine that share its port; more than 1 need `REDIS_URL`.',
  }),
  REDIS_URL: setting({
    read: redisUrls,
    fallback: [] as string[],
    about:
      'Redis 7 or later, `redis://` or `rediss://`, that several processes share quotas and live events through; of a cluster one address or more, separated by commas.',
    shownFallback: 'not set',
  }),
  SERVICE_NAME: setting({
    read: serviceName,
    fallback: undefined,
    about: 'The name that webhook headers carry beside `Service`, and that bot usernames may not contain.',
    shownFallback: 'not set',
  }),
  MANAGEMENT_BOT_USERNAME: setting({
    read: botUsername,
    fallback: 'managerbot',
    about: 'Username of the built-in bot with which people make and manage bots of their own in the chat.',
  }),
  REQUESTS_PER_MINUTE: setting({
    read: integer(1, 1_000_000_000),
    fallback: LIMITS.requestsPerMinute as number,
    about: 'Quota that a new application starts with, per credential and endpoint.',
  }),
  SIGN_UPS_PER_HOUR: setting({
    read: integer(1, 1_000_000_000),
    fallback: 30,
    about: 'How many sign-ups one client address may try per hour.',
  }),
  MAX_GROUP_MEMBERS: setting({
    read: integer(1, 100_000),
    fallback: 1024,
    about: 'How many members a group or broadcast list may have.',
  }),
  STORY_LIFETIME_HOURS: setting({
    read: integer(0, 8760),
    fallback: 24,
    about: 'How long a story is shown, from its first element; 0 for ever.',
  }),
  UPLOAD_MB_PER_DAY: setting({
    read: integer(1, 1_000_000),
    fallback: 500,
    about: 'How many megabytes of files one person may upload in a day.',
  }),
  S3_ENDPOINT: setting({
    read: origin,
    fallback: undefined,
    about: 'An S3-compatible store for uploads, such as `https://s3.eu-central-1.amazonaws.com`.',
    shownFallback: '`DATA_DIR/media`',
  }),
  S3_BUCKET: setting({ read: text, fallback: undefined, about: 'Its bucket.', shownFallback: 'not set' }),
  S3_REGION: setting({ read: text, fallback: 'us-east-1', about: 'Its region.' }),
  S3_ACCESS_KEY_ID: setting({
    read: text,
    fallback: undefined,
    about: 'Key with which uploads are put there, read and deleted.',
    shownFallback: 'not set',
  }),
  S3_SECRET_ACCESS_KEY: setting({
    read: text,
    fallback: undefined,
    about: 'The secret of that key.',
    shownFallback: 'not set',
  }),
  TRUST_PROXY: setting({
    read: cidrRanges,
    fallback: [] as string[],
    about: 'CIDR ranges of reverse proxies whose `X-Forwarded-For` is believed, separated by commas.',
    shownFallback: 'none',
  }),
  WEBHOOK_TRUSTED_HOSTS: setting({
    read: list,
    fallback: [] as string[],
    about:
      'For development only: `host` or `host:port` entries that webhooks may reach although private or http.',
    shownFallback: 'none',
  }),
  WEBHOOK_CA_FILE: setting({
    read: file,
    fallback: undefined,
    about: 'PEM file of certificate authorities that webhooks trust beside the public ones.',
    shownFallback: 'none',
  }),
  EVENT_RETENTION_DAYS: setting({
    read: integer(1, 365),
    fallback: 7,
    about: 'How long events are kept for `GET /v1/events`, the event log and replays.',
  }),
  SMTP_URL: setting({
    read: smtpUrl,
    fallback: undefined,
    about:
      'Mail server for alerts, `smtps://user:password@host` or `smtp://host:port`; without it they go to the log.',
    shownFallback: 'not set',
  }),
  ALERT_FROM: setting({
    read: text,
    fallback: 'Parley <alerts@localhost>',
    about: 'Sender of alerts by e-mail.',
  }),
  METRICS_PORT: setting({
    read: integer(0, 65_535),
    fallback: undefined,
    about: 'Port of its own, on `HOST`, for `/metrics` in Prometheus form; 0 takes a free one.',
    shownFallback: 'none',
  }),
  METRICS_TOKEN: setting({
    read: bearerToken,
    fallback: undefined,
    about: 'Bearer token, 16 characters or more, that opens `/metrics` on `PORT`.',
    shownFallback: 'closed',
  }),
  LOG_LEVEL: setting({
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    fallback: 'info',
    about: 'How much is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  }),
};

type Role = 'api' | 'worker';
type Settings = {
  [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> | (typeof SETTINGS)[K]['fallback'];
};

export interface Config {
  port: number;
  host: string;
  publicUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  databasePoolSize: number;
  masterKeys: string | undefined;
  masterKeysFile: string | undefined;
  roles: readonly Role[];
  processes: number;
  /** Addresses of one Redis or of one cluster; none when this process is alone. */
  redisUrls: readonly string[];
  serviceName: string | undefined;
  managementBotUsername: string;
  requestsPerMinute: number;
  signUpsPerHour: number;
  maxGroupMembers: number;
  storyLifetimeHours: number;
  uploadMegabytesPerDay: number;
  s3: S3Config | undefined;
  trustProxy: readonly string[];
  webhookTrustedHosts: readonly string[];
  webhookCa: string | undefined;
  eventRetentionDays: number;
  smtpUrl: string | undefined;
  alertFrom: string;
  metricsPort: number | undefined;
  metricsToken: string | undefined;
  logLevel: string;
  /** Started by an npm script, which is then who stops it. */
  isStartedByNpm: boolean;
}

/** An S3-compatible store and the key that opens it. */
export interface S3Config {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Every fault of the settings at once, so that an operator mends them in one go. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: string[]) {
    super(`the settings are not right:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/**
 * Reads the settings; an empty text counts as not set.
 *
 * @throws ConfigError that names every fault
 */
export function readConfig(environment: Record<string, string | undefined>): Config {
  const faults: string[] = [];
  const entries = Object.entries(SETTINGS).map(([name, { read, fallback }]) => {
    const value = environment[name];
    if (value === undefined || value === '') return [name, fallback];
    try {
      return [name, read(value)];
    } catch (error) {
      faults.push(`${name} ${(error as Error).message}`);
      return [name, fallback];
    }
  });
  const settings = Object.fromEntries(entries) as Settings;
  faults.push(...faultsOfSharing(settings));
  if (settings.MASTER_KEYS && settings.MASTER_KEYS_FILE) {
    faults.push('MASTER_KEYS and MASTER_KEYS_FILE are both set; keep one');
  }
  const s3 = readS3(settings, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    port: settings.PORT,
    host: settings.HOST,
    publicUrl: settings.PUBLIC_URL,
    dataDir: settings.DATA_DIR,
    databaseUrl: settings.DATABASE_URL,
    databasePoolSize: settings.DATABASE_POOL_SIZE,
    masterKeys: settings.MASTER_KEYS,
    masterKeysFile: settings.MASTER_KEYS_FILE,
    roles: settings.ROLES,
    processes: settings.PROCESSES,
    redisUrls: settings.REDIS_URL,
    serviceName: settings.SERVICE_NAME,
    managementBotUsername: settings.MANAGEMENT_BOT_USERNAME,
    requestsPerMinute: settings.REQUESTS_PER_MINUTE,
    signUpsPerHour: settings.SIGN_UPS_PER_HOUR,
    maxGroupMembers: settings.MAX_GROUP_MEMBERS,
    storyLifetimeHours: settings.STORY_LIFETIME_HOURS,
    uploadMegabytesPerDay: settings.UPLOAD_MB_PER_DAY,
    s3,
    trustProxy: settings.TRUST_PROXY,
    webhookTrustedHosts: settings.WEBHOOK_TRUSTED_HOSTS,
    webhookCa: settings.WEBHOOK_CA_FILE,
    eventRetentionDays: settings.EVENT_RETENTION_DAYS,
    smtpUrl: settings.SMTP_URL,
    alertFrom: settings.ALERT_FROM,
    metricsPort: settings.METRICS_PORT,
    metricsToken: settings.METRICS_TOKEN,
    logLevel: settings.LOG_LEVEL,
    isStartedByNpm: environment['npm_lifecycle_event'] !== undefined,
  };
}

/** All of it or nothing: a store that is half named would lose uploads into the data directory. */
function readS3(settings: Settings, faults: string[]): S3Config | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  const needed = { S3_ENDPOINT, S3_BUCKET, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? name : []));
  if (missing.length === Object.keys(needed).length) return undefined;
  if (missing.length > 0) faults.push(`${missing.join(', ')} must be set, too, for uploads to go to S3`);
  return {
    endpoint: S3_ENDPOINT ?? '',
    bucket: S3_BUCKET ?? '',
    region: S3_REGION,
    accessKeyId: S3_ACCESS_KEY_ID ?? '',
    secretAccessKey: S3_SECRET_ACCESS_KEY ?? '',
  };
}

/** More than one process without anything to share quotas through. */
function faultsOfSharing({ PROCESSES, ROLES, REDIS_URL }: Settings): string[] {
  if (REDIS_URL.length > 0) return [];
  const why = 'REDIS_URL is not set: several processes share quotas and live events through it';
  const other = ROLES.includes('api') ? 'worker' : 'api';
  return [
    ...(PROCESSES > 1 ? [`PROCESSES is ${PROCESSES} but ${why}`] : []),
    ...(ROLES.includes(other) ? [] : [`ROLES is ${ROLES}, so the ${other} is another process, but ${why}`]),
  ];
}

function text(value: string): string {
  return value;
}

function list(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

function cidrRanges(value: string): string[] {
  const ranges = list(value);
  for (const range of ranges) {
    const [address = '', bits = '', ...more] = range.split('/');
    const maxBits = isIP(address) === 6 ? 128 : 32;
    if (!isIP(address) || !/^\d{1,3}$/.test(bits) || Number(bits) > maxBits || more.length > 0) {
      throw new Error('must be CIDR ranges such as 10.0.0.0/8, separated by commas');
    }
  }
  return ranges;
}

function integer(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return number;
  };
}

function oneOf(...choices: string[]): (value: string) => string {
  return (value) => {
    if (!choices.includes(value)) throw new Error(`must be one of ${choices.join(', ')}`);
    return value;
  };
}

function roles(value: string): Role[] {
  const names = list(value);
  if (names.length === 0 || names.some((name) => name !== 'api' && name !== 'worker')) {
    throw new Error('must be api, worker or api,worker');
  }
  return names as Role[];
}

function serviceName(value: string): string {
  if (!/^[A-Za-z][A-Za-z0-9]{1,30}$/.test(value))
    throw new Error('must be 2 to 31 letters and digits, a letter first');
  return value;
}

function botUsername(value: string): string {
  if (!/^[a-z0-9_]{2,29}bot$/.test(value))
    throw new Error('must be 5 to 32 lower-case letters, digits and _, ending with bot');
  return value;
}

function origin(value: string): string {
  const url = URL.parse(value);
  if (
    !url ||
    !/^https?:$/.test(url.protocol) ||
    url.pathname !== '/' ||
    url.search ||
    url.hash ||
    url.username
  ) {
    throw new Error('must be an address such as https://chat.example.com, without a path');
  }
  return url.origin;
}

function databaseUrl(value: string): string {
  if (!/^postgres(ql)?:$/.test(URL.parse(value)?.protocol ?? ''))
    throw new Error('must begin with postgres://');
  return value;
}

function redisUrls(value: string): string[] {
  const urls = list(value);
  for (const text of urls) {
    const url = URL.parse(text);
    if (!url || !/^rediss?:$/.test(url.protocol) || !url.hostname)
      throw new Error(
        'must be such as redis://redis.example.com:6379, several of one cluster separated by commas',
      );
  }
  return urls;
}

function smtpUrl(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname)
    throw new Error('must be such as smtps://user:password@mail.example.com');
  return value;
}

function bearerToken(value: string): string {
  if (!/^[\x21-\x7e]{16,}$/.test(value)) throw new Error('must be 16 visible ASCII characters or more');
  return value;
}

function file(path: string): string {
  return readFileSync(path, 'utf8');
}
