import type { AggregateData } from './aggregate.ts';
import { NETWORKS, type NetworkId } from './networks.ts';
import { countText } from './value-text.ts';

/** Fractional digits of a US dollar amount in input, whatever the decimals of the token. */
export const USD_DECIMALS_MAX = 6;
export const USD_PATTERN = /^\d{1,9}(\.\d{1,6})?$/;
export const USD_FORM = 'an amount of US dollars, such as 0.05';
export const USD_MAX = 999_999_999;

const DECIMALS_SHOWN_MIN = 2;

const decimalsOf = (network: string): number => NETWORKS[network as NetworkId].token.decimals;

/** Converts a US dollar text of USD_PATTERN, such as `0.02`, to base units of the network's token, rounding down. */
export function toBaseUnits(usd: string, network: string): bigint {
  const decimals = decimalsOf(network);
  const [whole = '0', fraction = ''] = usd.split('.');
  return BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
}

/** Converts base units of the network's token to US dollars, exactly: `0.01`, `0.0025`. */
export function toUsd(baseUnits: bigint, network: string): string {
  const decimals = decimalsOf(network);
  const digits = baseUnits.toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const fraction = digits.slice(point).replace(/0+$/, '').padEnd(DECIMALS_SHOWN_MIN, '0');
  return `${digits.slice(0, point)}.${fraction}`;
}

/** Money below this is short enough. */
const ABBREVIATED_MIN = 10_000;

const DIGITS_SHOWN_MAX = 3;

/** Abbreviated money, of three digits at most: $1.04B, $45M, $300K, $1,650. */
export function shortMoney(value: number): string {
  const notation = value < ABBREVIATED_MIN ? 'standard' : 'compact';
  formats[notation] ??= new Intl.NumberFormat('en-US', {
    notation,
    ...(notation === 'compact' ? { maximumSignificantDigits: DIGITS_SHOWN_MAX } : { maximumFractionDigits: 0 }),
  });
  return `$${formats[notation].format(value)}`;
}

/** Whether the abbreviation of an amount says less than its whole dollars. */
export const isRounded = (usd: number): boolean =>
  usd >= ABBREVIATED_MIN && usd % 10 ** (Math.floor(Math.log10(usd)) + 1 - DIGITS_SHOWN_MAX) !== 0;

/** Created by the first use: a format costs as much as a hundred amounts, and the first 16 ms. */
const formats: Partial<Record<'standard' | 'compact', Intl.NumberFormat>> = {};

/** The sum over all groups of an aggregate, such as `$1.24B in all`; undefined without one, or where a row shows it. */
export function totalText({ groups, covered: { sum } }: Pick<AggregateData, 'groups' | 'covered'>): string | undefined {
  if (sum === undefined || groups < 2) return undefined;
  return `${typeof sum === 'string' ? shortMoney(Number(sum)) : countText(sum)} in all`;
}
