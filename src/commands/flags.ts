import * as z from 'zod';
import { ServiceError } from '../contract/errors.ts';
import { DAY_OR_PERIOD } from '../contract/fields.ts';
import { type Command, type Flag, type Flags, type FlagValues, sectionOfSetting, settingsOf } from './command.ts';
import { SETTING_FLAGS, settingsSchema, UsageError, variableOf } from './config.ts';
import { flagsOf } from './parse.ts';

export function describedFlagsOf(command: Command): Flags {
  const settings = settingsOf(command).map((name) => {
    const setting = SETTING_FLAGS[name];
    const section = sectionOfSetting(name);
    const flag = flagOfSchema(name, settingsSchema.shape[setting]);
    return [name, { ...flag, variable: variableOf(setting), ...(section && { section }) }] as const;
  });
  return { ...flagsOf(command), ...Object.fromEntries(settings) };
}

/** Makes flags of a schema's parameters: `founded_from` is --founded-from. The schema validates the values. */
export const flagsOfSchema = (shape: z.ZodRawShape): Flags =>
  Object.fromEntries(
    Object.entries(shape).map(([name, schema]) => [flagName(name), flagOfSchema(flagName(name), schema as z.ZodType)]),
  );

export const parametersOf = (shape: z.ZodRawShape, flags: FlagValues): FlagValues =>
  Object.fromEntries(Object.keys(shape).map((name) => [name, flags[flagName(name)]]));

/** Parses flag values with a schema; errors name the flag instead of the parameter. */
export function readFlags<Result>(
  read: (given: FlagValues) => Result,
  given: FlagValues,
  flagOf: Readonly<Record<string, string>> = {},
): Result {
  try {
    return read(given);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.errors.length === 0) throw error;
    const faults = error.errors.map(({ location, message }) => {
      const [, name = ''] = location.split('.');
      const problem = message.replace(/^\S+ /, '').replace(/, given once$/, '');
      return `--${flagOf[name] ?? flagName(name)} ${problem}`;
    });
    throw new UsageError(`${[...new Set(faults)].join('; ')}.`);
  }
}

export const flagName = (parameter: string): string => parameter.replaceAll('_', '-');

/** The part of a JSON Schema that flags are derived from. */
interface Published {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Published;
  readonly pattern?: string;
  readonly default?: unknown;
  readonly description?: string;
}

/** Boolean and list parameters become such flags; all others take text. */
function flagOfSchema(name: string, schema: z.ZodType): Flag {
  const published = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Published;
  const { description = '' } = published;
  const { value } = schema.meta() ?? {};
  if (published.type === 'boolean') return { type: 'boolean', description };
  const choices = (published.enum ?? published.items?.enum)?.map(String);
  return {
    type: 'string',
    value: typeof value === 'string' ? value : metavarOf(name, published),
    description,
    ...(published.type === 'array' && { multiple: true as const }),
    ...(choices && { choices }),
    ...(published.default !== undefined && published.default !== '' && { default: String(published.default) }),
  };
}

function metavarOf(name: string, { type, pattern, items }: Published): string {
  if (pattern === DAY_OR_PERIOD.source) return 'DATE';
  if (type === 'integer' || type === 'number') return 'N';
  if (items !== undefined && items.type === 'string') return 'NAMES';
  return name.replace(/^.*-/, '').toUpperCase();
}
