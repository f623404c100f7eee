import { ServiceError } from './errors.ts';
import { NETWORKS, type NetworkId } from './networks.ts';
import { toBaseUnits, toUsd } from './usd.ts';

/** The price of a search in US dollars. */
export const PRICE_USD = '0.01';

/**
 * The price in base units of the network's token.
 * @throws ServiceError `invalid_parameter` if the token cannot represent it
 */
export function priceOn(network: NetworkId): string {
  const amount = toBaseUnits(PRICE_USD, network);
  if (toUsd(amount, network) === PRICE_USD) return String(amount);
  const { label, token } = NETWORKS[network];
  throw new ServiceError(
    'invalid_parameter',
    `the price of ${PRICE_USD} USD cannot be paid on ${label}: ${token.symbol} has ${token.decimals} decimals there`,
    { errors: [{ location: 'settings.network', message: 'a network whose token can express the price' }] },
  );
}
