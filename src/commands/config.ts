import { homedir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { KnownError } from '../contract/errors.ts';
import { RANGE_FORM, toRanges } from '../contract/ip-ranges.ts';
import { KEY_PATTERN } from '../contract/keys.ts';
import { NETWORKS, type NetworkId } from '../contract/networks.ts';
import { PUBLIC_PAGES_MAX } from '../contract/plans.ts';
import { splitText } from '../contract/split-text.ts';
import { USD_FORM, USD_PATTERN } from '../contract/usd.ts';
import { didYouMean } from './suggest.ts';

const TIMEOUT_MS_MAX = 600_000;

const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== '';
/** Without credentials, which fetch refuses and messages would show. */
const isShowable = (text: string): boolean => isWebAddress(text) && !hasCredentials(new URL(text));

const WITHOUT = 'an http or https address without user and password';
/** An address that may contain a key in its query. No message shows it. */
const secretWebAddress = z.string().refine(isShowable, `${WITHOUT}, such as https://node.example.com?key=KEY`);

const isBase = (text: string): boolean => isShowable(text) && !/[?#]/.test(text);
/** A base of addresses, kept without a trailing slash. */
const webAddress = z
  .string()
  .refine(isBase, `${WITHOUT}, and without a query, such as http://127.0.0.1:4020`)
  .overwrite((text) => text.replace(/\/+$/, ''));

const filledText = z.string().min(1);
const fileOrAddress = filledText.refine(
  (text) => !/^https?:/i.test(text) || isBase(text),
  `a file, or ${WITHOUT}, and without a query`,
);

function wholeNumber(min: number, max: number) {
  const expected = `a whole number from ${min} to ${max}`;
  return z.coerce.number(expected).int(expected).min(min, expected).max(max, expected);
}

const milliseconds = wholeNumber(1, TIMEOUT_MS_MAX);

const isOrigin = (text: string): boolean => isWebAddress(text) && new URL(text).origin === text;

const textMatching = (form: RegExp, wanted: string) => z.string().regex(form, wanted);
const listMatching = (form: RegExp, wanted: string) => listWhere((part) => form.test(part), wanted);
const listWhere = (isRight: (part: string) => boolean, wanted: string) =>
  z.string().refine((text) => splitList(text).every(isRight), wanted);

const PRIVATE_KEY = /^(0x)?[0-9a-fA-F]{64}$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const usd = z.string().regex(USD_PATTERN, USD_FORM);

const origins = listWhere(isOrigin, 'origins with commas between, such as https://app.example.com');

const HOST_NAME = /^([a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])$/i;
const names = listMatching(HOST_NAME, 'host names without ports, with commas between, such as mcp.example.com');

export const splitList = (text: string): string[] => (text.trim() === 'none' ? [] : splitText(text, ','));

function readRanges(text: string, context: z.RefinementCtx): readonly string[] {
  const ranges = text.trim() === 'none' ? [] : toRanges(text);
  if (ranges === undefined)
    context.addIssue({ code: 'custom', message: `a list with commas of ${RANGE_FORM}, or none` });
  return ranges ?? [];
}

const ipRanges = z.string().transform(readRanges);

const isWebAddress = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

const SCHEDULED_SOURCE = /^[a-z-]+(=[1-9]\d{0,3}h)?$/;

const syncSettings = {
  sync: listMatching(SCHEDULED_SOURCE, 'sources, each with optional hours: wikidata,eips=12h').optional().meta({
    description:
      'Enabled sources, such as wikidata,eips=12h: sync --all runs them, serve daily or at the given interval.',
  }),
  sync_contact: z
    .string()
    .min(3)
    .optional()
    .meta({ description: 'Mail address or web page sent to sources as contact; Wikidata and the SEC require one.' }),
  sync_keys: listMatching(/^[a-z-]+=\S+$/, 'SOURCE=KEY with commas between')
    .optional()
    .meta({ description: 'Keys of sources that take one: SOURCE=KEY with commas between.', secret: true }),
  sync_mirror: webAddress.optional().meta({
    description: 'Base URL of a mirror that sync uses instead of the sources: their host is the first path segment.',
  }),
  sync_redistribute: listMatching(/^[a-z-]+$/, 'sources with commas between')
    .optional()
    .meta({
      description:
        'Sources whose facts this service may redistribute although their terms forbid it to others: the operator has the right.',
    }),
};

/** An invalid setting or argument. The message is one line that names it and the remedy. */
export class ConfigError extends KnownError {
  static override readonly kind: string = 'ConfigError';
  override readonly name = 'ConfigError';
}

/** An invalid command line: an unknown flag, a missing argument, or a value that a flag does not accept. */
export class UsageError extends ConfigError {
  static override readonly kind: string = 'UsageError';
}

const PREFIX = 'WEB3_BI_';
const PORT_MAX = 65_535;
const BURST_MAX = 1_000_000;
const STOP_DELAY_MS_MAX = 60_000;
const WORKERS_MAX = 64;
const CONNECTIONS_MAX = 1_000;
const LAG_SECONDS_MAX = 86_400;
const CONTACT = /^(https?:\/\/[^\s<>"]+|[^\s@<>":/]+@[^\s@<>":/]+)$/;
const NETWORKS_TEXT = Object.entries(NETWORKS)
  .map(([id, { label }]) => `${id} (${label})`)
  .join(', ');

/** Every setting; its variable is WEB3_BI_ and the name in capitals. Precedence: flag, variable, default. */
export const settingsSchema = z.object({
  base_url: webAddress.optional().meta({
    description: 'Service to use; without it the embedded one. A wallet also pays at an address that ends in /mcp.',
  }),
  api_key: textMatching(KEY_PATTERN, 'an API key: mk_ and 49 letters and digits')
    .optional()
    .meta({ description: 'API key.', secret: true }),
  wallet_key: textMatching(PRIVATE_KEY, 'a private key: 0x and 64 hex digits')
    .optional()
    .meta({ description: 'Private key of the wallet that pays; a file is safer.', secret: true }),
  wallet_key_file: filledText
    .optional()
    .meta({ description: "File of mode 0600 with the wallet's private key, as created by web3-bi wallet new." }),
  access: z.enum(['auto', 'key', 'wallet']).default('auto').meta({
    description:
      'key, wallet: require that credential; auto: the key if set, else the wallet, else the embedded service.',
  }),
  max_usd_per_call: usd.default('0.02').meta({ description: 'Maximum payment of one tool call, in US dollars.' }),
  max_usd_per_session: usd.default('0.50').meta({ description: 'Maximum payments of one run of the program.' }),
  max_usd_per_day: usd
    .default('1.00')
    .meta({ description: 'Maximum payments per UTC day of all programs that share the state folder.' }),
  confirm_above_usd: usd
    .optional()
    .meta({ description: 'Prices above this need consent, which the host requests from the person.' }),
  payees: listMatching(ADDRESS, 'addresses (0x...) with commas between').optional().meta({
    description: 'Addresses that the wallet may pay, with commas between; by default any, within the budgets.',
  }),
  network: z
    .enum(Object.keys(NETWORKS) as [NetworkId], { error: `one of ${NETWORKS_TEXT}` })
    .default('eip155:84532')
    .meta({ description: `Network of payments: ${NETWORKS_TEXT}.` }),
  rpc_url: secretWebAddress.optional().meta({
    description:
      'RPC node of the network. With it, the chain decides payments of unknown outcome, and a wallet shows its balance.',
    secret: true,
  }),
  pay_to: textMatching(ADDRESS, 'an address: 0x and 40 hexadecimal digits').optional().meta({
    description: 'Address that is paid for searches without a key; without it nothing is sold.',
    value: 'ADDRESS',
  }),
  facilitator_url: webAddress
    .default('https://x402.org/facilitator')
    .meta({ description: 'Facilitator that verifies and settles payments.' }),
  verify_timeout_ms: milliseconds
    .default(10_000)
    .meta({ description: 'Milliseconds that the facilitator may take to verify a payment.' }),
  settle_timeout_ms: milliseconds.default(60_000).meta({ description: 'Milliseconds that it may take to settle one.' }),
  discovery: z.enum(['off', 'on']).default('off').meta({
    description: 'on: payment requirements include the metadata with which facilitators list the paid search (bazaar).',
  }),
  state_dir: filledText
    .optional()
    .meta({ description: "Folder of the embedded database and the wallet's ledger; by default the platform's." }),
  host: filledText.default('127.0.0.1').meta({ description: 'Address that serve listens on.' }),
  port: wholeNumber(0, PORT_MAX)
    .default(4020)
    .meta({ description: 'Port that serve listens on; 0 takes a free one.', value: 'PORT' }),
  public_url: webAddress
    .optional()
    .meta({ description: 'Base of every URL in responses; by default made from host and port.' }),
  contact: textMatching(CONTACT, 'a mail address, or a web page with http:// or https://').optional().meta({
    description: 'Mail address or web page of the operator, for who asks for a key or a plan.',
    value: 'CONTACT',
  }),
  database_url: textMatching(
    /^(sqlite:|postgres(ql)?:\/\/)./,
    'sqlite:PATH, sqlite::memory: or postgres://USER:PASSWORD@HOST/NAME',
  )
    .optional()
    .meta({
      description:
        'Database: sqlite:PATH, sqlite::memory: or postgres://...; by default an SQLite file in the state folder.',
      secret: true,
      value: 'URL',
    }),
  database_read_url: textMatching(/^postgres(ql)?:\/\/./, 'postgres://USER:PASSWORD@HOST/NAME')
    .optional()
    .meta({
      description: 'Read replica of a PostgreSQL database; reads from it may lag behind.',
      secret: true,
    }),
  database_connections: wholeNumber(1, CONNECTIONS_MAX)
    .default(10)
    .meta({ description: 'Maximum PostgreSQL connections per process, and as many to the replica.' }),
  replica_lag_max_seconds: wholeNumber(1, LAG_SECONDS_MAX)
    .default(30)
    .meta({ description: 'Maximum lag of the replica in seconds; beyond it, reads of records get 503.' }),
  index_snapshot: fileOrAddress.optional().meta({
    description:
      'PostgreSQL: what the first index of this machine begins from instead of every record: a file of web3-bi index snapshot, or the address of another instance, such as http://10.0.0.5:4020.',
  }),
  burst_per_second: wholeNumber(0, BURST_MAX).default(20).meta({
    description:
      'Requests per key and second, on average over two; 0 disables this limit and that of refused keys and payments, but not those of pages.',
  }),
  trusted_proxies: ipRanges
    .optional()
    .meta({ description: 'Proxies whose X-Forwarded-For is trusted: addresses and ranges with commas between.' }),
  log_level: z
    .enum(['silent', 'error', 'info'])
    .default('info')
    .meta({ description: 'Log level of serve, on stderr.' }),
  metrics_allow: ipRanges
    // Already parsed, because parsing the text would add a tenth to the start of web3-bi mcp.
    .default(['127.0.0.0/8', '::1'])
    .meta({ description: 'Addresses allowed to read /metrics: CIDR ranges separated by commas, or none.' }),
  cors_origins: origins.optional().meta({
    description: 'Origins of web pages that may use the keyed API, with commas between; by default none may.',
  }),
  allowed_hosts: names
    .optional()
    .meta({ description: 'Host names allowed for /mcp, separated by commas; by default loopback names and its own.' }),
  allowed_origins: names.optional().meta({
    description:
      'Host names of origins allowed to call /mcp, separated by commas; by default loopback names and its own.',
  }),
  stop_delay_ms: wholeNumber(0, STOP_DELAY_MS_MAX).default(1000).meta({
    description: 'Milliseconds that serve continues after a stop signal while it reports that it is not ready.',
  }),
  public_pages: z
    .enum(['auto', 'on', 'off'])
    .default('auto')
    .meta({
      description: `Public pages for searching and reading records, ${PUBLIC_PAGES_MAX} a minute for each address; auto: only if serve listens on loopback.`,
    }),
  ...syncSettings,
  workers: wholeNumber(1, WORKERS_MAX)
    .default(1)
    .meta({ description: 'Processes that serve shares its port among; one for each core is enough.' }),
  data: z
    .enum(['shipped', 'none'])
    .default('shipped')
    .meta({ description: 'Data set of a new database.', value: 'SET' }),
});

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
  workers: 'workers',
} as const satisfies Record<string, keyof z.output<typeof settingsSchema>>;

export type SettingFlag = keyof typeof SETTING_FLAGS;
export type Settings = Omit<z.output<typeof settingsSchema>, 'state_dir' | 'database_url'> & {
  readonly state_dir: string;
  readonly database_url: string;
  /** Whether a flag or variable names the database; otherwise it is in the state folder. */
  readonly isDatabaseNamed: boolean;
};

type Environment = Readonly<Record<string, string | undefined>>;

export const variableOf = (setting: string): string => PREFIX + setting.toUpperCase();

export const SECRET_VARIABLES = Object.entries(settingsSchema.shape)
  .filter(([, schema]) => schema.meta()?.['secret'] === true)
  .map(([name]) => variableOf(name));

/** The secret variables of the settings, for a child process with the same settings. */
export function secretsOf({ isDatabaseNamed, ...settings }: Settings): Record<string, string> {
  const changed = Object.entries(settings).filter(([name, value]) => {
    const isDefault = name === 'database_url' && !isDatabaseNamed;
    return value !== undefined && !isDefault && SECRET_VARIABLES.includes(variableOf(name));
  });
  return Object.fromEntries(changed.map(([name, value]) => [variableOf(name), String(value)]));
}

/** Reads the settings. Throws a ConfigError that names every invalid or unknown one. */
export function readSettings(flags: Readonly<Record<string, unknown>>, environment: Environment): Settings {
  const names = Object.keys(settingsSchema.shape);
  const given: Record<string, unknown> = {};
  const spelling: Record<string, string> = {};
  for (const name of names) {
    const flag = (Object.keys(SETTING_FLAGS) as SettingFlag[]).find((key) => SETTING_FLAGS[key] === name);
    const fromFlag = flag === undefined ? undefined : flags[flag];
    // Hosts set a variable to empty text if the user left it out.
    given[name] = fromFlag ?? (environment[variableOf(name)] || undefined);
    spelling[name] = fromFlag === undefined ? variableOf(name) : `--${flag}`;
  }
  const parsed = settingsSchema.safeParse(given);
  const invalid = parsed.error?.issues ?? [];
  const faults = [
    ...unknownVariables(names.map(variableOf), environment),
    ...invalid.map((issue) => `${spelling[String(issue.path[0])]} must be ${expectedForm(issue)}.`),
    ...contradictions(given),
  ];
  if (parsed.data === undefined || faults.length > 0) throw new ConfigError(faults.join(' '));
  return complete(parsed.data, environment);
}

const unknownVariables = (variables: readonly string[], environment: Environment): string[] =>
  Object.keys(environment)
    .filter((name) => name.startsWith(PREFIX) && !variables.includes(name))
    .map((name) => `${name} is not a setting.${didYouMean(name, variables)} Unset it or correct it.`);

function expectedForm(issue: z.core.$ZodIssue): string {
  // A setting may have words of its own for its choices.
  if (issue.code === 'invalid_value' && issue.message.startsWith('Invalid')) return `one of ${issue.values.join(', ')}`;
  return issue.message;
}

function contradictions(given: Readonly<Record<string, unknown>>): string[] {
  const { access, api_key, base_url, database_url, database_read_url, wallet_key, wallet_key_file } = given;
  const isReplicated = database_read_url !== undefined;
  const faults = [
    access === 'key' &&
      api_key === undefined &&
      'WEB3_BI_ACCESS is key, but there is no WEB3_BI_API_KEY; set it, or set WEB3_BI_ACCESS=auto.',
    api_key !== undefined &&
      base_url === undefined &&
      'WEB3_BI_API_KEY is set, but not the service it is for; set WEB3_BI_BASE_URL, or unset the key to use the embedded service.',
    isReplicated &&
      !String(database_url).startsWith('postgres') &&
      'WEB3_BI_DATABASE_READ_URL is for PostgreSQL; set WEB3_BI_DATABASE_URL to it too, or unset it.',
    wallet_key !== undefined &&
      wallet_key_file !== undefined &&
      'WEB3_BI_WALLET_KEY and WEB3_BI_WALLET_KEY_FILE are both set; unset one of them.',
  ];
  return faults.filter((fault) => fault !== false);
}

function complete(settings: z.output<typeof settingsSchema>, environment: Environment): Settings {
  const state_dir = settings.state_dir ?? stateFolder(environment);
  const { database_url = `sqlite:${join(state_dir, 'web3-bi.db')}` } = settings;
  return { ...settings, state_dir, database_url, isDatabaseNamed: settings.database_url !== undefined };
}

/** The state folder by the platform's convention. */
function stateFolder(environment: Readonly<Record<string, string | undefined>>): string {
  if (process.platform === 'win32')
    return join(environment['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'), 'web3-bi');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'web3-bi');
  return join(environment['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'web3-bi');
}
