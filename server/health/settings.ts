import { say } from '#contract/reasons.ts';
import { type DoctorDeps, type Finding, faultOf, ok, warningOf } from './finding.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/;

/** Settings that are valid by themselves but inconsistent with each other. */
export function checkSettings({ config }: Pick<DoctorDeps, 'config'>): Finding[] {
  return [checkPublicUrl(config), checkTrustedHosts(config), checkProxy(config)];
}

type Settings = DoctorDeps['config'];

function checkPublicUrl({ host, publicUrl }: Settings): Finding {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (!url && !LOOPBACK.test(host)) return faultOf('public address', 'health.host-without-url', { host });
  if (url && url.protocol !== 'https:' && !LOOPBACK.test(url.hostname))
    return faultOf('public address', 'health.url-without-tls', { url: publicUrl ?? '' });
  return ok('public address', publicUrl ?? say('health.localhost'));
}

function checkTrustedHosts({ webhookTrustedHosts, publicUrl }: Settings): Finding {
  if (webhookTrustedHosts.length === 0) return ok('webhook guard', say('health.guard'));
  const find = publicUrl?.startsWith('https:') ? faultOf : warningOf;
  return find('webhook guard', 'health.guard-open', { hosts: webhookTrustedHosts.join(', ') });
}

function checkProxy({ publicUrl, trustProxy }: Settings): Finding {
  if (!publicUrl?.startsWith('https:') || trustProxy.length > 0)
    return ok('reverse proxy', trustProxy.join(', ') || say('health.no-proxy'));
  return warningOf('reverse proxy', 'health.proxy-untrusted');
}
