import type { Claim, Claimed, Goods, Lease, PaymentKey, PaymentRecord, Payments } from '../port/payments.ts';
import type { Sqlite } from './database.ts';
import { createGroupCommit } from './group-commit.ts';
import { createLedger, PAYMENT_COLUMNS } from './payment-ledger.ts';
import { createRelaxed } from './relaxed.ts';

/** A row with what only claims read. */
type Row = PaymentRecord & Held;
interface Held {
  readonly data: string | null;
  readonly meta: string | null;
  readonly owner: string | null;
  readonly lease_until: number;
}

/**
 * The journal of payments. Only two commits wait for the disk: that a payment is about to be handed over, and that its
 * answer went out. A power cut that takes back one of the others loses nothing: before the first nothing was charged, and
 * after it the chain tells what became of the payment.
 */
export function createPayments(database: Sqlite, now: () => Date): Payments {
  const durably = createGroupCommit(database, now);
  const relaxed = createRelaxed(database, now);
  const byKey = database.prepare<[PaymentKey], Row>(
    `SELECT ${PAYMENT_COLUMNS}, data, meta, owner, lease_until FROM payments
     WHERE network = @network AND token = @token AND payer = @payer AND nonce = @nonce`,
  );
  const claim = createClaim(database, byKey);
  const change = createChanges(database);
  return {
    find: async (key) => byKey.all(key).map(withoutHeld)[0],
    claim: async (given) => relaxed((at) => claim(given, at)),
    adopt: async (id, owner, leaseMs) => relaxed((at) => change.adopt(id, owner, leaseMs, at)),
    renew: async (lease, leaseMs) => relaxed((at) => change.renew(lease, at.getTime() + leaseMs)),
    release: async (lease) => relaxed((at) => change.release(lease, at)),
    settling: (lease, goods) => durably((at) => change.settling(lease, goods, at)),
    settled: async (lease, transaction) => relaxed((at) => change.settled(lease, transaction, at)),
    unknown: async (lease, reason) => relaxed((at) => change.end(lease, 'unknown', reason, at)),
    failed: async (lease, reason) => relaxed((at) => change.end(lease, 'failed', reason, at)),
    delivered: (lease) => durably((at) => change.delivered(lease, at)),
    sweep: async () => relaxed((at) => change.sweep(at)),
    ...createLedger(database, now),
  };
}

function withoutHeld({ data, meta, owner, lease_until, ...record }: Row): PaymentRecord {
  return record;
}

function createClaim(database: Sqlite, byKey: { all(key: PaymentKey): Row[] }): (claim: Claim, at: Date) => Claimed {
  const insert = database.prepare<[object]>(
    `INSERT INTO payments (network, token, payer, nonce, state, pay_to, amount, valid_before, item, identifier,
       signature_hash, request_id, owner, lease_until, created_at, updated_at)
     VALUES (@network, @token, @payer, @nonce, 'open', @pay_to, @amount, @valid_before, @item, @identifier,
       @signature_hash, @request_id, @owner, @until, @at, @at)`,
  );
  const reopen = database.prepare<[object]>(
    `UPDATE payments SET state = 'open', pay_to = @pay_to, amount = @amount, valid_before = @valid_before,
       item = @item, identifier = @identifier, signature_hash = @signature_hash, request_id = @request_id,
       owner = @owner, lease_until = @until, updated_at = @at
     WHERE id = @id`,
  );
  const take = database.prepare<[string, number, number]>(
    'UPDATE payments SET owner = ?, lease_until = ? WHERE id = ?',
  );
  const claimedBefore = database
    .prepare<[object], number>(
      `SELECT count(*) FROM payments WHERE payer = @payer AND identifier = @identifier AND network = @network
         AND token = @token AND nonce <> @nonce AND state <> 'failed'`,
    )
    .pluck();

  function fresh(claim: Claim, id: number | undefined, at: Date): Claimed {
    if (claim.identifier !== null && claimedBefore.get(claim) !== 0) return { kind: 'conflict' };
    const row = { ...claim, until: at.getTime() + claim.leaseMs, at: at.toISOString() };
    if (id !== undefined) reopen.run({ ...row, id });
    return { kind: 'fresh', lease: { id: id ?? Number(insert.run(row).lastInsertRowid), owner: claim.owner } };
  }

  return (claim, at) => {
    const [row] = byKey.all(claim);
    if (row === undefined) return fresh(claim, undefined, at);
    if (row.owner !== null && row.lease_until > at.getTime()) return { kind: 'busy' };
    if (row.state === 'open' || row.state === 'failed') return fresh(claim, row.id, at);
    const isPaid = row.state === 'settled';
    if (row.item !== claim.item) return { kind: isPaid ? 'spent' : 'elsewhere' };
    const goods = goodsOf(row);
    if (goods === undefined || (isPaid && !canFetch(row, claim, at))) return { kind: 'spent' };
    take.run(claim.owner, at.getTime() + claim.leaseMs, row.id);
    const lease: Lease = { id: row.id, owner: claim.owner };
    if (row.transaction === null) return { kind: 'pending', lease, goods, record: withoutHeld(row) };
    return { kind: 'settled', lease, goods, transaction: row.transaction };
  };
}

