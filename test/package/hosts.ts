import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { openPlain, type Place } from '../support/mcp-clients.ts';

/** Starts a server as a host does, or asks one, and searches with it. */
export async function firstFound(place: Place): Promise<string> {
  const session = await openPlain(place);
  const { structuredContent } = await session.call('search', { query: 'uniswap', type: 'companies', limit: 1 });
  await session.close();
  return structuredContent.results[0].slug;
}

/** How a desktop host starts a bundle that it has unpacked, when a person has filled nothing in. */
export function placeOfBundle(folder: string, node: string, environment: Record<string, string>): Place {
  const { server, user_config } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const filled = (text: string): string =>
    text
      .replace(/\$\{__dirname\}/, folder)
      .replace(/\$\{user_config\.(\w+)\}/g, (_whole, name: string) => user_config[name].default);
  const { command, args, env } = server.mcp_config as { command: string; args: string[]; env: Record<string, string> };
  if (command !== 'node') throw new Error(`Hosts bring node, not ${command}`);
  // What is left empty is no setting; then the tests' own folder counts.
  const values = Object.entries(env).flatMap(([name, value]) => (filled(value) === '' ? [] : [[name, filled(value)]]));
  return { command: node, args: args.map(filled), env: { ...environment, ...Object.fromEntries(values) } };
}

/** The command or URL configured in a host. */
export interface HostEntry {
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Record<string, string>;
  readonly url?: string;
  readonly headers?: Record<string, string>;
}

/** An entry, and how it is written: by the key of a settings file, the site of a link, or the name of a command. */
interface Told {
  readonly form: string;
  readonly entry: HostEntry;
}

const PARSERS: Readonly<Record<string, (text: string) => unknown>> = {
  json: JSON.parse,
  toml: parseToml,
  yaml: parseYaml,
};
const ROOT = join(import.meta.dirname, '..', '..');

/** Every server that documents tell hosts to start or to ask: by settings, by a link, and by a command. */
export function hostEntries(documents: readonly string[]): Told[] {
  const text = documents.map((name) => readFileSync(join(ROOT, name), 'utf8')).join('\n');
  const blocks = [...text.matchAll(/^```(json|toml|yaml)\n([\s\S]*?)^```$/gm)];
  const links = [...text.matchAll(/\]\(https:\/\/(?:\w+\.)*(cursor\.com|vscode\.dev)\/(\S+)\)/g)];
  const commands = [...text.matchAll(/`(claude) mcp add \S+ -- (\S+) ([^`]+)`/g)];
  return [
    ...blocks.flatMap(([, language = '', block = '']) => ofSettings(PARSERS[language]?.(block) as Settings)),
    ...links.map(([, form = '', path = '']) => ({ form, entry: ofLink(form, new URL(path, 'https://host')) })),
    ...commands.map(([, form = '', command = '', words = '']) => ({
      form,
      // A shell reads the folder of the clone.
      entry: { command, args: words.replaceAll(/"\$PWD(\S*)"/g, '/path/to/web3-bi-mcp$1').split(' ') },
    })),
  ];
}

/** Other words of single hosts for a command, an address and headers. */
interface Synonyms {
  readonly cmd?: string;
  readonly uri?: string;
  readonly http_headers?: Record<string, string>;
}

type Settings = Readonly<Record<string, Readonly<Record<string, HostEntry & Synonyms>>>>;

/** What only one host has, such as a timeout, is left out. */
const ofSettings = (settings: Settings): Told[] =>
  Object.entries(settings).flatMap(([form, servers]) =>
    Object.values(servers).map(
      ({ cmd, command = cmd, args, env, uri, url = uri, http_headers, headers = http_headers }) => ({
        form,
        entry: JSON.parse(JSON.stringify({ command, args, env, url, headers })) as HostEntry,
      }),
    ),
  );

function ofLink(form: string, { searchParams }: URL): HostEntry {
  const config = searchParams.get('config') ?? '';
  const { command, args } = JSON.parse(form === 'cursor.com' ? Buffer.from(config, 'base64').toString() : config);
  return { command, args };
}
