import * as z from 'zod';
import { entityOf, type RecordType } from './entities/index.ts';
import { ServiceError } from './errors.ts';
import { count } from './fields.ts';
import { NETWORKS, type NetworkId } from './networks.ts';
import { limitUpTo, page, searchText } from './queries.ts';
import { toBaseUnits, toUsd } from './usd.ts';

/** The price of a search in US dollars. */
export const PRICE_USD = '0.01';

/** The price in base units of the network's token. Throws `invalid_parameter` if the token cannot represent it. */
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

/** Wire format of what is sold over x402. */

export const X402_VERSION = 2;
export const PAYMENT_HEADERS = {
  required: 'PAYMENT-REQUIRED',
  signature: 'PAYMENT-SIGNATURE',
  response: 'PAYMENT-RESPONSE',
} as const;

/** Maximum validity of an authorization, in seconds. */
export const PAYMENT_SECONDS_MAX = 300;

const PAID_LIMIT_DEFAULT = 10;
const PAID_LIMIT_MAX = 50;

/** Types of a paid search of all types, in the order in which the limit is divided. Events are not sold. */
export const PAID_TYPES = ['companies', 'people', 'investors'] as const satisfies readonly RecordType[];
/** Types that can be bought; rounds only separately, because a response of all types has three lists. */
export const SOLD_TYPES = [...PAID_TYPES, 'rounds'] as const satisfies readonly RecordType[];
export type SoldType = (typeof SOLD_TYPES)[number];
const PAID_SEARCH_TYPES = [...SOLD_TYPES, 'all'] as const;

/** Strict, because an ignored parameter would still be paid for. */
export const paidSearchQuery = z.strictObject({
  q: searchText,
  type: z.enum(PAID_SEARCH_TYPES).default('all').meta({ description: 'Kind of record, or all but rounds.' }),
  limit: limitUpTo(PAID_LIMIT_MAX, PAID_LIMIT_DEFAULT).meta({
    description: `Records a page, at most ${PAID_LIMIT_MAX}; with type all they are divided among the types.`,
  }),
  page,
});

export type PaidSearchQuery = z.output<typeof paidSearchQuery>;

const paidRecords = (type: SoldType) => {
  const { paid } = entityOf(type);
  if (paid === null) throw new Error(`${type} are not sold`);
  return z.array(paid.schema).meta({ description: `Matching ${type}; empty if another type was requested.` });
};

const network = z.enum(Object.keys(NETWORKS) as [NetworkId]).meta({ description: 'CAIP-2 id of the network.' });
const payer = z.string().meta({ description: 'Address of the wallet that paid.' });
const transaction = z.string().meta({ description: 'Hash of the transaction that moved the money.' });

/** `meta` fields that a payment adds. */
const paidMeta = {
  payer,
  transaction,
  network,
  price_paid: z.string().meta({ description: 'Price in base units of the token.' }),
  price_paid_usd: z.string().meta({ description: 'Price in US dollars.' }),
};

/** A paid response with the data of a keyed one. */
export const paidResponseOf = <Data extends z.ZodType>(data: Data) =>
  z.object({
    data,
    meta: z.object({ query: z.string().meta({ description: 'The query in normalized form.' }), ...paidMeta }),
  });

export const paidSearchResponse = z.object({
  data: z.object({
    companies: paidRecords('companies'),
    people: paidRecords('people'),
    investors: paidRecords('investors'),
    rounds: paidRecords('rounds').optional().meta({ description: 'Matching rounds, if requested.' }),
  }),
  meta: z.object({
    query: z.string().meta({ description: 'The searched text.' }),
    type: z.enum(PAID_SEARCH_TYPES).meta({ description: 'The searched type.' }),
    page: count.meta({ description: 'This page.' }),
    limit: count.meta({ description: 'The applied limit.' }),
    total: count.meta({ description: 'Matching records of all searched types.' }),
    ...paidMeta,
  }),
});

/** `meta` of a resource before payment: without the fields that a payment adds. */
export type PaidMeta =
  | Pick<z.output<typeof paidSearchResponse>['meta'], 'query' | 'type' | 'page' | 'limit' | 'total'>
  | { readonly query: string };

const PURCHASES_LIMIT_DEFAULT = 20;

export const purchasesQuery = z.strictObject({
  limit: limitUpTo(PAID_LIMIT_MAX, PURCHASES_LIMIT_DEFAULT).meta({
    description: `Purchases a page, at most ${PAID_LIMIT_MAX}.`,
  }),
  before: z.int().min(1).optional().meta({ description: 'The value of next on the previous page.' }),
});
export type PurchasesQuery = z.output<typeof purchasesQuery>;

export const boughtItem = z.object({
  id: z.int().meta({ description: 'Number of the payment.' }),
  item: z.string().meta({ description: 'Path and query of the purchased response.' }),
  state: z.string().meta({ description: 'settled: paid; failed: nothing was charged.' }),
  amount: z.string().meta({ description: 'Price in base units of the token.' }),
  amount_usd: z.string().meta({ description: 'Price in US dollars.' }),
  network,
  pay_to: z.string().meta({ description: 'Address that was paid.' }),
  transaction: transaction.nullable(),
  created_at: z.string().meta({ description: 'When the payment was received.' }),
  settled_at: z.string().nullable().meta({ description: 'When it was settled.' }),
  delivered_at: z.string().nullable().meta({ description: 'When its response was first sent in full.' }),
});
export type Purchase = z.output<typeof boughtItem>;

export const purchasesResponse = z.object({
  data: z.array(boughtItem),
  meta: z.object({
    payer,
    next: z.int().nullable().meta({ description: 'Value of before for the next page; null on the last.' }),
  }),
});

/** One way to pay: the fields of x402 version 2, and `maxAmountRequired` and `description` of version 1. */
const offer = z.object({
  scheme: z.literal('exact'),
  network,
  amount: z.string().meta({ description: 'Price in base units of the token.' }),
  maxAmountRequired: z.string().meta({ description: 'The same as amount.' }),
  payTo: z.string().meta({ description: 'Address that is paid.' }),
  asset: z.string().meta({ description: 'Address of the token.' }),
  maxTimeoutSeconds: z.int().meta({ description: 'Validity of the authorization, in seconds.' }),
  description: z.string().meta({ description: 'Description of the paid resource.' }),
  extra: z
    .object({ name: z.string(), version: z.string() })
    .meta({ description: "Name and version of the token's EIP-712 domain." }),
});

/** Body of a 402 response; also sent as base64 in the PAYMENT-REQUIRED header. */
export const paymentRequired = z
  .object({
    x402Version: z.literal(X402_VERSION),
    error: z
      .string()
      .meta({ description: 'Payment required, or why the payment was refused, with the code in parentheses.' }),
    resource: z.object({
      url: z.string().meta({ description: 'URL of the paid resource.' }),
      description: z.string().meta({ description: 'Description of the paid resource.' }),
      mimeType: z.literal('application/json'),
    }),
    accepts: z.array(offer).meta({ description: 'Ways to pay.' }),
    extensions: z.record(z.string(), z.unknown()).optional().meta({ description: 'x402 extensions, if any.' }),
  })
  .meta({ id: 'PaymentRequired' });

export type PaymentRequired = z.output<typeof paymentRequired>;

/** Content of PAYMENT-RESPONSE on 200. */
export interface PaymentReceipt {
  readonly success: true;
  readonly transaction: string;
  readonly network: string;
  readonly payer: string;
}
