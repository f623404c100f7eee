import { closeSync, existsSync, fsyncSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Wallet, WalletStatus } from '../client/wallet/wallet.ts';
import { NETWORKS } from '../contract/networks.ts';
import { shellWord } from '../contract/shell-word.ts';
import type { Purchase } from '../contract/x402.ts';
import { csvLine } from '../store/csv.ts';
import { type Command, type CommandGroup, type Flag, type Invocation, option } from './command.ts';
import { ConfigError } from './config.ts';
import { makeFolder } from './configured-store.ts';
import { openWallet } from './open-wallet.ts';
import {
  isTerminal,
  nameInWords,
  print,
  printable,
  printFields,
  printJson,
  printTable,
  printToStderr,
  shownTime,
  styled,
  visible,
} from './output.ts';
import { checkedKey, defaultKeyFile, refuseKey } from './wallet-key.ts';

const RECEIPTS_SHOWN = 5;
const RECEIPTS_MAX = 100_000;

const SETTINGS = ['base-url', 'network', 'state-dir'] as const;
const FILE: Flag = option('PATH', 'File to write the key to; by default one of the state folder.');

const status: Command = {
  usage: 'wallet status',
  about: 'Show address, network, balance, budgets and the last receipts.',
  example: 'web3-bi wallet',
  settings: SETTINGS,
  run: async ({ settings, flags }) => {
    const found = await withWallet(openWallet(settings), (wallet) => wallet.status(RECEIPTS_SHOWN));
    if (flags['json'] === true) printJson(found);
    else showStatus(found, settings.rpc_url);
  },
};

const receipts: Command = {
  usage: 'wallet receipts',
  about: 'List all receipts.',
  example: 'web3-bi wallet receipts --csv',
  flags: { csv: { type: 'boolean', description: 'Receipts as CSV.' } },
  settings: SETTINGS,
  run: async ({ settings, flags }) => {
    const all = (await withWallet(openWallet(settings), (wallet) => wallet.status(RECEIPTS_MAX))).receipts;
    if (flags['json'] === true) printJson(all);
    else if (flags['csv'] === true) for (const row of rowsOf(all)) print(visible(csvLine(row)));
    else showReceipts(all);
  },
};

