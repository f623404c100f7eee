/** The token of every network has six decimals (specification 8.2). */
const DECIMALS = 6;
const DECIMALS_SHOWN_MIN = 2;

/** An amount of US dollars as people write it: up to six decimals. */
export const USD_PATTERN = /^\d{1,9}(\.\d{1,6})?$/;

/** `0.02` as base units of the token; the text must be of USD_PATTERN. */
export function toBaseUnits(usd: string): bigint {
  const [whole = '0', fraction = ''] = usd.split('.');
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'));
}

/** Base units of the token as US dollars: `0.01`, `0.0025`. */
export function toUsd(baseUnits: bigint): string {
  const digits = baseUnits.toString().padStart(DECIMALS + 1, '0');
  const fraction = digits.slice(-DECIMALS).replace(/0+$/, '').padEnd(DECIMALS_SHOWN_MIN, '0');
  return `${digits.slice(0, -DECIMALS)}.${fraction}`;
}
