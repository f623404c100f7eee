import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { RANGE_FORM, toRanges } from '../contract/addresses.ts';
import { KEY_PATTERN } from '../contract/keys.ts';
import { NETWORKS, type NetworkId } from '../contract/networks.ts';
import { didYouMean } from './nearest.ts';

/** A setting or an argument that is wrong; its message is one line that names it and the cure. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

const PREFIX = 'WEB3_BI_';
const PORT_MAX = 65_535;
const BURST_MAX = 1_000_000;
const STOP_DELAY_MS_MAX = 60_000;
const TIMEOUT_MS_MAX = 600_000;

const webAddress = z.string().refine(isWebAddress, 'an http or https address, such as http://127.0.0.1:4020');

const milliseconds = z.coerce.number().int().min(1).max(TIMEOUT_MS_MAX);

const isOrigin = (text: string): boolean => isWebAddress(text) && new URL(text).origin === text;

const listOf = (isRight: (text: string) => boolean, wanted: string) =>
  z.string().refine((text) => splitList(text).every(isRight), wanted);

const origins = listOf(isOrigin, 'origins with commas between, such as https://app.example.com');

/** The parts of a list setting. */
export function splitList(text: string): string[] {
  if (text.trim() === 'none') return [];
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/**
 * Every setting: its variable is the name in capitals after WEB3_BI_, its description the one of the README.
 * A flag, where there is one, wins over the variable; the variable over the default.
 */
export const settingsSchema = z.object({
  base_url: webAddress
    .optional()
    .meta({ description: 'Service that mcp, search and doctor call; without it they use the embedded one.' }),
  api_key: z
    .string()
    .regex(KEY_PATTERN, 'an API key: mk_ and 49 letters and digits')
    .optional()
    .meta({ description: 'API key.', secret: true }),
  access: z
    .enum(['auto', 'key'])
    .default('auto')
    .meta({ description: 'key: the key must be there; auto: the key if there is one, else the embedded service.' }),
  network: z
    .enum(Object.keys(NETWORKS) as [NetworkId])
    .default('eip155:84532')
    .meta({ description: 'Network of payments.' }),
  rpc_url: webAddress.optional().meta({
    description:
      'Node of the network. With it the chain decides what became of a payment that the facilitator leaves open.',
    secret: true,
  }),
  pay_to: z
    .string()
    .regex(/^0x[\da-fA-F]{40}$/, 'an address: 0x and 40 hexadecimal digits')
    .optional()
    .meta({ description: 'Address that is paid for searches without a key; without it nothing is sold.' }),
  facilitator_url: webAddress
    .default('https://x402.org/facilitator')
    .meta({ description: 'Facilitator that verifies and settles payments.' }),
  verify_timeout_ms: milliseconds
    .default(10_000)
    .meta({ description: 'Milliseconds that the facilitator may take to verify a payment.' }),
  settle_timeout_ms: milliseconds.default(60_000).meta({ description: 'Milliseconds that it may take to settle one.' }),
  discovery: z
    .enum(['off', 'on'])
    .default('off')
    .meta({ description: 'on: what a payment needs says also how facilitators can list the paid search (bazaar).' }),
  state_dir: z
    .string()
    .min(1)
    .optional()
    .meta({ description: "Folder of the embedded database; by default in the platform's state folder." }),
  host: z.string().min(1).default('127.0.0.1').meta({ description: 'Address that serve listens on.' }),
  port: z.coerce
    .number()
    .int()
    .min(0)
    .max(PORT_MAX)
    .default(4020)
    .meta({ description: 'Port that serve listens on; 0 takes a free one.' }),
  public_url: webAddress
    .optional()
    .meta({ description: 'Base of every address the service writes; by default made of host and port.' }),
  database_url: z
    .string()
    .regex(/^sqlite:.+/, 'sqlite:PATH or sqlite::memory:')
    .optional()
    .meta({ description: 'Database; by default an SQLite file in the state folder.' }),
  burst_per_second: z.coerce
    .number()
    .int()
    .min(0)
    .max(BURST_MAX)
    .default(20)
    .meta({ description: 'Requests a key may make a second, on average over two; 0 turns every burst limit off.' }),
  trusted_proxies: z
    .string()
    .transform(readRanges)
    .optional()
    .meta({ description: 'Proxies whose X-Forwarded-For is believed: addresses and ranges with commas between.' }),
  log_level: z.enum(['silent', 'error', 'info']).default('info').meta({ description: 'What serve logs to stderr.' }),
  metrics_allow: z
    .string()
    .default('127.0.0.0/8,::1/128')
    .transform(readRanges)
    .meta({ description: 'Addresses that /metrics answers to: CIDR ranges with commas between, or none.' }),
  cors_origins: origins.optional().meta({
    description: 'Origins of web pages that may use the keyed API, with commas between; by default none may.',
  }),
  stop_delay_ms: z.coerce
    .number()
    .int()
    .min(0)
    .max(STOP_DELAY_MS_MAX)
    .default(1000)
    .meta({ description: 'Milliseconds that serve goes on when told to stop, while it says that it is not ready.' }),
  data: z.enum(['shipped', 'none']).default('shipped').meta({ description: 'What a new database is filled with.' }),
});

/** Settings that are also flags, by flag name. */
export const SETTING_FLAGS = {
  'base-url': 'base_url',
  'facilitator-url': 'facilitator_url',
  'pay-to': 'pay_to',
  'rpc-url': 'rpc_url',
  database: 'database_url',
  data: 'data',
  host: 'host',
  network: 'network',
  port: 'port',
  'public-url': 'public_url',
  'state-dir': 'state_dir',
} as const satisfies Record<string, keyof z.output<typeof settingsSchema>>;

export type SettingFlag = keyof typeof SETTING_FLAGS;
export type Settings = Omit<z.output<typeof settingsSchema>, 'state_dir' | 'database_url'> & {
  readonly state_dir: string;
  readonly database_url: string;
};

type Environment = Readonly<Record<string, string | undefined>>;

export const variableOf = (setting: string): string => PREFIX + setting.toUpperCase();

/** Reads the settings; throws a ConfigError for a wrong one and for one that does not exist. */
export function readSettings(flags: Readonly<Record<string, unknown>>, environment: Environment): Settings {
  const names = Object.keys(settingsSchema.shape);
  const variables = names.map(variableOf);
  const unknown = Object.keys(environment).find((name) => name.startsWith(PREFIX) && !variables.includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(`${unknown} is not a setting.${didYouMean(unknown, variables)} Unset it or correct it.`);
  }
  const given: Record<string, unknown> = {};
  const spelling: Record<string, string> = {};
  for (const name of names) {
    const flag = (Object.keys(SETTING_FLAGS) as SettingFlag[]).find((key) => SETTING_FLAGS[key] === name);
    const fromFlag = flag === undefined ? undefined : flags[flag];
    if (fromFlag === '') throw new ConfigError(`--${flag} needs a value.`);
    // An empty variable is how hosts write one that the person left out.
    given[name] = fromFlag ?? (environment[variableOf(name)] || undefined);
    spelling[name] = fromFlag === undefined ? variableOf(name) : `--${flag}`;
  }
  const parsed = settingsSchema.safeParse(given);
  if (!parsed.success) throw wrongSetting(parsed.error, spelling);
  return complete(parsed.data, environment);
}

function wrongSetting(error: z.ZodError, spelling: Readonly<Record<string, string>>): ConfigError {
  const [issue] = error.issues;
  const name = String(issue?.path[0]);
  return new ConfigError(`${spelling[name]} must be ${wanted(name, issue)}.`);
}

function wanted(name: string, issue: z.core.$ZodIssue | undefined): string {
  if (issue?.code === 'invalid_value') return `one of ${issue.values.join(', ')}`;
  if (name === 'port') return `a whole number from 0 to ${PORT_MAX}`;
  if (name === 'burst_per_second') return `a whole number from 0 to ${BURST_MAX}`;
  if (name.endsWith('_timeout_ms')) return `a whole number from 1 to ${TIMEOUT_MS_MAX}`;
  if (name === 'stop_delay_ms') return `a whole number from 0 to ${STOP_DELAY_MS_MAX}`;
  return issue?.message ?? 'of another form';
}

function complete(settings: z.output<typeof settingsSchema>, environment: Environment): Settings {
  if (settings.access === 'key' && settings.api_key === undefined) {
    throw new ConfigError(
      'WEB3_BI_ACCESS is key, but there is no WEB3_BI_API_KEY; set it, or set WEB3_BI_ACCESS=auto.',
    );
  }
  if (settings.api_key !== undefined && settings.base_url === undefined) {
    throw new ConfigError(
      'WEB3_BI_API_KEY is set, but not the service it is for; set WEB3_BI_BASE_URL, or unset the key to use the embedded service.',
    );
  }
  const state_dir = settings.state_dir ?? stateFolder(environment);
  return { ...settings, state_dir, database_url: settings.database_url ?? `sqlite:${join(state_dir, 'web3-bi.db')}` };
}

/** The folder for state where the platform wants it. */
function stateFolder(environment: Environment): string {
  if (process.platform === 'win32')
    return join(environment['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'web3-bi');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'web3-bi');
  return join(environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'web3-bi');
}

function readRanges(text: string, context: z.RefinementCtx): readonly string[] {
  const ranges = text.trim() === 'none' ? [] : toRanges(text);
  if (ranges === undefined)
    context.addIssue({ code: 'custom', message: `a list with commas of ${RANGE_FORM}, or none` });
  return ranges ?? [];
}

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
