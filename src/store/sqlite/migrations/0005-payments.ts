/** The payments journal: one row per authorization. Amounts are text, because a token may have 18 decimals. */
export const payments = `
CREATE TABLE payments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  network TEXT NOT NULL,
  token TEXT NOT NULL,
  payer TEXT NOT NULL,
  nonce TEXT NOT NULL,
  state TEXT NOT NULL,
  pay_to TEXT NOT NULL,
  amount TEXT NOT NULL,
  valid_before INTEGER NOT NULL,
  item TEXT NOT NULL,
  identifier TEXT,
  signature_hash TEXT NOT NULL,
  transaction_hash TEXT,
  reason TEXT,
  data TEXT,
  meta TEXT,
  owner TEXT,
  lease_until INTEGER NOT NULL DEFAULT 0,
  request_id TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  settled_at TEXT,
  delivered_at TEXT,
  UNIQUE (network, token, payer, nonce)
) STRICT;
CREATE INDEX payments_pending ON payments (updated_at) WHERE state IN ('settling', 'unknown');
CREATE INDEX payments_open ON payments (lease_until) WHERE state = 'open';
CREATE INDEX payments_settled ON payments (settled_at) WHERE state = 'settled';
CREATE INDEX payments_kept ON payments (valid_before) WHERE state = 'settled' AND delivered_at IS NOT NULL AND data IS NOT NULL;
CREATE INDEX payments_identifier ON payments (payer, identifier) WHERE identifier IS NOT NULL;
CREATE INDEX payments_transaction ON payments (transaction_hash) WHERE transaction_hash IS NOT NULL;
CREATE INDEX payments_created ON payments (created_at);
`;
