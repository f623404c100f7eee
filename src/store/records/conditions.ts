import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import {
  type Choice,
  type FilterName,
  type Filters,
  type FilterValue,
  fieldsOf,
  filterOf,
  isByLeads,
  kindsGiven,
  LEADS_FIELD,
  partyFilterOf,
  roundFilters,
  valuesOf,
} from '../../contract/filters.ts';
import { addToGroup } from '../../contract/group-by.ts';
import { isSortedBy, type Sort } from '../../contract/sorts.ts';
import type { Condition, RecordCondition, SortOrder } from '../search/search-index.ts';
import type { FieldKind } from '../sql.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import { FLAG_FIELD, facetKindOf, flagTest } from './facets.ts';
import { isNoGrant, type PartyTarget, partyCondition, partyKindCondition } from './party-filters.ts';
import {
  choiceMatch,
  chosen,
  conjunction,
  matchOf,
  NO_MATCH,
  type RecordSet,
  type Valued,
  withFacets,
  withField,
  withUnknown,
} from './record-sets.ts';

export interface ResolvedFilters {
  readonly given: Filters;
  /** Whether records are asked for by who led them, though no filter says so. */
  readonly isByLeads?: boolean;
  /** Keys of each facet filter, with the number of matching records of all searched types. */
  readonly keys: ReadonlyMap<FilterName, FacetKeys>;
  readonly targets: ReadonlyMap<FilterName, readonly PartyTarget[]>;
  /** Records without a field, by type and field. */
  readonly lacking: ReadonlyMap<string, number>;
}

export interface FacetKeys {
  /** Of each value; several for a group such as a region. */
  readonly keys: readonly (readonly string[])[];
  readonly records: number;
}

/** The condition of the filters on one field of a type. */
interface Fact {
  readonly names: readonly FilterName[];
  /** The filter that it restricts, whose unknown records it does not exclude. */
  readonly restricts?: FilterName;
  readonly matches: RecordSet;
  readonly unknown: RecordSet;
  /** Number of records whose field is unknown. */
  readonly lacking: number;
  /** Records with an unknown field whose value other records state. */
  readonly known?: RecordSet;
  readonly facet?: FacetTest | undefined;
  readonly range?: RangeTest | undefined;
}

export interface RangeTest {
  readonly field: string;
  readonly bounds: readonly { readonly operator: string; readonly value: string | number }[];
}

/** A test of the facets of one field: one of the keys, or none of them; `none` excludes unknown fields as well. */
export interface FacetTest {
  readonly field: string;
  readonly mode: 'any' | 'none' | 'except';
  readonly keys: readonly string[];
}

/** The filters as a condition on one type; it matches nothing if the type lacks one of them. Undefined without filters. */
export function conditionOf(type: RecordType, filters: ResolvedFilters): RecordCondition | undefined {
  const matches = factsOf(type, filters)?.map((fact) => fact.matches) ?? [NO_MATCH];
  return matches.length === 0 ? undefined : allOf(matches);
}

/** The filters on one field of a type as statements that select ids, perhaps also of deleted records. */
export interface FilterSets extends Pick<Fact, 'names' | 'lacking' | 'facet' | 'range' | 'restricts'> {
  readonly matches: Condition;
  /** Records whose field is unknown, and those of them that match through other records. */
  readonly unknown: Condition;
  readonly known: Condition | undefined;
}

/** The filters on each field, for sets in memory. Undefined if the type lacks one of them. */
export function filterSets(type: RecordType, filters: ResolvedFilters): FilterSets[] | undefined {
  return factsOf(type, filters)?.map(({ names, matches, unknown, known, ...fact }) => ({
    ...fact,
    names: names.filter((name) => leavesOut(name, filters.given)),
    matches: matches.ids,
    unknown: unknown.ids,
    known: known?.ids,
  }));
}

/** Whether a filter excludes records because the field is unknown. */
export const leavesOut = (name: FilterName, given: Filters): boolean =>
  filterOf(name).test !== 'flag' && (given[name] as Partial<Choice>).mode !== 'except';

/** Records of a type excluded by a filter only because the field is unknown: `lacking` without `known`. */
export interface UnknownFact {
  readonly lacking: RecordCondition;
  readonly known: RecordCondition | undefined;
  /** Number of records without the field, if no other filter applies. */
  readonly records: number | undefined;
}

/** Undefined if the filter does not apply to the type, or every record has the field. */
export function unknownFact(
  type: RecordType,
  { filters, name }: { readonly filters: ResolvedFilters; readonly name: FilterName },
): UnknownFact | undefined {
  const facts = factsOf(type, filters);
  const fact = facts?.find(({ names }) => names.includes(name));
  if (facts === undefined || fact === undefined || !leavesOut(name, filters.given)) return undefined;
  const others = facts.filter((each) => each !== fact && each.restricts !== name).map(({ matches }) => matches);
  const { unknown, known, lacking } = fact;
  const among = [unknown, ...others];
  return {
    lacking: allOf(among),
    known: known && allOf([known, ...among]),
    records: others.length === 0 ? lacking : undefined,
  };
}

