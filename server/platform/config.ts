import { SETTINGS, type Settings } from './config/settings.ts';
import { type ShownSetting, showSettings } from './config/shown.ts';

/** `MESSAGES_PER_MINUTE` as `messagesPerMinute`. */
type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
  : Lowercase<Name>;

/** Settings that the configuration has under another name, or combined. */
type Reshaped =
  | `S3_${string}`
  | `MAP_${string}`
  | 'MCP_CLIENTS'
  | 'REDIS_URL'
  | 'UPLOAD_MB_PER_DAY'
  | 'WEBHOOK_CA_FILE';

type Named = { [Name in Exclude<keyof Settings, Reshaped> as CamelCase<Name>]: Settings[Name] };

/** The settings by their names in camel case, and what is made of several. */
export interface Config extends Named {
  /** Addresses of one Redis or one cluster; none if this process runs alone. */
  redisUrls: readonly string[];
  /** Whether unregistered clients with a published document may ask for consent. */
  takesPublishedClients: boolean;
  uploadMegabytesPerDay: number;
  /** Undefined if maps are switched off. */
  mapTiles: { url: string; attribution: string } | undefined;
  s3: S3Config | undefined;
  webhookCa: string | undefined;
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
  // A setting with a wrong value is one fault, and not missing as well.
  const isSet = (name: keyof Settings) => Boolean(environment[name]);
  if (!isSet('REDIS_URL')) faults.push(...faultsOfSharing(settings));
  if (isSet('MASTER_KEYS') && isSet('MASTER_KEYS_FILE')) {
    faults.push('MASTER_KEYS and MASTER_KEYS_FILE are both set; keep one');
  }
  const { METRICS_PORT, PORT, ROLES } = settings;
  if (METRICS_PORT === PORT && PORT !== 0 && ROLES.includes('api')) {
    faults.push(`METRICS_PORT and PORT are both ${PORT}; they must differ`);
  }
  if (settings.SIGN_UPS.kind === 'domains' && !isSet('SMTP_URL')) {
    faults.push('SIGN_UPS names domains but SMTP_URL is not set: nobody could confirm an address there');
  }
  const s3 = readS3(settings, isSet, faults);
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    ...named(settings),
    // Of the supervisor of several processes, and no setting: to operators the database is the embedded one.
    databaseUrl: settings.DATABASE_URL ?? environment['EMBEDDED_DATABASE_URL'],
    redisUrls: settings.REDIS_URL,
    takesPublishedClients: settings.MCP_CLIENTS === 'published',
    uploadMegabytesPerDay: settings.UPLOAD_MB_PER_DAY,
    mapTiles:
      settings.MAP_TILE_URL === 'off'
        ? undefined
        : { url: settings.MAP_TILE_URL, attribution: settings.MAP_ATTRIBUTION },
    s3,
    webhookCa: settings.WEBHOOK_CA_FILE,
    isStartedByNpm: environment['npm_lifecycle_event'] !== undefined,
    shown: showSettings(environment),
  };
}

function named(settings: Settings): Named {
  const camelCase = (name: string) => name.toLowerCase().replace(/_(\w)/g, (_, first) => first.toUpperCase());
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [camelCase(name), value]),
  ) as Named;
}

/** All of it or nothing: with incomplete settings, uploads would be stored in the data directory. */
function readS3(
  settings: Settings,
  isSet: (name: keyof Settings) => boolean,
  faults: string[],
): S3Config | undefined {
  const { S3_ENDPOINT, S3_BUCKET, S3_REGION, S3_ACCESS_KEY_ID, S3_SECRET_ACCESS_KEY } = settings;
  const needed = ['S3_ENDPOINT', 'S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'] as const;
  const missing = needed.filter((name) => !isSet(name));
  if (missing.length === needed.length) return undefined;
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
function faultsOfSharing({ PROCESSES, ROLES }: Settings): string[] {
  const why = 'REDIS_URL is not set: several processes share quotas and live events through it';
  const other = ROLES.includes('api') ? 'worker' : 'api';
  return [
    ...(PROCESSES > 1 ? [`PROCESSES is ${PROCESSES} but ${why}`] : []),
    ...(ROLES.includes(other) ? [] : [`ROLES is ${ROLES}, so the ${other} is another process, but ${why}`]),
  ];
}
