import { setTimeout as wait } from 'node:timers/promises';
import { ServiceError } from '../../contract/errors.ts';
import type { KeptAnswer, Payment, Receipt } from '../../contract/spending.ts';
import type { Fetch } from '../access.ts';
import type { Bill } from './bill.ts';
import { checkClock, checkConsent, checkPrice, type Reserved, reserve } from './budget.ts';
import { asObject, decodeJson, type Settlement } from './dialect.ts';
import { offerRefused, PaymentError } from './errors.ts';
import type { Closing } from './ledger.ts';
import { type Offer, readOffer, VALID_SECONDS_MAX } from './offer.ts';
import { fateOf, held, judge, outcomeUnknown } from './outcome.ts';
import { receiptOf } from './receipt.ts';
import { ask, type Sent, sendPaid } from './send.ts';
import { keptSince, type Till } from './till.ts';

const WATCH_MS = 50;
const ENDING_MS = 6_000;
/** How much the clock that signs may differ from the one that is asked here. */
const CLOCK_SECONDS = 60;

/** One thing to buy: a GET of this address, for the answer of which at most one signature is made. */
export interface Order {
  readonly url: string;
  readonly bill: Bill;
  readonly signal: AbortSignal | undefined;
}

/** An answer that was paid, or was free; a receipt says which. */
export type PaidResponse = Response & { readonly receipt?: Receipt };

/**
 * Gives an answer that was paid before, finishes a payment that was begun, by whatever process, or makes a new one.
 */
export async function purchase(till: Till, order: Order): Promise<PaidResponse> {
  const { ledger, sender } = till;
  const request = requestOf(order);
  const startedAt = performance.now();
  const workMs = sender.patience.totalMs + sender.patience.tryMs;
  for (;;) {
    const kept = ledger.kept(request, keptSince(till));
    if (kept !== undefined) return fromKept(kept, order.bill);
    const found = ledger.takeOver(request, new Date(sender.clock().getTime() + workMs));
    const answer = await (found === 'busy' ? undefined : found ? finish(till, order, found) : buy(till, order));
    if (answer !== undefined) return answer;
    if (performance.now() - startedAt > workMs) throw busy();
    await wait(WATCH_MS, undefined, { signal: order.signal });
  }
}

export const requestOf = ({ url }: Pick<Order, 'url'>): string => `GET ${url}`;

const busy = (): PaymentError =>
  new PaymentError('unavailable', 'Another process is paying for the same, and has not finished.', {
    advice: 'Retrying is safe, after 30 seconds.',
  });

/** Goes on with a signature that was made before; undefined when it turned out to be without effect for good. */
async function finish(till: Till, order: Order, payment: Payment): Promise<PaidResponse | undefined> {
  const { ledger, sender } = till;
  const { header, validBefore } = payment.authorization ?? {};
  const isUsable = header != null && validBefore !== undefined && sender.clock().getTime() < +validBefore - ENDING_MS;
  return releasing(till, { payment, signal: order.signal }, async () => {
    if (isUsable) return conclude(till, order, payment, await sendPaid(sender, { ...order, header, validBefore }));
    const fate = await fateOf(till, payment);
    if (fate?.kind === 'expired') {
      ledger.close(payment.id, { state: 'unused' });
      return undefined;
    }
    const state = fate?.kind === 'used' ? 'paid_not_served' : stateOf(payment);
    const transaction = fate?.kind === 'used' ? fate.transaction : payment.transaction;
    ledger.close(payment.id, { state, transaction });
    throw held({ ...payment, state, transaction });
  });
}

const stateOf = ({ state }: Payment) => (state === 'reserved' || state === 'open' ? 'outcome_unknown' : state);

