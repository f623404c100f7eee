import type { PaymentQuery, Payments } from '../store/port/payments.ts';
import type { FlagValues } from './command.ts';
import { printJson, printTable, printToStderr } from './output.ts';

interface ReconcileOptions {
  readonly rpcUrl: string;
  readonly flags: FlagValues;
  readonly query: PaymentQuery;
}

interface Finding {
  readonly id: number;
  /** State in the journal. */
  readonly state: string;
  /** State on the chain. */
  readonly chain: string;
}

/** Bounds the batches of one run. */
const ROUNDS_MAX = 100;

/** Resolves payments of unknown outcome on the chain and records the results. Exit code 1 if some remain open. */
export async function reconcilePayments(
  journal: Payments,
  { rpcUrl, flags, query }: ReconcileOptions,
): Promise<number> {
  const { createChainReader } = await import('../service/payments/chain-reader.ts');
  const { recover } = await import('../service/payments/recovery.ts');
  const chain = createChainReader(rpcUrl);
  const found = new Map<number, Finding>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const recovered = await recover({ journal, chain, log: SILENT_LOG });
    const hasProgress = recovered.some(({ id }) => !found.has(id));
    for (const { id, outcome } of recovered) found.set(id, { id, state: STATES[outcome], chain: outcome });
    if (!hasProgress) break;
  }
  if (flags['settled'] === true) {
    for (const payment of await journal.list({ ...query, state: 'settled' })) {
      const { kind } = await chain.outcomeOf(payment);
      if (!found.has(payment.id)) found.set(payment.id, { id: payment.id, state: 'settled', chain: kind });
    }
  }
  const findings = [...found.values()].sort((left, right) => left.id - right.id);
  const isClear = findings.every(({ state, chain: outcome }) => state === 'failed' || outcome === 'paid');
  if (flags['json'] === true) printJson({ ok: isClear, findings });
  else if (findings.length === 0) printToStderr('No payment is open.');
  else
    printTable([
      ['ID', 'JOURNAL', 'CHAIN'],
      ...findings.map(({ id, state, chain: outcome }) => [String(id), state, outcome]),
    ]);
  return isClear ? 0 : 1;
}

/** Journal state by chain state. */
const STATES = { paid: 'settled', unused: 'unknown', expired: 'failed', void: 'failed', away: 'unknown' } as const;

const SILENT_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
