import { isIP } from 'node:net';
import type { Config } from '#platform/config.ts';
import { failedPrecondition } from '#platform/errors.ts';

/** The relying party of WebAuthn: the site for which a passkey works. */
export interface RelyingParty {
  rpId: string;
  origin: string;
  name: string;
}

/**
 * The site of `PUBLIC_URL`; without it the one that the browser calls, if that is localhost. No other host is
 * trusted: a passkey is bound to its site forever.
 *
 * @throws ApiError 400 where browsers have no passkeys: over plain http, and at an IP address
 */
export function findRelyingParty(
  { publicUrl, serviceName = 'Parley' }: Pick<Config, 'publicUrl' | 'serviceName'>,
  { protocol, host }: { protocol: string; host: string },
): RelyingParty {
  const url = URL.parse(publicUrl ?? `${protocol}://${host}`);
  const isLocal = url !== null && /^(?:[^.]+\.)?localhost$/.test(url.hostname);
  const isPublic = publicUrl !== undefined && url?.protocol === 'https:' && isName(url.hostname);
  if (!url || !(isLocal || isPublic)) {
    throw failedPrecondition('passkey.no-site');
  }
  return { rpId: url.hostname, origin: url.origin, name: serviceName };
}

function isName(hostname: string): boolean {
  return isIP(hostname.replace(/^\[(.*)\]$/, '$1')) === 0;
}
