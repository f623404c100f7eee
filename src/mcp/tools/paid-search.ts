import * as z from 'zod';
import { createSpendingScope } from '../../client/wallet/spending-scope.ts';
import { SEARCH_TYPES, searchLimit } from '../../contract/queries.ts';
import type { Receipt } from '../../contract/spending.ts';
import { checkSoldFields, maxPrice, maxPriceUsd, receiptLine, receiptMeta, shownReceipt } from '../payment-results.ts';
import { detailArgument } from '../shown-record.ts';
import { defineTool, PAYING } from '../tool.ts';
import { searchTool } from './search.ts';

const { query, page, fields } = searchTool.input.shape;
const type = z.enum(SEARCH_TYPES).default('all').meta({ description: 'Kind of record; events need a key.' });

const output = searchTool.output.extend({ receipt: shownReceipt.nullable() });

/** search with payment. Accepts filters and events, so that their refusal can explain the reason. */
export const paidSearchTool = defineTool({
  name: searchTool.name,
  title: 'Search Web3 companies, people, investors (pays)',
  description:
    'Find Web3 companies, people, investors (VC firms) and, as a type of its own, funding rounds by name, ticker, web domain or keywords such as "dex arbitrum". Best match first. Each new search costs about 0.01 USD, within budgets set by a person; an equal one within the hour is free.',
  input: searchTool.input.extend({ max_price_usd: maxPriceUsd }),
  published: z.strictObject({
    query,
    type,
    page,
    limit: searchLimit,
    detail: detailArgument,
    fields,
    max_price_usd: maxPriceUsd,
  }),
  output,
  hints: PAYING,
  isPublic: false,
  access: ['wallet'],
  run: async ({ max_price_usd, ...search }, { paid, signal, consent }) => {
    // Paid access always has a payer; the arguments were parsed by the wrapped tool's schema.
    const payer = paid as NonNullable<typeof paid>;
    const args = search as { type: (typeof SEARCH_TYPES)[number]; fields?: string[] };
    checkSoldFields(args.type === 'all' ? undefined : [args.type], args.fields);
    const scope = createSpendingScope({
      maxPriceUsd: maxPrice(max_price_usd as string | number | undefined),
      confirm: consent,
    });
    const answer = await searchTool.run(args, { client: payer.withBudget(scope), signal });
    return { ...answer, receipt: scope.receipts[0] ?? null } as z.output<typeof output>;
  },
  text: (answer) => [...receiptsOf(answer).map(receiptLine), searchTool.text(answer)].join('\n'),
  meta: (answer) => receiptMeta(receiptsOf(answer)),
});

/** The wrapped tool's types are erased, including added fields. */
const receiptsOf = ({ receipt: paid }: { readonly receipt?: unknown }): readonly Receipt[] =>
  paid === null ? [] : [paid as Receipt];
