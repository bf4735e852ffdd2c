import { BlockList } from 'node:net';
import { verifies } from '@weir/requirements';
import { expect, test } from 'vitest';
import { REFUSED_RANGES, refusedRange } from './address-policy.ts';

const BITS = { ipv4: 32, ipv6: 128 };

function toNumber(address: string): bigint {
  if (!address.includes(':')) return address.split('.').reduce((sum, octet) => sum * 256n + BigInt(octet), 0n);
  const [head = '', tail = ''] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === '' ? [] : tail.split(':');
  const middle = address.includes('::') ? Array.from({ length: 8 - left.length - right.length }, () => '0') : [];
  return [...left, ...middle, ...right].reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function toText(value: bigint, family: 'ipv4' | 'ipv6'): string {
  if (family === 'ipv4') return [24n, 16n, 8n, 0n].map(shift => (value >> shift) & 255n).join('.');
  return Array.from({ length: 8 }, (_, index) => ((value >> BigInt(112 - index * 16)) & 65_535n).toString(16)).join(':');
}

const bounds = REFUSED_RANGES.map(({ range, name }) => {
  const [network = '', prefix = ''] = range.split('/');
  const family = network.includes(':') ? ('ipv6' as const) : ('ipv4' as const);
  const first = toNumber(network);
  const last = first + (1n << BigInt(BITS[family] - Number(prefix))) - 1n;
  return { range, name, family, first, last };
});

test.each(bounds)(`${verifies('REV-40')} $range ($name) is refused from its first to its last address`, ({ name, family, first, last }) => {
  expect(refusedRange(toText(first, family))).toBeDefined();
  expect(refusedRange(toText((first + last) / 2n, family))).toBeDefined();
  expect(refusedRange(toText(last, family))).toBeDefined();
  expect([refusedRange(toText(last, family)), refusedRange(toText((first + last) / 2n, family))]).toContain(name);
});

test(`${verifies('REV-40')} the addresses just outside of a range are public unless another row holds them`, () => {
  const inside = (value: bigint, family: string) => bounds.some(row => row.family === family && value >= row.first && value <= row.last);
  let checked = 0;
  for (const { family, first, last } of bounds) {
    for (const value of [first - 1n, last + 1n]) {
      if (value < 0n || value >= 1n << BigInt(BITS[family])) continue;
      expect(refusedRange(toText(value, family)) !== undefined, toText(value, family)).toBe(inside(value, family));
      checked += 1;
    }
  }
  expect(checked).toBeGreaterThan(70);
});

test.each([
  ['127.0.0.1', 'loopback'],
  ['0.0.0.0', 'unspecified'],
  ['10.1.2.3', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['100.100.100.200', 'carrier-grade NAT'],
  ['169.254.169.254', 'link-local'],
  ['168.63.129.16', 'host service of a cloud'],
  ['224.0.0.251', 'multicast'],
  ['255.255.255.255', 'broadcast'],
  ['::', 'unspecified'],
  ['::1', 'loopback'],
  ['0:0:0:0:0:0:0:1', 'loopback'],
  ['::7f00:1', 'IPv4-compatible'],
  ['::ffff:127.0.0.1', 'IPv4-mapped'],
  ['::ffff:8.8.8.8', 'IPv4-mapped'],
  ['::ffff:7f00:1', 'IPv4-mapped'],
  ['64:ff9b::10.0.0.1', 'IPv4-translated'],
  ['64:ff9b:1::1', 'IPv4-translated'],
  ['2002:7f00:1::', '6to4'],
  ['2001:0:4136:e378:8000:63bf:3fff:fdd2', 'Teredo'],
  ['fd00:ec2::254', 'unique-local'],
  ['fe80::1', 'link-local'],
  ['fe80::1%eth0', 'link-local'],
  ['ff02::1', 'multicast'],
  ['2001:db8::1', 'documentation'],
  ['1234::1', 'reserved'],
  ['localhost', 'not an address'],
  ['', 'not an address'],
  ['1.2.3', 'not an address'],
])(`${verifies('REV-40')} %s is refused as %s`, (address, name) => {
  expect(refusedRange(address)).toBe(name);
});

test.each(['1.1.1.1', '8.8.8.8', '172.32.0.1', '100.128.0.1', '198.20.0.1', '2606:4700:4700::1111', '2a00:1450:4001:80b::200e'])('%s is public', address => {
  expect(refusedRange(address)).toBeUndefined();
});

test('every row is a range that the block list takes', () => {
  for (const { range } of REFUSED_RANGES) {
    const [network = '', prefix = ''] = range.split('/');
    expect(() => new BlockList().addSubnet(network, Number(prefix), network.includes(':') ? 'ipv6' : 'ipv4')).not.toThrow();
  }
});
