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
  if (format === 'csv') yield COLUMNS.join(',');
  let before = query.before;
  for (;;) {
    const page = await journal.list({ ...query, before, limit: PAGE });
    for (const payment of page) yield format === 'csv' ? csvLine(payment) : JSON.stringify(payment);
    before = page.at(-1)?.id;
    if (page.length < PAGE) return;
  }
}

const csvLine = (payment: PaymentRecord): string => COLUMNS.map((column) => csvCell(payment[column])).join(',');

/** Quoted where it must be. A cell that a spreadsheet would take for a formula gets a quote before it. */
function csvCell(value: string | number | null): string {
  const text = String(value ?? '');
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
