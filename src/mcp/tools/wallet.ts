import * as z from 'zod';
import type { PaidClient } from '../../client/paid-client.ts';
import type { WalletQuote, WalletStatus } from '../../client/wallet/wallet.ts';
import { attempt } from '../../contract/attempt.ts';
import { SEARCH_TYPES, searchLimit, searchQuery } from '../../contract/queries.ts';
import { createReader } from '../../contract/reader.ts';
import { defineTool, READ_ONLY } from '../define-tool.ts';
import { shownReceipt } from '../payment-results.ts';

const RECEIPTS_MAX = 50;
const { query, page } = searchQuery.shape;

const search = z.strictObject({ query, type: z.enum(SEARCH_TYPES).default('all'), page, limit: searchLimit });
const readSearch = createReader(search, 'arguments');

const input = z.strictObject({
  quote: z
    .union([z.boolean(), z.string(), z.looseObject({})])
    .default(false)
    .meta({ description: 'Arguments of a search (query, type, limit, page): its price, without paying.' }),
  receipts: z.int().min(0).max(RECEIPTS_MAX).default(5).meta({ description: 'Newest receipts to show.' }),
  query: query.unwrap().optional(),
  type: search.shape.type.unwrap().optional(),
  page: page.unwrap().optional(),
  limit: searchLimit.unwrap().optional(),
});

const output = z.object({
  address: z.string(),
  network: z.string(),
  networkName: z.string(),
  token: z.string(),
  balanceUsd: z.string().nullable(),
  budgets: z.looseObject({}),
  confirmAboveUsd: z.string().nullable(),
  receipts: z.array(shownReceipt),
  quote: z.looseObject({ priceUsd: z.string() }).nullable(),
});

export const walletTool = defineTool({
  name: 'wallet',
  title: 'Wallet',
  description:
    'What can be spent: address, balance, budgets left, last receipts; with quote, the price of a search. It never pays, and cannot raise a budget.',
  input,
  published: input.pick({ quote: true, receipts: true }),
  output,
  hints: READ_ONLY,
  access: ['wallet'],
  run: async ({ quote, receipts, ...given }, { paid, signal }) => {
    // Wallet access always has a wallet.
    const { wallet, quote: priceOf } = paid as PaidClient;
    const searched = searchOf(quote, given);
    const status = await wallet.status(receipts);
    const price = searched === undefined ? null : await priceOf(readSearch(searched), { signal });
    // Published loosely.
    return { ...status, quote: price } as unknown as z.output<typeof output>;
  },
  text: (answer) => {
    // Published loosely; the wallet made these values.
    const { budgets, quote, receipts, ...status } = answer as unknown as WalletStatus & { quote: WalletQuote | null };
    const consent =
      status.confirmAboveUsd === null
        ? []
        : [`Payments above ${status.confirmAboveUsd} USD need the consent of a person.`];
    return [
      `Wallet ${status.address} on ${status.networkName} (${status.network}), ${status.token}.`,
      status.balanceUsd === null ? 'Balance not known.' : `Balance ${status.balanceUsd} USD.`,
      `Budgets: ${budgets.perCallUsd} USD a call; ${budgetLine(budgets.session)} of this session; ${budgetLine(budgets.day)} of this UTC day, until ${budgets.day.until}. Only a person can raise them.`,
      ...consent,
      ...(quote === null ? [] : [quoteLine(quote)]),
      ...receipts.map(
        ({ paidAt, amountUsd, state, transaction, request }) =>
          `${paidAt} ${amountUsd} USD ${state} ${transaction ?? 'no transaction'} ${request}`,
      ),
    ].join('\n');
  },
});

/** Arguments of the search to quote: an object, its JSON text, or top-level arguments. */
function searchOf(quote: unknown, given: Readonly<Record<string, unknown>>): Record<string, unknown> | undefined {
  if (typeof quote === 'object' && quote !== null) return { ...given, ...quote };
  if (typeof quote === 'string' && quote !== 'true' && quote !== 'false') return { ...given, ...fromText(quote) };
  const isAsked = quote === true || quote === 'true' || Object.values(given).some((value) => value !== undefined);
  return isAsked ? { ...given } : undefined;
}

function fromText(text: string): Record<string, unknown> {
  const parsed: unknown = attempt(() => JSON.parse(text));
  return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : { query: text };
}

const budgetLine = ({ leftUsd, limitUsd }: WalletStatus['budgets']['session']): string =>
  `${leftUsd} of ${limitUsd} USD left`;

function quoteLine({ priceUsd, isKept, payTo, refusal }: WalletQuote): string {
  if (isKept) return 'Quote: free, because it was paid within the hour.';
  const payee = payTo === null ? '' : ` to ${payTo}`;
  return `Quote: ${priceUsd} USD${payee}; nothing was paid.${refusal === null ? '' : ` ${refusal}`}`;
}
