import { describe, expect, test } from 'vitest';
import { toBaseUnits, toUsd, USD_PATTERN } from '../../src/contract/usd.ts';

describe('US dollars and base units', () => {
  test.each([
    ['0.01', 10_000n, '0.01'],
    ['1', 1_000_000n, '1.00'],
    ['0.50', 500_000n, '0.50'],
    ['0.0025', 2_500n, '0.0025'],
    ['0.000001', 1n, '0.000001'],
    ['999999999.999999', 999_999_999_999_999n, '999999999.999999'],
    ['0', 0n, '0.00'],
  ])('%s is %s', (text, baseUnits, shown) => {
    expect([toBaseUnits(text), toUsd(baseUnits)]).toEqual([baseUnits, shown]);
  });

  test.each(['', '-1', '1,00', '1e3', '0x1', '.5', '1.', '0.0000001', '1000000000', ' 1'])(
    '%j is no amount',
    (text) => {
      expect(USD_PATTERN.test(text)).toBe(false);
    },
  );
});
