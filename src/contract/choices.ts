import * as z from 'zod';
import { invalidAt } from './errors.ts';

/** Values of a filter, of which a record has any, all or none; `none` excludes unknown values, `except` keeps them. */
export interface Choice {
  readonly mode: 'any' | 'all' | 'none' | 'except';
  readonly values: readonly string[];
  /** Values that exclude a record that has them as well. */
  readonly without?: readonly string[];
}

const CHOICE_LENGTH_MAX = 1_000;
/** Bounds the index look-ups of one filter. */
const VALUES_MAX = 20;
const SEPARATOR = '|';
const MODES = { 'all:': 'all', 'not:': 'none', 'except:': 'except' } as const;

const WITHOUT = /^not:/i;

/**
 * A filter value as text: `A`, `A|B` (any), `all:A|B`, `not:A|B` (none) or `except:A|B` (none, or unknown). `A|not:B` excludes
 * records that also have B.
 */
export const choiceText = z.string().trim().min(1).max(CHOICE_LENGTH_MAX);

/**
 * Parses a filter value.
 * @throws ServiceError `invalid_parameter` if it has no value or more than `VALUES_MAX`
 */
export function parseChoice(name: string, text: string): Choice {
  const prefix = /^(all|not|except):/i.exec(text)?.[0] ?? '';
  const mode = MODES[prefix.toLowerCase() as keyof typeof MODES] ?? 'any';
  const values = text
    .slice(prefix.length)
    .split(SEPARATOR)
    .map((value) => value.trim())
    .filter((value) => value !== '');
  const isExcluded = (value: string): boolean => mode !== 'none' && mode !== 'except' && WITHOUT.test(value);
  const without = values.filter(isExcluded).map((value) => value.replace(WITHOUT, '').trim());
  const kept = values.filter((value) => !isExcluded(value));
  if (kept.length > 0 && values.length <= VALUES_MAX && !without.includes(''))
    return { mode, values: [...new Set(kept)], ...(without.length > 0 && { without: [...new Set(without)] }) };
  throw invalidAt(
    `query.${name}`,
    `${name} must be 1 to ${VALUES_MAX} values with | between: A|B for any of them, all:A|B, not:A|B, A|not:B for A without B, or except:A|B, which keeps records whose value is unknown`,
  );
}

/** All values of a choice, the excluded ones last. */
export const valuesOf = ({ values, without = [] }: Choice): readonly string[] => [...values, ...without];

/** A list of values as the text of a filter in mode `any`. */
export const choiceOf = (values: readonly unknown[]): string => values.map(String).join(SEPARATOR);
