import { existsSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { addressOfKey, newPrivateKey } from '../client/wallet/new-key.ts';
import type { Invocation } from './command.ts';
import { ConfigError } from './config.ts';
import { makeFolder } from './configured-store.ts';
import { print, printJson, printToStderr } from './output.ts';
import { checkedKey, defaultKeyFile, refuseKey } from './wallet-key.ts';

/** Creates a wallet, writes its key to a file of mode 0600 and prints only the address. */
export function newWallet(invocation: Invocation): Promise<number> {
  return writeKeyFile(invocation, async () => newPrivateKey());
}

/** Like makeWallet, with a key from stdin; process arguments are visible to other users. */
export function importWallet(invocation: Invocation): Promise<number> {
  return writeKeyFile(invocation, async () => {
    if (process.stdin.isTTY) printToStderr('Paste the private key, then end the input (Ctrl-D).');
    return checkedKey(await text(process.stdin), 'stdin');
  });
}

async function writeKeyFile({ settings, flags }: Invocation, key: () => Promise<string>): Promise<number> {
  const path = typeof flags['file'] === 'string' ? flags['file'] : defaultKeyFile(settings);
  refuseKey(path, '--file');
  const file = resolve(path);
  refuseExisting(file);
  const privateKey = await key();
  makeFolder(dirname(file));
  try {
    writeFileSync(file, `${privateKey}\n`, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    refuseExisting(file);
    throw new ConfigError(
      `${file} cannot be written (${(error as NodeJS.ErrnoException).code}); name another with --file.`,
    );
  }
  const address = addressOfKey(privateKey);
  if (flags['json'] === true) {
    printJson({ address, file });
    return 0;
  }
  print(address);
  printToStderr(
    `The key is in ${file}. To pay with it, set WEB3_BI_WALLET_KEY_FILE=${file} and WEB3_BI_ACCESS=wallet.`,
  );
  printToStderr('Send it no more USDC than you can afford to lose: this program enforces the budgets, not the chain.');
  return 0;
}

/** Overwriting a key would lose its money. */
function refuseExisting(file: string): void {
  if (existsSync(file))
    throw new ConfigError(`${file} is there already, and is not overwritten; name another with --file.`);
}
