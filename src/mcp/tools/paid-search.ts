import * as z from 'zod';
import { createSpendingScope } from '../../client/wallet/spending-scope.ts';
import { SEARCH_TYPES, searchLimit } from '../../contract/queries.ts';
import type { Receipt } from '../../contract/spending.ts';
import { checkSoldFields, maxPrice, maxPriceUsd, receiptLine, receiptMeta, shownReceipt } from '../paying.ts';
import { detailArgument } from '../show.ts';
import { defineTool, PAYING } from '../tool.ts';
import { searchTool } from './search.ts';

const { query, page, fields } = searchTool.input.shape;
const type = z.enum(SEARCH_TYPES).default('all').meta({ description: 'Kind of record; events need a key.' });

const output = searchTool.output.extend({ receipt: shownReceipt.nullable() });

/** The same search, paid from the wallet. Filters and events are understood, so that their refusal can say why. */
export const paidSearchTool = defineTool({
  name: searchTool.name,
  title: 'Search Web3 companies, people, investors (pays)',
  description:
    'Find Web3 companies, people, investors (VC firms) and, as a type of its own, funding rounds by name, ticker, web domain or words such as "dex arbitrum". Best match first. Each new search costs about 0.01 USD, within budgets set by a person; an equal one within the hour nothing.',
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
    // Where calls are paid for there is a payer; the arguments are those of the tool that is repeated here.
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

/** The repeated tool has forgotten its types, and what is added to them with it. */
const receiptsOf = ({ receipt: paid }: { readonly receipt?: unknown }): readonly Receipt[] =>
  paid === null ? [] : [paid as Receipt];
