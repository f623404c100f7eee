import { LRUCache } from 'lru-cache';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { type FacetKind, facetDefinition, facets } from '../../contract/facets.ts';
import {
  COMPANY_FIELD,
  FILTER_NAMES,
  type FilterName,
  fieldsOf,
  filterOf,
  LEADS_FIELD,
  partyFilterOf,
} from '../../contract/filters.ts';
import { addToGroup } from '../../contract/group-by.ts';
import { once } from '../../contract/lazy.ts';
import { cached } from '../cached.ts';
import { all, allLists, column, number, run, runEach, type SqlProgram } from '../sql.ts';
import { LISTED } from '../sqlite/dialect.ts';
import type { Document } from './document.ts';

interface FacetValue {
  readonly field: string;
  /** Normalized key. */
  readonly value: string;
  /** The value as spelled in the record. */
  readonly shown: string;
}

/** Value under which the records without a field are counted. */
export const UNKNOWN = '';

/** A flag of every record, whose value counts sum up to the records of a type. */
export const FLAG_FIELD = 'is_verified';

/**
 * Field of the label that names the unknown fields of a record, each by a letter: a label for each would be most labels,
 * and each occupies two B-trees. Rounds have another for those of their company.
 */
const UNKNOWN_FIELDS = '';
const UNKNOWN_OF_COMPANY = COMPANY_FIELD;

const REMEMBERED = 1_024;
const FIRST_LETTER = 0x41;
const namedFields = once(() => [...new Set(RECORD_TYPES.flatMap((type) => readersOf(type).map(({ field }) => field)))]);
const letters = once(
  () => new Map(namedFields().map((field, index) => [field, String.fromCharCode(FIRST_LETTER + index)])),
);

function letterOf(field: string): string {
  const letter = letters().get(field);
  if (letter === undefined) throw new Error(`No filter compares ${field}`);
  return letter;
}

/** Where labels name a field as unknown: the field of the label, and what its value contains. */
export function unknownLabelOf(field: string): { readonly field: string; readonly name: string } {
  const label = field.startsWith(COMPANY_FIELD) ? UNKNOWN_OF_COMPANY : UNKNOWN_FIELDS;
  return { field: label, name: letterOf(field.slice(label.length)) };
}

const unknownFields = new LRUCache<string, FacetValue>({ max: REMEMBERED });

const unknownFacet = (label: string, fields: readonly string[]): FacetValue =>
  cached(unknownFields, label + fields.map(letterOf).join(''), (key) => ({
    field: label,
    value: key.slice(label.length),
    shown: '',
  }));

const fieldsOfUnknown = ({ value }: Pick<FacetValue, 'value'>): string[] =>
  Array.from(value, (letter) => namedFields()[letter.charCodeAt(0) - FIRST_LETTER] ?? '');

/** What a label is counted as: itself, and each field that it names as unknown. */
export function countedFacets(facet: FacetValue): readonly FacetValue[] {
  const { field } = facet;
  if (field !== UNKNOWN_FIELDS && field !== UNKNOWN_OF_COMPANY) return [facet];
  const each = fieldsOfUnknown(facet).map((name) => ({ field: field + name, value: UNKNOWN, shown: '' }));
  return [facet, ...each];
}

interface FacetField {
  /** Paths of its values; the first is the field name. */
  readonly paths: readonly string[];
  /** Normalization of its values; without it, only presence is recorded. */
  readonly kind: FacetKind | undefined;
}

interface FieldReader {
  readonly paths: readonly (readonly string[])[];
  readonly field: string;
  /** Maps a value to its facet; undefined if only presence is recorded. */
  readonly facetOf: ((value: unknown) => FacetValue) | undefined;
}

/** The distinct facets of a document. Equal values mostly share one object. */
export function facetsOf(document: Document): FacetValue[] {
  const found: FacetValue[] = [];
  const unknown: string[] = [];
  for (const { paths, field, facetOf } of readersOf(document.type as RecordType)) {
    const values: unknown[] = [];
    for (const path of paths) addValues(values, document, path);
    const each = facetOf === undefined ? [] : values.map(facetOf).filter(({ value }) => value !== UNKNOWN);
    if (values.length === 0 || (facetOf !== undefined && each.length === 0)) unknown.push(field);
    else found.push(...(each.length <= 1 ? each : new Map(each.map((facet) => [facet.value, facet])).values()));
  }
  if (unknown.length > 0) found.push(unknownFacet(UNKNOWN_FIELDS, unknown));
  return found;
}

