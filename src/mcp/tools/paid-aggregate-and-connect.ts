import * as z from 'zod';
import { createSpendingScope } from '../../client/wallet/spending-scope.ts';
import type { Receipt } from '../../contract/spending.ts';
import { maxPrice, maxPriceUsd, receiptLine, receiptMeta, shownReceipt } from '../payment-results.ts';
import { defineTool, PAYING, type Tool } from '../tool.ts';
import { aggregateTool } from './aggregate.ts';
import { connectTool } from './connect.ts';

/** A tool that pays for each response. */
function paidTool(tool: Tool): Tool {
  const output = tool.output.extend({ receipt: shownReceipt.nullable() });
  const published = tool.published ?? tool.input;
  return defineTool({
    name: tool.name,
    title: `${tool.title} (pays)`,
    description: `${tool.description} Costs the same as a search.`,
    input: tool.input.extend({ max_price_usd: maxPriceUsd }),
    published: published.extend({ max_price_usd: z.number().optional() }),
    output,
    hints: PAYING,
    isPublic: false,
    access: ['wallet'],
    run: async ({ max_price_usd, ...query }, { paid, signal, consent }) => {
      // Paid access always has a payer; the arguments were parsed by the wrapped tool's schema.
      const payer = paid as NonNullable<typeof paid>;
      const scope = createSpendingScope({
        maxPriceUsd: maxPrice(max_price_usd as string | number | undefined),
        confirm: consent,
      });
      const answer = await tool.run(query as never, { client: payer.withBudget(scope), signal });
      return { ...answer, receipt: scope.receipts[0] ?? null } as z.output<typeof output>;
    },
    text: (answer) => [...receiptsOf(answer).map(receiptLine), tool.text(answer)].join('\n'),
    meta: (answer) => receiptMeta(receiptsOf(answer)),
  });
}

/** The wrapped tool's types are erased, including added fields. */
const receiptsOf = ({ receipt }: { readonly receipt?: unknown }): readonly Receipt[] =>
  receipt == null ? [] : [receipt as Receipt];

export const paidAggregateTool = paidTool(aggregateTool);
export const paidConnectTool = paidTool(connectTool);
