import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMcpEndpoint, mcpFetch } from '../client/wallet/mcp-fetch.ts';
import { createWallet, type Wallet } from '../client/wallet/wallet.ts';
import { ServiceError } from '../contract/errors.ts';
import { toBaseUnits } from '../contract/usd.ts';
import { ConfigError, type Settings, splitList } from './config.ts';
import { makeFolder } from './configured-store.ts';
import { defaultKeyFile, keyOfFile, walletKey } from './wallet-key.ts';

/** Opens the wallet of the settings. Reads its key now, so that an invalid one fails at the start. */
export function openWallet(settings: Settings): Wallet {
  const { network, base_url, payees, confirm_above_usd, rpc_url, state_dir } = settings;
  const baseUnits = (usd: string): bigint => toBaseUnits(usd, network);
  return createWallet({
    privateKey: keyOf(settings),
    network,
    origins: base_url === undefined ? [] : [new URL(base_url).origin],
    payees: payees === undefined ? undefined : splitList(payees),
    budgets: {
      perCall: baseUnits(settings.max_usd_per_call),
      perSession: baseUnits(settings.max_usd_per_session),
      perDay: baseUnits(settings.max_usd_per_day),
    },
    confirmAbove: confirm_above_usd === undefined ? undefined : baseUnits(confirm_above_usd),
    rpcUrl: rpc_url,
    ...(base_url !== undefined && isMcpEndpoint(base_url) && { fetch: mcpFetch(base_url) }),
    openLedger: async () => {
      try {
        const { openLedger } = await import('../store/wallet-ledger/ledger.ts');
        makeFolder(state_dir);
        return await openLedger(join(state_dir, 'wallet.db'), () => new Date());
      } catch (cause) {
        if (cause instanceof ServiceError) throw cause;
        const message =
          'The ledger of the wallet cannot be opened; set WEB3_BI_STATE_DIR to a folder that can be written';
        throw new ServiceError('unavailable', message, { cause });
      }
    },
  });
}

function keyOf(settings: Settings): string {
  const set = walletKey(settings);
  if (set !== undefined) return set;
  const file = defaultKeyFile(settings);
  if (existsSync(file)) return keyOfFile(file);
  throw new ConfigError('There is no wallet: make one with web3-bi wallet new, or set WEB3_BI_WALLET_KEY_FILE.');
}
