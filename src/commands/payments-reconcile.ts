import type { PaymentQuery, Payments } from '../store/port/payments.ts';
import type { FlagValues } from './command.ts';
import { printJson, printTable, tell } from './output.ts';

interface Asked {
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
export async function reconcilePayments(journal: Payments, { rpcUrl, flags, query }: Asked): Promise<number> {
  const { createChainReader } = await import('../service/payments/chain-reader.ts');
  const { recover } = await import('../service/payments/recovery.ts');
  const chain = createChainReader(rpcUrl);
  const found = new Map<number, Finding>();
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const recovered = await recover({ journal, chain, log: SILENT });
    const isNews = recovered.some(({ id }) => !found.has(id));
    for (const { id, outcome: fate } of recovered) found.set(id, { id, state: STATES[fate], chain: fate });
    if (!isNews) break;
  }
  if (flags['settled'] === true) {
    for (const payment of await journal.list({ ...query, state: 'settled' })) {
      const { kind } = await chain.outcomeOf(payment);
      if (!found.has(payment.id)) found.set(payment.id, { id: payment.id, state: 'settled', chain: kind });
    }
  }
  const findings = [...found.values()].sort((left, right) => left.id - right.id);
  const isClear = findings.every(({ state, chain: fate }) => state === 'failed' || fate === 'paid');
  if (flags['json'] === true) printJson({ ok: isClear, findings });
  else if (findings.length === 0) tell('No payment is open.');
  else
    printTable([
      ['ID', 'JOURNAL', 'CHAIN'],
      ...findings.map(({ id, state, chain: fate }) => [String(id), state, fate]),
    ]);
  return isClear ? 0 : 1;
}

/** Journal state by chain state. */
const STATES = { paid: 'settled', unused: 'unknown', expired: 'failed', void: 'failed', away: 'unknown' } as const;

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