const allOf = (matches: readonly RecordSet[]): RecordCondition => ({
  ...conjunction(matches.map(({ test }) => test)),
  sets: matches.map(({ ids }) => ids),
});

/** The conditions per field of a type; undefined if the type lacks a filtered field. */
function factsOf(type: RecordType, filters: ResolvedFilters): Fact[] | undefined {
  const byField = new Map<string, FilterName[]>();
  const kinds: FilterName[] = [];
  const ofRound = type === 'companies' ? roundFilters(filters.given) : [];
  for (const name of Object.keys(filters.given) as FilterName[]) {
    const [field] = fieldsOf(type, name);
    if (field === undefined) return undefined;
    if (partyFilterOf(type, name) !== undefined) kinds.push(name);
    else if (!ofRound.includes(name) && !isWithin(type, name, filters.given)) addToGroup(byField, field, name);
  }
  const facts = [
    ...[...byField].map(([field, names]) => factOf({ type, field, names }, filters)),
    ...(kinds.length === 0 ? [] : [kindFact(type, kinds, filters)]),
  ];
  if (ofRound.length === 0) return facts;
  const { within, excluded } = exclusionsOf(ofRound, filters);
  const exclusions = [...excluded].map(([name, some]) => exclusionFact(type, name, some));
  return [roundFact(ofRound, within), ...exclusions, ...facts];
}

/** The filters of one round without what they exclude, which no round of the company may have, and that by filter. */
function exclusionsOf(names: readonly FilterName[], filters: ResolvedFilters) {
  const given: Filters = { ...filters.given };
  const excluded = new Map<FilterName, ResolvedFilters>();
  for (const name of names) {
    const { without, ...wanted } = filters.given[name] as Choice;
    if (without === undefined) continue;
    given[name] = wanted;
    const after = <Value>(all: readonly Value[]) => all.slice(wanted.values.length);
    const { records = 0, keys = [] } = filters.keys.get(name) ?? {};
    excluded.set(name, {
      ...filters,
      given: { [name]: { mode: 'except', values: without } },
      keys: new Map([[name, { records, keys: after(keys) }]]),
      targets: new Map([[name, after(filters.targets.get(name) ?? [])]]),
    });
  }
  return { within: { ...filters, given }, excluded };
}

/** That a record has none of some values; what is not known of it is the fact of another filter of this name. */
function exclusionFact(type: RecordType, name: FilterName, filters: ResolvedFilters): Fact {
  const [field = ''] = fieldsOf(type, name);
  return { ...factOf({ type, field, names: [name] }, filters), names: [], unknown: NO_MATCH, lacking: 0 };
}

/** Whether a filter has no fact of its own: it is part of the filter that it restricts, or restricts an exclusion. */
function isWithin(type: RecordType, name: FilterName, given: Filters): boolean {
  const filter = filterOf(name);
  const isOfKind = given[name] === true && given.investor === undefined && kindsGiven(given).length > 0;
  if (filter.test === 'role') return filter.types[type] === undefined || isOfKind;
  const isExcluding = name === 'investor' && ['none', 'except'].includes((given[name] as Choice).mode);
  return isExcluding && given.led === true && !isWithin(type, 'led', given);
}

/** The companies with a round that satisfies these filters. */
function roundFact(names: readonly FilterName[], filters: ResolvedFilters): Fact {
  const given = Object.fromEntries(names.map((name) => [name, filters.given[name]])) as Filters;
  const facts = factsOf('rounds', { ...filters, given }) ?? [];
  const round = conjunction([
    ...facts.map(({ matches }) => matches.test),
    ...(hasGrants(given) ? [] : [{ sql: isNoGrant('rounds.id'), parameters: [] }]),
  ]);
  const ids = `SELECT links.to_id AS id FROM rounds JOIN links ON links.from_id = rounds.id AND links.relation = 'rounds.company'
      AND +links.to_type = 'companies' WHERE ${round.sql}`;
  // Few companies are tested by their own rounds, not by all rounds. Links to a deleted company remain.
  const test = `companies.deleted_at IS NULL AND EXISTS (SELECT 1 FROM links JOIN rounds ON rounds.id = links.from_id
      WHERE links.to_type = 'companies' AND links.to_id = companies.id AND links.relation = 'rounds.company' AND ${round.sql})`;
  const matches = { ids: { ...round, sql: ids }, test: { ...round, sql: test } };
  // Grants have no part in that date.
  return { names, matches, known: matches, ...unknownOf('companies', 'last_round_date', filters) };
}