/** Whatever ends the work, the payment is free for the next who asks, with what is known of it. */
async function releasing<Result>(till: Till, { payment, signal }: Begun, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    // What was judged has been written down already; anything else leaves the signature to be sent again.
    if (error instanceof PaymentError) throw error;
    writeDown(till, payment, { state: stateLeft(payment) });
    if (signal?.aborted === true) throw error;
    throw outcomeUnknown(payment, { cause: error });
  }
}

interface Begun {
  readonly payment: Payment;
  readonly signal: AbortSignal | undefined;
}

/** A disk that is full must not keep an answer that was paid, nor hide what became of the money. */
function writeDown({ ledger }: Till, { id }: Payment, closing: Closing): void {
  try {
    ledger.close(id, closing);
  } catch {
    // The payment stays begun and counted, and the next equal call goes on with its signature.
  }
}

const stateLeft = ({ state }: Payment) => (state === 'reserved' ? 'open' : state);

/** What one purchase has come to, while the stock client leads through it. */
interface Course {
  offer?: Offer;
  reserved?: Reserved | undefined;
  payment?: Payment;
  sent?: Sent;
  /** What came without payment being asked for. */
  free?: PaidResponse;
}

/** Makes a payment; undefined when another process is at the same. */
async function buy(till: Till, order: Order): Promise<PaidResponse | undefined> {
  const course: Course = {};
  const lane: Fetch = async (input) => {
    const header = new Request(input).headers.get('PAYMENT-SIGNATURE');
    return header === null ? openCourse(till, order, course) : closeCourse(till, order, course, header);
  };
  try {
    await till.signer.paying(lane, till.budgets.perCall)(order.url);
  } catch (error) {
    if (course.payment !== undefined)
      return releasing(till, { payment: course.payment, signal: order.signal }, () => Promise.reject(error));
    if (course.reserved !== undefined) till.ledger.close(course.reserved.id, { state: 'unused' });
    // The stock client tells of its own refusals in texts that repeat what the server sent.
    if (course.offer === undefined || error instanceof ServiceError || order.signal?.aborted === true) throw error;
    if (isOfOurs(error)) throw error;
    throw offerRefused('it cannot be signed');
  }
  const { payment, sent, free } = course;
  if (free !== undefined) return free;
  if (payment === undefined || sent === undefined) return undefined;
  return releasing(till, { payment, signal: order.signal }, () => conclude(till, order, payment, sent));
}

/** A signal of a caller, such as that a person has to be asked; the stock client throws nothing but plain errors. */
const isOfOurs = (error: unknown): boolean => !(error instanceof Error) || error.constructor !== Error;

const NO_ANSWER = { status: 204 } as const;

/** The request without payment. What asks for an acceptable price is counted and then handed on to be signed. */
async function openCourse(till: Till, order: Order, course: Course): Promise<Response> {
  const { response, body } = await askFree(till, order);
  if (response.status >= 300 && response.status < 400) throw offerRefused('it leads to another address');
  if (response.status !== 402) {
    course.free = new Response(body === '' ? null : body, { status: response.status, headers: response.headers });
    return new Response(null, NO_ANSWER);
  }
  const { bill } = order;
  const offer = readOffer(response.headers, body, till.rules);
  checkClock(till, offer, response.headers);
  checkPrice(till, offer, bill);
  await checkConsent(till, offer, { request: requestOf(order), bill });
  course.offer = offer;
  course.reserved = await reserve(till, offer, { request: requestOf(order), bill });
  if (course.reserved === undefined) return new Response(null, NO_ANSWER);
  const header = Buffer.from(JSON.stringify(offer.required)).toString('base64');
  return new Response(null, { status: 402, headers: { 'PAYMENT-REQUIRED': header } });
}

/** Asks for the price, or for what is free. */
export async function askFree({ sender }: Till, { url, signal }: Pick<Order, 'url' | 'signal'>) {
  try {
    return await ask(sender, url, signal);
  } catch (cause) {
    if (signal?.aborted === true) throw cause;
    throw new ServiceError('unreachable', 'The service cannot be reached.', { cause });
  }
}

