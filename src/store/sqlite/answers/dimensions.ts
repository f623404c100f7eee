import { GROUPS, type GroupSource, type PeriodUnit } from '../../../contract/aggregate.ts';
import type { RecordType } from '../../../contract/entities/index.ts';
import { relations, type Step } from '../../../contract/relations.ts';
import { type FactValue, valueFields } from '../../answers/facts.ts';
import { type Columns, typePlace } from './columns.ts';
import { isCurrent, type Links } from './link-graph.ts';

/** A grouping dimension: maps each record to the numbers of its values. */
export interface Dimension {
  /** Upper bound of the numbers; 0 is "no value". */
  readonly size: number;
  /** The value of a number: a value, or the code of a record or name. */
  valueAt(number: number): FactValue | { readonly code: number };
  /** Writes the distinct numbers of a record's values into `into` and returns how many there are. */
  read(code: number, into: Uint32Array): number;
  /** The same through lists shared by records, if there are few. */
  readonly shared?: SharedLists;
}

export interface SharedLists {
  readonly column: Uint32Array;
  /** By code, the record whose list applies, if it is another one. */
  readonly through: Uint32Array | undefined;
  /** Upper bound of the lists. */
  readonly size: number;
  /** Numbers of the values in a list. */
  numbersOf(list: number): readonly number[];
}

/** Maximum values of a record per group. */
export const VALUES_MAX = 65_536;

export function dimensionOf(columns: Columns, type: RecordType, group: string): Dimension {
  const source = GROUPS[type][group] as GroupSource;
  if (source.kind === 'links') return byLinks(columns, source.paths);
  return byLists(source.kind === 'period' ? months(columns, source.period) : fieldLists(columns, type, source));
}

/** Lists of records, with their values. */
interface Lists extends Omit<SharedLists, 'numbersOf'> {
  readonly pool: Uint32Array;
  /** Group values, by their numbers in the pool. */
  readonly values: readonly FactValue[];
}

function fieldLists(columns: Columns, type: RecordType, { field, through }: GroupSource & { kind: 'value' }): Lists {
  const of = through?.to[0] ?? type;
  const slot = valueFields(of).indexOf(field);
  const { pool, length, values } = columns.lists[typePlace(of)][slot];
  return { column: columns.values[slot], through: through && columns.company, size: length, pool, values };
}

const MONTHS_A_QUARTER = 3;
const PERIODS: Readonly<Record<PeriodUnit, (yearMonth: number) => FactValue>> = {
  year: (yearMonth) => Math.floor(yearMonth / 100),
  quarter: (yearMonth) => `${yearOf(yearMonth)}-Q${Math.ceil((yearMonth % 100) / MONTHS_A_QUARTER)}`,
  month: (yearMonth) => `${yearOf(yearMonth)}-${String(yearMonth % 100).padStart(2, '0')}`,
};
const yearOf = (yearMonth: number): string => String(Math.floor(yearMonth / 100)).padStart(4, '0');

function months({ month, months: { pool, length, values } }: Columns, period: PeriodUnit): Lists {
  const periods = values.map((value) => PERIODS[period](value as number));
  return { column: month, through: undefined, size: length, pool, values: periods };
}

function byLists({ pool, values, ...shared }: Lists): Dimension {
  // Distinct values can be one group, such as months of a year.
  const distinct = [...new Set(values)];
  const numbers = new Map(distinct.map((value, place) => [value, place + 1]));
  const numberOf = Uint32Array.from(values, (value) => numbers.get(value) as number);
  const { column, through } = shared;
  return {
    size: distinct.length + 1,
    valueAt: (number) => distinct[number - 1] as FactValue,
    read: (code, into) => {
      const list = column[through === undefined ? code : through[code]];
      const length = pool[list];
      for (let place = 0; place < length; place += 1) into[place] = numberOf[pool[list + 1 + place]];
      return length;
    },
    shared: {
      ...shared,
      numbersOf: (list) => Array.from(pool.subarray(list + 1, list + 1 + pool[list]), (value) => numberOf[value]),
    },
  };
}

/** A path step by relation index. */
interface PlacedStep {
  readonly relation: number;
  readonly isBack: boolean;
}

function byLinks(columns: Columns, paths: readonly (readonly Step[])[]): Dimension {
  const placed = paths.map((path) =>
    path.map(({ relation, direction }) => ({ relation: relations.indexOf(relation), isBack: direction === 'back' })),
  );
  const named = placed.flatMap(([first, second]) => (first && !first.isBack && !second ? first.relation : []));
  const others = placed.filter(([first, second]) => first?.isBack || second);
  const { links } = columns;
  const isNamed = Uint8Array.from({ length: relations.length }, (_, relation) => Number(named.includes(relation)));
  const seen = new Uint32Array(columns.size);
  let turn = 0;
  return {
    size: columns.size,
    valueAt: (number) => ({ code: number }),
    read: (code, into) => {
      turn += 1;
      let length = 0;
      const end = links.start[code] + links.count[code];
      for (let link = links.start[code]; link < end; link += 1) {
        const target = links.target[link];
        if (isNamed[links.relation[link]] === 0 || seen[target] === turn) continue;
        seen[target] = turn;
        into[length++] = target;
      }
      if (others.length === 0) return length;
      const reach = (target: number): void => {
        if (seen[target] === turn || length === VALUES_MAX) return;
        seen[target] = turn;
        into[length++] = target;
      };
      for (const path of others) walk(columns, code, path, reach);
      return length;
    },
  };
}

/** Calls `reach` with the end of each path of one or two steps. */
function walk(columns: Columns, code: number, path: readonly PlacedStep[], reach: (target: number) => void): void {
  const [first, second] = path;
  if (first === undefined) return;
  step(columns.links, code, first, second === undefined ? reach : (next) => step(columns.links, next, second, reach));
}

function step(links: Links, code: number, { relation, isBack }: PlacedStep, reach: (target: number) => void): void {
  if (isBack) {
    for (let next = links.head[code]; next > 0; next = links.previous[next - 1]) {
      const link = next - 1;
      if (links.relation[link] === relation && isCurrent(links, link)) reach(links.source[link]);
    }
    return;
  }
  const end = links.start[code] + links.count[code];
  for (let link = links.start[code]; link < end; link += 1) {
    if (links.relation[link] === relation) reach(links.target[link]);
  }
}
