import { once } from 'node:events';
import tls from 'node:tls';
import { Redis } from 'ioredis';
import { say, sayOfField } from '#contract/reasons.ts';
import { openPortableApplications } from '#features/applications/index.ts';
import { askMediaStore } from '#features/media/index.ts';
import { loadKeyring } from '#platform/crypto/master-keys.ts';
import type { Db } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { openTransport } from '#platform/mail.ts';
import type { Platform } from '#platform/platform.ts';
import { REDIS_PROBE } from '#platform/redis.ts';
import { type Guard, guardOf, Refusal } from '#platform/safe-fetch/guard.ts';
import { portOf } from '#platform/safe-fetch/trusted-hosts.ts';
import { checkUrl, literalAddress } from '#platform/safe-fetch/url.ts';
import {
  type DoctorDeps,
  type Finding,
  fault,
  faultOf,
  ok,
  reasonOf,
  warning,
  warningOf,
} from './finding.ts';

const WAIT_TIMEOUT_MS = 5000;
const EXPIRES_SOON_DAYS = 14;
const DAY_MS = 86_400_000;
/** Writes nothing, but Redis refuses it where it would refuse a write: out of memory, or as a replica. */
const WRITING_SCRIPT = '#!lua\nreturn 1';
const CERTIFICATE_KEPT_MS = 600_000;
const MAX_APPLICATIONS = 500;
const MAX_HOSTS = 20;

/** Checks that the public URL leads to this server, with a certificate that does not expire soon. */
async function checkTls({ config, clock }: Pick<DoctorDeps, 'config' | 'clock'>): Promise<Finding> {
  const { publicUrl } = config;
  if (!publicUrl?.startsWith('https:')) return ok('certificate', say('health.not-https'));
  const url = new URL(publicUrl);
  const remedy = say('health.certificate.remedy');
  try {
    const validTo = await readCertificateEnd(url.hostname, portOf(url), guardOfServer(config));
    const days = Math.floor((validTo - clock.now()) / DAY_MS);
    if (days < EXPIRES_SOON_DAYS)
      return warning('certificate', say('health.certificate-ends', { host: url.host, days }), remedy);
    return ok('certificate', say('health.certificate', { days }));
  } catch (error) {
    return fault(
      'certificate',
      say('health.certificate-away', { url: publicUrl, reason: reasonOf(error) }),
      remedy,
    );
  }
}

/** Exports when the certificate of the public URL expires, also once it has: a proxy may not have taken up the renewed one. */
export function watchCertificate({ config, clock, metrics }: Pick<Platform, 'config' | 'clock' | 'metrics'>) {
  const url = config.publicUrl?.startsWith('https:') ? new URL(config.publicUrl) : undefined;
  let kept: { at: number; validTo: Promise<number> } | undefined;
  const read = async () => {
    const now = clock.now();
    if (url && (!kept || now - kept.at >= CERTIFICATE_KEPT_MS)) {
      const validTo = readCertificateEnd(url.hostname, portOf(url), guardOfServer(config), false);
      kept = { at: now, validTo: validTo.catch(() => Number.POSITIVE_INFINITY) };
    }
    return ((await kept?.validTo) ?? Number.POSITIVE_INFINITY) - now;
  };
  metrics.gauge(
    'parley_certificate_expiry_seconds',
    'Time until the certificate of PUBLIC_URL expires; +Inf without one, or if it cannot be read.',
    async () => (await read()) / 1000,
    Number.POSITIVE_INFINITY,
  );
}

async function checkRedis({ config }: Pick<DoctorDeps, 'config'>): Promise<Finding> {
  if (config.redisUrls.length === 0) return ok('Redis', say('health.redis-unused'));
  const states = await Promise.all(
    config.redisUrls.map(async (url) => {
      const redis = new Redis(url, {
        lazyConnect: true,
        connectTimeout: WAIT_TIMEOUT_MS,
        commandTimeout: WAIT_TIMEOUT_MS,
        maxRetriesPerRequest: 0,
        retryStrategy: () => null,
      });
      let reason: unknown;
      redis.on('error', (error) => {
        reason ??= error;
      });
      try {
        await redis.connect();
        await redis.eval(WRITING_SCRIPT, 1, REDIS_PROBE).catch((error: Error) => {
          // Of a node of a cluster that has other slots.
          if (!error.message.startsWith('MOVED ')) throw error;
        });
        return undefined;
      } catch (error) {
        return `${new URL(url).host} (${reasonOf(reason ?? error)})`;
      } finally {
        redis.disconnect();
      }
    }),
  );
  const away = states.filter((state) => state !== undefined);
  if (away.length === 0) return ok('Redis', say('health.answers'));
  return fault('Redis', say('health.nodes-away', { names: away.join(', ') }), say('health.redis.remedy'));
}

