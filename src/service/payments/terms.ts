import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequirements } from '@x402/core/types';
import { getAddress, isAddress, zeroAddress } from 'viem';
import * as z from 'zod';
import { invalidAt } from '../../contract/errors.ts';
import { NETWORKS } from '../../contract/networks.ts';
import {
  PAID_TYPES,
  PAYMENT_HEADERS,
  PAYMENT_SECONDS_MAX,
  type PaymentRequired,
  paidSearchQuery,
  priceOn,
  X402_VERSION,
} from '../../contract/x402.ts';
import { type ApiResponse, bareResponse } from '../call.ts';
import type { PaymentGateOptions } from './payment-gate.ts';
import { signInChallenge } from './wallet-sign-in.ts';

/** Description of a resource, by the last segment of its path. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  search: 'One search over companies, people, investors or funding rounds of Web3.',
  aggregate: 'Counts and sums over rounds, companies, investors, people and events of Web3.',
  purchases: 'Purchases of a wallet.',
  connections: 'How two companies, people or investors of Web3 are connected.',
};

const lastPart = (url: string): string => new URL(url).pathname.split('/').at(-1) ?? '';

const descriptionOf = (resource: string): string => DESCRIPTIONS[lastPart(resource)] ?? 'One answer.';

/** Price and payee, and the responses that state them. */
export type PaymentTerms = ReturnType<typeof createPaymentTerms>;

/** Throws `invalid_parameter` for an invalid payee address, and for a network whose token cannot represent the price. */
export function createPaymentTerms(options: Pick<PaymentGateOptions, 'network' | 'payTo' | 'isDiscoverable'>) {
  const { network, payTo, isDiscoverable } = options;
  const { token } = NETWORKS[network];
  // A mixed-case address has a checksum (ERC-55), which reveals a typo.
  if (!isAddress(payTo) || getAddress(payTo) === zeroAddress)
    throw invalidAt('settings.pay_to', 'the address to be paid at must be 0x and 40 hexadecimal digits');
  const amount = priceOn(network);
  const requirements: PaymentRequirements = {
    scheme: 'exact',
    network,
    amount,
    payTo: getAddress(payTo),
    asset: token.address,
    maxTimeoutSeconds: PAYMENT_SECONDS_MAX,
    extra: { ...token.domain },
  };
  // The amount by its names in x402 versions 1 and 2.
  const offerOf = (resource: string): PaymentRequired['accepts'][number] => ({
    scheme: 'exact',
    network,
    amount,
    maxAmountRequired: amount,
    payTo: requirements.payTo,
    asset: token.address,
    maxTimeoutSeconds: PAYMENT_SECONDS_MAX,
    description: descriptionOf(resource),
    extra: { ...token.domain },
  });
  const listed = isDiscoverable ? discovery() : undefined;
  // Only the search is listed by facilitators.
  const extensionsOf = (resource: string): Readonly<Record<string, unknown>> | undefined =>
    lastPart(resource) === 'search' ? listed : undefined;
  const required = (resource: string, more: Pick<PaymentRequired, 'error' | 'accepts' | 'extensions'>): ApiResponse => {
    const { error, accepts, extensions } = more;
    const about = { x402Version: X402_VERSION, error, resource: resourceOf(resource), accepts } as const;
    const body: PaymentRequired = { ...about, ...(extensions && { extensions }) };
    // The library's type has only its own field names.
    const header = encodePaymentRequiredHeader(body as unknown as Parameters<typeof encodePaymentRequiredHeader>[0]);
    return { ...bareResponse(JSON.stringify(body), 402), headers: { [PAYMENT_HEADERS.required]: header } };
  };
  const resourceOf = (url: string): PaymentRequired['resource'] => ({
    url,
    description: descriptionOf(url),
    mimeType: 'application/json',
  });
  return {
    network,
    requirements,
    extensionsOf,
    /** The resource description for the facilitator. */
    resourceOf,
    /** Responds 402 with the payment requirements in body and header, and the reason. */
    paymentRequired: (resource: string, error: string): ApiResponse => {
      // Without discovery, the 402 has no extensions and is constant for a query.
      const signIn = isDiscoverable ? signInChallenge(resource, network) : undefined;
      const listing = extensionsOf(resource);
      const extensions = signIn && { ...listing, ...signIn };
      return required(resource, { error, accepts: [offerOf(resource)], extensions });
    },
    /** Responds 402 with only a sign-in challenge. */
    signInRequired: (resource: string, error: string): ApiResponse =>
      required(resource, { error, accepts: [], extensions: signInChallenge(resource, network) }),
  };
}

/** The "bazaar" extension of x402, by which facilitators list a resource; it must fit into a header. */
function discovery(): Readonly<Record<string, unknown>> {
  const queryParams = { q: 'defi', type: 'all', limit: 10, page: 1 };
  const data = Object.fromEntries(PAID_TYPES.map((type) => [type, []]));
  const { q: query, ...asked } = queryParams;
  const { $schema: _outer, ...parameters } = z.toJSONSchema(paidSearchQuery, { io: 'input' });
  return {
    bazaar: {
      info: {
        input: { type: 'http', method: 'GET', queryParams },
        output: { type: 'json', example: { data, meta: { query, ...asked, total: 0 } } },
      },
      schema: {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'object',
        properties: {
          input: {
            type: 'object',
            properties: {
              type: { type: 'string', const: 'http' },
              method: { type: 'string', enum: ['GET'] },
              queryParams: parameters,
            },
            required: ['type', 'method'],
            additionalProperties: false,
          },
          output: {
            type: 'object',
            properties: { type: { type: 'string' }, example: { type: 'object' } },
            required: ['type'],
          },
        },
        required: ['input'],
      },
    },
  };
}
