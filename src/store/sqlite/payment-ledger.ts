import type { PaymentQuery, PaymentRecord, Payments, PaymentTotal } from '../port/payments.ts';
import type { Sqlite } from './database.ts';

/** Everything of a record; the transaction's own name is a word of SQL. */
export const PAYMENT_COLUMNS = `id, network, token, payer, nonce, state, pay_to, amount, valid_before, item, identifier,
  signature_hash, transaction_hash AS "transaction", reason, request_id, created_at, updated_at, settled_at, delivered_at`;

const NEXT_DAY = "date(@to, '+1 day')";

/** What an operator asks of the journal. */
export function createLedger(
  database: Sqlite,
  now: () => Date,
): Pick<Payments, 'pending' | 'list' | 'lookUp' | 'totals'> {
  const pending = database.prepare<[number, number], PaymentRecord>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments
     WHERE state IN ('settling', 'unknown') AND (owner IS NULL OR lease_until <= ?) ORDER BY updated_at LIMIT ?`,
  );
  const list = database.prepare<[object], PaymentRecord>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments
     WHERE (@state IS NULL OR state = @state)
       AND (@isUndelivered = 0 OR (state = 'settled' AND delivered_at IS NULL))
       AND (@from IS NULL OR created_at >= @from) AND (@to IS NULL OR created_at < ${NEXT_DAY})
       AND (@before IS NULL OR id < @before)
     ORDER BY id DESC LIMIT @limit`,
  );
  const lookUp = database.prepare<[object], PaymentRecord>(
    `SELECT ${PAYMENT_COLUMNS} FROM payments
     WHERE id = @id OR transaction_hash = @text OR nonce = @text OR request_id = @given ORDER BY id`,
  );
  const totals = database.prepare<[object], PaymentTotal>(
    `SELECT substr(settled_at, 1, 10) AS day, network, token, count(*) AS payments,
       CAST(sum(CAST(amount AS INTEGER)) AS TEXT) AS amount, sum(delivered_at IS NULL) AS undelivered
     FROM payments
     WHERE state = 'settled' AND (@from IS NULL OR settled_at >= @from) AND (@to IS NULL OR settled_at < ${NEXT_DAY})
     GROUP BY day, network, token ORDER BY day, network, token`,
  );
  return {
    pending: async (limit) => pending.all(now().getTime(), limit),
    list: async ({ state = null, isUndelivered, from = null, to = null, before = null, limit }: Nullable) =>
      list.all({ state, isUndelivered: isUndelivered ? 1 : 0, from, to, before, limit }),
    lookUp: async (given) => {
      const id = /^\d{1,15}$/.test(given) ? Number(given) : null;
      return lookUp.all({ id, text: given.toLowerCase(), given });
    },
    totals: async ({ from = null, to = null }: Nullable) => totals.all({ from, to }),
  };
}

/** A query as SQL takes it, where what is not asked is null. */
type Nullable = { readonly [Name in keyof PaymentQuery]?: PaymentQuery[Name] | null };
