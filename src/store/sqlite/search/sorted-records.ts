import type { Database, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { cached } from '../../cached.ts';
import type { SortOrder } from '../../search/search-index.ts';
import { searchTables } from './postings-table.ts';
import type { RowBudget } from './row-budget.ts';

/** A set of records of a type. */
export interface Selection {
  readonly total: number;
  ids(): number[];
  /** Whether a record is in it, by its id and that of its document. */
  has(id: number, docId: number): boolean;
}

/** A record with the value by which it is sorted. */
export interface SortedRecord {
  readonly id: number;
  readonly key: string | number | null;
}

type Row = [id: number, key: SortedRecord['key'], docId: number | null];

const STATEMENTS_MAX = 64;
const NO_DOC_ID = -1;
/** A row of a walk costs so many rows of a set: it is looked up in several tables, often not in memory. */
const WALKED_ROW = 16;
/** Rows of a walk per selected record; beyond, sorting the selected ones costs less. */
const WALKED_PER_SELECTED = 2;

interface SortRequest {
  /** Undefined for all records. */
  readonly selection: Selection | undefined;
  readonly order: SortOrder;
  /** Number of records of the type. */
  readonly size: number;
  /** Number of records to return. */
  readonly end: number;
}

/** Sorts records of a type by a field, unknown values last, equal ones by id. */
export function createSorter(
  database: Database,
  type: string,
  budget: RowBudget,
): (request: SortRequest) => SortedRecord[] {
  const { documents } = searchTables(type);
  const statements = new LRUCache<string, Statement<unknown[], Row>>({ max: STATEMENTS_MAX });
  const prepare = (sql: string) => cached(statements, sql, () => database.prepare<unknown[], Row>(sql).raw());

  function sortFew({ order: { key, isDescending }, end }: SortRequest, ids: readonly number[]): SortedRecord[] {
    budget.take(WALKED_ROW * ids.length);
    const sql = `SELECT id, ${key} AS key FROM ${type} WHERE deleted_at IS NULL AND id IN (SELECT value FROM json_each(?))
      ORDER BY +key ${isDescending ? 'DESC' : 'ASC'} NULLS LAST, id LIMIT CAST(? AS INTEGER)`;
    return prepare(sql).all(JSON.stringify(ids), end).map(toRecord);
  }

  /** The first records of an ordered statement that are selected; undefined if they are far apart. */
  function firstOf(
    sql: string,
    parameters: readonly unknown[],
    { selection, end }: SortRequest,
  ): SortedRecord[] | undefined {
    const found: SortedRecord[] = [];
    if (end === 0) return found;
    let rowsLeft = selection === undefined ? Number.POSITIVE_INFINITY : WALKED_PER_SELECTED * selection.total;
    for (const row of prepare(sql).iterate(...parameters)) {
      budget.take(WALKED_ROW);
      if (rowsLeft-- === 0) return undefined;
      if (selection !== undefined && !selection.has(row[0], row[2] ?? NO_DOC_ID)) continue;
      if (found.push(toRecord(row)) === end) break;
    }
    return found;
  }

  /**
   * Reads the index of the field, which stands by id within equal keys, until enough records are selected; undefined if they
   * are far apart.
   */
  function walk(request: SortRequest): SortedRecord[] | undefined {
    const { key, index, isDescending } = request.order;
    const all = `SELECT ${type}.id, ${key} AS key, document.ordinal
      FROM ${type} ${index === undefined ? 'NOT INDEXED' : `INDEXED BY ${index}`}
      LEFT JOIN ${documents} AS document ON document.id = ${type}.id WHERE ${type}.deleted_at IS NULL`;
    if (!isDescending || index === undefined)
      return firstOf(`${all} ORDER BY ${index === undefined ? '' : 'key NULLS LAST,'} ${type}.id`, [], request);
    // Backwards, records of one key come by descending id: those of the last key are read again, forwards.
    const found = firstOf(`${all} ORDER BY key DESC`, [], request);
    if (found === undefined) return undefined;
    const last = found.at(-1)?.key;
    const before = found.filter((record) => record.key !== last);
    const ofLast = { ...request, end: found.length - before.length };
    const againOfLast = firstOf(`${all} AND ${key} IS ? ORDER BY ${type}.id`, [last], ofLast);
    return againOfLast && [...byIdWithinKeys(before), ...againOfLast];
  }

  return (request) => {
    const { selection, size, end } = request;
    // Sorting reads all n selected of N records; walking the N in order until a page is full reads about end × N / n.
    const isNarrow = selection !== undefined && selection.total ** 2 <= end * size;
    return (isNarrow ? undefined : walk(request)) ?? sortFew(request, selection?.ids() ?? []);
  };
}

const toRecord = ([id, key]: Row): SortedRecord => ({ id, key });

/** Records by descending key and id, with those of equal keys by ascending id. */
function byIdWithinKeys(records: readonly SortedRecord[]): SortedRecord[] {
  const groups: SortedRecord[][] = [];
  for (const record of records) {
    const group = groups.at(-1);
    if (group?.[0]?.key === record.key) group?.unshift(record);
    else groups.push([record]);
  }
  return groups.flat();
}

/** Compares sorted records of several types as SQLite compares those of one. */
export function compareKeys({ key: left }: SortedRecord, { key: right }: SortedRecord, isDescending: boolean): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  const order =
    typeof left === 'number' || typeof right === 'number'
      ? Number(left) - Number(right)
      : // By bytes of UTF-8: JavaScript compares those of UTF-16, where emoji come before some other characters.
        Buffer.compare(Buffer.from(left), Buffer.from(right));
  return isDescending ? -order : order;
}
