import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { invalidAt } from '../../contract/errors.ts';
import { createLazy } from '../../contract/lazy.ts';
import { NETWORKS, type NetworkId } from '../../contract/networks.ts';
import { createSerialQueue } from '../../contract/serial-queue.ts';
import type { Budgets, CachedResponse, Receipt } from '../../contract/spending.ts';
import { toUsd, USD_PATTERN } from '../../contract/usd.ts';
import { SIGN_IN, SIGN_IN_HEADER, signInOffer, signInText } from '../../contract/wallet-sign-in.ts';
import { type Purchase, purchasesResponse } from '../../contract/x402.ts';
import type { Fetch } from '../access.ts';
import { accepted, endpointUrl } from '../client.ts';
import { budgetDayEnd, checkPrice } from './budget.ts';
import { offerRefused, PaymentError } from './errors.ts';
import type { Ledger } from './ledger.ts';
import { ADDRESS, readOffer } from './offer.ts';
import { reconcileLedger } from './outcome.ts';
import { asObject, decodeJson } from './payment-headers.ts';
import { isPrivateKey } from './private-key-form.ts';
import {
  cacheStart,
  type PaidResponse,
  type PaymentContext,
  purchase,
  requestKeyOf,
  requestWithoutPayment,
} from './purchase.ts';
import { RETRY_POLICY, type RetryPolicy } from './send.ts';
import { createSpendingScope, receiptOf, type SpendingScope } from './spending-scope.ts';

export interface WalletOptions {
  /** 0x and 64 hex digits. Passed to the signer and not stored. */
  readonly privateKey: string;
  readonly network: NetworkId;
  /** Origins that may be paid, such as `https://example.com`. */
  readonly origins: readonly string[];
  /** Allowed payees; any within the budgets if absent. */
  readonly payees?: readonly string[] | undefined;
  readonly budgets: Budgets;
  /** A price above this requires consent. */
  readonly confirmAbove?: bigint | undefined;
  readonly rpcUrl?: string | undefined;
  /** Opens the ledger, on first use. */
  readonly openLedger: () => Promise<Ledger>;
  readonly fetch?: Fetch;
  readonly clock?: () => Date;
  readonly retryPolicy?: RetryPolicy;
}

/** RequestInit of a paying fetch, with the spending scope of the call. */
type PayingInit = RequestInit & { readonly scope?: SpendingScope };

export interface Wallet {
  /** A `fetch` for GET that pays if required. Without a scope it is a plain fetch. */
  fetch(input: string | URL | Request, init?: PayingInit): Promise<PaidResponse>;
  /** Current price of a GET. Signs nothing. */
  quote(url: URL, signal?: AbortSignal): Promise<WalletQuote>;
  status(receiptsMax: number): Promise<WalletStatus>;
  /** Purchases of this wallet at the service by any program, as the service recorded them; newest first. */
  purchases(baseUrl: string, max: number): Promise<readonly Purchase[]>;
  /** Stored responses that are reused for free. */
  cachedResponses(): Promise<readonly CachedResponse[]>;
  close(): Promise<void>;
}

export interface WalletQuote {
  readonly priceUsd: string;
  /** Whether a stored response makes this request free. */
  readonly isKept: boolean;
  readonly payTo: string | null;
  readonly network: string;
  /** Why the payment would be refused; null if it would be made. */
  readonly refusal: string | null;
  readonly needsConsent: boolean;
}

interface BudgetStatus {
  readonly limitUsd: string;
  readonly usedUsd: string;
  readonly leftUsd: string;
}

export interface WalletStatus {
  readonly address: string;
  readonly network: string;
  readonly networkName: string;
  readonly token: string;
  /** Null if there is no RPC or it does not respond. */
  readonly balanceUsd: string | null;
  readonly budgets: {
    readonly perCallUsd: string;
    readonly session: BudgetStatus;
    readonly day: BudgetStatus & { readonly until: string };
  };
  readonly confirmAboveUsd: string | null;
  readonly receipts: readonly (Receipt & { readonly request: string })[];
}

