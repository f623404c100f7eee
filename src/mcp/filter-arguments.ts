import * as z from 'zod';
import { choiceOf, FILTER_NAMES, type FilterName, filterOf, filterShape, isChoice } from '../contract/filters.ts';

/** A filter as a tool argument: the text of REST, or a list of values. Of two bounds, only the lower one is described. */
function argumentOf(name: FilterName): z.ZodType {
  const schema = filterShape[name];
  if (filterOf(name).test === 'to') return schema.meta({ description: '' });
  if (!isChoice(name)) return schema;
  const { description = '' } = schema.meta() ?? {};
  return z.preprocess(toText, schema.unwrap()).optional().meta({ description });
}

function toText(value: unknown): unknown {
  if (Array.isArray(value)) return choiceOf(value);
  return typeof value === 'number' ? String(value) : value;
}

export const filterArguments = Object.fromEntries(FILTER_NAMES.map((name) => [name, argumentOf(name)])) as Record<
  FilterName,
  z.ZodType<string | number | boolean | undefined>
>;

/** Accepted filters without a schema of their own, to keep tools/list small; descriptions or documents name them. */
export const UNPUBLISHED = {
  founder: true,
  starts_after: true,
  starts_before: true,
  stale: true,
  sourced: true,
  investments_min: true,
  investments_max: true,
  valuation_min: true,
  valuation_max: true,
  rounds_min: true,
  rounds_max: true,
  led_min: true,
  led_max: true,
  acquirer: true,
  investor_country: true,
  status_from: true,
  status_to: true,
} as const satisfies Partial<Record<FilterName, true>>;
