import { describe, expect, test } from 'vitest';
import { isAddressIn, toRange, toRanges } from '../../src/contract/ip-ranges.ts';

describe('a range', () => {
  test.each([
    ['192.0.2.7', '192.0.2.7'],
    ['192.0.2.7/32', '192.0.2.7'],
    ['10.1.2.3/8', '10.0.0.0/8'],
    ['172.16.99.1/12', '172.16.0.0/12'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8:ffff::/33', '2001:db8:8000::/33'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::ffff:10.0.0.0/104', '10.0.0.0/8'],
    ['::/0', '::/0'],
  ])('%s is written %s', (text, range) => expect(toRange(text)).toBe(range));

  test.each(['', '10.1', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/-1', '10.0.0.0/8/8', '0x0a000001', '1', 'fe80::1%eth0'])(
    'is not %s',
    (text) => expect(toRange(text)).toBeUndefined(),
  );

  test('is one of a list with commas or spaces between', () => {
    expect(toRanges('10.0.0.0/8, 192.0.2.7')).toEqual(['10.0.0.0/8', '192.0.2.7']);
    expect(toRanges('10.0.0.0/8,x')).toBeUndefined();
  });
});

describe('an address', () => {
  test.each([
    ['10.255.0.1', '10.0.0.0/8', true],
    ['11.0.0.1', '10.0.0.0/8', false],
    ['::ffff:10.0.0.1', '10.0.0.0/8', true],
    ['::ffff:a00:1', '10.0.0.1', true],
    ['2001:db8::5', '2001:db8::/32', true],
    ['2001:db9::5', '2001:db8::/32', false],
    ['10.0.0.1', '::/0', false],
    ['fe80::1%eth0', 'fe80::/10', true],
    ['unknown', '0.0.0.0/0', false],
    ['', '0.0.0.0/0', false],
  ])('%s lies in %s: %s', (address, range, isIn) => expect(isAddressIn(address, ['198.51.100.1', range])).toBe(isIn));
});
