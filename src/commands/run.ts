import { parseArgs } from 'node:util';
import { PaymentError } from '../client/wallet/errors.ts';
import { ServiceError } from '../contract/errors.ts';
import type { Command, Flag } from './command.ts';
import { ConfigError, readSettings, SECRET_VARIABLES, SETTING_FLAGS, settingsSchema } from './config.ts';
import { commands } from './index.ts';
import { didYouMean } from './nearest.ts';
import { print, tell } from './output.ts';
import { packageVersion } from './package.ts';
import { isSecret } from './wallet-key.ts';

const HELP: Flag = { type: 'boolean', description: 'Show this help.' };

/** Runs what a person typed and gives the exit code. A fault of theirs is one line on stderr. */
export async function run(words: readonly string[]): Promise<number> {
  try {
    return await dispatch(words);
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof ServiceError)) throw error;
    tell(`web3-bi: ${error.message}${causeOf(error)}${moneyOf(error)}`);
    return 1;
  }
}

/** A person at the command line is also told why the service cannot be reached. */
function causeOf(error: Error): string {
  const { cause } = error;
  if (!(error instanceof ServiceError) || !(cause instanceof Error)) return '';
  // What fetch says of itself is only that it failed.
  const reason = cause.message === 'fetch failed' && cause.cause instanceof Error ? cause.cause.message : cause.message;
  return ` (${reason})`;
}

/** What became of the money, and what to do. The advice is written for a model; here the person reads it. */
function moneyOf(error: Error): string {
  if (!(error instanceof PaymentError)) return '';
  return ` ${error.money} ${error.advice.replaceAll('ask the person to ', '')}`;
}

async function dispatch([name, ...rest]: readonly string[]): Promise<number> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') return showHelp();
  if (name === '--version' || name === '-v') {
    print(packageVersion());
    return 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    throw new ConfigError(
      `${typed(name)} is not a command.${didYouMean(name, Object.keys(commands))} web3-bi --help lists them.`,
    );
  }
  const { command } = await entry.load();
  const { values, positionals } = parse(command, rest);
  if (values['help'] === true) return showCommandHelp(command);
  const extra = positionals[command.wordsMax];
  if (extra !== undefined)
    throw new ConfigError(`${typed(extra)} is one word too many; the usage is: web3-bi ${command.usage}`);
  const settings = readSettings(values, process.env);
  // Node writes the environment into its reports of a crash, and hands it to every child.
  for (const variable of SECRET_VARIABLES) delete process.env[variable];
  return command.run({ settings, flags: values, words: positionals });
}

/** A word as a refusal repeats it: never when it is a secret, which would then be in the terminal's log too. */
const typed = (word: string): string => (isSecret(word) ? 'A key as an argument' : word);

function parse(command: Command, rest: readonly string[]) {
  const options = flagsOf(command);
  const end = rest.indexOf('--');
  const given = (end === -1 ? rest : rest.slice(0, end)).map((word) => /^--([^=]+)/.exec(word)?.[1]);
  const unknown = given.find((flag) => flag !== undefined && !Object.hasOwn(options, flag));
  if (unknown !== undefined) {
    const flags = Object.keys(options).map((flag) => `--${flag}`);
    throw new ConfigError(
      `--${unknown} is not a flag of this command.${didYouMean(`--${unknown}`, flags)} --help lists them.`,
    );
  }
  try {
    const { values, positionals } = parseArgs({ args: [...rest], options, allowPositionals: true });
    const joined = Object.entries(values).map(([flag, value]) => [flag, Array.isArray(value) ? value.join() : value]);
    return { values: Object.fromEntries(joined) as Record<string, string | boolean | undefined>, positionals };
  } catch (cause) {
    const [reason] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
    throw new ConfigError(reason ?? 'The flags cannot be read.', { cause });
  }
}

function flagsOf(command: Command): Record<string, Flag> {
  const settings = command.settings.map((flag) => {
    const { description = '' } = settingsSchema.shape[SETTING_FLAGS[flag]].meta() ?? {};
    return [flag, { type: 'string', value: 'VALUE', description }] as const;
  });
  return { ...command.flags, ...Object.fromEntries(settings), help: HELP };
}

function showHelp(): number {
  print(`web3-bi ${packageVersion()}: Web3 companies, people, investors and events for AI agents and people.\n`);
  print('Usage: web3-bi COMMAND [flags]\n');
  for (const [name, { about }] of Object.entries(commands)) print(`  ${name.padEnd(10)}${about}`);
  print('\nweb3-bi COMMAND --help shows the flags of a command and an example.');
  return 0;
}

function showCommandHelp(command: Command): number {
  print(`${command.about}\n`);
  print(`Usage: web3-bi ${command.usage} [flags]\n`);
  for (const [name, { value, description }] of Object.entries(flagsOf(command))) {
    print(`  ${`--${name}${value === undefined ? '' : ` ${value}`}`.padEnd(22)}${description}`);
  }
  print(`\nExample: ${command.example}`);
  return 0;
}
