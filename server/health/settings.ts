import { type DoctorDeps, type Finding, fault, ok, warning } from './finding.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/;

/** Settings that are valid but do not fit each other. */
export function checkSettings({ config }: Pick<DoctorDeps, 'config'>): Finding[] {
  return [checkPublicUrl(config), checkTrustedHosts(config), checkProxy(config)];
}

type Settings = DoctorDeps['config'];

function checkPublicUrl({ host, publicUrl }: Settings): Finding {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (!url && !LOOPBACK.test(host))
    return fault(
      'public address',
      `HOST is ${host}, but PUBLIC_URL is not set: links, sign-in and passkeys would name localhost`,
      'set PUBLIC_URL to the https address at which people reach the server',
    );
  if (url && url.protocol !== 'https:' && !LOOPBACK.test(url.hostname))
    return fault(
      'public address',
      `PUBLIC_URL is ${publicUrl}: passwords and messages would travel unencrypted, and browsers reject the cookies`,
      'put a reverse proxy with a certificate in front and set PUBLIC_URL to https://…; see docs/operate/proxies.md',
    );
  return ok('public address', publicUrl ?? 'localhost only');
}

function checkTrustedHosts({ webhookTrustedHosts, publicUrl }: Settings): Finding {
  if (webhookTrustedHosts.length === 0) return ok('webhook guard', 'webhooks reach public addresses only');
  const what = `WEBHOOK_TRUSTED_HOSTS lets webhooks reach ${webhookTrustedHosts.join(', ')} in your own network`;
  const remedy = 'unset WEBHOOK_TRUSTED_HOSTS, which is for development';
  return publicUrl?.startsWith('https:')
    ? fault('webhook guard', what, remedy)
    : warning('webhook guard', what, remedy);
}

function checkProxy({ publicUrl, trustProxy }: Settings): Finding {
  if (!publicUrl?.startsWith('https:') || trustProxy.length > 0)
    return ok('reverse proxy', trustProxy.join(', ') || 'none');
  return warning(
    'reverse proxy',
    'PUBLIC_URL is https, but TRUST_PROXY is not set: all clients seem to come from the proxy and share one sign-in limit',
    'set TRUST_PROXY to the address range of the proxy, such as 127.0.0.1/32',
  );
}
