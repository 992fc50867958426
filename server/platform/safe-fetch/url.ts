import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import type { PlainFault } from '#contract/reasons.ts';
import { isPublicAddress } from './address.ts';
import { isTrustedHost, portOf, type TrustedHosts } from './trusted-hosts.ts';

const MAX_LENGTH = 2048;

/** The fault of a URL, as in the reasons `field.url-…`. */
export type UrlFault = PlainFault extends infer F ? (F extends `url-${infer Name}` ? Name : never) : never;
export type UrlCheck = { url: URL } | { fault: UrlFault };

/**
 * Checks a URL that a person typed, without a lookup: the host to connect to must be the one that the person
 * reads. A trusted host may also be private, local or plain http; its spelling is checked nevertheless. No port
 * is blocked: only public hosts are contacted, and the first bytes that they get are a TLS handshake.
 */
export function checkUrl(text: string, { trustedHosts }: { trustedHosts: TrustedHosts }): UrlCheck {
  if (text.length > MAX_LENGTH) return { fault: 'too-long' };
  const parts = splitUrl(text);
  if ('fault' in parts) return parts;
  const { url, rest } = parts;
  if (text.includes('#')) return { fault: 'fragment' };
  if (url.href.length > MAX_LENGTH) return { fault: 'too-long' };
  const path = rest.startsWith('/') ? rest : `/${rest}`;
  if (url.href !== url.origin + path) return { fault: 'path-spelling' };
  if (isTrustedHost(trustedHosts, url.hostname, portOf(url))) return { url };
  return checkPublic(url);
}

/**
 * Checks a link that people's clients follow and the service does not (decisions: Transport): its host as strictly, but the
 * rest may be spelt in any way and may have a fragment. The schema checks its length.
 */
export function checkLink(text: string): UrlCheck {
  const parts = splitUrl(text);
  return 'fault' in parts ? parts : checkPublic(parts.url);
}

function checkPublic(url: URL): UrlCheck {
  if (url.protocol !== 'https:') return { fault: 'scheme' };
  const fault = hostFault(url.hostname);
  return fault ? { fault } : { url };
}

/** The address inside a literal host (`[::1]` → `::1`), or nothing when the host is a name. */
export function literalAddress(hostname: string): string | undefined {
  const address = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return isIP(address) ? address : undefined;
}

/** Splits the text as written, before the parser can correct anything. */
function splitUrl(text: string): { url: URL; rest: string } | { fault: UrlFault } {
  if (!text.isWellFormed() || /[\p{Cc}\p{White_Space}\\]/u.test(text)) return { fault: 'characters' };
  if (!/^https?:/i.test(text)) return { fault: 'scheme' };
  const [, authority, rest] = /^https?:\/\/([^/?#]+)([^#]*)/i.exec(text) ?? [];
  if (authority === undefined || rest === undefined) return { fault: 'form' };
  if (authority.includes('@')) return { fault: 'user-info' };
  const [, host, port] = /^(\[[^\]]*\]|[^[:]*)(?::(.*))?$/.exec(authority) ?? [];
  if (!host) return { fault: 'form' };
  const isPlainPort = port === undefined || (/^[1-9]\d{0,4}$/.test(port) && Number(port) <= 65535);
  if (!isPlainPort) return { fault: 'port' };
  const url = URL.parse(text);
  if (!url) return { fault: 'form' };
  return isSpeltPlainly(host, url.hostname) ? { url, rest } : { fault: 'host-spelling' };
}

/**
 * The parser decodes, folds, maps and computes; only ASCII lower case, punycode and a shorter IPv6 form are harmless.
 * (JavaScript's own lower case would turn the Kelvin sign into a plain k.)
 */
function isSpeltPlainly(typed: string, parsed: string): boolean {
  if (parsed.startsWith('[')) return typed.startsWith('[');
  const lower = typed.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  return lower === parsed || lower.normalize('NFC') === domainToUnicode(parsed);
}

function hostFault(hostname: string): UrlFault | undefined {
  const address = literalAddress(hostname);
  if (address !== undefined) return isPublicAddress(address) ? undefined : 'private-address';
  const name = hostname.replace(/\.$/, '');
  if (/(^|\.)(localhost|local|internal|home\.arpa)$/.test(name)) return 'local-host';
  if (name.length > 253 || !name.split('.').every((label) => /^[a-z0-9_-]{1,63}$/.test(label))) return 'host';
  return name.includes('.') ? undefined : 'host-without-dot';
}
