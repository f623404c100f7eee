import type { SettingFlag, Settings } from './config.ts';

/** A flag of a command besides those of the settings. Its value is checked before the command runs. */
export interface Flag {
  readonly type: 'string' | 'number' | 'boolean';
  /** What a value stands for in the help, such as TYPE in `--type TYPE`. */
  readonly value?: string;
  readonly description: string;
  /** May be given several times; the values are then one text with commas between. */
  readonly multiple?: true;
  readonly choices?: readonly string[];
  /** Taken when the flag is not given. */
  readonly default?: string | number;
  readonly required?: true;
  /** Of a number, which is 1 at least. */
  readonly max?: number;
  /** The environment variable that says the same. */
  readonly variable?: string;
  /** Heading of the help that the flag stands under, where it is not that of the command's own. */
  readonly section?: string;
}

export type Flags = Readonly<Record<string, Flag>>;
export type FlagValues = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Invocation {
  readonly settings: Settings;
  readonly flags: FlagValues;
  /** Arguments after the name of the command and its action. */
  readonly positionals: readonly string[];
}

/** What a person types after `web3-bi`. */
export interface Command {
  /** Without the flags that may be left out: `import FILE --type TYPE`. */
  readonly usage: string;
  /** How many positional arguments it takes at most. */
  readonly positionalsMax: number;
  /** What its first argument can be, or begins with, for the completion of shells. */
  readonly completes?: readonly string[];
  readonly about: string;
  readonly example: string;
  readonly flags: Flags;
  /** Settings that can also be given as flags here. */
  readonly settings: readonly SettingFlag[];
  /** It only works on what is there, so it never creates a database at a path that was named. */
  readonly needsDatabase?: true;
  /** Does the work and gives the exit code. Throws ConfigError or ServiceError with a message for the person. */
  run(invocation: Invocation): Promise<number>;
}

/** A command whose first argument names what it does, such as `key create`. */
export interface CommandGroup {
  readonly about: string;
  readonly actions: Readonly<Record<string, Command>>;
  /** The action that is meant when none is named. */
  readonly defaultAction?: string;
}

/** Heading of the flags that nearly every command takes. */
export const COMMON = 'Common flags';
export const JSON_FLAG: Flag = { type: 'boolean', description: 'Answer as one JSON document.', section: COMMON };
export const HELP_FLAG: Flag = { type: 'boolean', description: 'Show this help.', section: COMMON };
export const DRY_RUN_FLAG: Flag = { type: 'boolean', description: 'Write nothing; say what would be done.' };
export const YES_FLAG: Flag = { type: 'boolean', description: 'Do not ask first. Only a terminal is asked at all.' };
export const FORCE_FLAG: Flag = { type: 'boolean', description: 'Replace the file when it is there already.' };
/** Settings that nearly every command takes. */
const COMMON_SETTINGS: readonly SettingFlag[] = ['database', 'data', 'state-dir'];
export const sectionOfSetting = (name: SettingFlag): string | undefined =>
  COMMON_SETTINGS.includes(name) ? COMMON : undefined;
