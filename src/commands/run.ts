import { PaymentError } from '../client/wallet/errors.ts';
import { ServiceError } from '../contract/errors.ts';
import { shellWord } from '../contract/shell-word.ts';
import { settingsOf } from './command.ts';
import { ConfigError, readSettings, SECRET_VARIABLES, UsageError } from './config.ts';
import { refuseMissingDatabase, shownUrl } from './database-url.ts';
import { commands } from './index.ts';
import { print, printable, printToStderr, styled } from './output.ts';
import { packageVersion } from './package.ts';
import { parse, shown } from './parse.ts';
import { didYouMean } from './suggest.ts';

/** Exit codes: invalid command line, any other failure. */
const USAGE = 2;
const FAILURE = 1;

/** Runs a command line and returns the exit code. User errors are one line on stderr. */
export async function runCommand(args: readonly string[]): Promise<number> {
  hidePasswords();
  process.stdout.on('error', exitOnOutputError);
  try {
    return await dispatch(args);
  } catch (error) {
    if (!(error instanceof ConfigError || error instanceof ServiceError)) throw error;
    printToStderr(errorLine(error, args));
    return isOfCommandLine(error) ? USAGE : FAILURE;
  }
}

/** Other users of the machine can read the command line of a process: replaces it by one without passwords of databases. */
function hidePasswords(): void {
  const words = process.argv.map((word) => word.replace(/postgres(ql)?:\/\/.*/s, shownUrl));
  if (words.some((word, index) => word !== process.argv[index])) process.title = words.join(' ');
}

/** What a person reads, or with `--json` a program. */
function errorLine(error: ConfigError | ServiceError, args: readonly string[]): string {
  const message = printable(messageOf(error, args));
  if (!args.includes('--json')) return `${prefix()} ${message}`;
  const ownCode = error instanceof UsageError ? 'usage' : 'failure';
  return JSON.stringify({ error: message, code: error instanceof ServiceError ? error.code : ownCode });
}

/** Whether the command line is invalid; the service names a value that only it can check, such as of a filter. */
const isOfCommandLine = (error: ConfigError | ServiceError): boolean =>
  error instanceof UsageError ||
  (error instanceof ServiceError && error.code === 'invalid_parameter' && error.errors.length > 0);

/** A closed pipe, as by `head`, ends the command successfully; a full disk does not. */
function exitOnOutputError({ code }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') process.exit();
  printToStderr(`${prefix()} The output cannot be written (${code}); free some space, or write it to another place.`);
  process.exit(FAILURE);
}

const prefix = (): string => styled('red', 'web3-bi:', process.stderr);

function messageOf(error: ConfigError | ServiceError, args: readonly string[]): string {
  const { remedy, cause } = error;
  // A model is told no path of this machine; a person needs it.
  const told = cause instanceof ConfigError ? cause : error;
  const message = textOf(told, args);
  if (remedy !== undefined) return `${message.replace(/\.$/, '')}; ${remedy}.`;
  return `${message}${causeOf(told)}${moneyOf(error)}`;
}

/** The message of an error, with parameters renamed to flags. The value that it is about is told only to a person. */
function textOf(error: ConfigError | ServiceError, args: readonly string[]): string {
  const { message } = error;
  const [fault] = error instanceof ServiceError ? error.errors : [];
  const [, name = ''] = /^\w+\.(\w+)$/.exec(fault?.location ?? '') ?? [];
  if (name === '' || !new RegExp(`^${name}[: ]`).test(message)) return message;
  // Other parameters, as in `from must not be greater than to` and `led is for use with investor, investor_type or investor_country`.
  const rest = message
    .slice(name.length)
    .replace(
      /( greater than | be after | for use with | be another record than )(\w+(?:(?:,| or) \w+)*)/,
      (_, words, others: string) => words + others.replaceAll(/\b(?!or\b)\w+/g, flagOf),
    );
  const value = rest.startsWith(':') ? givenValue(flagOf(name), args) : undefined;
  return `${flagOf(name)}${value === undefined ? '' : ` "${value}"`}${rest}`;
}

