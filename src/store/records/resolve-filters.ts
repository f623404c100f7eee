import type { RecordType } from '../../contract/entities/index.ts';
import { noSuchValue } from '../../contract/errors.ts';
import {
  type Choice,
  COMPANY_FIELD,
  type FacetFilter,
  type FilterName,
  type Filters,
  facetOf,
  fieldsOf,
  filterOf,
  partyFilterOf,
  typesWithValues,
  valuePathIn,
  valuesOf,
} from '../../contract/filters.ts';
import { suggestValues } from '../../contract/name-similarity.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { all, allLists, column, type SqlProgram } from '../sql.ts';
import { LISTED } from '../sqlite/dialect.ts';
import type { FacetKeys, ResolvedFilters } from './conditions.ts';
import { UNKNOWN } from './facets.ts';
import { type PartyTarget, resolveTargets } from './party-filters.ts';

/**
 * Resolves filter values.
 * @throws ServiceError `invalid_parameter`, with suggestions, for a value that matches nothing
 */
export function* resolveFilters(
  fullText: SearchIndex,
  types: readonly RecordType[],
  given: Filters,
): SqlProgram<ResolvedFilters> {
  if (Object.keys(given).length === 0) return UNFILTERED;
  const keys = new Map<FilterName, FacetKeys>();
  const targets = new Map<FilterName, readonly PartyTarget[]>();
  for (const [each, value] of Object.entries(given)) {
    const name = each as FilterName;
    const filter = filterOf(name);
    if (filter.test === 'facet')
      keys.set(name, yield* resolveKeys({ types, name, filter, values: valuesOf(value as Choice) }));
    if (filter.test === 'party')
      targets.set(name, yield* resolveTargets(fullText, { name, types, choice: value as Choice }));
  }
  return { given, keys, targets, lacking: yield* lackingFields() };
}

export const UNFILTERED: ResolvedFilters = { given: {}, keys: new Map(), targets: new Map(), lacking: new Map() };

function* lackingFields(): SqlProgram<Map<string, number>> {
  const rows = yield* allLists<[type: string, field: string, records: number]>(
    'SELECT type, field, records FROM label_values WHERE value = ?',
    UNKNOWN,
  );
  return new Map(rows.map(([type, field, records]) => [`${type} ${field}`, records]));
}

interface KeysRequest {
  readonly types: readonly RecordType[];
  readonly name: FilterName;
  readonly filter: FacetFilter;
  readonly values: readonly string[];
}

function* resolveKeys({ types, name, filter, values }: KeysRequest): SqlProgram<FacetKeys> {
  const facet = facetOf(filter);
  const fields = distinctTypes(types, name).flatMap((type) => {
    const [own] = fieldsOf(type, name);
    const field = partyFilterOf(type, name) === undefined && own !== undefined ? own : valuePathIn(type, name);
    return field === undefined ? [] : [{ type, field }];
  });
  const keysOf = (value: string): readonly string[] => facet.group?.(value) ?? [facet.key(value)];
  const ofValues = values.map(keysOf);
  const keys = [...new Set(ofValues.flat())];
  const counts = new Map<string, number>();
  for (const { type, field } of fields) {
    const rows = yield* all<{ value: string; records: number }>(
      `SELECT value, records FROM label_values WHERE type = ? AND field = ? AND value IN (${LISTED}) AND records > 0`,
      type,
      field,
      JSON.stringify(keys),
    );
    for (const { value, records } of rows) counts.set(value, (counts.get(value) ?? 0) + records);
  }
  const unknown = values.find((value) => !keysOf(value).some((key) => counts.has(key) || facet.isKnown(key)));
  if (unknown !== undefined) {
    const known = facet.closed ?? (yield* shownValues(fields));
    const near = suggestValues(unknown, known);
    const hint = near.length > 0 ? `the nearest are ${near.join(', ')}; ` : '';
    const most = facet.closed ?? known.slice(0, VALUES_NAMED_MAX);
    const which = most.length < known.length ? `the most frequent of ${known.length} are ` : 'all are ';
    const values = most.length === 0 ? `no ${types.join(' or ')} have one` : which + most.join(', ');
    throw noSuchValue(name, `${name}: no record has this value; ${hint}${values}`, {
      given: unknown,
      values: near,
    });
  }
  return { keys: ofValues, records: keys.reduce((sum, key) => sum + (counts.get(key) ?? 0), 0) };
}

/** The types whose records have the values of a filter: some, or their parties. */
const distinctTypes = (types: readonly RecordType[], name: FilterName): RecordType[] => [
  ...new Set(types.flatMap((type) => typesWithValues(type, name))),
];

const VALUES_NAMED_MAX = 25;

/** Values as spelled in records, the most frequent first. Inherited values use the spellings of companies. */
function* shownValues(fields: readonly { readonly type: RecordType; readonly field: string }[]): SqlProgram<string[]> {
  const shown: string[] = [];
  for (const { type, field } of fields) {
    const isInherited = field.startsWith(COMPANY_FIELD);
    const own = isInherited ? field.slice(COMPANY_FIELD.length) : field;
    const sql = `SELECT shown FROM label_values WHERE type = ? AND field = ? AND records > 0 AND shown <> '' ORDER BY records DESC, shown`;
    shown.push(...(yield* column<string>(sql, isInherited ? 'companies' : type, own)));
  }
  return shown;
}
