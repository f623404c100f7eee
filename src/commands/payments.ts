import { NETWORKS } from '../contract/networks.ts';
import { toUsd } from '../contract/usd.ts';
import { PAYMENT_STATES, type PaymentQuery, type PaymentRecord, type PaymentState } from '../store/port/payments.ts';
import type { Store } from '../store/store.ts';
import { type Command, type Invocation, JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { print, printJson, printTable, tell } from './output.ts';
import { exportPayments } from './payments-export.ts';
import { reconcile } from './payments-reconcile.ts';
import { openLastingStore } from './storage.ts';

const LIMIT_DEFAULT = 20;
const LIMIT_MAX = 1_000;
const FORMATS = ['csv', 'ndjson'] as const;

export const command: Command = {
  usage: 'payments list|show|totals|export|reconcile [ID]',
  wordsMax: 2,
  about:
    'Payments for searches: the newest, one of them, totals a UTC day, all as a file on stdout, and what the chain says of them.',
  example: 'web3-bi payments totals --from 2026-11-01',
  flags: {
    state: { type: 'string', value: 'S', description: `Only those that are ${PAYMENT_STATES.join(', ')}.` },
    undelivered: { type: 'boolean', description: 'Only those that are paid, and whose answer nobody has fetched.' },
    from: { type: 'string', value: 'DAY', description: 'First UTC day, such as 2026-11-21.' },
    to: { type: 'string', value: 'DAY', description: 'Last UTC day.' },
    before: { type: 'string', value: 'N', description: 'Only payments before this one, to go on from a page.' },
    limit: { type: 'string', value: 'N', description: `Payments at most, ${LIMIT_DEFAULT} by default.` },
    format: { type: 'string', value: 'F', description: `Of export: ${FORMATS.join(' or ')}.` },
    settled: { type: 'boolean', description: 'Of reconcile: look at settled payments too.' },
    json: JSON_FLAG,
  },
  settings: ['database', 'data', 'state-dir', 'rpc-url'],
  run: async (invocation) => {
    const action = actions[invocation.words[0] ?? ''];
    if (action === undefined)
      throw new ConfigError(`payments needs one of ${Object.keys(actions).join(', ')}, such as: ${command.example}`);
    const query = queryOf(invocation);
    const store = await openLastingStore(invocation.settings);
    try {
      return await action(store, invocation, query);
    } finally {
      await store.close();
    }
  },
};

type Action = (store: Store, invocation: Invocation, query: PaymentQuery) => Promise<number>;

const actions: Readonly<Record<string, Action>> = {
  list: async (store, { flags }, query) => {
    const payments = await store.payments.list(query);
    if (flags['json'] === true) printJson(payments);
    else if (payments.length === 0) tell('No payments.');
    else printTable([HEADING, ...payments.map(cellsOf)]);
    return 0;
  },
  show: async (store, { words, flags }) => {
    const [, text] = words;
    if (text === undefined) {
      throw new ConfigError(
        'Which payment? Give its number, transaction, nonce or request id, such as: payments show 12',
      );
    }
    const payments = await store.payments.lookUp(text);
    if (payments.length === 0) throw new ConfigError(`There is no payment ${text}; payments list shows them.`);
    if (flags['json'] === true) printJson(payments);
    else
      for (const payment of payments)
        printTable(Object.entries(payment).map(([name, value]) => [name, String(value ?? '-')]));
    return 0;
  },
  totals: async (store, { flags }, query) => {
    const totals = await store.payments.totals(query);
    if (flags['json'] === true) printJson(totals);
    else if (totals.length === 0) tell('No payments.');
    else {
      const rows = totals.map(({ day, network, payments, amount, undelivered }) => [
        day,
        NETWORKS[network].label,
        String(payments),
        `${toUsd(BigInt(amount), network)} ${NETWORKS[network].token.symbol}`,
        String(undelivered),
      ]);
      printTable([['DAY', 'NETWORK', 'PAYMENTS', 'AMOUNT', 'UNDELIVERED'], ...rows]);
    }
    return 0;
  },
  export: async (store, { flags }, query) => {
    const format = FORMATS.find((each) => each === (flags['format'] ?? 'csv'));
    if (format === undefined) throw new ConfigError(`--format must be one of ${FORMATS.join(', ')}.`);
    for await (const line of exportPayments(store.payments, query, format)) print(line);
    return 0;
  },
  reconcile: (store, { settings, flags }, query) => {
    if (settings.rpc_url === undefined) {
      throw new ConfigError('reconcile asks the chain; set WEB3_BI_RPC_URL to a node of the network.');
    }
    return reconcile(store.payments, { rpcUrl: settings.rpc_url, flags, query });
  },
};

const HEADING = ['ID', 'AT', 'STATE', 'PAYER', 'AMOUNT', 'TRANSACTION', 'DELIVERED', 'REASON'];

function cellsOf(payment: PaymentRecord): string[] {
  const { id, created_at, state, payer, transaction, delivered_at, reason } = payment;
  const shown = [
    id,
    created_at,
    state,
    payer,
    toUsd(BigInt(payment.amount), payment.network),
    transaction,
    delivered_at,
    reason,
  ];
  return shown.map((cell) => String(cell ?? '-'));
}

function queryOf({ flags }: Invocation): PaymentQuery {
  const state = flags['state'];
  if (state !== undefined && !(PAYMENT_STATES as readonly unknown[]).includes(state)) {
    throw new ConfigError(`--state must be one of ${PAYMENT_STATES.join(', ')}.`);
  }
  return {
    state: state as PaymentState | undefined,
    isUndelivered: flags['undelivered'] === true ? true : undefined,
    from: dayOf(flags, 'from'),
    to: dayOf(flags, 'to'),
    before: numberOf(flags, 'before'),
    limit: Math.min(numberOf(flags, 'limit') ?? LIMIT_DEFAULT, LIMIT_MAX),
  };
}

type Flags = Invocation['flags'];

function dayOf(flags: Flags, name: string): string | undefined {
  const given = flags[name];
  if (given === undefined) return undefined;
  const day = String(given);
  if (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))) return day;
  throw new ConfigError(`--${name} must be a day, such as --${name} 2026-11-21.`);
}

function numberOf(flags: Flags, name: string): number | undefined {
  const given = flags[name];
  if (given === undefined) return undefined;
  if (/^[1-9]\d{0,14}$/.test(String(given))) return Number(given);
  throw new ConfigError(`--${name} must be a whole number from 1, such as --${name} 12.`);
}
