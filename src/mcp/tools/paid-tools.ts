import * as z from 'zod';
import { NOT_CHARGED, notSold, PaymentError } from '../../client/wallet/errors.ts';
import { createSpendingScope, type SpendingScope } from '../../client/wallet/spending-scope.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { groupBy } from '../../contract/group-by.ts';
import { SEARCH_TYPES, searchLimit } from '../../contract/queries.ts';
import type { Receipt } from '../../contract/spending.ts';
import { toUsd } from '../../contract/usd.ts';
import { PRICE_USD, SOLD_TYPES } from '../../contract/x402.ts';
import { defineTool, PAYING, type Tool, type ToolContext } from '../define-tool.ts';
import { adviceOf, asServiceError } from '../errors.ts';
import {
  checkSoldFields,
  LEAVE_OUT_ADVICE,
  maxPrice,
  maxPriceUsd,
  receiptLine,
  receiptMeta,
  shownReceipt,
} from '../payment-results.ts';
import { detailArgument } from '../shown-record.ts';
import { aggregateTool } from './aggregate.ts';
import { connectTool } from './connect.ts';
import { getEntityTool } from './get-entity.ts';
import { searchTool } from './search.ts';

type Payer = NonNullable<ToolContext['paid']>;

interface Changes extends Partial<Pick<Tool, 'title' | 'description' | 'published'>> {
  /** Refuses arguments that are not sold, before anything is paid. */
  readonly check?: (args: never) => void;
}

/** How a tool buys: the field of the result with its receipts, and the client that pays for them. */
interface Buying {
  readonly receipts: z.ZodRawShape;
  readonly client: (payer: Payer, scope: SpendingScope) => ToolContext['client'];
  readonly receiptsOf: (receipts: readonly Receipt[]) => object;
  readonly failure: (thrown: unknown, scope: SpendingScope) => unknown;
}

/** One response, with one receipt. */
const ONE: Buying = {
  receipts: { receipt: shownReceipt.nullable() },
  client: (payer, scope) => payer.withBudget(scope),
  receiptsOf: ([receipt = null]) => ({ receipt }),
  failure: (thrown) => thrown,
};

/** Several records, of which those bought before are free. */
const SEVERAL: Buying = {
  receipts: { receipts: z.array(shownReceipt) },
  client: (payer, scope) => payer.withPurchasedFirst(scope),
  receiptsOf: (receipts) => ({ receipts: distinct(receipts) }),
  failure: withBought,
};

/** A tool that pays for each response. */
function paidTool(tool: Tool, { check, ...changes }: Changes = {}, buying = ONE): Tool {
  const output = tool.output.extend(buying.receipts);
  return defineTool({
    name: tool.name,
    title: `${tool.title} (pays)`,
    description: `${tool.description} Costs the same as a search.`,
    input: tool.input.extend({ max_price_usd: maxPriceUsd }),
    published: (tool.published ?? tool.input).extend({ max_price_usd: z.number().optional() }),
    ...changes,
    output,
    hints: PAYING,
    access: ['wallet'],
    run: async ({ max_price_usd, ...args }, { paid, signal, consent }) => {
      check?.(args as never);
      const maxPriceUsd = maxPrice(max_price_usd as string | number | undefined);
      const scope = createSpendingScope({ maxPriceUsd, confirm: consent });
      try {
        // Paid access always has a payer; the arguments were parsed by the wrapped tool's schema.
        const answer = await tool.run(args as never, { client: buying.client(paid as Payer, scope), signal });
        return { ...answer, ...buying.receiptsOf(scope.receipts) } as z.output<typeof output>;
      } catch (error) {
        throw buying.failure(error, scope);
      }
    },
    text: (answer) => [...receiptsOf(answer).map(receiptLine), tool.text(answer)].join('\n'),
    meta: (answer) => receiptMeta(receiptsOf(answer)),
  });
}

