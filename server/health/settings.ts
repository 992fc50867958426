import { say } from '#contract/reasons.ts';
import { type DoctorDeps, type Finding, fault, ok, warning } from './finding.ts';

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+|::1|\[::1\])$/;

/** Settings that are valid by themselves but inconsistent with each other. */
export function checkSettings({ config }: Pick<DoctorDeps, 'config'>): Finding[] {
  return [checkPublicUrl(config), checkTrustedHosts(config), checkProxy(config)];
}

type Settings = DoctorDeps['config'];

function checkPublicUrl({ host, publicUrl }: Settings): Finding {
  const url = publicUrl === undefined ? undefined : new URL(publicUrl);
  if (!url && !LOOPBACK.test(host))
    return fault(
      'public address',
      say('health.host-without-url', { host }),
      say('health.host-without-url.remedy'),
    );
  if (url && url.protocol !== 'https:' && !LOOPBACK.test(url.hostname))
    return fault(
      'public address',
      say('health.url-without-tls', { url: publicUrl ?? '' }),
      say('health.url-without-tls.remedy'),
    );
  return ok('public address', publicUrl ?? say('health.localhost'));
}

function checkTrustedHosts({ webhookTrustedHosts, publicUrl }: Settings): Finding {
  if (webhookTrustedHosts.length === 0) return ok('webhook guard', say('health.guard'));
  const what = say('health.guard-open', { hosts: webhookTrustedHosts.join(', ') });
  const remedy = say('health.guard-open.remedy');
  return publicUrl?.startsWith('https:')
    ? fault('webhook guard', what, remedy)
    : warning('webhook guard', what, remedy);
}

function checkProxy({ publicUrl, trustProxy }: Settings): Finding {
  if (!publicUrl?.startsWith('https:') || trustProxy.length > 0)
    return ok('reverse proxy', trustProxy.join(', ') || say('health.no-proxy'));
  return warning('reverse proxy', say('health.proxy-untrusted'), say('health.proxy-untrusted.remedy'));
}
