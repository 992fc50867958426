import type { Role, SignUpPolicy } from './config/readers.ts';
import { SETTINGS, type Settings } from './config/settings.ts';
import { type ShownSetting, showSettings } from './config/shown.ts';

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
  /** Addresses of one Redis or one cluster; none if this process runs alone. */
  redisUrls: readonly string[];
  serviceName: string | undefined;
  managementBotUsername: string;
  requestsPerMinute: number;
  signUps: SignUpPolicy;
  /** Whether unregistered clients with a published document may ask for consent. */
  takesPublishedClients: boolean;
  termsUrl: string | undefined;
  signUpsPerHour: number;
  maxGroupMembers: number;
  storyLifetimeHours: number;
  messagesPerMinute: number;
  unansweredMessagesPerHour: number;
  newPeoplePerDay: number;
  newPeopleAddedPerDay: number;
  groupsPerDay: number;
  liveStreamsPerPerson: number;
  uploadsPerMinute: number;
  uploadMegabytesPerDay: number;
  /** Undefined if maps are switched off. */
  mapTiles: { url: string; attribution: string } | undefined;
  s3: S3Config | undefined;
  trustProxy: readonly string[];
  webhookTrustedHosts: readonly string[];
  webhookCa: string | undefined;
  eventRetentionDays: number;
  /** Undefined if messages are kept forever. */
  messageRetentionDays: number | undefined;
  apiLogRetentionDays: number;
  callLogRetentionDays: number;
  /** Undefined if audit trails are kept forever. */
  auditRetentionDays: number | undefined;
  smtpUrl: string | undefined;
  alertFrom: string;
  metricsPort: number | undefined;
  metricsToken: string | undefined;
  logLevel: string;
  logFormat: 'json' | 'pretty' | undefined;
  accessLog: boolean;
  /** Started by an npm script, which also stops it. */
  isStartedByNpm: boolean;
  /** All settings, as operators may see them. */
  shown: readonly ShownSetting[];
}

/** An S3-compatible store and its access key. */
export interface S3Config {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** Every fault of the settings at once, so that an operator can fix them all before the next start. */
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
  if (settings.SIGN_UPS.kind === 'domains' && settings.SMTP_URL === undefined) {
    faults.push('SIGN_UPS names domains but SMTP_URL is not set: nobody could confirm an address there');
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
    signUps: settings.SIGN_UPS,
    takesPublishedClients: settings.MCP_CLIENTS === 'published',
    termsUrl: settings.TERMS_URL,
    signUpsPerHour: settings.SIGN_UPS_PER_HOUR,
    maxGroupMembers: settings.MAX_GROUP_MEMBERS,
    storyLifetimeHours: settings.STORY_LIFETIME_HOURS,
    messagesPerMinute: settings.MESSAGES_PER_MINUTE,
    unansweredMessagesPerHour: settings.UNANSWERED_MESSAGES_PER_HOUR,
    newPeoplePerDay: settings.NEW_PEOPLE_PER_DAY,
    newPeopleAddedPerDay: settings.NEW_PEOPLE_ADDED_PER_DAY,
    groupsPerDay: settings.GROUPS_PER_DAY,
    liveStreamsPerPerson: settings.LIVE_STREAMS_PER_PERSON,
    uploadsPerMinute: settings.UPLOADS_PER_MINUTE,
    uploadMegabytesPerDay: settings.UPLOAD_MB_PER_DAY,
    mapTiles:
      settings.MAP_TILE_URL === 'off'
        ? undefined
        : { url: settings.MAP_TILE_URL, attribution: settings.MAP_ATTRIBUTION },
    s3,
    trustProxy: settings.TRUST_PROXY,
    webhookTrustedHosts: settings.WEBHOOK_TRUSTED_HOSTS,
    webhookCa: settings.WEBHOOK_CA_FILE,
    eventRetentionDays: settings.EVENT_RETENTION_DAYS,
    messageRetentionDays: settings.MESSAGE_RETENTION_DAYS,
    apiLogRetentionDays: settings.API_LOG_RETENTION_DAYS,
    callLogRetentionDays: settings.CALL_LOG_RETENTION_DAYS,
    auditRetentionDays: settings.AUDIT_RETENTION_DAYS,
    smtpUrl: settings.SMTP_URL,
    alertFrom: settings.ALERT_FROM,
    metricsPort: settings.METRICS_PORT,
    metricsToken: settings.METRICS_TOKEN,
    logLevel: settings.LOG_LEVEL,
    logFormat: settings.LOG_FORMAT,
    accessLog: settings.ACCESS_LOG,
    isStartedByNpm: environment['npm_lifecycle_event'] !== undefined,
    shown: showSettings(environment),
  };
}

/** All of it or nothing: with incomplete settings, uploads would be stored in the data directory. */
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

/** More than one process without a Redis to share quotas. */
function faultsOfSharing({ PROCESSES, ROLES, REDIS_URL }: Settings): string[] {
  if (REDIS_URL.length > 0) return [];
  const why = 'REDIS_URL is not set: several processes share quotas and live events through it';
  const other = ROLES.includes('api') ? 'worker' : 'api';
  return [
    ...(PROCESSES > 1 ? [`PROCESSES is ${PROCESSES} but ${why}`] : []),
    ...(ROLES.includes(other) ? [] : [`ROLES is ${ROLES}, so the ${other} is another process, but ${why}`]),
  ];
}
