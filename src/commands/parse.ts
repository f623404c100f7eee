import { parseArgs } from 'node:util';
import { synonymsOf } from '../contract/name-similarity.ts';
import {
  type Command,
  type CommandGroup,
  commandsOf,
  type Flag,
  type Flags,
  type FlagValues,
  HELP_FLAG,
  JSON_FLAG,
  settingsOf,
} from './command.ts';
import { UsageError } from './config.ts';
import { didYouMean } from './suggest.ts';
import { isPrivateKeySetting } from './wallet-key.ts';

export interface Parsed {
  /** Undefined for the help of a command group. */
  readonly command: Command | undefined;
  readonly isHelp: boolean;
  readonly flags: FlagValues;
  readonly positionals: readonly string[];
}

/** Resolves the command and parses its arguments. Throws a UsageError if anything does not fit. */
export function parse(name: string, typed: Command | CommandGroup, args: readonly string[]): Parsed {
  const all = Object.assign({}, ...commandsOf(typed).map(flagsOf)) as Flags;
  const { given, positionals } = tokensOf(args, all);
  const isHelp = given.some(({ flag }) => flag === 'help' || flag === 'h');
  const { command, title, rest } = choose(name, typed, {
    positionals,
    isHelp,
    // The value of an unknown flag was parsed as a positional argument.
    refuseUnknown: () => refuseUnknown(name, all, given),
  });
  if (command === undefined || isHelp) return { command, isHelp, flags: {}, positionals: rest };
  const flags = flagsOf(command);
  refuseUnknown(title, flags, given);
  const positionalsMax = command.positionalsMax ?? positionalsOf(command.usage);
  const extra = rest[positionalsMax];
  if (extra !== undefined) {
    const [, flag, value] = /^([a-z_]+)=(.*)$/s.exec(extra) ?? [];
    const assigned = flag?.replaceAll('_', '-');
    const words = positionalsMax > 0 ? '. Put the words of a name in quotes' : '';
    const advice = assigned !== undefined && flags[assigned] ? `. Write --${assigned} ${value}` : words;
    throw new UsageError(`${shown(extra)} is one argument too many; the usage is: web3-bi ${command.usage}${advice}`);
  }
  return { command, isHelp, flags: valuesOf(title, flags, given), positionals: rest };
}

/** How many arguments a synopsis has: the words in capitals before its flags. */
const positionalsOf = (usage: string): number => usage.replace(/ --.*/, '').match(/ \[?[A-Z]/g)?.length ?? 0;

/** The command's flags and those of its settings, which are validated with the settings. */
export function flagsOf(command: Command): Flags {
  const settings = settingsOf(command).map((name) => [name, { type: 'string', description: '' }] as const);
  const json = command.isPlain ? {} : { json: JSON_FLAG };
  return { ...command.flags, ...json, ...Object.fromEntries(settings), help: HELP_FLAG };
}

/** An argument for an error message. Secrets are never repeated, because terminals are logged. */
export const shown = (argument: string): string => (isPrivateKeySetting(argument) ? 'A key as an argument' : argument);

interface GivenFlag {
  readonly flag: string;
  /** As typed: `--type` or `-t`. */
  readonly spelling: string;
  readonly value: string | undefined;
}

/** Flag names may use underscores. `parseArgs` only tokenizes; validation and help derive from the commands. */
function tokensOf(args: readonly string[], flags: Flags): { given: GivenFlag[]; positionals: string[] } {
  const end = args.indexOf('--');
  const dashed = args.map((argument, index) =>
    end !== -1 && index > end ? argument : argument.replace(/^--[^=]+/, (name) => name.replaceAll('_', '-')),
  );
  const options = Object.fromEntries(
    Object.entries(flags).map(([name, { type }]) => [name, { type: type === 'boolean' ? type : 'string' } as const]),
  );
  const { tokens } = parseArgs({ args: dashed, options, strict: false, tokens: true, allowPositionals: true });
  const givenFlags: GivenFlag[] = [];
  const positionals: string[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind === 'positional') {
      const before = tokens[at - 1];
      const isOfFlag =
        before?.kind === 'option' && options[before.name]?.type === 'boolean' && before.value === undefined;
      // Other programs take `--flag true`.
      if (isOfFlag && /^(true|false)$/.test(token.value))
        Object.assign(givenFlags.at(-1) as GivenFlag, { value: token.value });
      else positionals.push(token.value);
    }
    if (token.kind !== 'option') continue;
    // A value must not look like a flag; -1 and -name are values.
    const isNext = token.inlineValue === false && token.value.startsWith('--');
    givenFlags.push({ flag: token.name, spelling: token.rawName, value: isNext ? undefined : token.value });
  }
  return { given: givenFlags, positionals };
}

