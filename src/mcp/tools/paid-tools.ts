import * as z from 'zod';
import { createSpendingScope } from '../../client/wallet/spending-scope.ts';
import { SEARCH_TYPES, searchLimit } from '../../contract/queries.ts';
import type { Receipt } from '../../contract/spending.ts';
import { checkSoldFields, maxPrice, maxPriceUsd, receiptLine, receiptMeta, shownReceipt } from '../payment-results.ts';
import { detailArgument } from '../shown-record.ts';
import { defineTool, PAYING, type Tool } from '../tool.ts';
import { aggregateTool } from './aggregate.ts';
import { connectTool } from './connect.ts';
import { searchTool } from './search.ts';

interface Changes extends Partial<Pick<Tool, 'title' | 'description' | 'published'>> {
  /** Refuses arguments that are not sold, before anything is paid. */
  readonly check?: (args: never) => void;
}

/** A tool that pays for each response. */
function paidTool(tool: Tool, { check, ...changes }: Changes = {}): Tool {
  const output = tool.output.extend({ receipt: shownReceipt.nullable() });
  return defineTool({
    name: tool.name,
    title: `${tool.title} (pays)`,
    description: `${tool.description} Costs the same as a search.`,
    input: tool.input.extend({ max_price_usd: maxPriceUsd }),
    published: (tool.published ?? tool.input).extend({ max_price_usd: z.number().optional() }),
    ...changes,
    output,
    hints: PAYING,
    isPublic: false,
    access: ['wallet'],
    run: async ({ max_price_usd, ...args }, { paid, signal, consent }) => {
      // Paid access always has a payer; the arguments were parsed by the wrapped tool's schema.
      const payer = paid as NonNullable<typeof paid>;
      check?.(args as never);
      const scope = createSpendingScope({
        maxPriceUsd: maxPrice(max_price_usd as string | number | undefined),
        confirm: consent,
      });
      const answer = await tool.run(args as never, { client: payer.withBudget(scope), signal });
      return { ...answer, receipt: scope.receipts[0] ?? null } as z.output<typeof output>;
    },
    text: (answer) => [...receiptsOf(answer).map(receiptLine), tool.text(answer)].join('\n'),
    meta: (answer) => receiptMeta(receiptsOf(answer)),
  });
}

/** The wrapped tool's types are erased, including added fields. */
const receiptsOf = ({ receipt }: { readonly receipt?: unknown }): readonly Receipt[] =>
  receipt == null ? [] : [receipt as Receipt];

const { query, page, fields } = searchTool.input.shape;
const type = z.enum(SEARCH_TYPES).default('all').meta({ description: 'Kind of record; events need a key.' });

/** Accepts filters and events, so that their refusal can explain the reason. */
export const paidSearchTool = paidTool(searchTool, {
  title: 'Search Web3 companies, people, investors (pays)',
  description:
    'Find Web3 companies, people, investors (VC firms) and, as a type of its own, funding rounds by name, ticker, web domain or keywords such as "dex arbitrum". Best match first. Each new search costs about 0.01 USD, within budgets set by a person; an equal one within the hour is free.',
  published: z.strictObject({
    query,
    type,
    page,
    limit: searchLimit,
    detail: detailArgument,
    fields,
    max_price_usd: maxPriceUsd,
  }),
  check: (args: { type: (typeof SEARCH_TYPES)[number]; fields?: string[] }) =>
    checkSoldFields(args.type === 'all' ? undefined : [args.type], args.fields),
});
export const paidAggregateTool = paidTool(aggregateTool);
export const paidConnectTool = paidTool(connectTool);
