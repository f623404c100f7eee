import type { Wallet, WalletStatus } from '../client/wallet/wallet.ts';
import type { Command, Invocation } from './command.ts';
import { JSON_FLAG } from './command.ts';
import { ConfigError } from './config.ts';
import { openWallet } from './open-wallet.ts';
import { print, printJson, printTable } from './output.ts';

const RECEIPTS_SHOWN = 5;
const RECEIPTS_MAX = 100_000;

export const command: Command = {
  usage: 'wallet [status|receipts|new|import]',
  wordsMax: 1,
  about:
    'The wallet that pays searches: its address, network, balance, budgets and last receipts; all receipts; a new one; or one whose key comes on stdin.',
  example: 'web3-bi wallet receipts --csv',
  flags: {
    csv: { type: 'boolean', description: 'Receipts as CSV.' },
    file: { type: 'string', value: 'PATH', description: 'Where new and import write the key.' },
    json: JSON_FLAG,
  },
  settings: ['base-url', 'network', 'state-dir'],
  run: async (invocation) => {
    const [name = 'status'] = invocation.words;
    const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
    if (action === undefined) throw new ConfigError(`wallet needs one of ${Object.keys(actions).join(', ')}`);
    await action(invocation);
    return 0;
  },
};

const actions: Readonly<Record<string, (invocation: Invocation) => Promise<void>>> = {
  status: async ({ settings, flags }) => {
    const status = await withWallet(openWallet(settings), (wallet) => wallet.status(RECEIPTS_SHOWN));
    if (flags['json'] === true) printJson(status);
    else showStatus(status, settings.rpc_url);
  },
  receipts: async ({ settings, flags }) => {
    const { receipts } = await withWallet(openWallet(settings), (wallet) => wallet.status(RECEIPTS_MAX));
    if (flags['json'] === true) printJson(receipts);
    else if (flags['csv'] === true) for (const row of rowsOf(receipts)) print(row.map(csvCell).join(','));
    else printTable(rowsOf(receipts));
  },
  new: async (invocation) => (await import('./wallet-make.ts')).makeWallet(invocation),
  import: async (invocation) => (await import('./wallet-make.ts')).importWallet(invocation),
};

async function withWallet<Result>(wallet: Wallet, work: (wallet: Wallet) => Promise<Result>): Promise<Result> {
  try {
    return await work(wallet);
  } finally {
    await wallet.close();
  }
}

function showStatus(status: WalletStatus, rpcUrl: string | undefined): void {
  const { budgets } = status;
  const why = rpcUrl === undefined ? 'set WEB3_BI_RPC_URL' : 'WEB3_BI_RPC_URL does not answer; run web3-bi doctor';
  const used = ({ usedUsd, limitUsd }: { usedUsd: string; limitUsd: string }): string =>
    `${usedUsd} of ${limitUsd} USD`;
  printTable([
    ['address', status.address],
    ['network', `${status.networkName} (${status.network})`],
    ['balance', status.balanceUsd === null ? `not known; ${why}` : `${status.balanceUsd} USD`],
    ['a call', `at most ${budgets.perCallUsd} USD`],
    ['a session', `at most ${budgets.session.limitUsd} USD`],
    ['today', `${used(budgets.day)}, until ${budgets.day.until}`],
    ...(status.confirmAboveUsd === null ? [] : [['consent', `asked for above ${status.confirmAboveUsd} USD`]]),
  ]);
  print(status.receipts.length === 0 ? '\nNo payments yet.' : '');
  if (status.receipts.length > 0) printTable(rowsOf(status.receipts));
}

function rowsOf(receipts: WalletStatus['receipts']): string[][] {
  const rows = receipts.map((receipt) => [
    receipt.paidAt,
    receipt.state,
    receipt.amountUsd,
    receipt.network,
    receipt.payTo,
    receipt.transaction ?? '',
    receipt.request,
  ]);
  return [['paid_at', 'state', 'usd', 'network', 'pay_to', 'transaction', 'request'], ...rows];
}

const csvCell = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
