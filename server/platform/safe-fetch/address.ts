import { isIPv6 } from 'node:net';

/**
 * The whole IANA IPv4 Special-Purpose Address Registry, including the few globally reachable blocks (AS112, AMT, PCP and
 * TURN anycast): they contain infrastructure, never a webhook.
 */
const IPV4_SPECIAL = [
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
].map(ipv4Block);

/** Everything else is loopback, local, multicast, reserved, or carries an IPv4 address (mapped, translated, NAT64). */
const IPV6_GLOBAL_UNICAST = ipv6Block('2000::/3');

const IPV6_SPECIAL = [
  // IETF protocol assignments: Teredo, benchmarking, AMT, AS112, ORCHID, drone ids.
  '2001::/23',
  '2001:db8::/32',
  // 6to4 carries an IPv4 address.
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
].map(ipv6Block);

interface Block {
  base: bigint;
  /** The number of host bits in this block. */
  freeBits: bigint;
}

/**
 * Whether an address is on the public internet. False for any text that is not a plain address (octal parts, zone IDs,
 * brackets).
 */
export function isPublicAddress(ip: string): boolean {
  const v4 = parseIPv4(ip);
  if (v4 !== undefined) return !IPV4_SPECIAL.some((block) => holds(block, v4));
  const v6 = parseIPv6(ip);
  if (v6 === undefined || !holds(IPV6_GLOBAL_UNICAST, v6)) return false;
  return !IPV6_SPECIAL.some((block) => holds(block, v6)) && !isIsatap(v6);
}

/** RFC 5214: an interface identifier of 5efe, whatever its u and g bits, is followed by an IPv4 address. */
function isIsatap(address: bigint): boolean {
  return ((address >> 32n) & 0xfcff_ffffn) === 0x5efen;
}

function holds({ base, freeBits }: Block, address: bigint): boolean {
  return address >> freeBits === base >> freeBits;
}

function parseIPv4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let address = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    address = (address << 8n) | BigInt(part);
  }
  return address;
}

function parseIPv6(text: string): bigint | undefined {
  if (!isIPv6(text) || text.includes('%')) return undefined;
  const [head = '', tail] = text.split('::');
  const front = groupsOf(head);
  const back = groupsOf(tail ?? '');
  const zeros = new Array<bigint>(8 - front.length - back.length).fill(0n);
  return [...front, ...zeros, ...back].reduce((address, group) => (address << 16n) | group, 0n);
}

function groupsOf(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((group) => {
    const dotted = parseIPv4(group);
    return dotted === undefined ? [BigInt(`0x${group}`)] : [dotted >> 16n, dotted & 0xffffn];
  });
}

function ipv4Block(cidr: string): Block {
  return toBlock(cidr, parseIPv4, 32);
}

function ipv6Block(cidr: string): Block {
  return toBlock(cidr, parseIPv6, 128);
}

function toBlock(cidr: string, parse: (text: string) => bigint | undefined, bits: number): Block {
  const [address = '', prefix] = cidr.split('/');
  const base = parse(address);
  if (base === undefined) throw new Error(`not a block of addresses: ${cidr}`);
  return { base, freeBits: BigInt(bits - Number(prefix)) };
}
