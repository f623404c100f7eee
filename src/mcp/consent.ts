import {
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type McpServer,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { PaymentError } from '../client/wallet/errors.ts';
import type { Quote } from '../client/wallet/spending-scope.ts';
import { ENVELOPE } from '../contract/mcp.ts';
import { toUsd } from '../contract/usd.ts';

/** Validity of a consent request. */
const TTL_SECONDS = 600;
const QUESTION = 'payment';

const KEY_BYTES = 32;

let codec: RequestStateCodec<Sealed> | undefined;

/** Seals the consent to one price, payee and search; created lazily, because its key generation slows down every start. */
function seal(): RequestStateCodec<Sealed> {
  codec ??= createRequestStateCodec({
    key: crypto.getRandomValues(new Uint8Array(KEY_BYTES)),
    ttlSeconds: TTL_SECONDS,
  });
  return codec;
}

type Sealed = ReturnType<typeof sealed>;

const sealed = ({ request, amount, payTo }: Quote) => ({ request, amount: String(amount), payTo });

/** Verifier of the server options: rejects a consent that was not requested or has expired. */
export const verifyConsent: RequestStateCodec<Sealed>['verify'] = (state, context) => seal().verify(state, context);

/** Interrupts a call until the person has answered. Nothing has been counted or signed yet. */
export class ConsentNeeded {
  readonly quote: Quote;

  constructor(quote: Quote) {
    this.quote = quote;
  }
}

/** Requests consent over the protocol, which repeats the call with the answer. Undefined if the host cannot ask the person. */
export function consentOf(server: McpServer, context: ServerContext): ((quote: Quote) => Promise<void>) | undefined {
  const { envelope, inputResponses, requestState } = context.mcpReq;
  // The modern revision declares capabilities per request, older ones once.
  const ofRequest = (envelope as Readonly<Record<string, unknown>> | undefined)?.[ENVELOPE.capabilities];
  const { elicitation } = (ofRequest ?? server.server.getClientCapabilities() ?? {}) as { elicitation?: unknown };
  if (elicitation === undefined) return undefined;
  return async (quote) => {
    const answer = inputResponse(inputResponses, QUESTION);
    const pending = requestState<Sealed>();
    const isAnswered = pending !== undefined && JSON.stringify(pending) === JSON.stringify(sealed(quote));
    if (!isAnswered || answer.kind !== 'elicit') throw new ConsentNeeded(quote);
    if (answer.action === 'accept' && answer.content?.['pay'] === true) return;
    throw new PaymentError('not_confirmed', 'The person did not agree to the payment.', {
      advice: 'Do not call again for the same unless the person asks for it.',
    });
  };
}

export async function askConsent({ quote }: ConsentNeeded): Promise<InputRequiredResult> {
  const { host, searchParams } = new URL(quote.request.replace(/^GET /, ''));
  const message = `Pay ${toUsd(quote.amount, quote.network)} USD to ${quote.payTo} for the search "${searchParams.get('q') ?? ''}" at ${host}?`;
  const pay = { type: 'boolean', title: 'Pay', description: 'Whether the wallet may pay this.' } as const;
  const form = inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { pay }, required: ['pay'] },
  });
  return inputRequired({ inputRequests: { [QUESTION]: form }, requestState: await seal().mint(sealed(quote)) });
}
