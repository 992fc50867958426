import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { REFUSED_ADDRESSES } from '#testing/hostile-addresses.ts';
import { isPublicAddress } from './address.ts';

const PUBLIC_ADDRESSES = [
  '1.1.1.1',
  '8.8.8.8',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.0',
  '168.63.129.15',
  '168.63.129.17',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '191.255.255.255',
  '192.0.1.0',
  '192.0.3.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '203.0.112.255',
  '203.0.114.0',
  '223.255.255.255',
  '2001:200::1',
  '2001:4860:4860::8888',
  '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff',
  '2001:db9::',
  '2003::1',
  '2606:4700:4700::1111',
  '2606:4700::1.1.1.1',
  '2620:4f:7fff:ffff::',
  '2620:4f:8001::',
  '2a00:1450:4001:830::200e',
  '3ffe:ffff::1',
  '3fff:1000::',
];

describe('isPublicAddress', () => {
  for (const address of PUBLIC_ADDRESSES) {
    it(`lets ${address} through`, () => assert.equal(isPublicAddress(address), true));
  }

  for (const [address, why] of REFUSED_ADDRESSES) {
    it(`refuses ${address}: ${why}`, () => assert.equal(isPublicAddress(address), false));
  }

  for (const text of [
    '',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.256',
    '1.2.3.4.',
    ' 8.8.8.8',
    '[2606:4700::1]',
    '2606:4700::1%1',
  ]) {
    it(`refuses ${JSON.stringify(text)}: not one plainly written address`, () =>
      assert.equal(isPublicAddress(text), false));
  }

  it('refuses all that ipaddr.js does not call unicast, and beyond that only one Azure address in IPv4', () => {
    fc.assert(
      fc.property(ipv4NearASpecialBlock(), (address) => {
        const isUnicast = ipaddr.IPv4.parse(address).range() === 'unicast';
        assert.equal(isPublicAddress(address), isUnicast && address !== '168.63.129.16', address);
      }),
      { numRuns: 5000 },
    );
    fc.assert(
      fc.property(ipv6NearASpecialBlock(), (address) => {
        const parsed = ipaddr.IPv6.parse(address);
        const isGlobalUnicast = parsed.range() === 'unicast' && parsed.match(ipaddr.IPv6.parse('2000::'), 3);
        const isIsatap = ((parsed.parts[4] ?? 0) & 0xfcff) === 0 && parsed.parts[5] === 0x5efe;
        const dotted = `${parsed.parts.slice(0, 6).map(hex).join(':')}:${parsed.toByteArray().slice(12).join('.')}`;
        for (const spelling of [
          address,
          `${parsed}`,
          parsed.toNormalizedString(),
          address.toUpperCase(),
          dotted,
        ])
          assert.equal(isPublicAddress(spelling), isGlobalUnicast && !isIsatap, spelling);
      }),
      { numRuns: 5000 },
    );
  });
});

/** Random addresses, and those close to the ends of the special blocks, where mistakes are likely. */
function ipv4NearASpecialBlock(): fc.Arbitrary<string> {
  const bases = REFUSED_ADDRESSES.map(([address]) => address).filter((address) =>
    ipaddr.IPv4.isValid(address),
  );
  const near = fc
    .tuple(fc.constantFrom(...bases), fc.nat({ max: 31 }), fc.integer({ min: -2, max: 2 }))
    .map(([base, bit, step]) => {
      const value = ipaddr.IPv4.parse(base).octets.reduce((sum, octet) => sum * 256 + octet, 0);
      return toIPv4((((value ^ (1 << bit)) >>> 0) + step + 2 ** 32) % 2 ** 32);
    });
  return fc.oneof(fc.ipV4(), near);
}

function ipv6NearASpecialBlock(): fc.Arbitrary<string> {
  const bases = REFUSED_ADDRESSES.map(([address]) => address).filter((address) =>
    ipaddr.IPv6.isValid(address),
  );
  const near = fc
    .tuple(fc.constantFrom(...bases), fc.nat({ max: 127 }), fc.bigInt({ min: -2n, max: 2n }))
    .map(([base, bit, step]) => {
      const value = ipaddr.IPv6.parse(base).parts.reduce((sum, part) => (sum << 16n) | BigInt(part), 0n);
      return toIPv6(BigInt.asUintN(128, (value ^ (1n << BigInt(bit))) + step));
    });
  const global = fc.bigInt({ min: 1n << 125n, max: (1n << 126n) - 1n }).map(toIPv6);
  return fc.oneof(fc.ipV6(), near, global);
}

function toIPv4(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.');
}

function toIPv6(value: bigint): string {
  return Array.from({ length: 8 }, (_, i) => hex(Number((value >> BigInt(112 - 16 * i)) & 0xffffn))).join(
    ':',
  );
}

function hex(value: number): string {
  return value.toString(16);
}
