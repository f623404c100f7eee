import * as z from 'zod';
import { NOT_CHARGED, PaymentError } from '../../client/wallet/errors.ts';
import { createSpendingScope, type SpendingScope } from '../../client/wallet/spending-scope.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import type { Receipt } from '../../contract/spending.ts';
import { toUsd } from '../../contract/usd.ts';
import { SOLD_TYPES } from '../../contract/x402.ts';
import { adviceOf, asServiceError } from '../errors.ts';
import { checkSoldFields, maxPrice, maxPriceUsd, receiptLine, receiptMeta, shownReceipt } from '../payment-results.ts';
import { defineTool, PAYING } from '../tool.ts';
import { getEntityTool } from './get-entity.ts';

const { type, detail, fields } = getEntityTool.input.shape;
const id = z.string().optional().meta({ description: 'Slug, name or web domain.' });
const items = z.array(z.strictObject({ type, id })).optional().meta({ description: 'Several at once.' });
const output = getEntityTool.output.extend({ receipts: z.array(shownReceipt) });

interface Args {
  readonly type?: RecordType;
  readonly items?: readonly { readonly type?: RecordType }[];
  readonly include?: readonly string[];
  readonly fields?: readonly string[];
}

/** get_entity over purchased results, or a paid search. */
export const paidGetEntityTool = defineTool({
  name: getEntityTool.name,
  title: 'Get records (pays)',
  description:
    'Look up known records by type and id (slug or name). Records bought before are free; others are paid for. Returns exact, ambiguous (pick from candidates) or none (near misses); it never guesses.',
  input: getEntityTool.input.extend({ max_price_usd: maxPriceUsd }),
  published: z.strictObject({ type, id, items, detail, fields, max_price_usd: maxPriceUsd }),
  output,
  hints: PAYING,
  isPublic: false,
  access: ['wallet'],
  run: async ({ max_price_usd, ...given }, { paid, signal, consent }) => {
    // Paid access always has a payer; the arguments were parsed by the wrapped tool's schema.
    const payer = paid as NonNullable<typeof paid>;
    const args = given as Args;
    checkSold(args);
    const scope = createSpendingScope({
      maxPriceUsd: maxPrice(max_price_usd as string | number | undefined),
      confirm: consent,
    });
    try {
      const answer = await getEntityTool.run(args as never, { client: payer.withPurchasedFirst(scope), signal });
      return { ...answer, receipts: distinct(scope.receipts) } as z.output<typeof output>;
    } catch (error) {
      throw withBought(error, scope);
    }
  },
  text: (answer) => [...receiptsOf(answer).map(receiptLine), getEntityTool.text(answer)].join('\n'),
  meta: (answer) => receiptMeta(receiptsOf(answer)),
});

/** The wrapped tool's types are erased, including added fields. */
const receiptsOf = (answer: { readonly receipts?: unknown }): readonly Receipt[] => answer.receipts as Receipt[];

const KEY_ADVICE = 'Leave it out, or ask the person for an API key (WEB3_BI_API_KEY), which has it.';

function checkSold({ type, items = [], include: related = [], fields }: Args): void {
  const types = [type, ...items.map((item) => item.type)].filter((each) => each !== undefined);
  const unsold = types.find((each) => !(SOLD_TYPES as readonly string[]).includes(each));
  if (unsold !== undefined) throw new PaymentError('not_sold', `x402 does not sell ${unsold}.`, { advice: KEY_ADVICE });
  if (related.length > 0)
    throw new PaymentError('not_sold', 'x402 does not sell related lists (include).', { advice: KEY_ADVICE });
  checkSoldFields(types.length === 0 ? undefined : types, fields);
}

/** One receipt per payment. A record bought in this call counts as bought rather than reused. */
function distinct(receipts: readonly Receipt[]): Receipt[] {
  const known = new Map<string, Receipt>();
  for (const each of receipts) {
    const key = each.transaction ?? `${each.paidAt} ${each.amount}`;
    if (!known.has(key)) known.set(key, each);
  }
  return [...known.values()];
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
