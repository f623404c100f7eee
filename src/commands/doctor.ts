import { keyAccess } from '../client/access.ts';
import { type Client, createClient } from '../client/client.ts';
import { createPaidClient } from '../client/paid-client.ts';
import { openAuthorizationReader } from '../client/wallet/authorization-reader.ts';
import type { Wallet, WalletStatus } from '../client/wallet/wallet.ts';
import { KnownError, ServiceError } from '../contract/errors.ts';
import { NETWORKS } from '../contract/networks.ts';
import { DAY_MS } from '../contract/periods.ts';
import { toBaseUnits } from '../contract/usd.ts';
import { GRANT } from '../contract/vocabulary.ts';
import { type Command, JSON_FLAG } from './command.ts';
import { ConfigError, type Settings } from './config.ts';
import { prepareConfiguredPaymentGate } from './configured-payment-gate.ts';
import { shownUrl } from './database-url.ts';
import { openWallet } from './open-wallet.ts';
import { print, printJson, shownCount } from './output.ts';
import { accessRemedy, connectService, hasWalletAccess } from './service-connection.ts';
import { styled } from './terminal.ts';
import { isOpenToOthers } from './wallet-key.ts';

/** Clock difference that is not reported. */
const SKEW_MAX_MS = 60_000;

interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

export const command: Command = {
  usage: 'doctor',
  about: 'Check settings, service, key or wallet, clock and payment set-up, with a remedy for each fault.',
  example: 'web3-bi doctor',
  flags: { json: JSON_FLAG },
  settings: ['base-url', 'database', 'data', 'state-dir', 'network', 'pay-to', 'facilitator-url', 'rpc-url'],
  run: async ({ settings, flags }) => {
    const findings =
      settings.base_url === undefined ? await checkEmbedded(settings) : await checkService(settings, settings.base_url);
    if (settings.pay_to !== undefined) {
      findings.push(...(await checkPaymentSettings(settings)));
    }
    if (flags['json'] === true) printJson({ ok: findings.every((finding) => finding.ok), findings });
    else for (const finding of findings) print(lineOf(finding));
    return findings.every((finding) => finding.ok) ? 0 : 1;
  },
};

function lineOf({ check, ok, detail, remedy }: Finding): string {
  const mark = ok ? styled('green', 'ok   ') : styled('red', 'fault');
  return `${mark}  ${styled('bold', `${check}:`)} ${detail}${remedy === undefined ? '' : `\n       fix: ${remedy}`}`;
}

async function checkEmbedded(settings: Settings): Promise<Finding[]> {
  const connection = await connectService(settings);
  const access = { check: 'access', ok: true, detail: 'embedded service, because WEB3_BI_BASE_URL is not set' };
  try {
    const { coverage } = await connection.client.vocabulary();
    const total = Object.values(coverage).reduce((sum, { records }) => sum + records, 0);
    return [
      access,
      { check: 'database', ok: true, detail: `${shownUrl(settings.database_url)} holds ${shownCount(total)} records` },
      ...ageOf(coverage.companies.covered, await newestRound(connection.client)),
    ];
  } catch (error) {
    const cause = rootOf(error);
    const remedy = cause instanceof KnownError ? cause.remedy : undefined;
    return [access, { check: 'database', ok: false, detail: messageOf(cause), ...(remedy && { remedy }) }];
  } finally {
    await connection.close();
  }
}

/** Age of the newest source of companies, and the newest funding round; nothing if no source has a date. */
function ageOf(covered: string | null, round: string | undefined): Finding[] {
  if (covered === null) return [];
  const days = Math.max(0, Math.floor((Date.now() - Date.parse(covered)) / DAY_MS));
  const newest = round === undefined ? '' : `, with funding rounds to ${round}`;
  return [{ check: 'data', ok: true, detail: `${days} days old${newest}; web3-bi sync lists sources of newer data` }];
}

/** The date of the newest funding round. */
async function newestRound(client: Client): Promise<string | undefined> {
  const { results } = await client.search({
    type: 'rounds',
    funding_stage: `except:${GRANT}`,
    sort: '-announced_date',
    page: 1,
    limit: 1,
  });
  return results.flatMap((record) => (record.type === 'rounds' ? (record.announced_date ?? []) : []))[0];
}

/** The innermost error of a cause chain that states a remedy. */
function rootOf(error: unknown): unknown {
  const isKnown = error instanceof KnownError && error.remedy !== undefined;
  return isKnown || !(error instanceof Error) || error.cause === undefined ? error : rootOf(error.cause);
}