function choose(
  name: string,
  typed: Command | CommandGroup,
  { positionals, isHelp, refuseUnknown }: Pick<Parsed, 'positionals' | 'isHelp'> & { refuseUnknown(): void },
) {
  if (!('actions' in typed)) return { command: typed, title: name, rest: positionals };
  const { actions, defaultAction, otherwise } = typed;
  const [first = defaultAction, ...rest] = positionals;
  if (otherwise !== undefined && !Object.hasOwn(actions, first ?? ''))
    return { command: otherwise, title: name, rest: positionals };
  if (isHelp && positionals.length === 0) return { command: undefined, title: name, rest };
  const names = Object.keys(actions);
  if (first === undefined || !Object.hasOwn(actions, first)) {
    refuseUnknown();
    const unknownText = first === undefined ? '' : ` ${shown(first)} is none of them.${didYouMean(first, names)}`;
    throw new UsageError(`${name} needs one of ${names.join(', ')}.${unknownText} web3-bi ${name} --help shows them.`);
  }
  return { command: actions[first], title: `${name} ${first}`, rest };
}

function valuesOf(title: string, flags: Flags, given: readonly GivenFlag[]): FlagValues {
  const values: Record<string, string | number | boolean | undefined> = {};
  for (const [name, flag] of Object.entries(flags)) if (flag.default !== undefined) values[name] = flag.default;
  const seen = new Set<string>();
  for (const { flag: name, value } of given) {
    const flag = flags[name] as Flag;
    const read = readValue(`--${name}`, flag, value);
    values[name] = flag.multiple && seen.has(name) ? `${values[name]},${read}` : read;
    seen.add(name);
  }
  const missing = Object.entries(flags).filter(([name, { required }]) => required && values[name] === undefined);
  if (missing.length > 0) throw new UsageError(`${title} needs ${missing.map(neededText).join(' and ')}.`);
  return values;
}

function neededText([name, { value, choices }]: readonly [string, Flag]): string {
  const oneOf = choices === undefined ? '' : `: one of ${choices.join(', ')}`;
  return `--${name}${value === undefined ? '' : ` ${value}`}${oneOf}`;
}

function refuseUnknown(title: string, flags: Flags, given: readonly GivenFlag[]): void {
  const unknown = given.find(({ flag, spelling }) => !Object.hasOwn(flags, flag) || !spelling.startsWith('--'));
  if (unknown !== undefined) throw unknownFlag(title, unknown.spelling, Object.keys(flags));
}

/** Flags of different commands with the same purpose. */
const FLAG_SYNONYMS: Readonly<Record<string, string>> = {
  '--limit': '--top',
  '--top': '--limit',
  '--type': '--of',
  '--sort': '--order',
  '--order': '--sort',
  '--format': '--csv',
};

function unknownFlag(title: string, spelling: string, names: readonly string[]): UsageError {
  const candidates = names.map((name) => `--${name}`);
  const same = FLAG_SYNONYMS[spelling];
  const [synonym, flag] = same !== undefined && candidates.includes(same) ? [same] : otherNames(spelling, names);
  const meant = flag === undefined ? synonym : `${synonym} with ${flag}`;
  const suggestion = meant === undefined ? didYouMean(spelling, candidates) : ` Did you mean ${meant}?`;
  // In an API key, underscores were normalized to dashes.
  const typed = isPrivateKeySetting(spelling.replaceAll('-', '_')) ? 'A key' : spelling;
  return new UsageError(`${typed} is not a flag of ${title}.${suggestion} web3-bi ${title} --help lists them.`);
}

/** The flags that parameters of another name are. */
function otherNames(spelling: string, names: readonly string[]): readonly string[] {
  const parameters = names.map((name) => name.replaceAll('-', '_'));
  return synonymsOf(spelling.replace(/^--/, '').replaceAll('-', '_'), parameters).map(
    (name) => `--${name.replaceAll('_', '-')}`,
  );
}

function readValue(spelling: string, flag: Flag, value: string | undefined): string | number | boolean {
  if (flag.type === 'boolean') {
    if (value === undefined || value === 'true' || value === 'false') return value !== 'false';
    throw new UsageError(`${spelling} takes no value, or =true or =false.`);
  }
  if (value === undefined || value.trim() === '') throw new UsageError(`${spelling} needs a value.`);
  const { choices, choicesText = `one of ${choices?.join(', ')}`, multiple, max } = flag;
  const parts = multiple ? value.split(/[,|]/).map((part) => part.trim()) : [value];
  const other =
    choices === undefined || flag.checked !== undefined ? undefined : parts.find((part) => !choices.includes(part));
  if (choices !== undefined && other !== undefined)
    throw new UsageError(`${spelling} must be ${choicesText}.${didYouMean(other, choices)}`);
  if (flag.type === 'string') return value;
  if (/^[1-9]\d{0,14}$/.test(value) && Number(value) <= (max ?? Number.MAX_SAFE_INTEGER)) return Number(value);
  throw new UsageError(`${spelling} must be a whole number from 1${max === undefined ? '' : ` to ${max}`}.`);
}
