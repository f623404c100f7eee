import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { relationOf, relations } from '../../../contract/relations.ts';
import { type Facts, facetKeyOf, marksOf, unpackRef, unsourcedAmount, valueFields } from '../../analytics/facts.ts';
import { cached } from '../../cached.ts';
import { ensureCapacities, ensureCapacity } from '../ensure-capacity.ts';
import { compactLinks, createLinks, isCurrent, makeRoomForCodes, type NewLink, setLinks } from './link-graph.ts';
import { createLinkLists, noteLinks } from './link-lists.ts';
import { createEntries } from './tally.ts';
import { createValueLists } from './value-lists.ts';

/** Type of codes that are unresolved names. */
export const NAME = 255;
const START = 1_024;
const COMPANY = relations.indexOf(relationOf('rounds', 'company') as (typeof relations)[number]);
const COMPANIES = RECORD_TYPES.indexOf('companies');
const SLOTS = Math.max(...RECORD_TYPES.map((type) => valueFields(type).length));

export const typeIndex = (type: RecordType): number => RECORD_TYPES.indexOf(type);

/**
 * Column store of facts, by code: a dense number for each record and each unresolved name; code 0 is unused. About 78
 * bytes per record and 13 per link, and 4 per record and per entry of the lists by linked records.
 */
export type Columns = ReturnType<typeof createColumns>;

export const createColumns = () => ({
  size: 1,
  /** Index of the type in `RECORD_TYPES`, or `NAME`. */
  type: new Uint8Array(START).fill(NAME, 0, 1),
  /** Record id, or index in `names`. */
  id: new Uint32Array(START),
  isLive: new Uint8Array(START),
  /** Bits of `MARKS`. */
  marks: new Uint8Array(START),
  /** YYYYMMDD, or 0. */
  date: new Uint32Array(START),
  /** Cents or a count; NaN if unknown. */
  amount: new Float64Array(START),
  /** The part of the amount that only the editors of the data set state. */
  unsourced: new Float64Array(START),
  /** List of the record's month (YYYYMM) in `months`. */
  month: new Uint32Array(START),
  /** Code of a round's company. */
  company: new Uint32Array(START),
  /** Value lists per field of `valueFields`, by its index. */
  values: Array.from({ length: SLOTS }, () => new Uint32Array(START)),
  links: createLinks(),
  /** Lists that follow from the links; current after `refreshLinkLists`. */
  linkLists: createLinkLists(),
  names: [''],
  months: createValueLists(String),
  /** The lists of `values`, by index of type and field. */
  lists: RECORD_TYPES.map((type) => valueFields(type).map((field) => createValueLists(facetKeyOf(type, field)))),
  records: RECORD_TYPES.map(() => ({
    /** By record id; 0 if none. */
    codeOf: new Uint32Array(START),
    /** All codes ever assigned; `isLive` tells which exist now. */
    codes: new Uint32Array(START),
    length: 0,
    /** Number of existing records. */
    live: 0,
  })),
  codesOfNames: new Map<string, number>(),
  /** Reused by successive tallies. */
  entries: createEntries(),
});

/** The code of a record, existing or not; 0 if it was never seen. */
export const codeOf = (columns: Columns, type: RecordType, id: number): number =>
  columns.records[typeIndex(type)].codeOf[id] ?? 0;

export function liveCodes({ isLive, records }: Columns, of: RecordType): Uint32Array {
  const { codes, length, live } = records[typeIndex(of)];
  const all = codes.subarray(0, length);
  return live === length ? all : all.filter((code) => isLive[code] === 1);
}

interface ColumnChange {
  /** Records that change, each once. */
  readonly codes: Uint32Array;
  apply(): void;
}

/** Derived state that follows the columns. */
export interface ChangeObserver {
  change(change: ColumnChange): void;
  /** Moves the lists of a group that earlier changes refer to. */
  moveLists(group: { readonly of: RecordType; readonly group: string }, move: (list: number) => number): void;
}

interface RecordFacts {
  readonly type: number;
  readonly id: number;
  /** Without them, the record is removed. */
  readonly facts: Facts | undefined;
}

