import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Settings, settingsSchema, variableOf } from '../../src/commands/config.ts';
import { RECORD_TYPES } from '../../src/contract/entities/index.ts';
import { NETWORKS } from '../../src/contract/networks.ts';
import { tools } from '../../src/mcp/tools/index.ts';

/** The files that hosts and the MCP registry read: made from package.json, the tools and the settings. */

const ROOT = join(import.meta.dirname, '..', '..');
const { name, version, mcpName, author, license, homepage, repository, bugs, keywords, engines } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

/** `companies, people and rounds` */
export const typeList = `${RECORD_TYPES.slice(0, -1).join(', ')} and ${RECORD_TYPES.at(-1)}`;
/** The address of the repository in a browser. */
const REPOSITORY_URL = repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
const TITLE = 'Web3 business intelligence';
/** At most 100 characters, as the registry wants it. */
const description = `Search Web3 ${typeList}; works without an account.`;

/** The first sentence of a tool's description. */
export const firstSentence = (text: string): string => text.split(/(?<=\.)\s/)[0] ?? '';

/** What a person is asked for who installs the bundle, by setting; `usual` is what an empty field means. */
const ASKED = {
  base_url: { type: 'string', title: 'Service address', about: 'Leave empty to use the data set of the bundle.' },
  api_key: {
    type: 'string',
    title: 'API key',
    about: 'For the service above; leave empty without one.',
    isSecret: true,
  },
  wallet_key_file: {
    type: 'file',
    title: 'Wallet',
    about:
      'Key file of a wallet that pays the service above for each search, as created by web3-bi wallet new; not used with an API key.',
  },
  network: {
    type: 'string',
    title: 'Network of the wallet',
    about: `${Object.entries(NETWORKS)
      .map(([id, { label, isTest }]) => `${id} is ${label}, whose USDC is ${isTest ? 'for tests' : 'money'}`)
      .join('; ')}.`,
    usual: settingsSchema.shape.network.parse(undefined),
  },
  max_usd_per_day: {
    type: 'string',
    title: 'Budget a day, in US dollars',
    about: 'The most that the wallet spends in a day.',
    usual: '1.00',
  },
  state_dir: {
    type: 'directory',
    title: 'Data folder',
    about: 'Where records and receipts are kept; leave empty for the usual place.',
  },
} as const satisfies Partial<Record<keyof Settings, Asked>>;

interface Asked {
  readonly type: string;
  readonly title: string;
  readonly about: string;
  readonly isSecret?: boolean;
  readonly usual?: string;
}
const asked: readonly (readonly [string, Asked])[] = Object.entries(ASKED);

/** `manifest.json`: the bundle for desktop hosts. */
function manifest(): object {
  const program = `node_modules/${name}/dist/main.js`;
  const offered = tools.filter(({ access = ['key'] }) => access.includes('key'));
  return {
    manifest_version: '0.3',
    name,
    display_name: TITLE,
    version,
    description,
    long_description: `Web3 ${typeList}, each fact with its source or marked as its editors' word. Ask in plain sentences: names with typos are found, filters are read from a sentence, totals and connections are computed, and facts that no source covers are marked as unknown.\n\nWorks at once with the data that comes with it, on this computer and without an account. With the address of a service and an API key it uses that service; with the key file of a wallet it pays for each search, 0.01 USD in USDC, within a budget that only you can raise.`,
    author,
    repository: { ...repository, url: REPOSITORY_URL },
    homepage,
    support: bugs,
    license,
    keywords,
    icon: 'icon.png',
    screenshots: ['company.png', 'answers.png'],
    server: {
      type: 'node',
      entry_point: program,
      mcp_config: {
        command: 'node',
        args: [`\${__dirname}/${program}`, 'mcp'],
        env: Object.fromEntries(asked.map(([setting]) => [variableOf(setting), `\${user_config.${setting}}`])),
      },
    },
    tools: offered.map((tool) => ({ name: tool.name, description: firstSentence(tool.description) })),
    // With a wallet there is another tool, and prompts have no fixed text.
    tools_generated: true,
    prompts_generated: true,
    user_config: Object.fromEntries(
      asked.map(([setting, { type, title, about, isSecret, usual = '' }]) => [
        setting,
        { type, title, description: about, ...(isSecret && { sensitive: true }), required: false, default: usual },
      ]),
    ),
    compatibility: { platforms: ['darwin', 'linux', 'win32'], runtimes: engines },
  };
}

/** Settings that a client of the registry asks for. */
const REGISTERED = ['base_url', 'api_key', 'wallet_key_file', 'network', 'max_usd_per_day', 'state_dir'] as const;

/** `server.json`: the entry of the MCP registry. */
function serverEntry(): object {
  const { properties = {} } = z.toJSONSchema(settingsSchema, { io: 'input', unrepresentable: 'any' });
  const variable = (setting: (typeof REGISTERED)[number]) => {
    const {
      description: about,
      secret,
      default: usual,
      enum: choices,
    } = properties[setting] as z.core.JSONSchema.Schema;
    return {
      name: variableOf(setting),
      description: about,
      isRequired: false,
      ...(secret === true && { isSecret: true }),
      ...(usual !== undefined && { default: usual }),
      ...(choices && { choices }),
      format: ASKED[setting].type === 'string' ? 'string' : 'filepath',
    };
  };
  const host = { description: 'Host name of a service that runs web3-bi serve.', isRequired: true, format: 'string' };
  const authorization = {
    name: 'Authorization',
    description: 'Bearer and an API key (mk_...); where the service sells calls, a payment does instead.',
    isRequired: false,
    isSecret: true,
    format: 'string',
  };
  return {
    $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    name: mcpName,
    title: TITLE,
    description,
    version,
    remotes: [{ type: 'streamable-http', url: 'https://{host}/mcp', variables: { host }, headers: [authorization] }],
    packages: [
      {
        registryType: 'npm',
        identifier: name,
        version,
        runtimeHint: 'npx',
        packageArguments: [{ type: 'positional', value: 'mcp' }],
        transport: { type: 'stdio' },
        environmentVariables: REGISTERED.map(variable),
      },
    ],
  };
}

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The text of each generated file, by its name. */
export const FILES: Readonly<Record<string, () => string>> = {
  'manifest.json': () => json(manifest()),
  'server.json': () => json(serverEntry()),
};
