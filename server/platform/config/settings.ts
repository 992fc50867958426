import { LIMITS } from '#contract/limits.ts';
import type { TrustedHosts } from '../safe-fetch/trusted-hosts.ts';
import { LIMIT_SETTINGS } from './limit-settings.ts';
import {
  bearerToken,
  botUsername,
  certificates,
  cidrRanges,
  databaseUrl,
  integer,
  mailbox,
  masterKeys,
  oneOf,
  onOrOff,
  origin,
  type Role,
  redisUrls,
  roles,
  type SignUpPolicy,
  serviceName,
  signUpPolicy,
  smtpUrl,
  storeAddress,
  text,
  tileUrl,
  trustedHosts,
  webAddress,
} from './readers.ts';
import { setting } from './setting.ts';

export const SETTINGS = {
  PORT: setting({
    read: integer(0, 65_535),
    fallback: 3000,
    about: 'Port to listen on; 0 for a free one.',
  }),
  HOST: setting({ read: text, fallback: '127.0.0.1', about: 'Address to listen on; `0.0.0.0` for all.' }),
  PUBLIC_URL: setting({
    read: origin,
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
    hides: 'credentials',
    about:
      'An existing PostgreSQL (15 or later) instead of the embedded one; with `?host=/run/postgresql` over its Unix socket. Several hosts, `host1:5432,host2:5432`, of a primary and its standbys or of the nodes of a Citus cluster.',
    shownFallback: 'embedded',
  }),
  DATABASE_POOL_SIZE: setting({
    read: integer(2, 500),
    fallback: 10,
    about: 'Database connections that each process may use for its work; it opens two more in addition.',
  }),
  MASTER_KEYS: setting({
    read: masterKeys,
    hides: 'all',
    about: 'Encryption keys, `<id>:<64 hex digits>` separated by commas; the highest id encrypts.',
    shownFallback: '`DATA_DIR/master.keys`',
  }),
  MASTER_KEYS_FILE: setting({
    read: text,
    about: 'A file with the encryption keys, one per line, instead of `MASTER_KEYS`.',
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
    hides: 'credentials',
    fallback: [] as string[],
    about:
      'Redis 7 or later, `redis://` or `rediss://`, that several processes share quotas and live events through; of a cluster one address or more, separated by commas.',
    shownFallback: 'not set',
  }),
  SERVICE_NAME: setting({
    read: serviceName,
    about: 'The name used in webhook headers in addition to `Service`, which bot usernames may not contain.',
  }),
  MANAGEMENT_BOT_USERNAME: setting({
    read: botUsername,
    fallback: 'managerbot',
    about: 'Username of the built-in bot with which people create and manage their own bots in the chat.',
  }),
  REQUESTS_PER_MINUTE: setting({
    read: integer(1, 1_000_000_000),
    fallback: LIMITS.requestsPerMinute as number,
    about:
      'Quota per endpoint that a new application starts with: for its API keys together, and for its access tokens together.',
  }),
  SIGN_UPS: setting({
    read: signUpPolicy,
    fallback: { kind: 'open' } as SignUpPolicy,
    about:
      'Who may sign up: `open` for everybody, `invitation`, `domains:example.com,example.org` for confirmed addresses there, `provider` for those who come through a sign-in provider, or `closed`.',
    shownFallback: '`open`',
  }),
  MCP_CLIENTS: setting({
    read: oneOf('registered', 'published'),
    fallback: 'registered',
    about:
      'Which assistants people may connect to `/mcp`: `registered` applications, or also clients that are `published` at an address of their own (client ID metadata documents).',
  }),
  TERMS_URL: setting({
    read: webAddress,
    about: 'Terms that new people accept; existing people are asked once.',
    shownFallback: 'none',
  }),
  ...LIMIT_SETTINGS,
  MAP_TILE_URL: setting({
    read: tileUrl,
    fallback: 'https://tile.openstreetmap.org/{z}/{x}/{y}.png',
    about: 'Where the chat loads map tiles from, for people who agreed to it; `off` for no maps.',
  }),
  MAP_ATTRIBUTION: setting({
    read: text,
    fallback: '© OpenStreetMap contributors',
    about: 'The attribution shown on maps, as their licence requires.',
  }),
  S3_ENDPOINT: setting({
    read: storeAddress,
    about: 'An S3-compatible store for uploads, such as `https://s3.eu-central-1.amazonaws.com`.',
    shownFallback: '`DATA_DIR/media`',
  }),
  S3_BUCKET: setting({ read: text, about: 'Its bucket.' }),
  S3_REGION: setting({ read: text, fallback: 'us-east-1', about: 'Its region.' }),
  S3_ACCESS_KEY_ID: setting({
    read: text,
    hides: 'all',
    about: 'Access key that may list the bucket, and put, read and delete objects there.',
  }),
  S3_SECRET_ACCESS_KEY: setting({
    read: text,
    hides: 'all',
    about: 'The secret of that key.',
  }),
  TRUST_PROXY: setting({
    read: cidrRanges,
    fallback: [] as string[],
    about: 'CIDR ranges of reverse proxies whose `X-Forwarded-For` is trusted, separated by commas.',
    shownFallback: 'none',
  }),
  WEBHOOK_TRUSTED_HOSTS: setting({
    read: trustedHosts,
    fallback: [] as TrustedHosts,
    about:
      'For development only: `host` or `host:port` entries that webhooks may reach although they are private or use http.',
    shownFallback: 'none',
  }),
  WEBHOOK_CA_FILE: setting({
    read: certificates,
    about:
      'PEM file of certificate authorities to trust, in addition to the public ones, for webhooks and sign-in providers.',
    shownFallback: 'none',
  }),
  EVENT_RETENTION_DAYS: setting({
    read: integer(1, 365),
    fallback: 7,
    about: 'How long events are kept for `GET /v1/events`, the event log and replays.',
  }),
  MESSAGE_RETENTION_DAYS: setting({
    read: integer(1, 36_500),
    about:
      'How long messages are kept, with their files, reactions and polls; the people of a conversation may choose less.',
    shownFallback: 'for ever',
  }),
  API_LOG_RETENTION_DAYS: setting({
    read: integer(1, 365),
    fallback: 7,
    about: 'How long the log of API requests is kept; at most the last 10,000 of each application.',
  }),
  CALL_LOG_RETENTION_DAYS: setting({
    read: integer(1, 3_650),
    fallback: 30,
    about: 'How long people can see what applications did on their behalf.',
  }),
  AUDIT_RETENTION_DAYS: setting({
    read: integer(1, 36_500),
    about: 'How long the audit trails of applications are kept; the trail of operators is kept for ever.',
    shownFallback: 'for ever',
  }),
  SMTP_URL: setting({
    read: smtpUrl,
    hides: 'credentials',
    about:
      'Mail server for alerts, forgotten passwords and the confirmation of addresses, `smtps://user:password@host` or `smtp://host:port`; without it alerts go to the log.',
  }),
  ALERT_FROM: setting({
    read: mailbox,
    fallback: 'Parley <alerts@localhost>',
    about: 'Sender of all e-mails.',
  }),
  METRICS_PORT: setting({
    read: integer(0, 65_535),
    about: 'Separate port, on `HOST`, for `/metrics` in Prometheus format; 0 for a free one.',
    shownFallback: 'none',
  }),
  METRICS_TOKEN: setting({
    read: bearerToken,
    hides: 'all',
    about: 'Bearer token of 16 or more characters for `/metrics` on `PORT`.',
    shownFallback: 'closed',
  }),
  LOG_LEVEL: setting({
    read: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
    fallback: 'info',
    about: 'How much is logged: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`.',
  }),
  LOG_FORMAT: setting({
    read: oneOf('json', 'pretty'),
    about: '`json` logs one object per line, for programs; `pretty` logs lines for people.',
    shownFallback: '`pretty` on a terminal, otherwise `json`',
  }),
  ACCESS_LOG: setting({
    read: onOrOff,
    fallback: false,
    about: '`on` logs one line for each request: method, route, status, duration, address, request id.',
    shownFallback: '`off`',
  }),
};

/** The settings after reading. */
export type Settings = {
  [K in keyof typeof SETTINGS]: ReturnType<(typeof SETTINGS)[K]['read']> | (typeof SETTINGS)[K]['fallback'];
};
