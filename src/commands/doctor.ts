import { existsSync } from 'node:fs';
import { type Fetch, keyAccess } from '../client/access.ts';
import { type Client, createClient } from '../client/client.ts';
import { createPaidClient } from '../client/paid-client.ts';
import { openAuthorizationReader } from '../client/wallet/authorization-reader.ts';
import { isMcpEndpoint, mcpFetch } from '../client/wallet/mcp-fetch.ts';
import type { Wallet, WalletStatus } from '../client/wallet/wallet.ts';
import { KnownError, ServiceError } from '../contract/errors.ts';
import { NETWORKS } from '../contract/networks.ts';
import { DAY_MS, statedValue } from '../contract/periods.ts';
import { toBaseUnits } from '../contract/usd.ts';
import { countText } from '../contract/value-text.ts';
import { NO_GRANTS } from '../contract/vocabulary.ts';
import type { Command } from './command.ts';
import { ConfigError, type Settings } from './config.ts';
import { prepareConfiguredPaymentGate } from './configured-payment-gate.ts';
import { shownUrl } from './database-url.ts';
import { openWallet } from './open-wallet.ts';
import { printable, printJson, printText, styled } from './output.ts';
import { accessRemedy, callService, FILL_COMMANDS, hasWalletAccess } from './service-connection.ts';
import { defaultKeyFile, isOpenToOthers } from './wallet-key.ts';

/** Clock difference that is not reported. */
const SKEW_MAX_MS = 60_000;

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

const judged = (check: string, ok: boolean, detail: string, remedy?: string): Finding => ({
  check,
  ok,
  detail,
  ...(!ok && remedy !== undefined && { remedy }),
});
const passed = (check: string, detail: string): Finding => judged(check, true, detail);
const faulty = (check: string, detail: string, remedy?: string): Finding => judged(check, false, detail, remedy);

export const command: Command = {
  usage: 'doctor',
  about: 'Check settings, service, key or wallet, clock and payment set-up, with a remedy for each fault.',
  example: 'web3-bi doctor',
  settings: ['base-url', 'database', 'data', 'state-dir', 'network', 'pay-to', 'facilitator-url', 'rpc-url'],
  run: async ({ settings, flags }) => {
    const findings = await checkAccess(settings);
    if (settings.pay_to !== undefined) findings.push(...(await checkPaymentSettings(settings)));
    if (flags['json'] === true) printJson({ ok: findings.every((finding) => finding.ok), findings });
    else findings.forEach(showFinding);
    return findings.every((finding) => finding.ok) ? 0 : 1;
  },
};

function showFinding({ check, ok, detail, remedy }: Finding): void {
  const mark = ok ? styled('green', 'ok   ') : styled('red', 'fault');
  printText(`${styled('bold', `${check}:`)} ${printable(detail)}`, `${mark}  `);
  if (remedy !== undefined) printText(`fix: ${remedy}`, '       ');
}

async function checkAccess(settings: Settings): Promise<Finding[]> {
  const { base_url } = settings;
  if (base_url !== undefined) return checkService(settings, base_url);
  if (!hasWalletAccess(settings)) return checkEmbedded(settings);
  const unset = faulty('service', 'a wallet is set, but not the service that it pays', 'set WEB3_BI_BASE_URL');
  return [unset, ...(await checkWallet(settings, undefined))];
}

/** A wallet that was made pays nothing before it is set. */
function unusedWallet(settings: Settings): string {
  const file = defaultKeyFile(settings);
  return existsSync(file) ? `; the wallet of ${file} is unused: set WEB3_BI_BASE_URL and WEB3_BI_ACCESS=wallet` : '';
}

async function checkEmbedded(settings: Settings): Promise<Finding[]> {
  const access = passed('access', `embedded service, because WEB3_BI_BASE_URL is not set${unusedWallet(settings)}`);
  try {
    return [access, ...(await callService(settings, (client) => checkDatabase(settings, client)))];
  } catch (error) {
    const cause = rootOf(error);
    return [access, faulty('database', messageOf(cause), hasRemedy(cause) ? cause.remedy : undefined)];
  }
}

async function checkDatabase({ database_url }: Settings, client: Client): Promise<Finding[]> {
  const { coverage } = await client.vocabulary();
  const total = Object.values(coverage).reduce((sum, { records }) => sum + records, 0);
  const detail = `${shownUrl(database_url)} holds ${countText(total)} records${total > 0 ? '' : `; ${FILL_COMMANDS}`}`;
  return [passed('database', detail), ...ageOf(coverage.companies.covered, await newestRound(client))];
}

