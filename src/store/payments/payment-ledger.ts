import { DAY_MS, utcDay } from '../../contract/periods.ts';
import type { PaidAnswer, PaymentQuery, PaymentRecord, Payments, PaymentTotal } from '../port/payments.ts';
import { all, first, type Value } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';

/** Columns of a payment record; `transaction` is an SQL keyword. */
export const PAYMENT_COLUMNS = `id, network, token, payer, nonce, state, pay_to, amount, valid_before, item, identifier,
  signature_hash, transaction_hash AS "transaction", reason, request_id, created_at, updated_at, settled_at, delivered_at`;

const dayAfter = (day: string): string => utcDay(new Date(Date.parse(day) + DAY_MS));

const PENDING = `SELECT ${PAYMENT_COLUMNS} FROM payments
  WHERE state IN ('settling', 'unknown') AND (owner IS NULL OR lease_until <= ?) ORDER BY updated_at LIMIT ?`;

type PurchasedAnswer = PaidAnswer & { readonly transaction: string };
const BOUGHT = `SELECT data, meta, transaction_hash AS "transaction" FROM payments
  WHERE network = ? AND token = ? AND payer = ? AND item = ? AND state = 'settled' AND data IS NOT NULL
  ORDER BY id DESC LIMIT 1`;

/** Queries of operators and payers. */
export function createLedger(
  { query }: Runner,
  now: () => Date,
): Pick<Payments, 'pending' | 'bought' | 'list' | 'lookUp' | 'totals'> {
  return {
    pending: (limit) => query(all<PaymentRecord>(PENDING, now().getTime(), limit)),
    bought: async ({ network, token, payer, item }) => {
      const row = await query(first<PurchasedAnswer>(BOUGHT, network, token, payer, item));
      return row && { purchased: { data: row.data, meta: row.meta }, transaction: row.transaction };
    },
    list: ({ network, token, payer, state, isUndelivered, from, to, before, limit }) => {
      const { sql, parameters } = conditions([
        ['network = ?', network],
        ['token = ?', token],
        ['payer = ?', payer],
        ['state = ?', state],
        ["state = 'settled' AND delivered_at IS NULL", isUndelivered && NO_PARAMETER],
        ['created_at >= ?', from],
        ['created_at < ?', to && dayAfter(to)],
        ['id < ?', before],
      ]);
      const select = `SELECT ${PAYMENT_COLUMNS} FROM payments WHERE ${sql} ORDER BY id DESC LIMIT ?`;
      return query(all<PaymentRecord>(select, ...parameters, limit));
    },
    lookUp: (given) => {
      const text = given.toLowerCase();
      const isNumber = /^\d{1,15}$/.test(given);
      const select = `SELECT ${PAYMENT_COLUMNS} FROM payments
        WHERE ${isNumber ? 'id = ? OR ' : ''}transaction_hash = ? OR nonce = ? OR request_id = ? ORDER BY id`;
      return query(all<PaymentRecord>(select, ...(isNumber ? [Number(given)] : []), text, text, given));
    },
    totals: async ({ from, to }) => summed(await query(all<PaymentTotal>(...totalsSql({ from, to })))),
  };
}

/** Sums per day and token. Computed here, because amounts with 18 decimals exceed SQL integers. */
function summed(parts: readonly PaymentTotal[]): PaymentTotal[] {
  const totals = new Map<string, PaymentTotal>();
  for (const part of parts) {
    const key = `${part.day} ${part.network} ${part.token}`;
    const { payments = 0, undelivered = 0, amount = '0' } = totals.get(key) ?? {};
    totals.set(key, {
      ...part,
      payments: payments + part.payments,
      undelivered: undelivered + part.undelivered,
      amount: String(BigInt(amount) + BigInt(part.amount) * BigInt(part.payments)),
    });
  }
  return [...totals.values()];
}

function totalsSql({ from, to }: Pick<PaymentQuery, 'from' | 'to'>): [string, ...Value[]] {
  const { sql, parameters } = conditions([
    ["state = 'settled'", NO_PARAMETER],
    ['settled_at >= ?', from],
    ['settled_at < ?', to && dayAfter(to)],
  ]);
  return [
    `SELECT substr(settled_at, 1, 10) AS day, network, token, amount, count(*) AS payments,
       sum(CASE WHEN delivered_at IS NULL THEN 1 ELSE 0 END) AS undelivered
     FROM payments WHERE ${sql} GROUP BY substr(settled_at, 1, 10), network, token, amount ORDER BY day, network, token`,
    ...parameters,
  ];
}

/** A condition without a parameter. */
const NO_PARAMETER = null;

/** The conditions with a given parameter. */
function conditions(some: readonly (readonly [string, Value | undefined])[]): { sql: string; parameters: Value[] } {
  const stated = some.filter(([, parameter]) => parameter !== undefined) as [string, Value][];
  return {
    sql: ['1 = 1', ...stated.map(([condition]) => condition)].join(' AND '),
    parameters: stated.map(([, parameter]) => parameter).filter((parameter) => parameter !== NO_PARAMETER),
  };
}