async function checkMail({ config }: Pick<DoctorDeps, 'config'>): Promise<Finding> {
  const { smtpUrl } = config;
  if (smtpUrl === undefined) return warningOf('mail', 'health.no-mail');
  const { host } = new URL(smtpUrl);
  const transport = openTransport(smtpUrl, WAIT_TIMEOUT_MS);
  try {
    await transport.verify();
    return ok('mail', say('health.mail', { host }));
  } catch (error) {
    return faultOf('mail', 'health.mail-refused', { host, reason: (error as Error).message });
  } finally {
    transport.close();
  }
}

/** Checks that an external upload store has the bucket, and takes the key. */
async function checkStore({ config }: Pick<DoctorDeps, 'config'>): Promise<Finding> {
  const { s3 } = config;
  if (!s3) return ok('upload store', say('health.store-disk'));
  const { host } = new URL(s3.endpoint);
  try {
    await askMediaStore(s3);
    return ok('upload store', say('health.store', { host }));
  } catch (error) {
    return faultOf('upload store', 'health.store-away', { host, reason: reasonOf(error) });
  }
}

/** The services that the server needs besides its database. */
export async function checkServices(deps: Pick<DoctorDeps, 'config' | 'clock'>): Promise<Finding[]> {
  return Promise.all([checkTls(deps), checkRedis(deps), checkMail(deps), checkStore(deps)]);
}

/** Checks that webhooks can get out: only a TLS handshake with the applications' hosts. */
export async function checkEgress(deps: DoctorDeps, db: Db | undefined): Promise<Finding> {
  const { config, webhookUrl } = deps;
  const urls = [
    ...(webhookUrl === undefined ? [] : [webhookUrl]),
    ...(db ? await findWebhookOrigins(deps, db) : []),
  ];
  if (urls.length === 0)
    return ok('webhook egress', 'no application is known to have a webhook; try one with --webhook');
  const guard = guardOfServer(config);
  const failures = (await Promise.all(urls.map((url) => tryWebhook(guard, url)))).filter(
    (failure) => failure !== undefined,
  );
  if (failures.length === 0) return ok('webhook egress', `${urls.length} receivers can be reached`);
  const what = `${failures.length} of ${urls.length} receivers cannot be reached: ${failures.join('; ')}`;
  if (failures.length < urls.length)
    return warning('webhook egress', what, 'tell their owners; the others can be reached');
  return fault(
    'webhook egress',
    what,
    'allow this machine to reach port 443 and a name server; webhooks use no proxy',
  );
}

/** Webhook URLs of the newest applications without path and query, which may contain tokens. Unreadable ones are skipped. */
async function findWebhookOrigins(deps: DoctorDeps, db: Db): Promise<string[]> {
  const keyring = await loadKeyring(deps.config, { ...deps, log: createLog('silent') });
  const urls = await openPortableApplications({ db, keyring }).findWebhookUrls(MAX_APPLICATIONS);
  return [...new Set(urls.map((url) => new URL(url).origin))].sort().slice(0, MAX_HOSTS);
}

async function tryWebhook(guard: Guard, text: string): Promise<string | undefined> {
  const checked = checkUrl(text, guard);
  if ('fault' in checked) return sayOfField(text, `url-${checked.fault}`).message;
  const { url } = checked;
  try {
    if (url.protocol === 'https:') await readCertificateEnd(url.hostname, portOf(url), guard);
    else await guard.resolve(url.hostname, portOf(url));
    return undefined;
  } catch (error) {
    const reason =
      error instanceof Refusal ? `${error.reason} ${reasonOf(error.cause ?? {})}` : reasonOf(error);
    return `${url.host} (${reason.trim()})`;
  }
}

/** The server may be at an address of its own network. */
function guardOfServer(config: DoctorDeps['config']): Guard {
  const own = config.publicUrl === undefined ? [] : [new URL(config.publicUrl).hostname];
  return guardOf({ ...config, webhookTrustedHosts: [...config.webhookTrustedHosts, ...own] });
}

/** Resolves and checks the host as deliveries do, performs the handshake, and returns the certificate's expiry. */
async function readCertificateEnd(
  hostname: string,
  port: number,
  guard: Guard,
  rejectUnauthorized = true,
): Promise<number> {
  const literal = literalAddress(hostname);
  const [address] = literal === undefined ? await guard.resolve(hostname, port) : [{ address: literal }];
  const socket = tls.connect({
    host: address?.address ?? hostname,
    port,
    servername: literal === undefined ? hostname.replace(/\.$/, '') : '',
    secureContext: guard.secureContext,
    rejectUnauthorized,
    ...(literal !== undefined && {
      checkServerIdentity: (_: string, certificate: tls.PeerCertificate) =>
        tls.checkServerIdentity(literal, certificate),
    }),
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(WAIT_TIMEOUT_MS) });
    return Date.parse(socket.getPeerCertificate().valid_to);
  } finally {
    socket.destroy();
  }
}
