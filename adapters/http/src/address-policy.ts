/**
 * The addresses that an outgoing request may not reach (REV-40), as data.
 * Sources: the special-purpose address registries of IANA for IPv4 and IPv6 (RFC 6890 and its updates), and RFC 4291.
 */
import { BlockList, isIP } from 'node:net';

interface AddressRange {
  readonly range: string;
  readonly name: string;
}

/** The first row that holds an address names it, so narrow rows stand above wide ones. */
export const REFUSED_RANGES: readonly AddressRange[] = [
  { range: '0.0.0.0/32', name: 'unspecified' },
  { range: '0.0.0.0/8', name: 'this network' },
  { range: '10.0.0.0/8', name: 'private' },
  { range: '100.64.0.0/10', name: 'carrier-grade NAT' },
  { range: '127.0.0.0/8', name: 'loopback' },
  { range: '168.63.129.16/32', name: 'host service of a cloud' },
  { range: '169.254.0.0/16', name: 'link-local' },
  { range: '172.16.0.0/12', name: 'private' },
  { range: '192.0.0.0/24', name: 'protocol assignments' },
  { range: '192.0.2.0/24', name: 'documentation' },
  { range: '192.31.196.0/24', name: 'AS112' },
  { range: '192.52.193.0/24', name: 'multicast tunnel' },
  { range: '192.88.99.0/24', name: '6to4 relay' },
  { range: '192.168.0.0/16', name: 'private' },
  { range: '192.175.48.0/24', name: 'AS112' },
  { range: '198.18.0.0/15', name: 'benchmark' },
  { range: '198.51.100.0/24', name: 'documentation' },
  { range: '203.0.113.0/24', name: 'documentation' },
  { range: '224.0.0.0/4', name: 'multicast' },
  { range: '255.255.255.255/32', name: 'broadcast' },
  { range: '240.0.0.0/4', name: 'reserved' },
  { range: '::/128', name: 'unspecified' },
  { range: '::1/128', name: 'loopback' },
  { range: '::/96', name: 'IPv4-compatible' },
  { range: '::ffff:0:0/96', name: 'IPv4-mapped' },
  { range: '::ffff:0:0:0/96', name: 'IPv4-translated' },
  { range: '64:ff9b::/96', name: 'IPv4-translated' },
  { range: '64:ff9b:1::/48', name: 'IPv4-translated' },
  { range: '100::/64', name: 'discard' },
  { range: '2001::/32', name: 'Teredo' },
  { range: '2001:2::/48', name: 'benchmark' },
  { range: '2001::/23', name: 'protocol assignments' },
  { range: '2001:db8::/32', name: 'documentation' },
  { range: '2002::/16', name: '6to4' },
  { range: '2620:4f:8000::/48', name: 'AS112' },
  { range: '3fff::/20', name: 'documentation' },
  { range: '5f00::/16', name: 'segment routing' },
  { range: 'fc00::/7', name: 'unique-local' },
  { range: 'fe80::/10', name: 'link-local' },
  { range: 'fec0::/10', name: 'site-local' },
  { range: 'ff00::/8', name: 'multicast' },
  // Global unicast is 2000::/3 alone. What lies outside and has no name above is not assigned.
  { range: '::/3', name: 'reserved' },
  { range: '4000::/2', name: 'reserved' },
  { range: '8000::/1', name: 'reserved' },
];

const familyOf = (address: string): 'ipv4' | 'ipv6' => (address.includes(':') ? 'ipv6' : 'ipv4');

const rows = REFUSED_RANGES.map(({ range, name }) => {
  const [network = '', prefix = ''] = range.split('/');
  const list = new BlockList();
  list.addSubnet(network, Number(prefix), familyOf(network));
  return { name, family: familyOf(network), list };
});

/**
 * Name of the range that forbids an address; undefined for a public one.
 * @param address IPv4 or IPv6 text as a resolver gives it, with or without a zone. What is not an address is refused too.
 */
export function refusedRange(address: string): string | undefined {
  const [plain = ''] = address.split('%', 1);
  if (isIP(plain) === 0) return 'not an address';
  // The families are kept apart: a block list also matches IPv4-mapped text with its IPv4 rows, which would name it wrongly.
  const family = familyOf(plain);
  return rows.find(row => row.family === family && row.list.check(plain, family))?.name;
}
