import { GROUPS, MEASURED_FIELD, type Measure } from './aggregate.ts';
import type { RecordType } from './entities/index.ts';
import { GRANT } from './vocabulary.ts';

/** How a sentence was read, as far as an aggregate depends on it. */
interface ReadSentence {
  readonly type?: RecordType | undefined;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly group_by?: readonly string[] | undefined;
  readonly ignored?: readonly string[];
}

/** An aggregate that a sentence asks for. */
export interface AskedAggregate {
  readonly of: RecordType;
  readonly group_by: readonly string[];
  /** Undefined for counts. */
  readonly measure: Measure | undefined;
  readonly filters: Readonly<Record<string, unknown>>;
}

const MEASURES: readonly (readonly [RegExp, Measure])[] = [
  [/^(?:average|mean|promedio|durchschnitt|moyen|平均)/i, 'average'],
  [/^(?:median|mediana|médian|中位数)/i, 'median'],
  [/^(?:total|sum|money|dinero|geld|argent|总)/i, 'sum'],
];

/** Whether filters of companies are about their rounds, of which a total is asked. */
const isOfRounds = (filters: object): boolean =>
  ['from', 'to', 'funding_stage', 'investor'].some((name) => name in filters);

/**
 * The aggregate that a sentence asks for, which a search only lists the records of. Amounts are of rounds, without grants.
 * Undefined if it asks for none.
 */
export function aggregateAskedFor({
  type: read,
  ignored = [],
  filters = {},
  group_by: groups,
}: ReadSentence): AskedAggregate | undefined {
  const isAskedOfRounds =
    groups === undefined
      ? read === 'companies' && isOfRounds(filters)
      : read !== undefined && groups.some((group) => !(group in GROUPS[read]));
  const type = isAskedOfRounds ? 'rounds' : read;
  const stated = MEASURES.find(([form]) => ignored.some((word) => form.test(word)))?.[1];
  const measure = type !== undefined && MEASURED_FIELD[type] !== undefined ? stated : undefined;
  if (type === undefined || (measure === undefined && groups === undefined)) return undefined;
  return {
    of: type,
    group_by: groups ?? [type === 'rounds' ? 'year' : 'country'],
    measure,
    filters: { ...(type === 'rounds' && { funding_stage: `except:${GRANT}` }), ...filters },
  };
}
