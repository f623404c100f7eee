import type { Reservation, Spent } from '../../contract/spending.ts';
import { toBaseUnits, toUsd } from '../../contract/usd.ts';
import type { Bill } from './bill.ts';
import { offerRefused, PaymentError } from './errors.ts';
import type { Offer } from './offer.ts';
import { reconcile } from './outcome.ts';
import type { Till } from './till.ts';

/** A payment that takes this long to be signed after it was counted has been left. */
const SIGNING_MS = 15_000;

/** Refuses a price that is above what the call, the session or the day may cost, before anything is counted. */
export function checkPrice(till: Till, { amount }: Offer, bill: Bill): void {
  const { perCall } = till.budgets;
  const { network } = till.rules;
  const maxPrice = bill.maxPriceUsd === undefined ? undefined : toBaseUnits(bill.maxPriceUsd, network);
  const price = `${toUsd(amount, network)} USD`;
  if (maxPrice !== undefined && amount > maxPrice) {
    throw over(`the price of ${price} is above max_price_usd, ${toUsd(maxPrice, network)} USD`, CALL_LIMIT);
  }
  if (bill.counted + amount > perCall) {
    const left = perCall - bill.counted;
    throw over(`the price is ${price}, and ${of(till, left, perCall)} of this call is left`, CALL_BUDGET);
  }
  const { session } = till;
  const spent = till.ledger.spent(session);
  for (const budget of ['session', 'day'] as const) {
    if (spent[budget] + amount > limitOf(till, budget)) throw overBudget(till, budget, { amount, spent });
  }
}

/** Asks the person where the price needs it. */
export async function checkConsent(till: Till, { amount, payTo }: Offer, order: Order): Promise<void> {
  const { confirmAbove } = till;
  const { network } = till.rules;
  if (confirmAbove === undefined || amount <= confirmAbove) return;
  if (order.bill.confirm === undefined) {
    throw new PaymentError(
      'not_confirmed',
      `A payment above ${toUsd(confirmAbove, network)} USD needs the consent of a person, and this host cannot ask for it.`,
      { advice: 'Retrying will not help: ask the person to raise WEB3_BI_CONFIRM_ABOVE_USD, or to use another host.' },
    );
  }
  await order.bill.confirm({ request: order.request, amount, network, payTo });
}

interface Order {
  readonly request: string;
  readonly bill: Bill;
}

/** Counts the payment; undefined when another process is buying the same. */
export async function reserve(till: Till, offer: Offer, { request, bill }: Order): Promise<Reserved | undefined> {
  const { session, signer, rules } = till;
  const { amount, payTo } = offer;
  const reservation = { request, session, amount, payTo, network: rules.network, payer: signer.address };
  const take = () => till.ledger.reserve(reservation, till.budgets, new Date(now(till) + SIGNING_MS));
  let taken = take();
  // What is counted may be proven free by now; the chain is asked only when that decides.
  if (taken.kind === 'over' && (await reconcile(till))) taken = take();
  if (taken.kind === 'over') throw overBudget(till, taken.budget, { amount, spent: taken.spent });
  if (taken.kind === 'busy') return undefined;
  bill.counted += amount;
  return { id: taken.id, createdAt: taken.createdAt, ...reservation };
}

export type Reserved = Reservation & { readonly id: number; readonly createdAt: Date };

/** Refuses to sign when the clocks differ so much that the authorization would have ended, or not begun. */
export function checkClock(till: Till, offer: Offer, headers: Headers): void {
  const date = Date.parse(headers.get('date') ?? '');
  const behindMs = date - now(till);
  if (!(behindMs > offer.validSeconds * 1_000)) return;
  throw offerRefused(
    `the clock of this machine is ${Math.round(behindMs / 1_000)} s behind the one of the service, so that a payment would have ended before it is made`,
    "Retrying will not help: ask the person to set this machine's clock.",
  );
}

const now = (till: Till): number => till.sender.clock().getTime();
const limitOf = ({ budgets }: Till, budget: 'session' | 'day'): bigint =>
  budget === 'day' ? budgets.perDay : budgets.perSession;

const of = ({ rules: { network } }: Till, left: bigint, limit: bigint): string =>
  `${toUsd(left < 0n ? 0n : left, network)} of ${toUsd(limit, network)} USD`;

function overBudget(till: Till, budget: 'session' | 'day', { amount, spent }: { amount: bigint; spent: Spent }) {
  const limit = limitOf(till, budget);
  const left = of(till, limit - spent[budget], limit);
  const price = `the price is ${toUsd(amount, till.rules.network)} USD, and ${left}`;
  if (budget === 'session') return over(`${price} of this session is left, until its end`, SESSION_BUDGET);
  return over(`${price} of this UTC day is left, until ${endOfDay(till)}`, DAY_BUDGET);
}

/** When the budget of the day begins anew. */
export function endOfDay({ sender }: Till): string {
  const date = sender.clock();
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)).toISOString();
}

const over = (what: string, advice: string): PaymentError =>
  new PaymentError('budget_exceeded', `Not paid, by the budget of the wallet: ${what}.`, { advice });

const CALL_LIMIT = 'Call again with a higher max_price_usd, which cannot go beyond the budgets, or do without.';
const STILL_FREE = 'What was paid within the last hour is still free.';
const CALL_BUDGET = `Ask for less in one call; only a person can raise the budget, with WEB3_BI_MAX_USD_PER_CALL. ${STILL_FREE}`;
const SESSION_BUDGET = `Do not call again for something new; go on with what you have. Only a person can raise the budget, with WEB3_BI_MAX_USD_PER_SESSION. ${STILL_FREE}`;
const DAY_BUDGET = `Do not call again for something new before then; go on with what you have. Only a person can raise the budget, with WEB3_BI_MAX_USD_PER_DAY. ${STILL_FREE}`;