const readersByType = new Map<RecordType, readonly FieldReader[]>();

const readersOf = (type: RecordType): readonly FieldReader[] =>
  cached(readersByType, type, () => facetFieldsOf(type).map(toReader));

function toReader({ paths, kind }: FacetField): FieldReader {
  const [field = ''] = paths;
  const known = new LRUCache<string, FacetValue>({ max: REMEMBERED });
  const toFacet = (shown: string): FacetValue => ({ field, value: kind ? facets[kind].key(shown) : '', shown });
  return {
    paths: paths.map((path) => path.split('.')),
    field,
    facetOf: kind && ((value) => cached(known, String(value), toFacet)),
  };
}

function facetFieldsOf(type: RecordType): readonly FacetField[] {
  return distinct(FILTER_NAMES.map((name) => ({ paths: facetPaths(type, name), kind: facetKindOf(type, name) })));
}

/** Paths of the values that a filter compares; the first is the field name. */
export function facetPaths(type: RecordType, name: FilterName): readonly string[] {
  const [own, filter] = [fieldsOf(type, name), filterOf(name)];
  return filter.test === 'flag' && filter.ofParts !== undefined && own.length > 0 ? [...own, filter.ofParts] : own;
}

/** Normalization of the facets of a type that a filter compares; undefined if it compares none. */
export function facetKindOf(type: RecordType, name: FilterName): FacetKind | undefined {
  const filter = filterOf(name);
  if (filter.test === 'facet') return partyFilterOf(type, name) === undefined ? filter.kind : undefined;
  return filter.test === 'flag' ? 'flag' : undefined;
}

/**
 * The values of a flag that a filter asks for; a flag that is null is not set.
 * @param isOfLeads whether a flag that is set for the leads of a round counts as well
 */
export function flagTest(
  filter: ReturnType<typeof filterOf>,
  value: unknown,
  isOfLeads: boolean,
): { readonly mode: 'any' | 'except'; readonly keys: readonly string[] } {
  const isOfUnset = filter.test === 'flag' && filter.isOfUnset === true;
  if (!isOfUnset) return { mode: 'any', keys: [String(value)] };
  return { mode: value === true ? 'except' : 'any', keys: [String(true), ...(isOfLeads ? [LEADS_FIELD] : [])] };
}

function distinct(fields: readonly FacetField[]): FacetField[] {
  const own = fields.filter(({ paths: [first] }) => first !== undefined && !first.startsWith(COMPANY_FIELD));
  return own.filter((field, index) => own.findIndex((other) => other.paths[0] === field.paths[0]) === index);
}

/** Company fields that rounds inherit, by their names in rounds. */
export const INHERITED = FILTER_NAMES.flatMap((name) => fieldsOf('rounds', name)).filter((field) =>
  field.startsWith(COMPANY_FIELD),
);

/** Everything that the facets of a type depend on; facets are rebuilt when it changes. */
export const facetFields = (type: RecordType): unknown => [
  facetFieldsOf(type),
  facetFieldsOf(type).map(({ kind }) => kind && facetDefinition(kind)),
  type === 'rounds' ? INHERITED : [],
  [...letters()],
];

/** Adds the values of a field that are not null: one, or those of a list. */
export function addValues(values: unknown[], document: Document, path: readonly string[]): void {
  let found: unknown = document;
  for (const name of path) found = (found as Record<string, unknown> | null | undefined)?.[name];
  if (Array.isArray(found)) {
    for (const value of found) if (value != null) values.push(value);
  } else if (found != null) values.push(found);
}

/**
 * The tables of facets and of their values with record counts. Rounds inherit facets of their company, so that a filter
 * is one index look-up for every type.
 */

type FacetsById = ReadonlyMap<number, readonly FacetValue[]>;

