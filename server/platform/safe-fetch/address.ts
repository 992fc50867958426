import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** Tests whether an address is in one of these CIDR ranges. False for any other text. */
export function inRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', bits] = range.split('/');
    list.addSubnet(network, Number(bits), familyOf(network));
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/**
 * The whole IANA IPv4 Special-Purpose Address Registry, including the few globally reachable blocks (AS112, AMT, PCP and
 * TURN anycast): they contain infrastructure, never a webhook.
 */
const isSpecialIPv4 = inRanges([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.31.196.0/24',
  '192.52.193.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '192.175.48.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  // Multicast and reserved, up to the broadcast address.
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure's host service for virtual machines: a private service on a public address.
  '168.63.129.16/32',
]);

/** Everything else is loopback, local, multicast, reserved, or carries an IPv4 address (mapped, translated, NAT64). */
const isGlobalUnicast = inRanges(['2000::/3']);

const isSpecialIPv6 = inRanges([
  // IETF protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, drone ids.
  '2001::/23',
  '2001:db8::/32',
  // 6to4 carries an IPv4 address.
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
]);

/**
 * Whether an address is on the public internet. False for any text that is not a plain address (octal parts, zone IDs,
 * brackets).
 */
export function isPublicAddress(ip: string): boolean {
  if (isIPv4(ip)) return !isSpecialIPv4(ip);
  return isGlobalUnicast(ip) && !ip.includes('%') && !isSpecialIPv6(ip) && !isIsatap(ip);
}

/** RFC 5214: an interface identifier of 5efe, whatever its u and g bits, is followed by an IPv4 address. */
function isIsatap(ip: string): boolean {
  const [, , , , bits = 0, marker] = groupsOf(ip);
  return (bits & 0xfcff) === 0 && marker === 0x5efe;
}

/** The eight groups of an IPv6 address, with or without a zone. */
export function groupsOf(ip: string): number[] {
  const [address = ''] = ip.split('%', 1);
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = [], tail = []] = shortest.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
  return [...head, ...zeros, ...tail].map((group) => Number.parseInt(group, 16));
}
