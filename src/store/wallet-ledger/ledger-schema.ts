import type { Payment, PaymentState } from '../../contract/spending.ts';

export const LEDGER_VERSION = 1;

/** Times are ISO 8601 UTC text, which sorts chronologically. */
export const SCHEMA = `
CREATE TABLE payments (
  id INTEGER PRIMARY KEY,
  request TEXT NOT NULL,
  session TEXT NOT NULL,
  day TEXT NOT NULL,
  state TEXT NOT NULL,
  amount INTEGER NOT NULL,
  network TEXT NOT NULL,
  pay_to TEXT NOT NULL,
  payer TEXT NOT NULL,
  created_at TEXT NOT NULL,
  owner TEXT,
  leased_until TEXT,
  nonce TEXT,
  valid_before TEXT,
  header TEXT,
  held_until TEXT,
  tx TEXT,
  served INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX payments_by_request ON payments (request, id);
CREATE INDEX payments_by_day ON payments (day, state, amount);
CREATE INDEX payments_by_session ON payments (session, state, amount);
CREATE INDEX payments_undecided ON payments (state) WHERE state IN ('reserved', 'open', 'refused', 'outcome_unknown');
CREATE TABLE answers (
  request TEXT PRIMARY KEY,
  payment INTEGER NOT NULL REFERENCES payments (id),
  body TEXT NOT NULL,
  kept_at TEXT NOT NULL
) STRICT;
CREATE INDEX answers_by_time ON answers (kept_at);
`;

export interface PaymentRow {
  readonly id: number;
  readonly request: string;
  readonly state: PaymentState;
  readonly amount: number;
  readonly network: string;
  readonly pay_to: string;
  readonly payer: string;
  readonly created_at: string;
  readonly owner: string | null;
  readonly leased_until: string | null;
  readonly nonce: string | null;
  readonly valid_before: string | null;
  readonly header: string | null;
  readonly tx: string | null;
  readonly served: 0 | 1;
}

export function paymentOf(row: PaymentRow): Payment {
  const { nonce, valid_before: validBefore, header } = row;
  return {
    id: row.id,
    request: row.request,
    state: row.state,
    amount: BigInt(row.amount),
    network: row.network,
    payTo: row.pay_to,
    payer: row.payer,
    createdAt: new Date(row.created_at),
    transaction: row.tx,
    isServed: row.served === 1,
    authorization:
      nonce === null || validBefore === null ? null : { nonce, validBefore: new Date(validBefore), header },
  };
}
