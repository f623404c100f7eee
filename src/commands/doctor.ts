import { keyAccess } from '../client/access.ts';
import { type Client, createClient } from '../client/client.ts';
import { KnownError } from '../contract/errors.ts';
import { DAY_MS } from '../contract/periods.ts';
import { GRANT } from '../contract/vocabulary.ts';
import { accessRemedy } from './access-remedy.ts';
import { type Command, JSON_FLAG } from './command.ts';
import type { Settings } from './config.ts';
import { shownUrl } from './database-url.ts';
import { print, printJson, shownCount } from './output.ts';
import { connectService, hasWalletAccess } from './service-connection.ts';
import { styled } from './terminal.ts';

/** Clock difference that is not reported. */
const SKEW_MAX_MS = 60_000;

export interface Finding {
  readonly check: string;
  readonly ok: boolean;
  readonly detail: string;
  readonly remedy?: string;
}

export const command: Command = {
  usage: 'doctor',
  positionalsMax: 0,
  about: 'Check settings, service, key or wallet, clock and payment set-up, with a remedy for each fault.',
  example: 'web3-bi doctor',
  flags: { json: JSON_FLAG },
  settings: ['base-url', 'database', 'data', 'state-dir', 'network', 'pay-to', 'facilitator-url', 'rpc-url'],
  needsDatabase: true,
  run: async ({ settings, flags }) => {
    const findings =
      settings.base_url === undefined ? await checkEmbedded(settings) : await checkService(settings, settings.base_url);
    if (settings.pay_to !== undefined) {
      const { checkPaymentSettings } = await import('./doctor-payments.ts');
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
    const { checkWallet } = await import('./doctor-wallet.ts');
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
