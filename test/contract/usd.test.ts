import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Settings } from '../../src/commands/config.ts';
import { prepareConfiguredPaymentGate } from '../../src/commands/configured-payment-gate.ts';
import { NETWORKS, type NetworkId } from '../../src/contract/networks.ts';
import { isRounded, shortMoney, toBaseUnits, toUsd, USD_PATTERN } from '../../src/contract/usd.ts';
import { priceOn } from '../../src/contract/x402.ts';

const USDC = 'eip155:84532';
const FINE = 'test:fine' as NetworkId;
const COARSE = 'test:coarse' as NetworkId;

/** Networks as the recipe adds them, with tokens of other decimals. */
beforeAll(() => {
  const { token, ...network } = NETWORKS[USDC];
  Object.assign(NETWORKS, {
    [FINE]: { ...network, token: { ...token, decimals: 18 } },
    [COARSE]: { ...network, label: 'Coarse', token: { ...token, decimals: 1 } },
  });
});
afterAll(() => {
  for (const name of [FINE, COARSE]) delete (NETWORKS as Record<string, unknown>)[name];
});

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
    expect([toBaseUnits(text, USDC), toUsd(baseUnits, USDC)]).toEqual([baseUnits, shown]);
  });

  test('are converted with the decimals of the token of the network', () => {
    expect([toBaseUnits('0.01', FINE), toUsd(10n ** 16n, FINE)]).toEqual([10n ** 16n, '0.01']);
    expect([toBaseUnits('2.59', COARSE), toUsd(25n, COARSE)]).toEqual([25n, '2.50']);
  });

  test.each(['', '-1', '1,00', '1e3', '0x1', '.5', '1.', '0.0000001', '1000000000', ' 1'])(
    '%j is no amount',
    (text) => {
      expect(USD_PATTERN.test(text)).toBe(false);
    },
  );
});

describe('the price of a search', () => {
  test('is 0.01 USD in the token of each network', () => {
    expect([USDC, 'eip155:8453', FINE].map((network) => priceOn(network as NetworkId))).toEqual([
      '10000',
      '10000',
      '10000000000000000',
    ]);
  });

  test('is refused at the start on a network whose token cannot express it', async () => {
    const settings = { network: COARSE, pay_to: NETWORKS[USDC].token.address, facilitator_url: 'http://localhost' };
    await expect(prepareConfiguredPaymentGate(settings as unknown as Settings)).rejects.toThrow(
      'WEB3_BI_NETWORK is wrong: the price of 0.01 USD cannot be paid on Coarse: USDC has 1 decimals there; choose another network.',
    );
  });
});

test.each([
  [1_039_000_000, '$1.04B', true],
  [999_600_000, '$1B', true],
  [177_800_000, '$178M', true],
  [45_600_000, '$45.6M', false],
  [300_000, '$300K', false],
  [1_650, '$1,650', false],
])('%d is %s in short', (usd, text, rounded) => {
  expect([shortMoney(usd), isRounded(usd)]).toEqual([text, rounded]);
});
