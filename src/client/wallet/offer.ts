import type { PaymentRequired, PaymentRequirements } from '@x402/fetch';
import { NETWORKS, type NetworkId } from '../../contract/networks.ts';
import { offerRefused, type PaymentError } from './errors.ts';
import { asObject, decodeJson } from './payment-headers.ts';

/** Bounds of an authorization's validity: no longer than a settlement takes, and long enough for retries. */
export const VALID_SECONDS_MAX = 600;
const VALID_SECONDS_MIN = 20;
const VALID_SECONDS_DEFAULT = 300;
const AMOUNT = /^[1-9]\d{0,29}$/;
export const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const FLOWS: readonly unknown[] = [undefined, null, 'authorization', 'upfront'];

/** What the wallet accepts, whatever the server offers. */
export interface OfferRules {
  readonly network: NetworkId;
  /** Allowed payees in lower case; any within the budgets if absent. */
  readonly payees?: ReadonlySet<string> | undefined;
}

/** A price in the form that the stock client signs. */
export interface Offer {
  readonly amount: bigint;
  readonly payTo: string;
  readonly validSeconds: number;
  /** The server's payment requirements, reduced to the chosen one. */
  readonly required: PaymentRequired;
}

/**
 * Parses the price of a 402 response, from the header or else the body. The amount may be named as in x402 version 1
 * (`maxAmountRequired`), and the token's domain may be absent. Throws `offer_refused` if every option violates the rules.
 */
export function readOffer(headers: Headers, body: string, rules: OfferRules): Offer {
  const stated = [decodeJson(headers.get('payment-required')), decodeJson(body)].map(asObject);
  const required = stated.find((each) => itemsOf(each).length > 0);
  if (required === undefined) throw offerRefused('it contains no readable price');
  if (Number(required['x402Version']) !== 2) throw offerRefused('it is not x402 version 2');
  const refusals: PaymentError[] = [];
  for (const item of itemsOf(required)) {
    const reason = faultOf(item, rules);
    if (reason === undefined) return accepted(required, item, rules);
    refusals.push(offerRefused(reason));
  }
  throw refusals[0] ?? offerRefused('it contains no readable price');
}

type Item = Readonly<Record<string, unknown>>;

const itemsOf = ({ accepts }: Item): readonly Item[] =>
  (Array.isArray(accepts) ? accepts : [accepts]).filter((item) => typeof item === 'object' && item !== null);

/** Describes the first rule that an option violates; undefined if it violates none. */
function faultOf(item: Item, { network, payees }: OfferRules): string | undefined {
  const { token } = NETWORKS[network];
  const extra = asObject(item['extra']);
  const amounts = [item['amount'], item['maxAmountRequired']].filter((amount) => amount !== undefined).map(String);
  const payTo = String(item['payTo']);
  const valid = secondsOf(item);
  const faults: readonly (readonly [boolean, string])[] = [
    [item['scheme'] !== 'exact', 'its scheme is not exact'],
    [item['network'] !== network, `its network is not ${network}`],
    [lower(item['asset']) !== token.address.toLowerCase(), `its token is not ${token.symbol}`],
    [new Set(amounts).size > 1, 'it contains two different prices'],
    [!AMOUNT.test(amounts[0] ?? ''), 'its price cannot be read'],
    [!ADDRESS.test(payTo), 'its payee is not an address'],
    [payees !== undefined && !payees.has(payTo.toLowerCase()), 'its payee is not among WEB3_BI_PAYEES'],
    [(extra['assetTransferMethod'] ?? 'eip3009') !== 'eip3009', 'its transfer method is not EIP-3009'],
    [!FLOWS.includes(extra['paymentFlow']), 'its payment flow is unknown'],
    [(extra['name'] ?? token.domain.name) !== token.domain.name, 'it names another domain of the token'],
    [(extra['version'] ?? token.domain.version) !== token.domain.version, 'it names another version of the token'],
    [!(valid <= VALID_SECONDS_MAX), `it would be valid for longer than ${VALID_SECONDS_MAX} s`],
    [!(valid >= VALID_SECONDS_MIN), `it would be valid for less than ${VALID_SECONDS_MIN} s`],
  ];
  return faults.find(([isFault]) => isFault)?.[1];
}

export const lower = (value: unknown): string => String(value).toLowerCase();

function secondsOf(item: Item): number {
  const seconds = item['maxTimeoutSeconds'] ?? VALID_SECONDS_DEFAULT;
  return Number.isInteger(seconds) ? Number(seconds) : Number.NaN;
}

/** Adds missing fields only, because the server compares the echoed requirements with its own. */
function accepted(required: Item, item: Item, { network }: OfferRules): Offer {
  const { domain } = NETWORKS[network].token;
  const amount = String(item['amount'] ?? item['maxAmountRequired']);
  const extra = { ...asObject(item['extra']), ...domain };
  const maxTimeoutSeconds = secondsOf(item);
  const requirements = { ...item, amount, maxTimeoutSeconds, extra } as unknown as PaymentRequirements;
  return {
    amount: BigInt(amount),
    payTo: requirements.payTo,
    validSeconds: maxTimeoutSeconds,
    // Signed fields have been validated; unknown ones are echoed unchanged.
    required: { ...required, x402Version: 2, accepts: [requirements] } as unknown as PaymentRequired,
  };
}
