import { datedField, GROUPS, isMoney, MEASURED_FIELD } from '../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { type FacetKind, facets } from '../../contract/facets.ts';
import { COMPANY_FIELD, FILTER_NAMES, fieldsOf, filterOf, LEADS_FIELD } from '../../contract/filters.ts';
import { relations } from '../../contract/relations.ts';
import { UNSOURCED_FIELDS } from '../../contract/unsourced.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { Document } from '../records/document.ts';
import { addValues, facetKindOf, facetPaths, UNKNOWN } from '../records/facets.ts';
import { itemsOf, relationsOf } from '../records/links.ts';

/** The facts of a record for aggregates and connections, stored beside it so that no document is parsed. */
export interface Facts {
  /** YYYYMMDD, or 0 if unknown. */
  readonly date: number;
  /** Cents of an amount, or a count; null if unknown. */
  readonly amount: number | null;
  /** Distinct values of each field of `valueFields`. */
  readonly values: readonly (readonly FactValue[])[];
  readonly links: readonly LinkFacts[];
}

export type FactValue = string | number;

interface LinkFacts {
  /** Index in `relations`. */
  readonly relation: number;
  /** Packed record id, or the name of an unresolved reference. */
  readonly targets: readonly (number | string)[];
  /** Start dates as YYYYMMDD; 0 if no source states any. */
  readonly dates: readonly number[] | 0;
}

/** Multiplier of an id when packed with its type; above the number of types. */
const TYPES_ROOM = 8;

const packRef = (type: RecordType, id: number): number => id * TYPES_ROOM + RECORD_TYPES.indexOf(type);
/** Index of the type in `RECORD_TYPES`, and the id. */
export const unpackRef = (packed: number): { type: number; id: number } => ({
  type: packed % TYPES_ROOM,
  id: Math.floor(packed / TYPES_ROOM),
});

/** By type, the fields of one path that filters compare by facets. */
const facetKinds = new Map<RecordType, ReadonlyMap<string, FacetKind>>(
  RECORD_TYPES.map((type) => {
    const filtered = FILTER_NAMES.flatMap((name): [string, FacetKind][] => {
      const kind = facetKindOf(type, name);
      const [field, ...others] = fieldsOf(type, name);
      const isOwn = field !== undefined && others.length === 0 && !field.startsWith(COMPANY_FIELD);
      return isOwn && kind !== undefined ? [[field, kind]] : [];
    });
    return [type, new Map(filtered)];
  }),
);

/** The field that marks rounds whose investors may be cut. */
const CUT_FIELD = 'investors_may_be_cut';
/** How much of the amount of a company only the editors of the data set state. */
const UNSOURCED_FIELD = 'unsourced_funding_usd';
/** Fields that are counted beside the groups. */
const COUNTED_FIELDS: Readonly<Partial<Record<RecordType, readonly string[]>>> = {
  rounds: [CUT_FIELD],
  companies: [UNSOURCED_FIELD, UNSOURCED_FIELDS],
  investors: [UNSOURCED_FIELDS],
  people: [UNSOURCED_FIELDS],
};

const fieldsByType = new Map<RecordType, readonly string[]>(
  RECORD_TYPES.map((type) => {
    const sources = RECORD_TYPES.flatMap((of) => Object.values(GROUPS[of]).map((source) => ({ of, source })));
    const grouped = sources.flatMap(({ of, source }) => {
      if (source.kind !== 'value') return [];
      return (source.through?.to[0] ?? of) === type ? [source.field] : [];
    });
    const own = [...boundedFields(type), ...(COUNTED_FIELDS[type] ?? [])];
    return [type, [...new Set([...grouped, ...(facetKinds.get(type)?.keys() ?? []), ...own])]];
  }),
);

/** Fields of a type that filters bound, except its date and amount. */
function boundedFields(type: RecordType): string[] {
  const bounding = FILTER_NAMES.filter((name) => ['from', 'to', 'age'].includes(filterOf(name).test));
  const fields = bounding.flatMap((name) => fieldsOf(type, name).slice(0, 1));
  return fields.filter((field) => field !== datedField(type) && field !== MEASURED_FIELD[type]);
}

/** Fields of a type whose values are groups or filters, of the type itself or of types that reference it. */
export const valueFields = (type: RecordType): readonly string[] => fieldsByType.get(type) ?? [];

/** Further paths of the values of fields, by type and field. */
const morePaths = new Map(
  RECORD_TYPES.flatMap((type) =>
    FILTER_NAMES.filter((name) => filterOf(name).test === 'flag').map((name) => {
      const [field, ...others] = facetPaths(type, name);
      return [`${type} ${field}`, others] as const;
    }),
  ),
);

const valuePaths = new Map(
  RECORD_TYPES.map((type) => [
    type,
    valueFields(type).map((field) =>
      [field, ...(morePaths.get(`${type} ${field}`) ?? [])].map((path) => path.split('.')),
    ),
  ]),
);

/** The key by which filters compare a value of a field; empty if none does. */
export function facetKeyOf(type: RecordType, field: string): (value: FactValue) => string {
  const kind = facetKinds.get(type)?.get(field);
  return kind === undefined ? () => UNKNOWN : (value) => facets[kind].key(String(value));
}

/** What records are counted as beside their groups, as bits. */
export const MARKS = {
  grant: 1,
  cut: 2,
  unsourced: 4,
  unsourcedLeads: 8,
  unsourcedRoles: 16,
  unsourcedFounders: 32,
} as const;