/** Creates a wallet. Loads and opens nothing before the first use. */
export function createWallet(options: WalletOptions): Wallet {
  const context = createLazy(() => openPaymentContext(options));
  // Serializes equal requests, so that the second reuses the response of the first.
  const serialized = createSerialQueue();
  return {
    fetch: async (input, { scope = createSpendingScope(), signal, ...init } = {}) => {
      const url = urlOf(input, options);
      if ((init.method ?? 'GET') !== 'GET') throw offerRefused('only GET requests are paid for');
      const opened = await context.get();
      return serialized(() => purchase(opened, { url, scope, signal: signal ?? undefined }), url);
    },
    quote: async (url, signal) =>
      quoteOf(await context.get(), { url: urlOf(url, options), signal, scope: createSpendingScope() }),
    status: async (receiptsMax) => statusOf(await context.get(), receiptsMax),
    purchases: async (baseUrl, max) => {
      urlOf(baseUrl, options);
      return fetchPurchases(await context.get(), baseUrl, max);
    },
    cachedResponses: async () => {
      const opened = await context.get();
      return opened.ledger.cachedResponses(cacheStart(opened));
    },
    close: async () => (await context.peek())?.ledger.close(),
  };
}

/** Loads the stock client and viem here, because they load slower than everything else together. */
async function openPaymentContext(options: WalletOptions): Promise<PaymentContext> {
  const { network, payees, budgets, confirmAbove, rpcUrl } = options;
  const { openSigner } = await import('./signer.ts');
  const signer = openSigner(options.privateKey, network);
  const chain =
    rpcUrl === undefined
      ? undefined
      : (await import('./authorization-reader.ts')).openAuthorizationReader(network, rpcUrl);
  const { fetch = globalThis.fetch, clock = () => new Date(), retryPolicy = RETRY_POLICY } = options;
  return {
    ledger: await options.openLedger(),
    signer,
    chain,
    rules: { network, payees: payees && new Set(payees.map((payee) => payee.toLowerCase())) },
    budgets,
    confirmAbove,
    session: randomUUID(),
    sender: { fetch, clock, retryPolicy },
  };
}

function urlOf(input: string | URL | Request, { origins }: WalletOptions): string {
  const url = new URL(input instanceof Request ? input.url : input);
  if (!origins.includes(url.origin)) throw offerRefused('its address is not the one of WEB3_BI_BASE_URL');
  return url.href;
}

async function quoteOf(
  context: PaymentContext,
  request: { readonly url: string; readonly scope: SpendingScope; readonly signal: AbortSignal | undefined },
): Promise<WalletQuote> {
  const { network } = context.rules;
  const free = { priceUsd: toUsd(0n, network), payTo: null, network, refusal: null, needsConsent: false };
  if (context.ledger.cachedResponse(requestKeyOf(request), cacheStart(context)) !== undefined)
    return { ...free, isKept: true };
  const { response, body } = await requestWithoutPayment(context, request);
  if (response.ok) return { ...free, isKept: false };
  // Why there is no price: the service sells nothing, or is busy.
  if (response.status !== 402) return (await accepted(new Response(body, response))) as never;
  const offer = readOffer(response.headers, body, context.rules);
  const { amount, payTo } = offer;
  const needsConsent = context.confirmAbove !== undefined && amount > context.confirmAbove;
  const refusal = refusalOf(() => checkPrice(context, offer, request.scope));
  return { priceUsd: toUsd(amount, network), isKept: false, payTo, network, refusal, needsConsent };
}

function refusalOf(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (error instanceof PaymentError) return error.message;
    throw error;
  }
}

async function statusOf(context: PaymentContext, receiptsMax: number): Promise<WalletStatus> {
  const { signer, rules, budgets, ledger, chain, confirmAbove } = context;
  await reconcileLedger(context);
  const balance = await chain?.balanceOf(signer.address).catch(() => undefined);
  const spent = ledger.spent(context.session);
  const { network } = rules;
  const { label, token } = NETWORKS[network];
  const usd = (amount: bigint): string => toUsd(amount, network);
  const budgetOf = (limit: bigint, used: bigint): BudgetStatus => ({
    limitUsd: usd(limit),
    usedUsd: usd(used),
    leftUsd: usd(used > limit ? 0n : limit - used),
  });
  return {
    address: signer.address,
    network,
    networkName: label,
    token: token.symbol,
    balanceUsd: balance === undefined ? null : usd(balance),
    budgets: {
      perCallUsd: usd(budgets.perCall),
      session: budgetOf(budgets.perSession, spent.session),
      day: { ...budgetOf(budgets.perDay, spent.day), until: budgetDayEnd(context) },
    },
    confirmAboveUsd: confirmAbove === undefined ? null : usd(confirmAbove),
    receipts: ledger.list(receiptsMax).map((payment) => ({ ...receiptOf(payment, 'paid'), request: payment.request })),
  };
}

const PAGE = 50;
const ADVICE = 'Ask the person to check the service with web3-bi doctor.';

