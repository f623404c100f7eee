import { isoDate } from '../contract/fields.ts';
import { NETWORKS } from '../contract/networks.ts';
import { toUsd } from '../contract/usd.ts';
import { csvLine } from '../store/csv.ts';
import {
  type PaymentQuery,
  type PaymentRecord,
  type Payments,
  SETTLEMENT_STATES,
  type SettlementState,
} from '../store/port/payments.ts';
import {
  COMMON_SETTINGS,
  type Command,
  type CommandGroup,
  type Flag,
  type Flags,
  type FlagValues,
  numberOption,
  option,
} from './command.ts';
import { ConfigError, UsageError } from './config.ts';
import { withStore } from './configured-store.ts';
import { print, printFields, printJson, printTable, printToStderr, shownTime, visible } from './output.ts';

const FORMATS = ['csv', 'ndjson'] as const;

const CHOSEN = {
  state: option('STATE', 'Only those in this state.', { choices: SETTLEMENT_STATES }),
  undelivered: { type: 'boolean', description: 'Only settled payments whose response was not delivered.' },
  from: option('DAY', 'First UTC day, such as 2026-11-21.'),
  to: option('DAY', 'Last UTC day.'),
} as const satisfies Flags;
const BEFORE: Flag = numberOption('Only payments before this one, to continue from a page.');
const LIMIT_DEFAULT = 20;
const LIMIT: Flag = numberOption('Maximum number of results.', { max: 1_000, default: LIMIT_DEFAULT });

const list: Command = {
  usage: 'payments list',
  about: 'List payments, the newest first.',
  example: 'web3-bi payments list --undelivered',
  flags: {
    ...CHOSEN,
    before: BEFORE,
    limit: LIMIT,
  },
  run: ({ settings, flags }) => {
    const query = queryOf(flags);
    return withStore(settings, async (store) => {
      const payments = await store.payments.list(query);
      if (flags['json'] === true) printJson(payments);
      else if (payments.length === 0) printToStderr('No payments.');
      else printTable([HEADING, ...payments.map(cellsOf)], FIT);
    });
  },
};

const show: Command = {
  usage: 'payments show ID',
  about: 'Show one payment, by its number, transaction, nonce or request id.',
  example: 'web3-bi payments show 12',
  run: async ({ settings, flags, positionals: [text] }) => {
    if (text === undefined) {
      throw new UsageError(
        'Which payment? Give its number, transaction, nonce or request id, such as: payments show 12',
      );
    }
    return withStore(settings, async (store) => {
      const payments = await store.payments.lookUp(text);
      if (payments.length === 0)
        throw new ConfigError(`There is no payment ${text}. To list the payments: web3-bi payments list`);
      if (flags['json'] === true) printJson(payments);
      else
        for (const payment of payments)
          printFields(Object.entries(payment).map(([name, value]) => [name, String(value ?? '-')]));
    });
  },
};

const totals: Command = {
  usage: 'payments totals',
  about: 'Sum payments by UTC day and network.',
  example: 'web3-bi payments totals --from 2026-11-01',
  flags: { ...CHOSEN, before: BEFORE },
  run: ({ settings, flags }) => {
    const query = queryOf(flags);
    return withStore(settings, async (store) => {
      const days = await store.payments.totals(query);
      const rows = days.map(({ day, network, payments, amount, undelivered }) => [
        day,
        NETWORKS[network].label,
        String(payments),
        `${toUsd(BigInt(amount), network)} ${NETWORKS[network].token.symbol}`,
        String(undelivered),
      ]);
      if (flags['json'] === true) printJson(days);
      else if (days.length === 0) printToStderr('No payments.');
      else printTable([['DAY', 'NETWORK', 'PAYMENTS', 'AMOUNT', 'UNDELIVERED'], ...rows]);
    });
  },
};