/** The values of a field. Facts of an earlier definition may have fewer fields, until they are derived again. */
const valuesIn = (type: RecordType, field: string): ((facts: Facts) => readonly FactValue[]) => {
  const index = valueFields(type).indexOf(field);
  return ({ values }) => values[index] ?? [];
};
const isMarkedBy = (field: string, value: FactValue): ((facts: Facts) => boolean) => {
  const valuesOf = valuesIn('rounds', field);
  return (facts) => valuesOf(facts).includes(value);
};
const isGrant = isMarkedBy('stage', GRANT);
const isCut = isMarkedBy(CUT_FIELD, 'true');
const isUnsourced = isMarkedBy('unsourced', 'true');
const isUnsourcedInLeads = isMarkedBy('unsourced', LEADS_FIELD);

const unsourcedFunding = valuesIn('companies', UNSOURCED_FIELD);

/** How much of the amount of a record only the editors of the data set state, in cents. */
export function unsourcedAmount(type: RecordType, facts: Facts): number {
  if (type === 'rounds') return isUnsourced(facts) ? (facts.amount ?? 0) : 0;
  return type === 'companies' ? (amountOf(unsourcedFunding(facts)[0], UNSOURCED_FIELD) ?? 0) : 0;
}

export function marksOf(type: RecordType, facts: Facts): number {
  if (type !== 'rounds') return (unsourcedAmount(type, facts) > 0 ? MARKS.unsourced : 0) | marksOfParts(type, facts);
  const unsourced = isUnsourced(facts) ? MARKS.unsourced : isUnsourcedInLeads(facts) ? MARKS.unsourcedLeads : 0;
  return (isGrant(facts) ? MARKS.grant : 0) | (isCut(facts) ? MARKS.cut : 0) | unsourced;
}

/** Whether only the editors state the roles of a person or of all at a company, and who founded it. */
function marksOfParts(type: RecordType, facts: Facts): number {
  const fields = partsUnsourced.get(type)?.(facts) ?? [];
  const hasRoles = fields.includes('roles') || fields.includes('team');
  return (hasRoles ? MARKS.unsourcedRoles : 0) | (fields.includes('founders') ? MARKS.unsourcedFounders : 0);
}

const partsUnsourced = new Map(
  RECORD_TYPES.filter((type) => COUNTED_FIELDS[type]?.includes(UNSOURCED_FIELDS)).map((type) => [
    type,
    valuesIn(type, UNSOURCED_FIELDS),
  ]),
);

export function factsOf(document: Document): Facts {
  const type = document.type as RecordType;
  const measured = MEASURED_FIELD[type];
  return {
    date: dateNumber(document[datedField(type)]),
    amount: measured === undefined ? null : amountOf(document[measured], measured),
    // Sorted, so that records with equal values share the array.
    values: (valuePaths.get(type) ?? []).map((paths) => valuesAt(document, paths)),
    links: relationsOf(type).flatMap((relation) => {
      const items = itemsOf(document, relation);
      if (items.length === 0) return [];
      const { keys } = relation;
      const targets = items.map((item) => {
        const isOurs = item[keys.id] != null && item[keys.type] != null;
        return isOurs ? packRef(item[keys.type] as RecordType, item[keys.id] as number) : String(item[keys.name]);
      });
      const dates = items.map((item) => dateNumber(item['start_date']));
      return [{ relation: relations.indexOf(relation), targets, dates: dates.some((date) => date > 0) ? dates : 0 }];
    }),
  };
}

const dateNumber = (value: unknown): number => (typeof value === 'string' ? Number(value.replaceAll('-', '')) : 0);

/** ISO date of a day number in `Facts`. */
export function isoDateOf(day: number): string {
  const digits = String(day).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

function amountOf(value: unknown, field: string): number | null {
  if (value === null || value === undefined) return null;
  return isMoney(field) ? Number(String(value).replace('.', '')) : Number(value);
}

function valuesAt(document: Document, paths: readonly (readonly string[])[]): FactValue[] {
  const found: unknown[] = [];
  for (const path of paths) addValues(found, document, path);
  const values = found.map((value) => (typeof value === 'number' ? value : String(value)));
  return values.length < 2 ? values : [...new Set(values)].sort();
}

/** Everything that facts depend on, including the result for a sample; facts are rebuilt when it changes. */
export function definitionOfFacts(type: RecordType): unknown {
  const reference = { name: 'Sample', type: 'companies', id: 1, slug: 'sample', organization: 'Sample' };
  const named = relationsOf(type).map(({ field }) => [field, [{ ...reference, start_date: '2024-05-06' }]] as const);
  const sample = {
    type,
    id: 1,
    name: 'Sample',
    slug: 'sample',
    ...Object.fromEntries(named),
    [datedField(type)]: '2024-05-06',
  };
  return [
    ...[RECORD_TYPES, relations.map(({ name }) => name), valueFields(type), valuePaths.get(type)],
    encodeFacts(factsOf(sample)),
  ];
}

export function encodeFacts({ date, amount, values, links }: Facts): string {
  return JSON.stringify([
    date,
    amount,
    values,
    links.map(({ relation, targets, dates }) => [relation, targets, dates]),
  ]);
}

type Encoded = [number, number | null, FactValue[][], [number, (number | string)[], number[] | 0][]];

export function decodeFacts(text: string): Facts {
  const [date, amount, values, links] = JSON.parse(text) as Encoded;
  return { date, amount, values, links: links.map(([relation, targets, dates]) => ({ relation, targets, dates })) };
}