const goodsOf = ({ data, meta }: Held): Goods | undefined =>
  data === null || meta === null ? undefined : { data, meta };

/** An answer is handed out once; a client that named its payment may fetch it again while the authorization lasts. */
function canFetch(row: Row, { identifier }: Claim, at: Date): boolean {
  if (row.delivered_at === null) return true;
  return row.identifier !== null && row.identifier === identifier && at.getTime() < row.valid_before * 1_000;
}

const HELD = 'id = @id AND owner = @owner';
const ENDED = 'owner = NULL, lease_until = 0, updated_at = @at';

/** Changes of one payment; each tells whether the lease still held. */
function createChanges(database: Sqlite) {
  const update = (what: string, state: string) =>
    database.prepare<[object]>(`UPDATE payments SET ${what} WHERE ${HELD} AND ${state}`);
  const renew = update('lease_until = @until', 'true');
  const forget = database.prepare<[object]>(`DELETE FROM payments WHERE ${HELD} AND state = 'open' AND reason IS NULL`);
  const release = update(`state = CASE state WHEN 'open' THEN 'failed' ELSE state END, ${ENDED}`, 'true');
  const settling = update(
    `state = 'settling', data = @data, meta = @meta, reason = NULL, updated_at = @at`,
    `state = 'open'`,
  );
  const settled = update(
    `state = 'settled', transaction_hash = @transaction, reason = NULL, settled_at = @at, updated_at = @at`,
    `state IN ('settling', 'unknown')`,
  );
  const unknown = update(`state = 'unknown', reason = @reason, ${ENDED}`, `state IN ('settling', 'unknown')`);
  const failed = update(`state = 'failed', reason = @reason, data = NULL, meta = NULL, ${ENDED}`, `state <> 'settled'`);
  const kept = (column: string): string => `${column} = CASE WHEN identifier IS NULL THEN NULL ELSE ${column} END`;
  const delivered = update(
    `delivered_at = coalesce(delivered_at, @at), ${kept('data')}, ${kept('meta')}, ${ENDED}`,
    `state = 'settled'`,
  );
  const adopt = database.prepare<[object], PaymentRecord>(
    `UPDATE payments SET owner = @owner, lease_until = @until, updated_at = @at
     WHERE id = @id AND state IN ('settling', 'unknown') AND (owner IS NULL OR lease_until <= @time)
     RETURNING ${PAYMENT_COLUMNS}`,
  );
  const failOpen = database.prepare<[object]>(
    `UPDATE payments SET state = 'failed', ${ENDED} WHERE state = 'open' AND lease_until <= @time`,
  );
  const forgetOpen = database.prepare<[number]>(
    `DELETE FROM payments WHERE state = 'open' AND lease_until <= ? AND reason IS NULL`,
  );
  const forgetKept = database.prepare<[number]>(
    `UPDATE payments SET data = NULL, meta = NULL
     WHERE state = 'settled' AND delivered_at IS NOT NULL AND data IS NOT NULL AND valid_before <= ?`,
  );
  const hasRun = ({ changes }: { changes: number }): boolean => changes === 1;
  const held = ({ id, owner }: Lease, at: Date) => ({ id, owner, at: at.toISOString() });
  return {
    renew: ({ id, owner }: Lease, until: number) => hasRun(renew.run({ id, owner, until })),
    release: (lease: Lease, at: Date): void => {
      const { id, owner } = lease;
      if (!hasRun(forget.run({ id, owner }))) release.run(held(lease, at));
    },
    settling: (lease: Lease, { data, meta }: Goods, at: Date) =>
      hasRun(settling.run({ ...held(lease, at), data, meta })),
    settled: (lease: Lease, transaction: string, at: Date) => hasRun(settled.run({ ...held(lease, at), transaction })),
    end: (lease: Lease, state: 'unknown' | 'failed', reason: string, at: Date) =>
      hasRun((state === 'unknown' ? unknown : failed).run({ ...held(lease, at), reason })),
    delivered: (lease: Lease, at: Date) => hasRun(delivered.run(held(lease, at))),
    adopt: (id: number, owner: string, leaseMs: number, at: Date) => {
      const time = at.getTime();
      const [record] = adopt.all({ id, owner, until: time + leaseMs, time, at: at.toISOString() });
      return record && { ...record, lease: { id, owner } };
    },
    sweep: (at: Date): void => {
      forgetOpen.run(at.getTime());
      failOpen.run({ time: at.getTime(), at: at.toISOString() });
      forgetKept.run(Math.floor(at.getTime() / 1_000));
    },
  };
}