/** Age of the newest source of companies, and the newest funding round; nothing if no source has a date. */
function ageOf(covered: string | null, round: string | undefined): Finding[] {
  if (covered === null) return [];
  const days = Math.max(0, Math.floor((Date.now() - Date.parse(covered)) / DAY_MS));
  const newest = round === undefined ? '' : `, with funding rounds to ${round}`;
  return [passed('data', `${days} days old${newest}; web3-bi sync lists sources of newer data`)];
}

async function newestRound(client: Client): Promise<string | undefined> {
  const { results } = await client.search({
    type: 'rounds',
    funding_stage: NO_GRANTS,
    sort: '-announced_date',
    page: 1,
    limit: 1,
  });
  return results.map((record) => String(statedValue(record, 'announced_date') ?? ''))[0] || undefined;
}

/** The innermost error of a cause chain that states a remedy, or what is not allowed. */
function rootOf(error: unknown): unknown {
  if (error instanceof ServiceError && error.code === 'invalid_parameter') return error;
  const root = error instanceof Error && error.cause !== undefined ? rootOf(error.cause) : error;
  return hasRemedy(error) && !hasRemedy(root) ? error : root;
}

const hasRemedy = (error: unknown): error is KnownError => error instanceof KnownError && error.remedy !== undefined;

async function checkService(settings: Settings, baseUrl: string): Promise<Finding[]> {
  const { api_key } = settings;
  const isWalletAtMcp = hasWalletAccess(settings) && isMcpEndpoint(baseUrl);
  const reached = await checkReachable(baseUrl, isWalletAtMcp ? mcpFetch(baseUrl) : globalThis.fetch);
  if (!reached.every((finding) => finding.ok)) return reached;
  if (hasWalletAccess(settings)) return [...reached, ...(await checkWallet(settings, baseUrl))];
  if (api_key === undefined) return [...reached, faulty('key', 'none is set', accessRemedy(settings))];
  return [...reached, await checkKey(settings, baseUrl, api_key)];
}

async function checkReachable(baseUrl: string, transport: Fetch): Promise<Finding[]> {
  let clock: Finding | undefined;
  const watching: Fetch = async (input, init) => {
    const response = await transport(input, init);
    clock = checkClock(response.headers.get('date'));
    return response;
  };
  try {
    const { status } = await createClient(baseUrl, watching).health(false);
    const detail = `${baseUrl} is reachable; its health is ${status}`;
    const remedy = 'wait, or contact the operator of the service';
    return [judged('service', status === 'operational', detail, remedy), ...(clock === undefined ? [] : [clock])];
  } catch (error) {
    const remedy = 'check WEB3_BI_BASE_URL and that the service runs (web3-bi serve)';
    return [faulty('service', `${baseUrl}: ${messageOf(error)}`, remedy)];
  }
}

function checkClock(date: string | null): Finding | undefined {
  if (date === null) return undefined;
  const skewMs = Date.now() - new Date(date).getTime();
  const detail = `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs < 0 ? 'behind' : 'ahead of'} the service`;
  return judged('clock', Math.abs(skewMs) <= SKEW_MAX_MS, detail, "set this machine's clock");
}

async function checkKey(settings: Settings, baseUrl: string, apiKey: string): Promise<Finding> {
  try {
    return passed('key', `WEB3_BI_API_KEY is accepted${await usedToday(createClient(baseUrl, keyAccess(apiKey)))}`);
  } catch (error) {
    return faulty('key', messageOf(error), accessRemedy(settings));
  }
}

