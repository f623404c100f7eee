import { csvLine } from '../store/csv.ts';
import type { PaymentQuery, PaymentRecord, Payments } from '../store/port/payments.ts';

const PAGE = 500;
/** What books need; the rest is in payments show. */
const COLUMNS = [
  'id',
  'created_at',
  'settled_at',
  'delivered_at',
  'state',
  'network',
  'token',
  'payer',
  'pay_to',
  'amount',
  'transaction',
  'nonce',
  'item',
  'request_id',
  'reason',
] as const satisfies readonly (keyof PaymentRecord)[];

/** All payments of a query as lines of a file, the newest first. */
export async function* exportPayments(
  journal: Payments,
  query: PaymentQuery,
  format: 'csv' | 'ndjson',
): AsyncGenerator<string> {
  if (format === 'csv') yield csvLine(COLUMNS);
  let before = query.before;
  for (;;) {
    const page = await journal.list({ ...query, before, limit: PAGE });
    for (const payment of page)
      yield format === 'csv' ? csvLine(COLUMNS.map((column) => payment[column])) : JSON.stringify(payment);
    before = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}
