import { encodePaymentRequiredHeader } from '@x402/core/http';
import type { PaymentRequirements } from '@x402/core/types';
import { getAddress, isAddress, zeroAddress } from 'viem';
import { ServiceError } from '../../contract/errors.ts';
import { NETWORKS, type NetworkId } from '../../contract/networks.ts';
import {
  PAYMENT_HEADERS,
  PAYMENT_SECONDS_MAX,
  type PaymentRequired,
  priceOn,
  X402_VERSION,
} from '../../contract/x402.ts';
import { type Answer, bare } from '../call.ts';
import { discovery } from './discovery.ts';

const DESCRIPTION = 'One search over companies, people and investors of Web3.';

/** What is asked for an answer, and where it is paid. */
export interface Terms {
  readonly network: NetworkId;
  readonly requirements: PaymentRequirements;
  /** Answers 402: what a payment needs, in body and header, and why there is none yet. */
  ask(resource: string, error: string): Answer;
  /** What is told to the facilitator of the thing that is sold. */
  resourceOf(resource: string): PaymentRequired['resource'];
  /** Extensions of x402 that are offered. */
  readonly extensions: Readonly<Record<string, unknown>> | undefined;
}

interface TermsOptions {
  readonly network: NetworkId;
  readonly payTo: string;
  readonly isDiscoverable: boolean;
}

/** Throws `invalid_parameter` for an address that nobody can be paid at, and for a network on which the price cannot be paid. */
export function createTerms({ network, payTo, isDiscoverable }: TermsOptions): Terms {
  const { token } = NETWORKS[network];
  // An address in mixed case has a checksum in it; one that is wrong is a mistyped address.
  if (!isAddress(payTo) || getAddress(payTo) === zeroAddress) {
    const message = 'the address to be paid at must be 0x and 40 hexadecimal digits';
    throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'settings.pay_to', message }] });
  }
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
  // The names of the specification beside those that stock clients read.
  const offer: PaymentRequired['accepts'][number] = {
    scheme: 'exact',
    network,
    amount,
    maxAmountRequired: amount,
    payTo: requirements.payTo,
    asset: token.address,
    maxTimeoutSeconds: PAYMENT_SECONDS_MAX,
    description: DESCRIPTION,
    extra: { ...token.domain },
  };
  const extensions = isDiscoverable ? discovery() : undefined;
  const resourceOf: Terms['resourceOf'] = (url) => ({ url, description: DESCRIPTION, mimeType: 'application/json' });
  return {
    network,
    requirements,
    extensions,
    resourceOf,
    ask: (resource, error) => {
      const body: PaymentRequired = {
        x402Version: X402_VERSION,
        error,
        resource: resourceOf(resource),
        accepts: [offer],
        ...(extensions && { extensions }),
      };
      // The type of the library knows only its own names.
      const header = encodePaymentRequiredHeader(body as unknown as Parameters<typeof encodePaymentRequiredHeader>[0]);
      return { ...bare(JSON.stringify(body), 402), headers: { [PAYMENT_HEADERS.required]: header } };
    },
  };
}
