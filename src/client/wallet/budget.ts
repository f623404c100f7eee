import { endOfDay } from '../../contract/periods.ts';
import type { Reservation, Spent } from '../../contract/spending.ts';
import { toBaseUnits, toUsd } from '../../contract/usd.ts';
import { offerRefused, PaymentError } from './errors.ts';
import type { Offer } from './offer.ts';
import { reconcileLedger } from './outcome.ts';
import type { PaymentContext } from './purchase.ts';
import type { SpendingScope } from './spending-scope.ts';

/** A reservation that is not signed within this time is abandoned. */
const SIGNING_MS = 15_000;

/** Throws `budget_exceeded` if the price exceeds the limit of the call, session or day. Reserves nothing. */
export function checkPrice(context: PaymentContext, { amount }: Offer, scope: SpendingScope): void {
  const { network } = context.rules;
  const maxPrice = scope.maxPriceUsd === undefined ? undefined : toBaseUnits(scope.maxPriceUsd, network);
  const price = `${toUsd(amount, network)} USD`;
  if (maxPrice !== undefined && amount > maxPrice)
    throw budgetExceeded(`the price of ${price} is above max_price_usd, ${toUsd(maxPrice, network)} USD`, CALL_LIMIT);
  checkCallBudget(context, amount, scope);
  const { session } = context;
  const spent = context.ledger.spent(session);
  for (const budget of ['session', 'day'] as const) {
    if (spent[budget] + amount > limitOf(context, budget)) throw overBudget(context, budget, { amount, spent });
  }
}

function checkCallBudget(context: PaymentContext, amount: bigint, scope: SpendingScope): void {
  const { perCall } = context.budgets;
  if (scope.counted + amount <= perCall) return;
  const price = `${toUsd(amount, context.rules.network)} USD`;
  const left = leftOf(context, perCall - scope.counted, perCall);
  throw budgetExceeded(`the price is ${price}, and ${left} of this call is left`, CALL_BUDGET);
}

/** Requests the person's consent if the price is above the threshold. */
export async function checkConsent(context: PaymentContext, offer: Offer, request: BudgetRequest): Promise<void> {
  const { amount, payTo } = offer;
  const { confirmAbove = context.confirmAbove } = request.scope;
  const { network } = context.rules;
  if (confirmAbove === undefined || amount <= confirmAbove) return;
  if (request.scope.confirm === undefined) {
    throw new PaymentError(
      'not_confirmed',
      `A payment above ${toUsd(confirmAbove, network)} USD needs the consent of a person, and this host cannot ask for it.`,
      { advice: 'Retrying will not help: ask the person to raise WEB3_BI_CONFIRM_ABOVE_USD, or use another host.' },
    );
  }
  await request.scope.confirm({ request: request.request, amount, network, payTo });
}

interface BudgetRequest {
  readonly request: string;
  readonly scope: SpendingScope;
}

/** Reserves the amount. Undefined if another process is buying the same. */
export async function reserve(
  context: PaymentContext,
  offer: Offer,
  { request, scope }: BudgetRequest,
): Promise<Reserved | undefined> {
  const { session, signer, rules } = context;
  const { amount, payTo } = offer;
  const reservation = { request, session, amount, payTo, network: rules.network, payer: signer.address };
  const take = () => {
    // Other requests of the same call may have reserved since the price was checked.
    checkCallBudget(context, amount, scope);
    const result = context.ledger.reserve(reservation, context.budgets, new Date(now(context) + SIGNING_MS));
    if (result.kind === 'reserved') scope.counted += amount;
    return result;
  };
  let taken = take();
  // Amounts counted by payments of unknown outcome may be released by the chain, which is read only if that decides.
  if (taken.kind === 'over' && (await reconcileLedger(context))) taken = take();
  if (taken.kind === 'over') throw overBudget(context, taken.budget, { amount, spent: taken.spent });
  if (taken.kind === 'busy') return undefined;
  return { id: taken.id, createdAt: taken.createdAt, ...reservation };
}

export type Reserved = Reservation & { readonly id: number; readonly createdAt: Date };

/** Throws if clock skew makes the authorization already expired or not yet valid. */
export function checkClock(context: PaymentContext, offer: Offer, headers: Headers): void {
  const date = Date.parse(headers.get('date') ?? '');
  const behindMs = date - now(context);
  if (!(behindMs > offer.validSeconds * 1_000)) return;
  throw offerRefused(
    `the clock of this machine is ${Math.round(behindMs / 1_000)} s behind that of the service, so a payment would expire before it is sent`,
    "Retrying will not help: ask the person to set this machine's clock.",
  );
}

const now = (context: PaymentContext): number => context.sender.clock().getTime();
const limitOf = ({ budgets }: PaymentContext, budget: 'session' | 'day'): bigint =>
  budget === 'day' ? budgets.perDay : budgets.perSession;

const leftOf = ({ rules: { network } }: PaymentContext, left: bigint, limit: bigint): string =>
  `${toUsd(left < 0n ? 0n : left, network)} of ${toUsd(limit, network)} USD`;

function overBudget(context: PaymentContext, budget: 'session' | 'day', sums: { amount: bigint; spent: Spent }) {
  const { amount, spent } = sums;
  const limit = limitOf(context, budget);
  const remaining = leftOf(context, limit - spent[budget], limit);
  const price = `the price is ${toUsd(amount, context.rules.network)} USD, and ${remaining}`;
  if (budget === 'session') return budgetExceeded(`${price} of this session is left, until its end`, SESSION_BUDGET);
  return budgetExceeded(`${price} of this UTC day is left, until ${budgetDayEnd(context)}`, DAY_BUDGET);
}

/** When the daily budget resets, as ISO 8601. */
export const budgetDayEnd = ({ sender }: PaymentContext): string => endOfDay(sender.clock()).toISOString();

const budgetExceeded = (what: string, advice: string): PaymentError =>
  new PaymentError('budget_exceeded', `Not paid because of the wallet budget: ${what}.`, { advice });

const CALL_LIMIT = 'Call again with a higher max_price_usd, which cannot go beyond the budgets, or do without.';
const STILL_FREE = 'What was paid within the last hour is still free.';
const CALL_BUDGET = `Ask for less in one call; only a person can raise the budget, with WEB3_BI_MAX_USD_PER_CALL. ${STILL_FREE}`;
const SESSION_BUDGET = `Do not call again for something new; continue with what you have. Only a person can raise the budget, with WEB3_BI_MAX_USD_PER_SESSION. ${STILL_FREE}`;
const DAY_BUDGET = `Do not call again for something new before then; continue with what you have. Only a person can raise the budget, with WEB3_BI_MAX_USD_PER_DAY. ${STILL_FREE}`;