/** The wrapped tool's types are erased, including added fields. */
const receiptsOf = ({ receipt, receipts }: { readonly receipt?: unknown; readonly receipts?: unknown }) =>
  (receipts ?? (receipt == null ? [] : [receipt])) as readonly Receipt[];

const searched = searchTool.input.shape;
const soldType = z.enum(SEARCH_TYPES).default('all').meta({ description: 'Kind of record; events need a key.' });

/** Accepts filters and events, so that their refusal can explain the reason. */
export const paidSearchTool = paidTool(searchTool, {
  title: 'Search Web3 companies, people, investors (pays)',
  description:
    'Find Web3 companies, people, investors (VC firms) and, as a type of its own, funding rounds by name, ticker, web domain or keywords such as "dex arbitrum". Best match first. Each new search costs about 0.01 USD, within budgets set by a person; an equal one within the hour is free.',
  published: z.strictObject({
    query: searched.query,
    type: soldType,
    page: searched.page,
    limit: searchLimit,
    detail: detailArgument,
    fields: searched.fields,
    max_price_usd: maxPriceUsd,
  }),
  check: (args: { type: (typeof SEARCH_TYPES)[number]; fields?: string[] }) =>
    checkSoldFields(args.type === 'all' ? undefined : [args.type], args.fields),
});
export const paidAggregateTool = paidTool(aggregateTool);
export const paidConnectTool = paidTool(connectTool);

const { type, detail, fields } = getEntityTool.input.shape;
const id = z.string().optional().meta({ description: 'Slug, name or web domain.' });
const items = z.array(z.strictObject({ type, id })).optional().meta({ description: 'Several at once.' });

interface Args {
  readonly type?: RecordType;
  readonly items?: readonly { readonly type?: RecordType }[];
  readonly include?: readonly string[];
  readonly fields?: readonly string[];
}

/** get_entity over purchased results, or a paid search. */
export const paidGetEntityTool = paidTool(
  getEntityTool,
  {
    title: 'Get records (pays)',
    description:
      'Look up known records by type and id (slug or name). Records bought before are free; others are paid for. Returns exact, ambiguous (pick from candidates) or none (near misses); it never guesses.',
    published: z.strictObject({ type, id, items, detail, fields, max_price_usd: maxPriceUsd }),
    check: checkSold,
  },
  SEVERAL,
);

function checkSold({ type, items = [], include: related = [], fields }: Args): void {
  const types = [type, ...items.map((item) => item.type)].filter((each) => each !== undefined);
  const unsold = types.find((each) => !(SOLD_TYPES as readonly string[]).includes(each));
  if (unsold !== undefined) throw notSold(unsold, LEAVE_OUT_ADVICE);
  if (related.length > 0) throw notSold('related lists (include)', LEAVE_OUT_ADVICE);
  checkSoldFields(types.length === 0 ? undefined : types, fields);
}

/** One receipt per payment. A record bought in this call counts as bought rather than reused. */
function distinct(receipts: readonly Receipt[]): Receipt[] {
  const ofPayment = groupBy(receipts, ({ transaction, paidAt, amount }) => transaction ?? `${paidAt} ${amount}`);
  return [...ofPayment.values()].flatMap(([first]) => first ?? []);
}

/** States earlier payments of the call, because a later error must not claim that nothing was charged. */
function withBought(thrown: unknown, scope: SpendingScope): unknown {
  const error = asServiceError(thrown);
  const { money, advice, receipt } =
    error instanceof PaymentError ? error : { money: NOT_CHARGED, advice: adviceOf(error), receipt: undefined };
  const bought = scope.receipts.filter((each) => !each.cached && each !== receipt);
  const [first] = bought;
  if (first === undefined) return thrown;
  // A wallet pays on one network.
  const total = toUsd(
    bought.reduce((sum, { amount }) => sum + BigInt(amount), 0n),
    first.network,
  );
  return new PaymentError(error.code, error.message, {
    money: `${bought.length} of the records were bought before that, for ${total} USD; they are kept, and cost nothing in the next call. For the one that failed: ${money}`,
    advice,
    cause: thrown,
  });
}

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
