import { PaymentError } from '../../client/wallet/errors.ts';
import { PRICE_USD } from '../../contract/x402.ts';
import { defineTool, type Tool, type ToolContext } from '../tool.ts';
import { aggregateTool } from './aggregate.ts';
import { connectTool } from './connect.ts';
import { getEntityTool } from './get-entity.ts';
import { paidGetEntityTool } from './paid-get-entity.ts';
import { paidAggregateTool, paidConnectTool, paidSearchTool } from './paid-tools.ts';
import { searchTool } from './search.ts';

/** Tools paid with each call: the wallet's tools, without budgets. */
const pricedTool = (paid: Tool, free: Tool, more: Partial<Tool> = {}): Tool =>
  defineTool({
    ...paid,
    title: free.title,
    description: `${free.description} Each call costs ${PRICE_USD} USD by x402.`,
    input: free.input,
    published: free.published ?? free.input,
    access: ['payment'],
    ...more,
  });

const BUDGET = { max_price_usd: true } as const;

export const pricedSearchTool = pricedTool(paidSearchTool, searchTool, {
  title: 'Search Web3 companies, people, investors',
  description: paidSearchTool.description.replace(/Each new search.*$/, `Each call costs ${PRICE_USD} USD by x402.`),
  published: paidSearchTool.published?.omit(BUDGET) as Tool['input'],
});

export const pricedGetEntityTool = pricedTool(paidGetEntityTool, getEntityTool, {
  description: `Look up a known record by type and id (slug or name). Returns exact, ambiguous (pick from candidates) or none (near misses); it never guesses. Each call costs ${PRICE_USD} USD by x402.`,
  published: paidGetEntityTool.published?.omit({ ...BUDGET, items: true }) as Tool['input'],
  run: async (args, context: ToolContext) => {
    const { items } = args as { items?: readonly unknown[] };
    if (items !== undefined && items.length > 1) {
      throw new PaymentError('not_sold', 'A payment buys one record.', {
        advice: 'Call once for each record, with a payment of its own, or use an API key.',
      });
    }
    return paidGetEntityTool.run(args, context);
  },
});

export const pricedAggregateTool = pricedTool(paidAggregateTool, aggregateTool);
export const pricedConnectTool = pricedTool(paidConnectTool, connectTool);