/** The requests of a key today. Of a service that does not state them, a search shows whether it accepts the key. */
async function usedToday(client: Client): Promise<string> {
  try {
    const { day } = await client.usage();
    return day.limit === null
      ? `; ${countText(day.used)} requests used today, no limit`
      : `; ${countText(day.used)} of ${countText(day.limit)} requests used today`;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== 'not_found') throw error;
    await client.search({ type: 'companies', limit: 1 });
    return '';
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function checkWallet(settings: Settings, baseUrl: string | undefined): Promise<Finding[]> {
  let wallet: Wallet;
  try {
    wallet = openWallet(settings);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [faulty('wallet', error.message, 'correct the setting, or run web3-bi wallet new')];
  }
  try {
    const status = await wallet.status(0);
    return [
      passed('wallet', `${status.address} on ${status.networkName} (${settings.network})`),
      ...keyFile(settings),
      ...(await checkChain(settings)),
      ...balanceOf(status, settings),
      ...(baseUrl === undefined ? [] : [await checkPrice(wallet, status, baseUrl)]),
    ];
  } finally {
    await wallet.close();
  }
}

function keyFile({ wallet_key, wallet_key_file: file }: Settings): Finding[] {
  if (wallet_key !== undefined)
    return [passed('key file', 'in WEB3_BI_WALLET_KEY; a file of mode 0600 is safer (WEB3_BI_WALLET_KEY_FILE)')];
  if (file === undefined || isOpenToOthers(file)) return [];
  return [passed('key file', `${file} can be read by its owner only`)];
}

async function checkChain({ network, rpc_url }: Settings): Promise<Finding[]> {
  if (rpc_url === undefined) {
    const detail = 'not checked, because WEB3_BI_RPC_URL is not set; a payment without a response stays undecided';
    return [passed('chain', detail)];
  }
  const { label, token } = NETWORKS[network];
  try {
    const found = await openAuthorizationReader(network, rpc_url).tokenDomain();
    const ok = found.name === token.domain.name && found.version === token.domain.version;
    const named = `${token.symbol} at ${token.address} is named "${found.name}", version ${found.version}`;
    return [
      passed('chain', `WEB3_BI_RPC_URL serves ${label}`),
      judged('token', ok, named, 'update web3-bi; until then payments are refused'),
    ];
  } catch (error) {
    return [faulty('chain', messageOf(error).split('\n')[0] ?? '', `set WEB3_BI_RPC_URL to a working RPC of ${label}`)];
  }
}

function balanceOf({ balanceUsd, address, networkName }: WalletStatus, settings: Settings): Finding[] {
  if (balanceUsd === null) return [];
  const { network } = settings;
  const ok = toBaseUnits(balanceUsd, network) >= toBaseUnits(settings.max_usd_per_call, network);
  const remedy = `send USDC on ${networkName} to ${address}; keep no more in it than you would lose`;
  return [judged('balance', ok, `${balanceUsd} USD`, remedy)];
}

async function checkPrice(wallet: Wallet, { budgets }: WalletStatus, baseUrl: string): Promise<Finding> {
  const remaining = `${budgets.day.leftUsd} USD of the day's budget are left`;
  try {
    const { priceUsd, refusal } = await createPaidClient(baseUrl, wallet).quote({ type: 'all', query: '' });
    const detail = refusal ?? `${priceUsd} USD a search; ${remaining}`;
    return judged('price', refusal === null, detail, 'wait, or raise the budget that is named');
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const remedy = 'ask the operator of the service whether it sells searches, and on which network';
    return faulty('price', error.message, remedy);
  }
}

async function checkPaymentSettings(settings: Settings): Promise<Finding[]> {
  const chain = hasWalletAccess(settings) ? [] : await checkChain(settings);
  return [await checkPayee(settings), await checkFacilitator(settings), ...chain];
}

async function checkPayee(settings: Settings): Promise<Finding> {
  const { pay_to, network } = settings;
  try {
    await prepareConfiguredPaymentGate(settings);
    return passed('payee', `${pay_to} on ${NETWORKS[network].label} (${network})`);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return faulty('payee', error.message, 'correct the setting that is named');
  }
}

async function checkFacilitator({ network, facilitator_url, verify_timeout_ms }: Settings): Promise<Finding> {
  const { checkSupported } = await import('../service/payments/facilitator.ts');
  const where = `${NETWORKS[network].label} (${network})`;
  // The path may be a key.
  const shown = new URL(facilitator_url).origin;
  const support = await checkSupported({ url: facilitator_url, timeoutMs: verify_timeout_ms, network });
  if (support.kind === 'yes') return passed('facilitator', `${shown} settles payments on ${where}`);
  if (support.kind === 'no') {
    const remedy = 'set WEB3_BI_FACILITATOR_URL to one that does, or WEB3_BI_NETWORK to a network that it settles on';
    return faulty('facilitator', `${shown} does not settle payments on ${where}`, remedy);
  }
  const remedy =
    'check WEB3_BI_FACILITATOR_URL; while it does not respond, paid searches get 503 and nothing is charged';
  return faulty('facilitator', `${shown} does not respond (${support.reason})`, remedy);
}