export function* setFacets(type: RecordType, documents: readonly Document[]): SqlProgram<void> {
  yield* setOwnFacets(type, documents);
  const ids = documents.map(({ id }) => id);
  if (type === 'rounds') yield* inheritFacets(ids);
  if (type === 'companies') yield* inheritFacets(yield* roundsOf(ids));
}

/** Like setFacets, for records without changes in inherited facets. */
export function* setOwnFacets(type: RecordType, documents: readonly Document[]): SqlProgram<void> {
  const facets = new Map(documents.map((document) => [document.id, facetsOf(document)]));
  yield* replaceFacets({ type, facets, isInherited: false });
}

export function* clearFacets(type: RecordType, ids: readonly number[]): SqlProgram<void> {
  const facets = new Map(ids.map((id) => [id, []]));
  for (const isInherited of [false, true]) yield* replaceFacets({ type, facets, isInherited });
  if (type === 'companies') yield* inheritFacets(yield* roundsOf(ids));
}

/** Writes only differences: facets rarely change, and each occupies two B-trees. */
function* replaceFacets(replacing: { type: RecordType; facets: FacetsById; isInherited: boolean }): SqlProgram<void> {
  const { type, facets, isInherited } = replacing;
  if (facets.size === 0) return;
  const stored = yield* storedKeys(type, { ids: [...facets.keys()], isInherited });
  const added = new Map<FacetValue, number[]>();
  const removed: (readonly [id: number, FacetValue])[] = [];
  for (const [id, values] of facets) {
    const keys = stored.get(id) ?? NO_KEYS;
    if (keys !== NO_KEYS && keys === JSON.stringify(values.map(keyOf).sort())) continue;
    const former = new Set(JSON.parse(keys) as string[]);
    for (const facet of values) if (!former.delete(keyOf(facet))) addToGroup(added, facet, id);
    for (const key of former) removed.push([id, facetOfKey(key)]);
  }
  yield* runEach(
    'DELETE FROM labels WHERE type = ? AND field = ? AND value = ? AND id = ?',
    removed.map(([id, { field, value }]) => [type, field, value, id]),
  );
  // See `createAppender` for FAIL.
  yield* runEach(
    `INSERT OR FAIL INTO labels (type, field, value, id) SELECT ?, ?, ?, value FROM ${GIVEN}`,
    [...added].map(([{ field, value }, ids]) => [type, field, value, JSON.stringify(ids)]),
  );
  yield* countValues(type, [
    ...removed.map(([, facet]) => [facet, -1] as const),
    ...[...added].map(([facet, ids]) => [facet, ids.length] as const),
  ]);
}

/** The keys of the stored facets of records, as JSON in the order of the index, so that equal lists compare unsorted. */
function* storedKeys(
  type: RecordType,
  { ids, isInherited }: { readonly ids: readonly number[]; readonly isInherited: boolean },
): SqlProgram<ReadonlyMap<number, string>> {
  // New records have none.
  const last = yield* number('SELECT max(id) FROM labels WHERE type = ?', type);
  const former = ids.filter((id) => id <= last);
  if (former.length === 0) return new Map();
  const inField =
    type === 'rounds'
      ? `AND field ${isInherited ? '' : 'NOT '}IN (${[...INHERITED, UNKNOWN_OF_COMPANY].map((name) => `'${name}'`).join()})`
      : '';
  const sql = `SELECT value, (SELECT json_group_array(field || char(10) || labels.value) FROM labels
    WHERE type = ? AND labels.id = given.value ${inField}) FROM ${GIVEN}`;
  return new Map(yield* allLists<[number, string]>(sql, type, JSON.stringify(former)));
}

const NO_KEYS = '[]';
const keyOf = ({ field, value }: FacetValue): string => `${field}\n${value}`;

function facetOfKey(key: string): FacetValue {
  const end = key.indexOf('\n');
  return { field: key.slice(0, end), value: key.slice(end + 1), shown: '' };
}

/** A parameter's numbers as a table. SQLite keeps the order of a CROSS JOIN and begins with it. */
const GIVEN = `(${LISTED}) AS given`;