/** The wallet's purchases at a service, newest first. Signs in with the key; nothing is paid. */
async function fetchPurchases(context: PaymentContext, baseUrl: string, max: number): Promise<Purchase[]> {
  const bought: Purchase[] = [];
  for (let before: number | undefined; bought.length < max; ) {
    const url = endpointUrl(baseUrl, '/api/v1/x402/purchases', { limit: PAGE, before });
    const body = await accepted(await signedIn(context, url));
    const page = purchasesResponse.safeParse(body);
    if (!page.success) throw refused('its response is not a list of purchases');
    const { data, meta } = page.data;
    bought.push(...data);
    // An empty page with a cursor could repeat without end.
    if (meta.next === null || data.length === 0) break;
    before = meta.next;
  }
  return bought.slice(0, max);
}

const refused = (reason: string): PaymentError =>
  new PaymentError('offer_refused', `Signing in at the service failed: ${reason}.`, { advice: ADVICE });

/** Requests a challenge, signs it if it names this service, and repeats the request. */
async function signedIn(context: PaymentContext, url: URL): Promise<Response> {
  const { signer, rules } = context;
  const request = async (headers: Record<string, string> = {}): Promise<{ response: Response; body: string }> =>
    requestWithoutPayment(context, { url: url.href, signal: undefined, headers });
  const { response, body } = await request();
  if (response.status !== 402) return readAgain(response, body);
  const extensions = asObject(asObject(decodeJson(body))['extensions']);
  const offer = signInOffer.safeParse(extensions[SIGN_IN]);
  if (!offer.success) throw refused('it does not offer sign-in');
  const { info, supportedChains } = offer.data;
  const isOurs = info.domain === url.host && URL.canParse(info.uri) && new URL(info.uri).origin === url.origin;
  // A signature for another service could be replayed there.
  if (!isOurs) throw refused('its challenge is for another service');
  const chain = supportedChains.find(({ chainId, type }) => chainId === rules.network && type === 'eip191');
  if (chain === undefined) throw refused(`it does not accept wallets of ${rules.network}`);
  const unsigned = { ...info, address: signer.address, chainId: rules.network, type: 'eip191' as const };
  const proof = { ...unsigned, signature: await signer.signText(signInText(unsigned)) };
  const header = Buffer.from(JSON.stringify(proof)).toString('base64');
  const signedIn = await request({ [SIGN_IN_HEADER]: header });
  return readAgain(signedIn.response, signedIn.body);
}

const readAgain = ({ status, headers }: Response, body: string): Response =>
  new Response(body === '' ? null : body, { status, headers });

const matching = (form: RegExp, wanted: string) => z.string(wanted).regex(form, wanted);
const usd = matching(USD_PATTERN, 'must be US dollars as text with up to six decimals, such as "0.05"');

const walletOptions = z.strictObject({
  privateKey: z
    .string('must be 0x and 64 hexadecimal digits')
    .refine(isPrivateKey, 'must be 0x and 64 hexadecimal digits'),
  network: z.enum(Object.keys(NETWORKS), `must be one of ${Object.keys(NETWORKS).join(', ')}`),
  payees: z.array(matching(ADDRESS, 'must be an address: 0x and 40 hexadecimal digits'), 'must be a list').optional(),
  budgets: z.object({ perCallUsd: usd, perSessionUsd: usd, perDayUsd: usd }, 'must have the three budgets'),
  ledgerFile: z.string('must be the path of a file').min(1, 'must be the path of a file'),
  rpcUrl: z.url({ protocol: /^https?$/, error: 'must be an http or https address' }).optional(),
});

const callBudget = z.strictObject({
  maxPriceUsd: usd.optional(),
  confirm: z.custom<() => unknown>((value) => typeof value === 'function', 'must be a function').optional(),
});

/** Checks the options of a wallet. Throws `invalid_parameter` for the first invalid one, without its value. */
export const checkWalletOptions = (options: unknown): void => check(walletOptions, options);

/** Checks the limits of a call. Throws `invalid_parameter` for the first invalid or unknown one. */
export const checkCallLimits = (budget: unknown): void => check(callBudget, budget);

function check(schema: z.ZodType, options: unknown): void {
  const [issue] = schema.safeParse(options ?? {}).error?.issues ?? [];
  if (issue === undefined) return;
  if (issue.code === 'unrecognized_keys')
    throw invalidAt(issue.keys.join(), `${issue.keys.join(', ')}: not known here`);
  const path = issue.path.join('.');
  throw invalidAt(path, `${path} ${issue.message}`);
}
