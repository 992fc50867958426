import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** An address without the port that some proxies append, and without the brackets of IPv6. */
export function withoutPort(address: string): string {
  const [, inBrackets, ipv4] = PORT.exec(address) ?? [];
  return inBrackets ?? ipv4 ?? address;
}

/** The client's address according to the trusted proxies. */
export function clientAddress({ ip }: { ip: string }): string {
  return withoutPort(ip);
}

/** Tests whether an address, with or without a port, is in one of these CIDR ranges. */
export function trustedProxies(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), isIPv6(network) ? 'ipv6' : 'ipv4');
  }
  return (given) => {
    const address = withoutPort(given);
    return isIP(address) !== 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
  };
}

/** The network to which rate limits apply: a /24 of IPv4, or a /48 of IPv6, the most that one customer gets. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const first = head.split(':').filter(Boolean);
  // A `::` replaces as many zero groups as are missing; the groups after it matter only if they are among the first ones.
  const last = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const groups = [...first, ...zeros, ...last].slice(0, 3);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/48`;
}