const COUNT = `INSERT INTO label_values (type, field, value, shown, records) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (type, field, value) DO UPDATE SET records = label_values.records + excluded.records`;

function* countValues(type: RecordType, counts: readonly (readonly [FacetValue, records: number])[]): SqlProgram<void> {
  const changes = new Map<string, [field: string, value: string, shown: string, records: number]>();
  for (const [label, records] of counts) {
    for (const facet of countedFacets(label)) {
      const { field, value, shown } = facet;
      const known = changes.get(keyOf(facet));
      changes.set(keyOf(facet), [field, value, known?.[2] || shown, (known?.[3] ?? 0) + records]);
    }
  }
  const changed = [...changes.values()].filter(([, , , records]) => records !== 0);
  yield* runEach(
    COUNT,
    changed.map((change) => [type, ...change]),
  );
}

/** Counts the labels of a type anew. A former version may have counted them as something else. */
export function* recountLabels(type: RecordType): SqlProgram<void> {
  yield* run(
    `UPDATE label_values SET records = (SELECT count(*) FROM labels AS one
      WHERE one.type = label_values.type AND one.field = label_values.field AND one.value = label_values.value)
     WHERE type = ?`,
    type,
  );
  const unknown = yield* all<FacetValue & { records: number }>(
    'SELECT field, value, shown, records FROM label_values WHERE type = ? AND records > 0 AND field IN (?, ?)',
    type,
    UNKNOWN_FIELDS,
    UNKNOWN_OF_COMPANY,
  );
  yield* countValues(
    type,
    unknown.flatMap((label) => countedFacets(label).flatMap((each) => (each === label ? [] : [[each, label.records]]))),
  );
}

const roundsOf = (companies: readonly number[]): SqlProgram<number[]> =>
  column(
    `SELECT from_id FROM links WHERE to_type = 'companies' AND to_id IN (${LISTED}) AND relation = 'rounds.company'
     AND EXISTS (SELECT 1 FROM rounds WHERE rounds.id = links.from_id AND deleted_at IS NULL)`,
    JSON.stringify(companies),
  );

/**
 * Copies facets of companies to their rounds; without a company they are unknown. The type condition is a literal, or
 * SQLite would start from every link to a company.
 */
function* inheritFacets(rounds: readonly number[]): SqlProgram<void> {
  if (rounds.length === 0) return;
  const found = yield* all<{ id: number; field: string; value: string }>(
    `SELECT from_id AS id, labels.field AS field, labels.value AS value FROM ${GIVEN}
     CROSS JOIN links CROSS JOIN labels
     WHERE relation = 'rounds.company' AND from_id = given.value AND coalesce(to_type, '') = 'companies'
       AND labels.type = 'companies' AND labels.id = to_id`,
    JSON.stringify(rounds),
  );
  const facets = new Map<number, FacetValue[]>(rounds.map((id) => [id, []]));
  const shared = new Map<string, FacetValue>();
  for (const { id, field, value } of found) {
    const facet = inheritedFacet(field, value);
    if (facet !== undefined) facets.get(id)?.push(cached(shared, keyOf(facet), () => facet));
  }
  for (const own of facets.values()) if (own.length === 0) own.push(unknownCompany());
  yield* replaceFacets({ type: 'rounds', facets, isInherited: true });
}

/** A company's facet as one of its rounds; undefined if they do not inherit it. */
function inheritedFacet(field: string, value: string): FacetValue | undefined {
  if (field !== UNKNOWN_FIELDS)
    return INHERITED.includes(COMPANY_FIELD + field) ? { field: COMPANY_FIELD + field, value, shown: '' } : undefined;
  const fields = fieldsOfUnknown({ value }).filter((name) => INHERITED.includes(COMPANY_FIELD + name));
  return fields.length === 0 ? undefined : unknownFacet(UNKNOWN_OF_COMPANY, fields);
}

/** The inherited facet of a round without a company. */
const unknownCompany = (): FacetValue =>
  unknownFacet(
    UNKNOWN_OF_COMPANY,
    INHERITED.map((field) => field.slice(COMPANY_FIELD.length)),
  );