/** The signature is kept before it is sent, so that whoever comes after a crash sends this one and makes no other. */
async function closeCourse(till: Till, order: Order, course: Course, header: string): Promise<Response> {
  const { reserved } = course;
  if (reserved === undefined) throw new Error('Signed without a reservation');
  const now = till.sender.clock();
  const authorization = signedBy(reserved, header, now);
  const { nonce, validBefore } = authorization;
  const heldUntil = new Date(Math.max(+validBefore, +now + VALID_SECONDS_MAX * 1_000));
  if (!till.ledger.sign(reserved.id, { ...authorization, heldUntil })) {
    throw new PaymentError('unavailable', 'The payment took too long to be signed, and was not sent.', {
      advice: 'Retrying is safe, after 5 seconds.',
    });
  }
  const signed = { nonce, validBefore, header };
  course.payment = {
    ...reserved,
    state: 'open',
    transaction: null,
    isServed: false,
    authorization: signed,
  };
  course.sent = await sendPaid(till.sender, { ...order, header, validBefore });
  return new Response(null, NO_ANSWER);
}

/** Reads what was signed back from the header: it must be what was counted, or it is not sent. */
function signedBy({ amount, payTo, payer }: Reserved, header: string, now: Date) {
  const { authorization } = asObject(asObject(decodeJson(header))['payload']);
  const { from, to, value, nonce, validBefore } = asObject(authorization);
  const isCounted =
    value === String(amount) && lower(to) === payTo.toLowerCase() && lower(from) === payer.toLowerCase();
  const end = new Date(Number(validBefore) * 1_000);
  const isBounded = +end <= +now + (VALID_SECONDS_MAX + CLOCK_SECONDS) * 1_000;
  if (!isCounted || !isBounded || typeof nonce !== 'string')
    throw offerRefused('what was signed is not what was agreed');
  return { nonce, validBefore: end, header };
}

const lower = (value: unknown): string => String(value).toLowerCase();

async function conclude(till: Till, order: Order, payment: Payment, sent: Sent): Promise<PaidResponse> {
  if (sent.kind !== 'served') {
    const { error, ...verdict } = await judge(till, payment, sent);
    writeDown(till, payment, verdict);
    throw error;
  }
  const transaction = provenBy(payment, sent.settlement) ?? (await transactionOf(till, payment));
  const state = transaction === null ? 'outcome_unknown' : 'settled';
  const { body } = sent;
  writeDown(till, payment, { state, transaction, answer: body });
  return withReceipt({ payment: { ...payment, state, transaction }, body }, order.bill, 'paid');
}

/** The transaction of a receipt, when it is one for this payment. */
function provenBy({ network, payer }: Payment, settlement: Settlement | undefined): string | null {
  if (settlement?.success !== true) return null;
  const isOurs =
    [settlement.network ?? network, lower(settlement.payer ?? payer)].join() === [network, lower(payer)].join();
  return isOurs ? settlement.transaction : null;
}

async function transactionOf(till: Till, payment: Payment): Promise<string | null> {
  const fate = await fateOf(till, payment);
  return fate?.kind === 'used' ? fate.transaction : null;
}

function fromKept(kept: KeptAnswer, bill: Bill): PaidResponse {
  return withReceipt(kept, bill, 'kept');
}

function withReceipt({ payment, body }: KeptAnswer, bill: Bill, how: 'paid' | 'kept'): PaidResponse {
  const receipt = receiptOf(payment, how);
  bill.receipts.push(receipt);
  const headers = new Headers({ 'Content-Type': 'application/json' });
  const { transaction, network, payer } = receipt;
  if (transaction !== null) {
    const settled = JSON.stringify({ success: true, transaction, network, payer });
    headers.set('PAYMENT-RESPONSE', Buffer.from(settled).toString('base64'));
  }
  return Object.assign(new Response(body, { headers }), { receipt });
}
