import { existsSync } from 'node:fs';
import type { Settings } from './config.ts';
import { defaultKeyFile } from './wallet-key.ts';

/** The remedy when the service of WEB3_BI_BASE_URL requires a credential. */
export function accessRemedy(settings: Settings): string {
  if (settings.api_key !== undefined) return 'make a new key on the service and set WEB3_BI_API_KEY to it';
  return `set WEB3_BI_API_KEY to a key (mk_...), or ${walletRemedy(settings)}, or unset WEB3_BI_BASE_URL`;
}

/** Does not suggest a new wallet if one exists. */
function walletRemedy(settings: Settings): string {
  const file = defaultKeyFile(settings);
  return existsSync(file) ? `set WEB3_BI_WALLET_KEY_FILE=${file} to pay` : 'make a wallet (web3-bi wallet new)';
}
