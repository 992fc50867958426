import { isIPv4, isIPv6 } from 'node:net';
import { groupsOf, inRanges } from '../safe-fetch/address.ts';

const PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** An address without the port that some proxies append, and without the brackets of IPv6. */
export function withoutPort(address: string): string {
  const [, inBrackets, ipv4] = PORT.exec(address) ?? [];
  return inBrackets ?? ipv4 ?? address;
}

export function clientAddress({ ip }: { ip: string }): string {
  return withoutPort(ip);
}

/** Tests whether an address, with or without a port, is in one of these CIDR ranges. */
export function trustedProxies(ranges: readonly string[]): (address: string) => boolean {
  const isTrusted = inRanges(ranges);
  return (address) => isTrusted(withoutPort(address));
}

/** The network to which rate limits apply: a /24 of IPv4, or a /48 of IPv6, the most that one customer gets. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return plain;
  const groups = groupsOf(plain).slice(0, 3);
  return `${groups.map((group) => group.toString(16)).join(':')}::/48`;
}
