import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { parseKeys } from '../crypto/keyring.ts';
import { readAddresses } from '../database/failover/hosts.ts';
import { readTrustedHosts, type TrustedHosts } from '../safe-fetch/trusted-hosts.ts';

/** The tasks of a process. */
export type Role = 'api' | 'worker';

export function text(value: string): string {
  return value;
}

export function list(value: string): string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean);
}

export function cidrRanges(value: string): string[] {
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

export function integer(minimum: number, maximum: number): (value: string) => number {
  return (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return number;
  };
}

export function oneOf<Choice extends string>(...choices: Choice[]): (value: string) => Choice {
  return (value) => {
    const choice = choices.find((one) => one === value);
    if (choice === undefined) throw new Error(`must be one of ${choices.join(', ')}`);
    return choice;
  };
}

export function onOrOff(value: string): boolean {
  return oneOf('on', 'off')(value) === 'on';
}

export function roles(value: string): Role[] {
  const names = list(value);
  if (names.length === 0 || names.some((name) => name !== 'api' && name !== 'worker')) {
    throw new Error('must be api, worker or api,worker');
  }
  return names as Role[];
}

function matching(form: RegExp, fault: string): (value: string) => string {
  return (value) => {
    if (!form.test(value)) throw new Error(fault);
    return value;
  };
}

export const serviceName = matching(
  /^[A-Za-z][A-Za-z0-9]{1,30}$/,
  'must be 2 to 31 letters and digits, a letter first',
);

export const botUsername = matching(
  /^[a-z0-9_]{2,29}bot$/,
  'must be 5 to 32 lowercase letters, digits and _, ending with bot',
);

/** Of HTTP, without what no address of a server has. */
function readAddress(value: string): URL | undefined {
  const url = URL.parse(value);
  return url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username ? url : undefined;
}

export function origin(value: string): string {
  const url = readAddress(value);
  if (url?.pathname !== '/')
    throw new Error('must be an address such as https://chat.example.com, without a path');
  return url.origin;
}

/** Some stores are below a path of their server. */
export function storeAddress(value: string): string {
  const url = readAddress(value);
  if (!url) throw new Error('must be an address such as https://s3.eu-central-1.amazonaws.com');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

export function databaseUrl(value: string): string {
  readAddresses(value);
  return value;
}

export function masterKeys(value: string): string {
  parseKeys(value);
  return value;
}

export function trustedHosts(value: string): TrustedHosts {
  return readTrustedHosts(list(value));
}

export function redisUrls(value: string): string[] {
  const urls = list(value);
  const isRedis = (url: URL | null) => url && /^rediss?:$/.test(url.protocol) && url.hostname;
  if (urls.length === 0 || !urls.every((text) => isRedis(URL.parse(text))))
    throw new Error(
      'must be such as redis://redis.example.com:6379, several of one cluster separated by commas',
    );
  return urls;
}

export function smtpUrl(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^smtps?:$/.test(url.protocol) || !url.hostname)
    throw new Error('must be such as smtps://user:password@mail.example.com');
  return value;
}

/** One address, with or without a name before it. */
export const mailbox = matching(
  /^([^<>]*<[^\s<>@,]+@[^\s<>@,]+>|[^\s<>@,]+@[^\s<>@,]+)$/,
  'must be such as Parley <parley@example.com>',
);

/** The address of map tiles, or `off`. */
export function tileUrl(value: string): string {
  if (value === 'off') return value;
  const url = URL.parse(value);
  const isLocal = url?.protocol === 'http:' && ['localhost', '127.0.0.1'].includes(url.hostname);
  const isWhole = ['{z}', '{x}', '{y}'].every((part) => value.includes(part));
  if (!(url?.protocol === 'https:' || isLocal) || !isWhole || /["'\s;,]/.test(value))
    throw new Error('must be such as https://tiles.example.com/{z}/{x}/{y}.png, or off');
  return value;
}

export const bearerToken = matching(/^[\x21-\x7e]{16,}$/, 'must be 16 visible ASCII characters or more');

export function certificates(path: string): string {
  try {
    const pem = readFileSync(path, 'utf8');
    new X509Certificate(pem);
    return pem;
  } catch (error) {
    throw new Error(`must name a PEM file of certificates: ${(error as Error).message}`);
  }
}

/** Who may sign up. */
export type SignUpPolicy =
  | { kind: 'open' | 'invitation' | 'provider' | 'closed' }
  | { kind: 'domains'; domains: readonly string[] };

export function signUpPolicy(value: string): SignUpPolicy {
  if (value === 'open' || value === 'invitation' || value === 'provider' || value === 'closed')
    return { kind: value };
  const domains = value.startsWith('domains:') ? list(value.slice('domains:'.length).toLowerCase()) : [];
  if (domains.length === 0 || domains.some((domain) => !/^[^\s@,:/]+\.[^\s@,:/]+$/.test(domain)))
    throw new Error('must be open, invitation, provider, closed or domains:example.com,example.org');
  return { kind: 'domains', domains };
}

export function webAddress(value: string): string {
  const url = URL.parse(value);
  if (!url || !/^https?:$/.test(url.protocol) || url.username)
    throw new Error('must be an address such as https://example.com/terms');
  return value;
}
