import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isPrivateKey } from '../client/wallet/private-key-form.ts';
import { ConfigError, type Settings } from './config.ts';

const KEY = /^(0x)?([0-9a-fA-F]{64})$/;
const FOR_OTHERS = 0o077;
const FILE_SETTING = 'WEB3_BI_WALLET_KEY_FILE';

/** Default file of `wallet new` and `wallet import`. */
export const defaultKeyFile = ({ state_dir }: Pick<Settings, 'state_dir'>): string => join(state_dir, 'wallet-key');

/** The configured private key; undefined if there is none. Throws if other users can read the file. */
export function walletKey({ wallet_key, wallet_key_file }: Settings): string | undefined {
  if (wallet_key !== undefined) return checkedKey(wallet_key, 'WEB3_BI_WALLET_KEY');
  return wallet_key_file === undefined ? undefined : keyOfFile(wallet_key_file);
}

/** Whether a text contains a private key or an API key and must not be repeated. */
export const isPrivateKeySetting = (text: string): boolean => /[0-9a-fA-F]{64}|mk_\w{20}/.test(text);

export function keyOfFile(file: string): string {
  refuseKey(file, FILE_SETTING);
  return checkedKey(readKeyFile(file), `${FILE_SETTING}: ${file}`);
}

/** Throws if a path setting contains a key, which file error messages would repeat. */
export function refuseKey(file: string, source: string): void {
  if (KEY.test(file.trim())) throw new ConfigError(`${source} must be the path of a key file, not the key itself.`);
}

function readKeyFile(file: string): string {
  try {
    if (isOpenToOthers(file))
      throw new ConfigError(`${FILE_SETTING}: ${file} can be read by others; run: chmod 600 ${file}`);
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError(`${FILE_SETTING}: ${file} cannot be read (${code}); make a wallet with: web3-bi wallet new`);
  }
}

/** Whether other users can read a file. Always false on Windows, which has no such modes. */
export const isOpenToOthers = (file: string): boolean =>
  process.platform !== 'win32' && (statSync(file).mode & FOR_OTHERS) !== 0;

/** Normalizes a private key. Error messages never contain it. */
export function checkedKey(text: string, source: string): string {
  const [, , digits = ''] = KEY.exec(text.trim()) ?? [];
  const key = `0x${digits.toLowerCase()}`;
  if (!isPrivateKey(key)) throw new ConfigError(`${source} must hold a private key: 0x and 64 hex digits.`);
  return key;
}