async function checkService(settings: Settings, baseUrl: string): Promise<Finding[]> {
  const { api_key } = settings;
  const reached = await checkReachable(baseUrl);
  if (!reached.every((finding) => finding.ok)) return reached;
  if (hasWalletAccess(settings)) {
    return [...reached, ...(await checkWallet(settings, baseUrl))];
  }
  if (api_key === undefined) {
    return [
      ...reached,
      {
        check: 'key',
        ok: false,
        detail: 'none is set',
        remedy: accessRemedy(settings),
      },
    ];
  }
  return [...reached, await checkKey(settings, baseUrl, api_key)];
}

async function checkReachable(baseUrl: string): Promise<Finding[]> {
  let clock: Finding | undefined;
  const watching: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    clock = checkClock(response.headers.get('date'));
    return response;
  };
  try {
    const { status } = await createClient(baseUrl, watching).health(false);
    const service = {
      check: 'service',
      ok: status === 'operational',
      detail: `${baseUrl} is reachable; its health is ${status}`,
    };
    const remedy = service.ok ? {} : { remedy: 'wait, or contact the operator of the service' };
    return [{ ...service, ...remedy }, ...(clock === undefined ? [] : [clock])];
  } catch (error) {
    const remedy = 'check WEB3_BI_BASE_URL and that the service runs (web3-bi serve)';
    return [{ check: 'service', ok: false, detail: `${baseUrl}: ${messageOf(error)}`, remedy }];
  }
}

function checkClock(date: string | null): Finding | undefined {
  if (date === null) return undefined;
  const skewMs = Date.now() - new Date(date).getTime();
  const detail = `${Math.round(Math.abs(skewMs) / 1000)} s ${skewMs < 0 ? 'behind' : 'ahead of'} the service`;
  const ok = Math.abs(skewMs) <= SKEW_MAX_MS;
  return { check: 'clock', ok, detail, ...(ok ? {} : { remedy: "set this machine's clock" }) };
}

async function checkKey(settings: Settings, baseUrl: string, apiKey: string): Promise<Finding> {
  try {
    const { day } = await createClient(baseUrl, keyAccess(apiKey)).usage();
    const used = `${day.used} of ${day.limit ?? 'any number of'} requests used today`;
    return { check: 'key', ok: true, detail: `WEB3_BI_API_KEY is accepted; ${used}` };
  } catch (error) {
    return {
      check: 'key',
      ok: false,
      detail: messageOf(error),
      remedy: accessRemedy(settings),
    };
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Checks the wallet's key, network, token and balance, and the price of the service. */
async function checkWallet(settings: Settings, baseUrl: string): Promise<Finding[]> {
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
async function checkChain({ network, rpc_url }: Settings): Promise<Finding[]> {
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

/** Checks the payee address, the facilitator, and the chain node that settles unknown outcomes. */
async function checkPaymentSettings(settings: Settings): Promise<Finding[]> {
  const chain = hasWalletAccess(settings) ? [] : await checkChain(settings);
  return [await checkPayee(settings), await checkFacilitator(settings), ...chain];
}

async function checkPayee(settings: Settings): Promise<Finding> {
  const { pay_to, network } = settings;
  try {
    await prepareConfiguredPaymentGate(settings);
    return { check: 'payee', ok: true, detail: `${pay_to} on ${NETWORKS[network].label} (${network})` };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { check: 'payee', ok: false, detail: error.message, remedy: 'correct the setting that is named' };
  }
}

async function checkFacilitator({ network, facilitator_url, verify_timeout_ms }: Settings): Promise<Finding> {
  const { checkSupported } = await import('../service/payments/facilitator.ts');
  const check = 'facilitator';
  const where = `${NETWORKS[network].label} (${network})`;
  const support = await checkSupported({ url: facilitator_url, timeoutMs: verify_timeout_ms, network });
  if (support.kind === 'yes') return { check, ok: true, detail: `${facilitator_url} settles payments on ${where}` };
  if (support.kind === 'no') {
    const remedy = 'set WEB3_BI_FACILITATOR_URL to one that does, or WEB3_BI_NETWORK to a network that it settles on';
    return { check, ok: false, detail: `${facilitator_url} does not settle payments on ${where}`, remedy };
  }
  const remedy =
    'check WEB3_BI_FACILITATOR_URL; while it does not respond, paid searches get 503 and nothing is charged';
  return { check, ok: false, detail: `${facilitator_url} does not respond (${support.reason})`, remedy };
}
