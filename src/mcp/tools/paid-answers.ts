import * as z from 'zod';
import { createSpendingScope } from '../../client/wallet/spending-scope.ts';
import type { Receipt } from '../../contract/spending.ts';
import { maxPrice, maxPriceUsd, receiptLine, receiptMeta, shownReceipt } from '../paying.ts';
import { defineTool, PAYING, type Tool } from '../tool.ts';
import { aggregateTool } from './aggregate.ts';
import { connectTool } from './connect.ts';

/** The same tool, paid from the wallet as a search is. */
function paidFor(tool: Tool): Tool {
  const output = tool.output.extend({ receipt: shownReceipt.nullable() });
  const published = tool.published ?? tool.input;
  return defineTool({
    name: tool.name,
    title: `${tool.title} (pays)`,
    description: `${tool.description} Costs as a search does.`,
    input: tool.input.extend({ max_price_usd: maxPriceUsd }),
    published: published.extend({ max_price_usd: z.number().optional() }),
    output,
    hints: PAYING,
    isPublic: false,
    access: ['wallet'],
    run: async ({ max_price_usd, ...query }, { paid, signal, consent }) => {
      // Where calls are paid for there is a payer; the arguments are those of the tool that is repeated here.
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

/** The repeated tool has forgotten its types, and what is added to them with it. */
const receiptsOf = ({ receipt }: { readonly receipt?: unknown }): readonly Receipt[] =>
  receipt == null ? [] : [receipt as Receipt];

export const paidAggregateTool = paidFor(aggregateTool);
export const paidConnectTool = paidFor(connectTool);