const purchases: Command = {
  usage: 'wallet purchases',
  about:
    'List the purchases of this wallet by any program, as recorded by the service. The wallet signs in; nothing is paid.',
  example: 'web3-bi wallet purchases',
  settings: SETTINGS,
  run: async ({ settings, flags }) => {
    if (settings.base_url === undefined) throw new ConfigError('Set WEB3_BI_BASE_URL to the service that was paid.');
    // The list is beside the MCP endpoint of the service, not below it.
    const base_url = settings.base_url.replace(/\/mcp\/*$/, '');
    const opened = openWallet({ ...settings, base_url });
    const found = await withWallet(opened, (wallet) => wallet.purchases(base_url, PURCHASES_MAX));
    if (flags['json'] === true) printJson(found);
    else if (found.length === 0) print('No purchases yet.');
    else
      printTable([PURCHASE_COLUMNS, ...found.map(purchaseRow)], {
        whole: ['TRANSACTION'],
        dropped: ['STATE', 'BOUGHT'],
      });
  },
};

const PURCHASES_MAX = 1_000;
const PURCHASE_COLUMNS = ['PAID AT', 'STATE', 'USD', 'TRANSACTION', 'BOUGHT'];
const purchaseRow = ({ settled_at, created_at, state, amount_usd, transaction, item }: Purchase): string[] => [
  shownTime(settled_at ?? created_at),
  state,
  amount_usd,
  transaction ?? '',
  item,
];

const make: Command = {
  usage: 'wallet new',
  about: 'Create a wallet and write its key to a file that only its owner can read.',
  example: 'web3-bi wallet new',
  flags: { file: FILE },
  settings: SETTINGS,
  run: (invocation) =>
    writeKeyFile(invocation, async () => (await import('../client/wallet/private-key.ts')).newPrivateKey()),
};

const take: Command = {
  usage: 'wallet import',
  about: 'Write a key from stdin to a file that only its owner can read.',
  example: 'web3-bi wallet import < key.txt',
  flags: { file: FILE },
  settings: SETTINGS,
  run: (invocation) =>
    writeKeyFile(invocation, async () => {
      if (process.stdin.isTTY) printToStderr('Paste the private key, then end the input (Ctrl-D).');
      return checkedKey(await text(process.stdin), 'stdin');
    }),
};

export const command: CommandGroup = {
  about:
    'The wallet that pays for searches: show address, network, balance, budgets and last receipts; list all receipts or purchases; create one, or import a key from stdin.',
  actions: { status, receipts, purchases, new: make, import: take },
  defaultAction: 'status',
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
  const why = rpcUrl === undefined ? 'set WEB3_BI_RPC_URL' : 'WEB3_BI_RPC_URL does not respond; run web3-bi doctor';
  const used = ({ usedUsd, limitUsd }: { usedUsd: string; limitUsd: string }): string =>
    `${usedUsd} of ${limitUsd} USD`;
  printFields([
    ['address', status.address],
    ['network', `${status.networkName} (${status.network})${otherNetworks(status.network)}`],
    ['balance', status.balanceUsd === null ? `not known; ${why}` : `${status.balanceUsd} USD`],
    ['a call', `at most ${budgets.perCallUsd} USD`],
    ['a session', `at most ${budgets.session.limitUsd} USD`],
    ['today', `${used(budgets.day)}, until midnight UTC`],
    ...(status.confirmAboveUsd === null ? [] : [['consent', `required above ${status.confirmAboveUsd} USD`] as const]),
  ]);
  print('');
  showReceipts(status.receipts);
}

const otherNetworks = (shown: string): string =>
  Object.entries(NETWORKS)
    .filter(([id]) => id !== shown)
    .map(([id, { label }]) => `; for ${label}: --network ${id}`)
    .join('');

/** A program gets every column; a person what was bought, and below it the whole transaction. */
function showReceipts(receipts: WalletStatus['receipts']): void {
  if (receipts.length === 0) print('No payments yet.');
  else if (!isTerminal()) {
    const [columns = [], ...rows] = rowsOf(receipts, shownTime);
    printTable([columns.map((column) => nameInWords(column).toUpperCase()), ...rows]);
  } else
    for (const { paidAt, state, amountUsd, transaction, request } of receipts) {
      print(`${shownTime(paidAt)}  ${state}  ${amountUsd} USD  ${printable(boughtText(request))}`);
      if (transaction !== null) print(`  ${styled('dim', transaction)}`);
    }
}

/** What a request bought, such as `search uniswap`; the request itself if it is of another form. */
function boughtText(request: string): string {
  const [, url = ''] = request.split(' ');
  if (!URL.canParse(url)) return request;
  const { pathname, searchParams } = new URL(url);
  const words = ['q', 'query', 'of', 'from', 'to'].flatMap((name) => searchParams.get(name) ?? []);
  return [pathname.split('/').at(-1) ?? '', ...words].join(' ');
}

function rowsOf(receipts: WalletStatus['receipts'], timeOf = (iso: string): string => iso): string[][] {
  const rows = receipts.map((receipt) => [
    timeOf(receipt.paidAt),
    receipt.state,
    receipt.amountUsd,
    receipt.network,
    receipt.payTo,
    receipt.transaction ?? '',
    receipt.request,
  ]);
  return [['paid_at', 'state', 'usd', 'network', 'pay_to', 'transaction', 'request'], ...rows];
}

/** Writes a key to a file of mode 0600 and prints only its address. */
async function writeKeyFile({ settings, flags }: Invocation, key: () => Promise<string>): Promise<void> {
  const path = typeof flags['file'] === 'string' ? flags['file'] : defaultKeyFile(settings);
  refuseKey(path, '--file');
  const file = resolve(path);
  refuseExisting(file);
  const privateKey = await key();
  writeNewFile(file, `${privateKey}\n`);
  const { addressOfKey } = await import('../client/wallet/private-key.ts');
  const address = addressOfKey(privateKey);
  if (flags['json'] === true) return printJson({ address, file });
  print(address);
  const shown = printable(shellWord(file));
  const named = path === defaultKeyFile(settings) ? '' : `, WEB3_BI_WALLET_KEY_FILE=${shown}`;
  printToStderr(
    `The key is in ${shown}. To pay with it, set WEB3_BI_BASE_URL, WEB3_BI_NETWORK=${settings.network}${named} and WEB3_BI_ACCESS=wallet.`,
  );
  printToStderr(
    `Send it USDC on ${NETWORKS[settings.network].label}, no more than you can afford to lose: this program enforces the budgets, not the chain. The key file does not keep the network: set it for each command.`,
  );
}

/** Writes a key to disk, in a folder that is made for it, before its address is shown; leaves no part of one, which would block the next attempt. */
function writeNewFile(file: string, content: string): void {
  try {
    makeFolder(dirname(file));
    const opened = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(opened, content);
      fsyncSync(opened);
    } catch (error) {
      rmSync(file);
      throw error;
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') refuseExisting(file);
    throw new ConfigError(`${file} cannot be written (${code}); name another with --file.`);
  }
}

/** Overwriting a key would lose its money. */
function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new ConfigError(`${file} exists already, and is not overwritten; name another with --file.`);
}
