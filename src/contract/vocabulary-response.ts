import * as z from 'zod';
import { RECORD_TYPES, type RecordType } from './entities/index.ts';
import { count, isoDate } from './fields.ts';
import { type FilterName, fieldsOf, filterOf, filtersOf } from './filters.ts';

/** Response of GET /api/v1/vocabulary: filter values and coverage. */

/** The value lists, each with its filter. */
export const VOCABULARY = {
  tags: 'tag',
  chains: 'chain',
  countries: 'country',
  stages: 'funding_stage',
  investor_types: 'investor_type',
  event_types: 'event_type',
  statuses: 'status',
} as const satisfies Record<string, FilterName>;

const value = z.object({
  value: z.string().meta({ description: 'The value in the form that most filters take.' }),
  count: count.meta({ description: 'Records that have it, of all types.' }),
  types: z
    .partialRecord(z.enum(RECORD_TYPES), count)
    .meta({ description: 'The same by type; rounds have what their company has.' }),
});

const coverage = z
  .object({
    records: count.meta({ description: 'Records of the type.' }),
    known: z.record(z.string(), count).meta({ description: 'By filter: records of which the fact is known.' }),
    covered: isoDate.nullable().meta({ description: 'Newest date of the records of the type.' }),
  })
  .meta({ id: 'Coverage' });

const list = (filter: FilterName) =>
  z.array(value).meta({ description: `Values of the filter ${filter}, the most frequent first.` });

export const vocabulary = z.object({
  ...(Object.fromEntries(Object.entries(VOCABULARY).map(([name, filter]) => [name, list(filter)])) as Record<
    keyof typeof VOCABULARY,
    ReturnType<typeof list>
  >),
  coverage: z.object(
    Object.fromEntries(RECORD_TYPES.map((type) => [type, coverage])) as Record<RecordType, typeof coverage>,
  ),
});

export type Vocabulary = z.output<typeof vocabulary>;

/** Filters that no record can satisfy, and groups that no record has: their field is always unknown. */
export interface CoverageGaps {
  readonly filters: readonly FilterName[];
  readonly groups: readonly string[];
}

export const NO_COVERAGE_GAPS: CoverageGaps = { filters: [], groups: [] };

/** The filters of a type for which coverage is reported: those whose field may be unknown, each field once. */
export function coveredFilters(type: RecordType): FilterName[] {
  const facts = filtersOf(type).filter((name) => !['flag', 'age', 'role'].includes(filterOf(name).test));
  return facts.filter((name, index) => {
    const field = fieldsOf(type, name)[0];
    return facts.findIndex((other) => fieldsOf(type, other)[0] === field) === index;
  });
}
