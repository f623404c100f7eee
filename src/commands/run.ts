import { PaymentError } from '../client/wallet/errors.ts';
import { ServiceError } from '../contract/errors.ts';
import { ConfigError, readSettings, SECRET_VARIABLES, UsageError } from './config.ts';
import { refuseMissingDatabase } from './database-url.ts';
import { commands } from './index.ts';
import { print, tell } from './output.ts';
import { packageVersion } from './package.ts';
import { parse, shown } from './parse.ts';
import { didYouMean } from './suggest.ts';
import { styled } from './terminal.ts';

/** Exit codes: what was typed cannot be meant, and everything else that did not work. */
const USAGE = 2;
const FAILURE = 1;

/** Runs what a person typed and gives the exit code. A fault of theirs is one line on stderr. */
export async function runCommand(args: readonly string[]): Promise<number> {
  process.stdout.on('error', endWithReader);
  try {
    return await dispatch(args);
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof ServiceError)) throw error;
    tell(`${styled('red', 'web3-bi:', process.stderr)} ${messageOf(error)}`);
    return error instanceof UsageError ? USAGE : FAILURE;
  }
}

/** Whoever has read enough, as `head` does, ends the command without a fault. */
function endWithReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
}

function messageOf(error: ConfigError | ServiceError): string {
  const { remedy } = error;
  const message = textOf(error);
  if (remedy !== undefined) return `${message.replace(/\.$/, '')}; ${remedy}.`;
  return `${message}${causeOf(error)}${moneyOf(error)}`;
}

/** What was wrong; a fault of a parameter names the flag that gave it. */
function textOf(error: ConfigError | ServiceError): string {
  const { message } = error;
  const [fault] = error instanceof ServiceError ? error.errors : [];
  const [, name = ''] = /^\w+\.(\w+)$/.exec(fault?.location ?? '') ?? [];
  return name !== '' && message.startsWith(`${name}:`)
    ? `--${name.replaceAll('_', '-')}${message.slice(name.length)}`
    : message;
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
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const asked = rest.filter((argument) => !argument.startsWith('-'));
    return asked.length === 0 ? (await import('./help.ts')).showAll() : dispatch([...asked, '--help']);
  }
  if (name === 'version' || name === '--version' || name === '-v') {
    print(packageVersion());
    return 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) {
    const suggestion = didYouMean(name, Object.keys(commands));
    throw new UsageError(`${shown(name)} is not a command.${suggestion} web3-bi --help lists them.`);
  }
  const { command: typed } = await entry.load();
  const { command, isHelp, flags, positionals } = parse(name, typed, rest);
  // Loaded only here: most starts need no help.
  if (command === undefined || isHelp) return (await import('./help.ts')).showCommand(name, command ?? typed);
  const settings = readSettings(flags, process.env);
  // Node writes the environment into its reports of a crash, and hands it to every child.
  for (const variable of SECRET_VARIABLES) delete process.env[variable];
  if (command.needsDatabase) refuseMissingDatabase(settings);
  return command.run({ settings, flags, positionals });
}
