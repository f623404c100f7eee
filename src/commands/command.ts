import type { SettingFlag, Settings } from './config.ts';

/** A flag of a command besides those of the settings. */
export interface Flag {
  readonly type: 'string' | 'boolean';
  /** What a value stands for in the help, such as T in `--type T`. */
  readonly value?: string;
  /** May be given several times; the values are then one text with commas between. */
  readonly multiple?: true;
  readonly description: string;
}

export interface Invocation {
  readonly settings: Settings;
  readonly flags: Readonly<Record<string, string | boolean | undefined>>;
  /** Arguments after the command's name. */
  readonly words: readonly string[];
}

/** What a person types after `web3-bi`. */
export interface Command {
  readonly usage: string;
  /** How many words may follow the name. */
  readonly wordsMax: number;
  readonly about: string;
  readonly example: string;
  readonly flags: Readonly<Record<string, Flag>>;
  /** Settings that can also be given as flags here. */
  readonly settings: readonly SettingFlag[];
  /** Does the work and gives the exit code. Throws ConfigError or ServiceError with a message for the person. */
  run(invocation: Invocation): Promise<number>;
}

export const JSON_FLAG: Flag = { type: 'boolean', description: 'Answer as one JSON document.' };
