import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { type FilterName, fieldsOf } from '../../contract/filters.ts';
import { coveredFilters, VOCABULARY, type Vocabulary } from '../../contract/vocabulary-answer.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, type Steps } from '../sql/steps.ts';
import { coveredUntil } from './covered.ts';
import { UNKNOWN } from './labels.ts';

interface ValueRow {
  readonly type: RecordType;
  readonly field: string;
  readonly value: string;
  readonly shown: string;
  readonly records: number;
}

/** The flag that every record has, whose values tell how many records of a type there are. */
const OF_EVERY = 'is_verified';
/** Values of a list: the rarest are left out of a long one. */
const VALUES_MAX = 1_000;

/** What filters can be given and how much is known, from the counts beside the labels. */
export function* readVocabulary(dialect: Dialect): Steps<Vocabulary> {
  const rows = yield* all<ValueRow>('SELECT type, field, value, shown, records FROM label_values WHERE records > 0');
  const lists = Object.entries(VOCABULARY).map(([name, filter]) => [name, valuesOf(rows, filter)]);
  const coverage: Record<string, unknown> = {};
  for (const type of RECORD_TYPES) {
    const own = rows.filter((row) => row.type === type);
    const records = sumOf(own.filter(({ field }) => field === OF_EVERY));
    const known = coveredFilters(type).map((name) => {
      const lacking = own.filter(({ field, value }) => field === fieldsOf(type, name)[0] && value === UNKNOWN);
      return [name, records - sumOf(lacking)];
    });
    coverage[type] = { records, known: Object.fromEntries(known), covered: yield* coveredUntil(dialect, [type]) };
  }
  // Made of the same lists that the type is made of.
  return { ...Object.fromEntries(lists), coverage } as Vocabulary;
}

const sumOf = (rows: readonly ValueRow[]): number => rows.reduce((sum, { records }) => sum + records, 0);

function valuesOf(rows: readonly ValueRow[], filter: FilterName): Vocabulary['tags'] {
  const found = new Map<string, { value: string; count: number; types: Partial<Record<RecordType, number>> }>();
  for (const type of RECORD_TYPES) {
    const [field] = fieldsOf(type, filter);
    for (const { value: key, shown, records } of rows.filter((row) => row.type === type && row.field === field)) {
      if (key === UNKNOWN) continue;
      const known = found.get(key) ?? { value: shown, count: 0, types: {} };
      found.set(key, { ...known, count: known.count + records, types: { ...known.types, [type]: records } });
    }
  }
  return [...found.values()]
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1))
    .slice(0, VALUES_MAX);
}
