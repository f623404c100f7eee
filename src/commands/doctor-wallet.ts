import { createPaidClient } from '../client/paid-client.ts';
import { openAuthorizationReader } from '../client/wallet/authorization-reader.ts';
import type { Wallet, WalletStatus } from '../client/wallet/wallet.ts';
import { ServiceError } from '../contract/errors.ts';
import { NETWORKS } from '../contract/networks.ts';
import { toBaseUnits } from '../contract/usd.ts';
import { ConfigError, type Settings } from './config.ts';
import type { Finding } from './doctor.ts';
import { openWallet } from './open-wallet.ts';
import { isOpenToOthers } from './wallet-key.ts';

/** Checks the wallet's key, network, token and balance, and the price of the service. */
export async function checkWallet(settings: Settings, baseUrl: string): Promise<Finding[]> {
  const opened = attempt(() => openWallet(settings));
  if ('fault' in opened) return [{ ...opened.fault, check: 'wallet' }];
  const wallet = opened.value;
  try {
    const status = await wallet.status(0);
    const { network } = settings;
    return [
      { check: 'wallet', ok: true, detail: `${status.address} on ${status.networkName} (${network})` },
      ...keyFile(settings),
      ...(await checkChain(settings)),
      ...balanceOf(status, settings),
      await checkPrice(wallet, status, baseUrl),
    ];
  } finally {
    await wallet.close();
  }
}

function attempt(work: () => Wallet): { value: Wallet } | { fault: Omit<Finding, 'check'> } {
  try {
    return { value: work() };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { fault: { ok: false, detail: error.message, remedy: 'correct the setting, or run web3-bi wallet new' } };
  }
}

function keyFile({ wallet_key, wallet_key_file: file }: Settings): Finding[] {
  if (wallet_key !== undefined) {
    const detail = 'in WEB3_BI_WALLET_KEY; a file of mode 0600 is safer (WEB3_BI_WALLET_KEY_FILE)';
    return [{ check: 'key file', ok: true, detail }];
  }
  if (file === undefined || isOpenToOthers(file)) return [];
  return [{ check: 'key file', ok: true, detail: `${file} can be read by its owner only` }];
}

/** Checks that the chain node responds and serves the configured network. */
export async function checkChain({ network, rpc_url }: Settings): Promise<Finding[]> {
  if (rpc_url === undefined) {
    const detail = 'not checked, because WEB3_BI_RPC_URL is not set; a payment without a response stays undecided';
    return [{ check: 'chain', ok: true, detail }];
  }
  const { label, token } = NETWORKS[network];
  try {
    const found = await openAuthorizationReader(network, rpc_url).tokenDomain();
    const ok = found.name === token.domain.name && found.version === token.domain.version;
    const named = `${token.symbol} at ${token.address} is named "${found.name}", version ${found.version}`;
    return [
      { check: 'chain', ok: true, detail: `WEB3_BI_RPC_URL serves ${label}` },
      {
        check: 'token',
        ok,
        detail: named,
        ...(ok ? {} : { remedy: 'update web3-bi; until then payments are refused' }),
      },
    ];
  } catch (error) {
    const remedy = `set WEB3_BI_RPC_URL to a working RPC of ${label}`;
    return [{ check: 'chain', ok: false, detail: firstLine(error), remedy }];
  }
}

const firstLine = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';

function balanceOf({ balanceUsd, address, networkName }: WalletStatus, settings: Settings): Finding[] {
  if (balanceUsd === null) return [];
  const { network } = settings;
  const ok = toBaseUnits(balanceUsd, network) >= toBaseUnits(settings.max_usd_per_call, network);
  const remedy = `send USDC on ${networkName} to ${address}; keep no more in it than you would lose`;
  return [{ check: 'balance', ok, detail: `${balanceUsd} USD`, ...(ok ? {} : { remedy }) }];
}

async function checkPrice(wallet: Wallet, { budgets }: WalletStatus, baseUrl: string): Promise<Finding> {
  const remaining = `${budgets.day.leftUsd} USD of the day's budget are left`;
  try {
    const { priceUsd, refusal } = await createPaidClient(baseUrl, wallet).quote({ type: 'all', query: '' });
    const ok = refusal === null;
    const remedy = 'wait, or raise the budget that is named';
    return {
      check: 'price',
      ok,
      detail: refusal ?? `${priceUsd} USD a search; ${remaining}`,
      ...(ok ? {} : { remedy }),
    };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const remedy = 'ask the operator of the service whether it sells searches, and on which network';
    return { check: 'price', ok: false, detail: error.message, remedy };
  }
}