/** The value of a flag; undefined if it is absent, or if its value is a list, of which one may be wrong. */
function givenValue(flag: string, args: readonly string[]): string | undefined {
  const at = args.findIndex((argument) => argument === flag || argument.startsWith(`${flag}=`));
  const value = args[at] === flag ? args[at + 1] : args[at]?.slice(flag.length + 1);
  return value?.includes('|') ? undefined : value;
}

const flagOf = (parameter: string): string => `--${parameter.replaceAll('_', '-')}`;

/** At the command line, adds why the service is unreachable. */
function causeOf(error: Error): string {
  const { cause } = error;
  if (!(error instanceof ServiceError) || !(cause instanceof Error)) return '';
  // fetch hides the reason in a nested cause.
  const reason = cause.message === 'fetch failed' && cause.cause instanceof Error ? cause.cause.message : cause.message;
  return ` (${reason})`;
}

/** What was charged, and the remedy. Rewords advice for a model to address the person. */
function moneyOf(error: Error): string {
  if (!(error instanceof PaymentError)) return '';
  return ` ${error.money} ${error.advice.replaceAll('ask the person to ', '')}`;
}

/** Suggests the command with the nearest name, or the only one with this word in its description, and a search for other words. */
function unknownCommand(name: string, rest: readonly string[]): UsageError {
  const described = Object.entries(commands).filter(([, { about }]) => about.split(/\W+/).includes(name));
  const [only] = described.length === 1 && rest.length === 0 ? described : [];
  const suggestion = didYouMean(name, Object.keys(commands)) || (only === undefined ? '' : ` Did you mean ${only[0]}?`);
  const given = [name, ...rest.filter((word) => word !== '--help')];
  const isText =
    (suggestion === '' || rest.length > 1) && /^\w/.test(name) && given.every((word) => shown(word) === word);
  const search = isText ? `; web3-bi search ${searchArguments(given)} searches the records` : '';
  return new UsageError(`${shown(name)} is not a command.${suggestion} web3-bi --help lists them${search}.`);
}

/** The words of a question as one argument, and the flags after them. */
function searchArguments(given: readonly string[]): string {
  const flags = given.findIndex((word) => word.startsWith('-'));
  const end = flags === -1 ? given.length : flags;
  return [given.slice(0, end).join(' '), ...given.slice(end)].map(shellWord).join(' ');
}

/** Flags before the command, as of programs whose flags are common to all commands, go behind it. */
function commandFirst(args: readonly string[]): readonly string[] {
  if (!/^--[a-z]+/.test(args[0] ?? '') || ALONE.includes(args[0] ?? '')) return args;
  const at = args.findIndex((argument) => Object.hasOwn(commands, argument));
  return at === -1 ? args : [...args.slice(at, at + 1), ...args.slice(0, at), ...args.slice(at + 1)];
}

const ALONE = ['--help', '--version'];

async function dispatch(args: readonly string[]): Promise<number> {
  const [name, ...rest] = commandFirst(args);
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    const typedWords = rest.filter((argument) => !argument.startsWith('-'));
    return typedWords.length === 0 ? (await import('./help.ts')).showAll() : dispatch([...typedWords, '--help']);
  }
  if (name === 'version' || name === '--version' || name === '-v') {
    print(packageVersion());
    return 0;
  }
  const entry = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (entry === undefined) throw unknownCommand(name, rest);
  const { command: typed } = await entry.load();
  const { command, isHelp, flags, positionals } = parse(name, typed, rest);
  // Loaded on demand, because most runs need no help.
  if (command === undefined || isHelp) return (await import('./help.ts')).showCommand(name, typed, command);
  const settings = readSettings(flags, process.env);
  // Node writes the environment into crash reports and passes it to child processes.
  for (const variable of SECRET_VARIABLES) delete process.env[variable];
  if (!command.createsDatabase && settingsOf(command).includes('database')) refuseMissingDatabase(settings);
  return (await command.run({ settings, flags, positionals })) ?? 0;
}