const exportAll: Command = {
  usage: 'payments export',
  about: 'Write all payments as a file to stdout.',
  example: 'web3-bi payments export > payments.csv',
  isPlain: true,
  flags: {
    ...CHOSEN,
    before: BEFORE,
    format: option('FORMAT', 'Form of the file.', { choices: FORMATS, default: 'csv' }),
  },
  run: ({ settings, flags }) => {
    const query = queryOf(flags);
    const format = flags['format'] as (typeof FORMATS)[number];
    return withStore(settings, async (store) => {
      for await (const line of exportPayments(store.payments, query, format)) print(visible(line));
    });
  },
};

const reconcileAll: Command = {
  usage: 'payments reconcile',
  about: 'Resolve payments of unknown outcome on the chain, and record the result.',
  example: 'web3-bi payments reconcile --settled',
  flags: {
    ...CHOSEN,
    before: BEFORE,
    limit: LIMIT,
    settled: { type: 'boolean', description: 'Check settled payments too.' },
  },
  settings: [...COMMON_SETTINGS, 'rpc-url'],
  run: async ({ settings, flags }) => {
    const query = queryOf(flags);
    const { rpc_url: rpcUrl } = settings;
    if (rpcUrl === undefined)
      throw new ConfigError('reconcile reads the chain; set WEB3_BI_RPC_URL to a node of the network.');
    return withStore(settings, (store) => reconcilePayments(store.payments, { rpcUrl, flags, query }));
  },
};

export const command: CommandGroup = {
  about:
    'Payments for searches: list the newest, show one, total by UTC day, export all to stdout, reconcile with the chain.',
  actions: { list, show, totals, export: exportAll, reconcile: reconcileAll },
  defaultAction: 'list',
};

const HEADING = ['ID', 'AT', 'STATE', 'PAYER', 'AMOUNT', 'TRANSACTION', 'DELIVERED', 'REASON'];
const FIT = { whole: ['ID', 'AT', 'STATE', 'AMOUNT'], dropped: ['DELIVERED', 'PAYER', 'REASON'] };

function cellsOf(payment: PaymentRecord): string[] {
  const { id, created_at, state, payer, transaction, delivered_at, reason } = payment;
  const [at, delivered] = [created_at, delivered_at].map((moment) => (moment === null ? null : shownTime(moment)));
  const shown = [id, at, state, payer, toUsd(BigInt(payment.amount), payment.network), transaction, delivered, reason];
  return shown.map((cell) => String(cell ?? '-'));
}

function queryOf(flags: FlagValues): PaymentQuery {
  return {
    state: flags['state'] as SettlementState | undefined,
    isUndelivered: flags['undelivered'] === true ? true : undefined,
    from: dayOf(flags, 'from'),
    to: dayOf(flags, 'to'),
    before: flags['before'] as number | undefined,
    limit: Number(flags['limit'] ?? LIMIT_DEFAULT),
  };
}

function dayOf(flags: FlagValues, name: string): string | undefined {
  const flagText = flags[name];
  if (flagText === undefined) return undefined;
  const day = String(flagText);
  if (isoDate.safeParse(day).success) return day;
  throw new UsageError(`--${name} must be a day, such as --${name} 2026-11-21.`);
}

const PAGE = 500;
/** Columns of the accounting export; `payments show` has the rest. */
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

async function* exportPayments(
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

const ROUNDS_MAX = 100;

/** Resolves payments of unknown outcome on the chain and records the results. Exit code 1 if some remain open. */
async function reconcilePayments(
  journal: Payments,
  { rpcUrl, flags, query }: { readonly rpcUrl: string; readonly flags: FlagValues; readonly query: PaymentQuery },
): Promise<number> {
  const { createChainReader } = await import('../service/payments/chain-reader.ts');
  const { recover } = await import('../service/payments/recovery.ts');
  const chain = createChainReader(rpcUrl);
  const found = new Map<number, { readonly id: number; readonly state: string; readonly chain: string }>();
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

const STATES = { paid: 'settled', unused: 'unknown', expired: 'failed', void: 'failed', away: 'unknown' } as const;

const SILENT_LOG = { info: () => undefined, warn: () => undefined, error: () => undefined };