/** Updates the facts of some records, each once. */
export function putFacts(columns: Columns, records: readonly RecordFacts[], follower: ChangeObserver): void {
  const written = records.map(({ type, id, facts }): Written => {
    const lists = facts?.values.map((values, field) => columns.lists[type][field].add(values)) ?? [];
    return { code: codeOfRef(columns, type, id), facts, lists };
  });
  const heirs = written.flatMap((each) => (changesHeirs(columns, each) ? roundsOf(columns, each.code) : []));
  const codes = Uint32Array.from(new Set([...written.map(({ code }) => code), ...heirs]));
  const apply = (): void => {
    for (const each of written) writeFacts(columns, each);
  };
  follower.change({ codes, apply });
}

/** Whether the rounds of a company inherit other values. */
const changesHeirs = ({ type, values }: Columns, { code, lists }: Written): boolean =>
  type[code] === COMPANIES && values.some((before, slot) => before[code] !== (lists[slot] ?? 0));

function roundsOf({ links, company }: Columns, code: number): number[] {
  const found: number[] = [];
  for (let next = links.head[code]; next > 0; next = links.previous[next - 1]) {
    const link = next - 1;
    const isOfRound = links.relation[link] === COMPANY && isCurrent(links, link);
    if (isOfRound && company[links.source[link]] === code) found.push(links.source[link]);
  }
  return found;
}

interface Written {
  readonly code: number;
  readonly facts: Facts | undefined;
  readonly lists: readonly number[];
}

function writeFacts(columns: Columns, { code, facts, lists }: Written): void {
  const records = columns.records[columns.type[code]];
  noteLinks(columns, code);
  if (facts === undefined) {
    records.live -= columns.isLive[code];
    for (const values of columns.values) values[code] = 0;
    columns.isLive[code] = 0;
    setLinks(columns.links, code, []);
    return;
  }
  records.live += 1 - columns.isLive[code];
  columns.isLive[code] = 1;
  columns.date[code] = facts.date;
  const type = RECORD_TYPES[columns.type[code]];
  columns.marks[code] = marksOf(type, facts);
  columns.amount[code] = facts.amount ?? Number.NaN;
  columns.unsourced[code] = unsourcedAmount(type, facts);
  columns.month[code] = columns.months.add(facts.date === 0 ? [] : [Math.floor(facts.date / 100)]);
  lists.forEach((list, field) => {
    columns.values[field][code] = list;
  });
  const added = linksOfFacts(columns, facts);
  columns.company[code] = added.find(({ relation }) => relation === COMPANY)?.target ?? 0;
  setLinks(columns.links, code, added);
  noteLinks(columns, code);
  compactLinks(columns.links, columns.size);
}

function linksOfFacts(columns: Columns, { links }: Facts): NewLink[] {
  return links.flatMap(({ relation, targets, dates }) =>
    targets.map((target, index): NewLink => {
      const date = dates === 0 ? 0 : dates[index];
      if (typeof target === 'string') return { relation, target: codeOfName(columns, target), date };
      const { type, id } = unpackRef(target);
      return { relation, target: codeOfRef(columns, type, id), date };
    }),
  );
}

function codeOfRef(columns: Columns, type: number, id: number): number {
  const records = columns.records[type];
  records.codeOf = ensureCapacity(records.codeOf, id + 1);
  const known = records.codeOf[id];
  if (known > 0) return known;
  const code = newCode(columns, type, id);
  records.codeOf[id] = code;
  records.codes = ensureCapacity(records.codes, records.length + 1);
  records.codes[records.length++] = code;
  return code;
}

const codeOfName = (columns: Columns, name: string): number =>
  cached(columns.codesOfNames, name, () => newCode(columns, NAME, columns.names.push(name) - 1));

function newCode(columns: Columns, type: number, id: number): number {
  const code = columns.size++;
  if (code >= columns.type.length) makeRoom(columns, columns.size);
  columns.type[code] = type;
  columns.id[code] = id;
  return code;
}

const BY_CODE = ['type', 'id', 'isLive', 'marks', 'date', 'amount', 'unsourced', 'month', 'company'] as const;

function makeRoom(columns: Columns, size: number): void {
  ensureCapacities(columns, BY_CODE, size);
  columns.values.forEach((values, slot) => {
    columns.values[slot] = ensureCapacity(values, size);
  });
  makeRoomForCodes(columns.links, columns.type.length);
}