/** Whether grants count as rounds: of an investor, and where the stage says which rounds do. */
const hasGrants = ({ investor, funding_stage }: Filters): boolean =>
  investor !== undefined || funding_stage !== undefined;

type Unknown = Pick<Fact, 'unknown' | 'lacking'>;
const unknownOf = (type: RecordType, field: string, { lacking }: ResolvedFilters): Unknown => ({
  unknown: withUnknown(type, field),
  lacking: lacking.get(`${type} ${field}`) ?? 0,
});

interface FactPlace {
  readonly type: RecordType;
  readonly field: string;
  readonly names: readonly FilterName[];
}

function factOf(place: FactPlace, filters: ResolvedFilters): Fact {
  const { type, field, names } = place;
  const [name] = names;
  const unknown = unknownOf(type, field, filters);
  const { test } = filterOf(name as FilterName);
  if (test === 'from' || test === 'to' || test === 'age') return { names, ...unknown, ...bounds(place, filters.given) };
  if (test === 'party' || test === 'role') return partyFact(place, filters, unknown);
  return { names, matches: facetMatch(place, filters), ...unknown, facet: facetTest(place, filters) };
}

/** Undefined for a field of several paths, and for all of several keys. */
function facetTest({ type, field, names: [name] }: FactPlace, filters: ResolvedFilters): FacetTest | undefined {
  const { given, keys } = filters;
  const isFacet = facetKindOf(type, name as FilterName) !== undefined;
  const value = given[name as FilterName] as FilterValue;
  if (!isFacet || fieldsOf(type, name as FilterName).length > 1) return undefined;
  if (typeof value !== 'object') return { field, ...flagOf(name as FilterName, filters) };
  const { mode, without } = value;
  return mode === 'all' || without !== undefined
    ? undefined
    : { field, mode, keys: keys.get(name as FilterName)?.keys.flat() ?? [] };
}

const flagOf = (name: FilterName, filters: ResolvedFilters) =>
  flagTest(filterOf(name), filters.given[name], isOfLeads(filters));

const isOfLeads = ({ given, isByLeads: isGrouped = false }: ResolvedFilters): boolean => isGrouped || isByLeads(given);

function facetMatch({ type, field, names }: FactPlace, filters: ResolvedFilters): RecordSet {
  const [name] = names;
  const value = filters.given[name as FilterName] as FilterValue;
  const values: Valued = {
    having: (keys) => withFacets(type, field, keys),
    known: withField(type, field),
    all: withField(type, FLAG_FIELD),
  };
  if (typeof value === 'object') return chosen(values, value, filters.keys.get(name as FilterName)?.keys ?? []);
  const { mode, keys } = flagOf(name as FilterName, filters);
  return choiceMatch(values, mode, [keys]);
}

/** Records by whether one of their parties, or of those that led them, has the values of each of some facets. */
function kindFact(type: RecordType, names: readonly FilterName[], filters: ResolvedFilters): Fact {
  const isLed = isOfLeads(filters);
  const [own = ''] = fieldsOf(type, names[0] as FilterName);
  const unknown = unknownOf(type, isLed ? LEADS_FIELD : own, filters);
  const { sql, parameters } = unknown.unknown.test;
  const matchesOf = (name: FilterName): RecordSet => {
    const others = names.flatMap((other) => {
      const { mode, values } = filters.given[other] as Choice;
      const keys = filters.keys.get(other)?.keys.slice(0, values.length).flat() ?? [];
      return other !== name && mode === 'any' ? [{ name: other, keys }] : [];
    });
    const valued: Valued = {
      having: (keys) => matchOf(type, partyKindCondition(type, isLed, [{ name, keys }, ...others])),
      known: matchOf(type, { sql: `NOT (${sql}) AND ${type}.deleted_at IS NULL`, parameters }),
      all: withField(type, FLAG_FIELD),
    };
    return chosen(valued, filters.given[name] as Choice, filters.keys.get(name)?.keys ?? []);
  };
  return { names, matches: matchOf(type, conjunction(names.map((name) => matchesOf(name).test))), ...unknown };
}

function bounds({ type, field, names }: FactPlace, given: Filters): Pick<Fact, 'matches' | 'range'> {
  const each = names.map((name) => boundOf({ type, field, name }, given));
  const { sql, parameters } = conjunction(each);
  // A deleted record keeps its columns but has no facets.
  const test = { sql: `${sql} AND ${type}.deleted_at IS NULL`, parameters };
  return {
    matches: { ids: { sql: `SELECT id FROM ${type} WHERE ${sql}`, parameters }, test },
    range: each.every(({ isOfOne }) => isOfOne) ? { field, bounds: each } : undefined,
  };
}

