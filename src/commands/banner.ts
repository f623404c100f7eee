import { NETWORKS } from '../contract/networks.ts';
import { createLog } from '../service/logging.ts';
import type { Settings } from './config.ts';
import { shownUrl } from './database-url.ts';
import { logDestination } from './log-lines.ts';
import { isTerminal, print, printEvent, printFields, printToStderr, styled } from './output.ts';
import { packageVersion } from './package.ts';

export interface Ready {
  readonly url: string;
  readonly workers?: number;
  /** The link of the first owner, while there is no user. */
  readonly ownerLink?: string | undefined;
}

/** Announces a listening service: one line of JSON for a program, its addresses for a person. */
export function announceListening({ ownerLink, ...ready }: Ready, settings: Settings): void {
  if (isTerminal()) {
    showAddresses({ ownerLink, ...ready }, settings);
    return;
  }
  printOwnerLink(ownerLink);
  printEvent({ event: 'listening', ...ready });
}

/** An entry of the log, for a person behind a program. */
export function printOwnerLink(link: string | undefined): void {
  if (link === undefined) return;
  const msg = `There is no user yet. Open ${link} to become the first owner, once, within a day.`;
  createLog(logDestination(), 'info').info({}, msg);
}

export function showAddresses(
  { url: own, workers, ownerLink }: Ready,
  settings: Settings,
  more: readonly (readonly [string, string])[] = [],
): void {
  const url = settings.public_url ?? openableUrl(own);
  print(`\n${styled('bold', `web3-bi ${packageVersion()} listens at ${own}`)}\n`);
  printFields([
    ['Pages', `${url}/`],
    ['REST', `${url}/api/v1`],
    ['MCP', `${url}/mcp`],
    ['Console', `${url}/account`],
    ['Documents', `${url}/docs`],
    ['Records', shownUrl(settings.database_url)],
    ['Payments', paymentsText(settings)],
    ...(workers === undefined ? [] : [['Workers', String(workers)] as const]),
    ...(ownerLink === undefined
      ? []
      : [['First owner', `${ownerLink} (open it to become the first owner; it works once, for a day)`] as const]),
    ...more,
  ]);
  if (EVERY_INTERFACE.test(own)) printToStderr(REACHABLE);
  print(`\n${styled('dim', 'Ctrl-C stops it. Each request is logged as a line.')}\n`);
}

/** An address that a browser of this machine can open, also of a service on every interface. */
export const openableUrl = (url: string): string => url.replace(EVERY_INTERFACE, LOOPBACK);

/** The address of a service on all interfaces, at which no browser finds it. */
const EVERY_INTERFACE = /(?<=^http:\/\/)(0\.0\.0\.0|\[::\])(?=:)/;
const LOOPBACK = '127.0.0.1';
const REACHABLE =
  '\nOther machines reach it at every address of this one, by plain HTTP, which others on the network can read.';

function paymentsText({ pay_to, network }: Settings): string {
  if (pay_to === undefined) return 'off; --pay-to turns them on';
  const { label, isTest } = NETWORKS[network];
  return `to ${pay_to} on ${label} (${isTest ? 'test money' : network})`;
}
