import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type Command, READING_SETTINGS } from './command.ts';
import { ConfigError, type Settings } from './config.ts';
import { ADDRESS_PREFIXES, withRecord } from './get.ts';
import { isTerminal, print } from './output.ts';

export const command: Command = {
  usage: 'open RECORD',
  completes: ADDRESS_PREFIXES,
  about:
    'Open the website of a record in the browser, of a round its announcement. A pipe gets the address. RECORD is TYPE/SLUG or an exact name.',
  example: 'web3-bi open companies/aave',
  flags: {
    page: { type: 'boolean', description: 'Its page at the service of --base-url instead.' },
    print: { type: 'boolean', description: 'Print the address, and open nothing.' },
  },
  isPlain: true,
  settings: READING_SETTINGS,
  run: async ({ settings, flags, positionals: [wanted] }) => {
    const record = await withRecord('open', { settings, record: wanted }, (client, { type, slug }) =>
      client.get(type, slug),
    );
    const { type, slug } = record;
    const own = 'announcement' in record ? record.announcement : 'website' in record ? record.website : null;
    const address = flags['page'] === true ? `${pagesOf(settings)}/${type}/${slug}` : own;
    if (address == null)
      throw new ConfigError(
        `No ${type === 'rounds' ? 'announcement' : 'website'} of ${record.name} is known; web3-bi get ${type}/${slug} shows the known fields.`,
      );
    print(address);
    if (isTerminal() && flags['print'] !== true) await openInBrowser(address);
  },
};

function pagesOf({ base_url }: Settings): string {
  if (base_url === undefined)
    throw new ConfigError('--page needs the service that has the page; set WEB3_BI_BASE_URL, or start web3-bi serve.');
  return base_url;
}

/** Commands that open a URL without a shell, which could interpret it. */
const OPENERS: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/** Opening may fail, as on a server; the URL has been printed. */
async function openInBrowser(address: string): Promise<void> {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  await once(child, 'spawn').catch(() => undefined);
  child.unref();
}
