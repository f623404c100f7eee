import { datedField, GROUPS, isMoney, MEASURED_FIELD } from '../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { relations } from '../../contract/relations.ts';
import type { Document } from '../records/document.ts';
import { itemsOf, relationsOf } from '../records/links.ts';

/** What aggregates and connections need of a record. They are kept beside the records, so that no document is read for them. */
export interface Facts {
  /** YYYYMMDD, or 0 when it is not known. */
  readonly date: number;
  /** Cents of an amount, or a count; null when it is not known. */
  readonly amount: number | null;
  /** The values of each of the type's fields of `valueFields`, each once. */
  readonly values: readonly (readonly FactValue[])[];
  readonly links: readonly LinkFacts[];
}

export type FactValue = string | number;

/** What a record names along one relation. */
interface LinkFacts {
  /** Place in `relations`. */
  readonly relation: number;
  /** A record as its packed number, or a name that is no record's. */
  readonly targets: readonly (number | string)[];
  /** When each began, as YYYYMMDD; 0 when no source says. */
  readonly dates: readonly number[] | 0;
}

/** Fewer types than this there will be: a type and a number are one number. */
const TYPES_ROOM = 8;

const packPlace = (type: RecordType, id: number): number => id * TYPES_ROOM + RECORD_TYPES.indexOf(type);
/** The place of the type in `RECORD_TYPES`, and the number. */
export const unpackPlace = (packed: number): { type: number; id: number } => ({
  type: packed % TYPES_ROOM,
  id: Math.floor(packed / TYPES_ROOM),
});

const fieldsByType = new Map<RecordType, readonly string[]>(
  RECORD_TYPES.map((type) => {
    const sources = RECORD_TYPES.flatMap((of) => Object.values(GROUPS[of]).map((source) => ({ of, source })));
    const fields = sources.flatMap(({ of, source }) => {
      if (source.kind !== 'value') return [];
      return (source.through?.to[0] ?? of) === type ? [source.field] : [];
    });
    return [type, [...new Set(fields)]];
  }),
);

/** The fields of a type whose values are groups, of its own or of what names it. */
export const valueFields = (type: RecordType): readonly string[] => fieldsByType.get(type) ?? [];

/** What a document says of itself. */
export function factsOf(document: Document): Facts {
  const type = document.type as RecordType;
  const measured = MEASURED_FIELD[type];
  return {
    date: dateNumber(document[datedField(type)]),
    amount: measured === undefined ? null : amountOf(document[measured], measured),
    // In one order, so that records with the same values share them.
    values: valueFields(type).map((field) => [...new Set(valuesAt(document, field))].sort()),
    links: relationsOf(type).flatMap((relation) => {
      const items = itemsOf(document, relation);
      if (items.length === 0) return [];
      const { keys } = relation;
      const targets = items.map((item) => {
        const isOurs = item[keys.id] != null && item[keys.type] != null;
        return isOurs ? packPlace(item[keys.type] as RecordType, item[keys.id] as number) : String(item[keys.name]);
      });
      const dates = items.map((item) => dateNumber(item['start_date']));
      return [{ relation: relations.indexOf(relation), targets, dates: dates.some((date) => date > 0) ? dates : 0 }];
    }),
  };
}

const dateNumber = (value: unknown): number => (typeof value === 'string' ? Number(value.replaceAll('-', '')) : 0);

/** The day of a number as `Facts` have it. */
export function isoDateOf(day: number): string {
  const digits = String(day).padStart(8, '0');
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

function amountOf(value: unknown, field: string): number | null {
  if (value === null || value === undefined) return null;
  return isMoney(field) ? Number(String(value).replace('.', '')) : Number(value);
}

function valuesAt(document: Document, path: string): FactValue[] {
  const found = path
    .split('.')
    .reduce<unknown>((value, part) => (value as Record<string, unknown> | null)?.[part], document);
  return [found].flat().filter((value) => value !== null && value !== undefined) as FactValue[];
}

/** By what the facts of a type are made, of a sample too: when it changes, those that are kept are made anew. */
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
  return [RECORD_TYPES, relations.map(({ name }) => name), valueFields(type), encodeFacts(factsOf(sample))];
}

/** Facts as JSON text without names, as they are kept. */
export function encodeFacts({ date, amount, values, links }: Facts): string {
  return JSON.stringify([
    date,
    amount,
    values,
    links.map(({ relation, targets, dates }) => [relation, targets, dates]),
  ]);
}

type Encoded = [number, number | null, FactValue[][], [number, (number | string)[], number[] | 0][]];

/** The facts that `encodeFacts` wrote. */
export function decodeFacts(text: string): Facts {
  const [date, amount, values, links] = JSON.parse(text) as Encoded;
  return { date, amount, values, links: links.map(([relation, targets, dates]) => ({ relation, targets, dates })) };
}
