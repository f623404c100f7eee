import type { Settings } from './config.ts';
import { shownUrl } from './database-url.ts';
import { print, printEvent, printFields } from './output.ts';
import { packageVersion } from './package.ts';
import { isTerminal, styled } from './terminal.ts';

/** Announces a listening service: one line of JSON for a program, its addresses for a person. */
export function announceListening(
  ready: { readonly url: string; readonly workers?: number },
  settings: Settings,
): void {
  if (!isTerminal()) {
    printEvent({ event: 'listening', ...ready });
    return;
  }
  const url = settings.public_url ?? ready.url;
  const { pay_to, network } = settings;
  print(`\n${styled('bold', `web3-bi ${packageVersion()} listens at ${ready.url}`)}\n`);
  printFields([
    ['Pages', `${url}/`],
    ['REST', `${url}/api/v1`],
    ['MCP', `${url}/mcp`],
    ['Console', `${url}/account`],
    ['Documents', `${url}/docs`],
    ['Records', shownUrl(settings.database_url)],
    ['Payments', pay_to === undefined ? 'off; --pay-to turns them on' : `to ${pay_to} on ${network}`],
    ...(ready.workers === undefined ? [] : [['Workers', String(ready.workers)] as const]),
  ]);
  print(`\n${styled('dim', 'Ctrl-C stops it. Each request is logged as a line.')}\n`);
}
