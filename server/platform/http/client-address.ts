import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

const PORT = /^(?:\[([^\]]+)\]|(\d+\.\d+\.\d+\.\d+))(?::\d+)?$/;

/** An address as it counts: some proxies write its port behind it, IPv6 in brackets. */
export function withoutPort(address: string): string {
  const [, inBrackets, ipv4] = PORT.exec(address) ?? [];
  return inBrackets ?? ipv4 ?? address;
}

/** Who asks, as far as the trusted proxies tell. */
export function clientAddress({ ip }: { ip: string }): string {
  return withoutPort(ip);
}

/** Whether an address is one of these CIDR ranges', whatever port stands behind it. */
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

/**
 * The network that an address counts for, where what it does has limits: a /24 of IPv4, a /48 of IPv6, which is what one
 * customer gets at most.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  const plain = mapped ?? address;
  if (isIPv4(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!isIPv6(plain)) return plain;
  const [head = '', tail] = plain.split('::');
  const first = head.split(':').filter(Boolean);
  // A `::` stands for as many zeros as are missing; what follows it counts only where it reaches the first groups.
  const last = tail === undefined ? [] : tail.split(':').filter(Boolean);
  const zeros = Array.from({ length: Math.max(0, 8 - first.length - last.length) }, () => '0');
  const groups = [...first, ...zeros, ...last].slice(0, 3);
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/48`;
}
