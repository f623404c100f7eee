import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

const LIST_SEPARATOR = /[\s,]+/;
/** IPv4 addresses inside IPv6 (`::ffff:192.0.2.7`) begin after this many bits. */
const MAPPED_BITS = 96;

type Range = readonly [ipaddr.IPv4 | ipaddr.IPv6, number];

export const RANGE_FORM = 'an address or a range, such as 192.0.2.7, 10.0.0.0/8 or 2001:db8::/32';

/** Normalizes an address or CIDR range (`10.1.2.3/8` becomes `10.0.0.0/8`). Undefined if the text is neither. */
export function toRange(text: string): string | undefined {
  const parsed = parseRange(text.trim());
  if (parsed === undefined) return undefined;
  const [address, bits] = parsed;
  const bytes = address.toByteArray();
  const network = ipaddr.fromByteArray(bytes.map((byte, index) => byte & maskOf(bits - index * 8)));
  return bits === bytes.length * 8 ? network.toString() : `${network.toString()}/${bits}`;
}

/** Normalizes a list of ranges separated by commas or spaces. Undefined if any of them is invalid. */
export function toRanges(text: string): readonly string[] | undefined {
  const ranges = text
    .split(LIST_SEPARATOR)
    .filter((part) => part !== '')
    .map(toRange);
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

/** Whether an address lies in one of the ranges. An IPv4-mapped IPv6 address counts as its IPv4 address. */
export function isAddressIn(text: string, ranges: readonly string[]): boolean {
  // Link-local addresses of peers carry a zone index (`fe80::1%eth0`).
  const [address] = parseRange(text.replace(/%.*$/, '')) ?? [];
  if (address === undefined) return false;
  return ranges.some((range) => {
    const [network, bits] = parseRange(range) ?? [];
    return network !== undefined && network.kind() === address.kind() && address.match([network, bits ?? 0]);
  });
}

/** Whether an address is globally routable: not private, loopback, link-local, reserved or a tunnel to one of these. */
export function isPublicAddress(text: string): boolean {
  const [address] = parseRange(text) ?? [];
  if (address?.range() !== 'unicast') return false;
  return address.kind() === 'ipv4' || address.match(ipaddr.parseCIDR('2000::/3'));
}

function parseRange(text: string): Range | undefined {
  const [given = '', length, more] = text.split('/');
  // ipaddr.js also parses legacy forms such as 10.1 or 0x0a000001.
  if (more !== undefined || isIP(given) === 0 || given.includes('%')) return undefined;
  const address = ipaddr.parse(given);
  const longest = address.toByteArray().length * 8;
  const bits = length === undefined ? longest : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
  if (!(bits <= longest)) return undefined;
  return unmapped(address, bits);
}

function unmapped(address: ipaddr.IPv4 | ipaddr.IPv6, bits: number): Range {
  // The type declarations of ipaddr.js do not narrow by `kind()`.
  const isMapped = address.kind() === 'ipv6' && (address as ipaddr.IPv6).isIPv4MappedAddress();
  if (!isMapped || bits < MAPPED_BITS) return [address, bits];
  return [(address as ipaddr.IPv6).toIPv4Address(), bits - MAPPED_BITS];
}

/** The byte of a network mask with this many leading bits. */
const maskOf = (bits: number): number => (0xff00 >> Math.min(8, Math.max(0, bits))) & 0xff;