/** One bound of a field, which another field may satisfy as well. */
function boundOf(place: Omit<FactPlace, 'names'> & { readonly name: FilterName }, given: Filters) {
  const { type, field, name } = place;
  const filter = filterOf(name);
  const [operator = '', value = ''] =
    filter.test === 'age'
      ? String(given[name]).split(' ')
      : [filter.test === 'from' ? '>=' : '<=', given[name] as string | number];
  const others = filter.test === 'from' || filter.test === 'to' ? (filter.orFields ?? []) : [];
  const fields = [field, ...others.filter((each) => Object.hasOwn(entityOf(type).record.shape, each))];
  const tests = fields.map((each) => `${columnOf(type, each)} ${operator} ?`);
  const sql = tests.length === 1 ? tests.join() : `(${tests.join(' OR ')})`;
  return {
    sql: filter.test === 'age' ? withUnlisted(type, { sql, isStale: operator === '<' }) : sql,
    parameters: fields.map(() => value),
    operator,
    value,
    /** Whether no other field satisfies it. */
    isOfOne: fields.length === 1 && filter.test !== 'age',
  };
}

/** A record that no source lists any more is stale, whatever its date. SQLite finds what is greater in an index, not what is known. */
function withUnlisted(type: RecordType, { sql, isStale }: { sql: string; isStale: boolean }): string {
  const since = columnOf(type, 'unlisted_since');
  return isStale ? `(${sql} OR ${since} > '')` : `${sql} AND ${since} IS NULL`;
}

function partyFact({ type, names: [name] }: FactPlace, { given, targets }: ResolvedFilters, field: Unknown): Fact {
  const filter = filterOf(name as FilterName);
  const party = (filter.test === 'role' ? filter.of : name) as FilterName;
  // Without an investor, nobody is known to have led.
  const { unknown } = field;
  if (given[party] === undefined)
    return { names: [name as FilterName], matches: unknown, unknown: NO_MATCH, lacking: 0 };
  const isNotLed = filter.test === 'role' && given[name as FilterName] === false;
  const { without, ...own } = given[party] as Choice;
  const taken: Choice = isNotLed ? { ...own, mode: 'none' } : own;
  // If leading the round is a separate fact, the investor only has to have taken part.
  const isLed =
    isNotLed ||
    (given.led === true && (filter.test === 'role' || isWithin(type, 'led', given)) && party === 'investor');
  const isOfLeads = given.led === true && !isLed && type === 'rounds' && without !== undefined;
  const value: Choice = isOfLeads || without === undefined ? taken : { ...taken, without };
  const some = (targets.get(party) ?? []).slice(0, valuesOf(value).length);
  const condition = partyCondition(type, { name: party, value, targets: some, isLed, hasGrants: hasGrants(given) });
  const restricts = filter.test === 'role' ? { restricts: party } : {};
  const names = [name as FilterName];
  if (value.mode !== 'none') {
    // An investor's record may be the only source that a company was funded.
    const matches = matchOf(type, condition);
    return { names, ...restricts, matches, ...field, known: matches };
  }
  const isKnown = { sql: `NOT (${unknown.test.sql})`, parameters: unknown.test.parameters };
  const restOf = { names, ...restricts, ...field };
  if (filter.test !== 'role') return { ...restOf, matches: matchOf(type, conjunction([isKnown, condition])) };
  // Who is not among the known investors did not lead.
  const { sql, parameters } = withUnknown(type, 'investors').test;
  const known = conjunction([
    partyCondition(type, { name: party, value, targets: some, isLed: false, hasGrants: hasGrants(given) }),
    { sql: `NOT (${sql})`, parameters },
  ]);
  const stated = {
    sql: `(${isKnown.sql} OR ${known.sql})`,
    parameters: [...isKnown.parameters, ...known.parameters],
  };
  return { ...restOf, matches: matchOf(type, conjunction([stated, condition])), known: matchOf(type, known) };
}

/** By what the records of a type are sorted; each of these fields has an index of its name. */
export const orderOf = (type: RecordType, { field, isDescending }: Sort): SortOrder =>
  isSortedBy(type, field)
    ? { key: columnOf(type, field), index: `${type}_${field}`, isDescending }
    : { key: 'NULL', index: undefined, isDescending };

/** SQL to compare a field: money as number, names without case. `table` holds the documents, by default the type's. */
export const columnOf = (type: RecordType, field: string, table: string = type): string =>
  sqliteDialect.field(table as RecordType, field, kindOf(field));

function kindOf(field: string): FieldKind {
  if (field.endsWith('_usd')) return 'money';
  if (field === 'name') return 'name';
  return /_at$|_date$|_since$|^as_of$/.test(field) ? 'text' : 'number';
}
