import type { SettingFlag, Settings } from './config.ts';

/** A flag that is no setting. Its value is validated before the command runs. */
export interface Flag {
  readonly type: 'string' | 'number' | 'boolean';
  /** Placeholder of the value in help, such as TYPE in `--type TYPE`. */
  readonly value?: string;
  readonly description: string;
  /** Repeatable; the values are joined with commas. */
  readonly multiple?: true;
  readonly choices?: readonly string[];
  /** The choices in an error, where a list of them says too little. */
  readonly choicesText?: string;
  /** Set if the command checks the choices, as those that depend on another flag. */
  readonly checked?: 'by command';
  /** Values for shell completion, where others are taken too. */
  readonly completes?: readonly string[];
  readonly default?: string | number;
  readonly required?: true;
  /** Upper bound of a number; the lower bound is 1. */
  readonly max?: number;
  /** The equivalent environment variable. */
  readonly variable?: string;
  /** Heading in the help, if not that of the command's own flags. */
  readonly section?: string;
}

/** A flag with a value, such as `--type TYPE`: text by default. */
export const option = (value: string, description: string, more: Partial<Flag> = {}): Flag => ({
  type: 'string',
  value,
  description,
  ...more,
});

export const numberOption = (description: string, more: Partial<Flag> = {}): Flag =>
  option('N', description, { type: 'number', ...more });

export type Flags = Readonly<Record<string, Flag>>;
export type FlagValues = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Invocation {
  readonly settings: Settings;
  readonly flags: FlagValues;
  /** Arguments after the command and action. */
  readonly positionals: readonly string[];
}

export interface Command {
  /** Synopsis without optional flags: `import FILE --type TYPE`. */
  readonly usage: string;
  /** Maximum number of positional arguments, if not that of the synopsis. */
  readonly positionalsMax?: number;
  /** Values or prefixes of the first argument, for shell completion. */
  readonly completes?: readonly string[];
  readonly about: string;
  readonly example: string;
  readonly moreExamples?: readonly string[];
  /** Help after the flags, by heading: names, each with what it is. */
  readonly topics?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly flags?: Flags;
  /** Set if it has no flag --json, with which the others print one document, or one of its own. */
  readonly isPlain?: true;
  /** Settings that are flags of it; the common ones if none are stated. */
  readonly settings?: readonly SettingFlag[];
  /** Set if the command creates a missing database. Others refuse one, such as at a mistyped path. */
  readonly createsDatabase?: true;
  /** Runs the command; a number is its exit code. Throws ConfigError or ServiceError with a message for the user. */
  run(invocation: Invocation): Promise<void> | Promise<number | undefined>;
}

/** A command with actions, such as `key create`. */
export interface CommandGroup {
  readonly about: string;
  readonly actions: Readonly<Record<string, Command>>;
  readonly defaultAction?: string;
  /** Runs if the first argument names no action, as in `import FILE` beside `import undo ID`. */
  readonly otherwise?: Command;
}

export const commandsOf = (typed: Command | CommandGroup): readonly Command[] =>
  'actions' in typed ? [...(typed.otherwise ? [typed.otherwise] : []), ...Object.values(typed.actions)] : [typed];

/** Help heading of the flags that most commands share. */
export const COMMON = 'Common flags';
export const JSON_FLAG: Flag = { type: 'boolean', description: 'Print one JSON document.', section: COMMON };
export const HELP_FLAG: Flag = { type: 'boolean', description: 'Show this help.', section: COMMON };
export const DRY_RUN_FLAG: Flag = { type: 'boolean', description: 'Write nothing; show what would change.' };
export const YES_FLAG: Flag = { type: 'boolean', description: 'Skip the confirmation, which only terminals show.' };
export const FORCE_FLAG: Flag = { type: 'boolean', description: 'Replace the file if it exists.' };
export const COMMON_SETTINGS: readonly SettingFlag[] = ['database', 'data', 'state-dir'];
/** Settings of the commands that read records, from the service or from this database. */
export const READING_SETTINGS: readonly SettingFlag[] = ['base-url', ...COMMON_SETTINGS];
export const settingsOf = ({ settings = COMMON_SETTINGS }: Command): readonly SettingFlag[] => settings;
export const sectionOfSetting = (name: SettingFlag): string | undefined =>
  COMMON_SETTINGS.includes(name) ? COMMON : undefined;
