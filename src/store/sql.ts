import type { RecordType } from '../contract/entities/index.ts';

export type Value = string | number | bigint | Buffer | null;

/** Rows for bulk insertion by the engine's fastest method. */
export interface Rows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly wanted: 'nothing';
}

/** A portable SQL statement with `?` parameters. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Value[];
  /** Form of the result rows; for `nothing`, an engine need not wait. */
  readonly wanted: 'objects' | 'arrays' | 'nothing';
}

/**
 * A SQL program: a generator that yields statements and receives their rows. It runs on any engine, synchronous
 * (SQLite) or asynchronous (PostgreSQL), so the logic between statements is written once.
 * @example
 * import { first, type SqlProgram } from './sql.ts';
 *
 * export function* slugOf(id: number): SqlProgram<string | undefined> {
 *   const row = yield* first<{ slug: string }>('SELECT slug FROM companies WHERE id = ?', id);
 *   return row?.slug;
 * }
 */
export type SqlProgram<Result> = Generator<readonly (Statement | Rows)[], Result, Results>;

type Results = readonly (readonly unknown[])[];

export function* all<Row>(sql: string, ...parameters: readonly Value[]): SqlProgram<Row[]> {
  const [rows] = yield [{ sql, parameters, wanted: 'objects' }];
  return rows as Row[];
}

/** Like `all`, with rows as column arrays, which cost half. */
export function* allLists<Row>(sql: string, ...parameters: readonly Value[]): SqlProgram<Row[]> {
  const [rows] = yield [{ sql, parameters, wanted: 'arrays' }];
  return rows as Row[];
}

export function* first<Row>(sql: string, ...parameters: readonly Value[]): SqlProgram<Row | undefined> {
  const [row] = yield* all<Row>(sql, ...parameters);
  return row;
}

export function* value<Column>(sql: string, ...parameters: readonly Value[]): SqlProgram<Column | undefined> {
  const [row] = yield* allLists<[Column]>(sql, ...parameters);
  return row?.[0];
}

/** The number of a statement such as `SELECT count(*)`; 0 without a row. */
export function* number(sql: string, ...parameters: readonly Value[]): SqlProgram<number> {
  return (yield* value<number>(sql, ...parameters)) ?? 0;
}

/** Whether a statement has a row. */
export function* exists(sql: string, ...parameters: readonly Value[]): SqlProgram<boolean> {
  return (yield* value(sql, ...parameters)) !== undefined;
}

export function* column<Column>(sql: string, ...parameters: readonly Value[]): SqlProgram<Column[]> {
  const rows = yield* allLists<[Column]>(sql, ...parameters);
  return rows.map(([first]) => first);
}

/** The rows of several statements, sent together. */
export function* allTogether<Row>(
  asked: readonly Pick<Statement, 'sql' | 'parameters'>[],
  wanted: 'objects' | 'arrays' = 'objects',
): SqlProgram<Row[][]> {
  if (asked.length === 0) return [];
  return (yield asked.map(({ sql, parameters }) => ({ sql, parameters, wanted }))) as Row[][];
}

/** Executes a statement without waiting for its result. */
export function* run(sql: string, ...parameters: readonly Value[]): SqlProgram<void> {
  yield [{ sql, parameters, wanted: 'nothing' }];
}

export function* runEach(sql: string, each: readonly (readonly Value[])[]): SqlProgram<void> {
  if (each.length > 0) yield each.map((parameters) => ({ sql, parameters, wanted: 'nothing' }));
}

export function* insertRows(table: string, columns: readonly string[], rows: Rows['rows']): SqlProgram<void> {
  if (rows.length > 0) yield [{ table, columns, rows, wanted: 'nothing' }];
}

export const insertSql = ({ table, columns }: Pick<Rows, 'table' | 'columns'>): string =>
  `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;

type ColumnKind = 'number' | 'text' | 'json';

/** Columns to set in rows identified by others. */
export interface RowUpdate {
  readonly table: string;
  readonly set: Readonly<Record<string, ColumnKind>>;
  readonly keys: Readonly<Record<string, ColumnKind>>;
  /** Constant assignments, as SQL. */
  readonly also: readonly string[];
}

export function updateSql({ table, set, keys, also }: RowUpdate): string {
  const assignments = [...Object.keys(set).map((column) => `${column} = ?`), ...also];
  const conditions = Object.keys(keys).map((column) => `${column} = ?`);
  return `UPDATE ${table} SET ${assignments.join(', ')} WHERE ${conditions.join(' AND ')}`;
}

/** A computation without a statement. */
export function* atOnce<Result>(work: () => Result): SqlProgram<Result> {
  yield* NO_STATEMENTS;
  return work();
}

const NO_STATEMENTS: readonly never[] = [];

/** Type in which a document field is compared. */
export type FieldKind = 'text' | 'number' | 'money' | 'name';

export interface Dialect {
  /** SQL expression of a document field; expression indexes use the same text. */
  field(type: RecordType, field: string, kind: FieldKind): string;
  /** A subquery of the numbers in a JSON list parameter. */
  readonly numbersOf: string;
  /** A subquery of the texts in a JSON list parameter. */
  readonly textsOf: string;
  /** Updates many existing rows; each lists the values to set, then the key values. */
  updateRows(update: RowUpdate, rows: readonly (readonly Value[])[]): SqlProgram<void>;
  lastId(type: RecordType): SqlProgram<number>;
  /** Persists the highest id, for engines where inserts alone do not. */
  keepLastId(type: RecordType, id: number): SqlProgram<void>;
  /** Advances the id sequence of a table past explicitly inserted ids. */
  adoptNumbers(table: string): SqlProgram<void>;
}

/**
 * Scope of the write lock: writes of the same scope are serialized across processes. Records, keys with accounts, members with
 * sessions, the request log, the payments of a payer. `rows` takes no lock, for single-statement changes of rows.
 */
export type Written = 'records' | 'keys' | 'members' | 'requests' | 'rows' | { readonly payer: string };

/** Executes SQL programs on a database. Every method rejects with the error of a failed statement or program. */
export interface Runner {
  /** Runs statements without a common snapshot. */
  query<Result>(program: SqlProgram<Result>): Promise<Result>;
  /** Runs reads in one snapshot. */
  snapshot<Result>(program: SqlProgram<Result>): Promise<Result>;
  /** Runs a program in a transaction under the write lock of `written`. */
  transaction<Result>(written: Written, program: SqlProgram<Result>): Promise<Result>;
  /** Like `transaction`, with a longer lock time-out, for work that another process may be doing. */
  longTransaction<Result>(written: Written, program: SqlProgram<Result>): Promise<Result>;
  /** Like `transaction`, without waiting for the disk: survives a crash of the process, not a power failure. */
  relaxedTransaction<Result>(written: Written, program: SqlProgram<Result>): Promise<Result>;
  /** Like `transaction`, but skipped if the lock is held: returns undefined at once. */
  transactionIfFree<Result>(written: Written, program: SqlProgram<Result>): Promise<Result | undefined>;
  /** A small write; concurrent ones share one fsync (group commit). */
  groupedTransaction<Result>(program: SqlProgram<Result>): Promise<Result>;
  /** Like `transaction`, but always rolled back. */
  dryRun<Result>(written: Written, program: SqlProgram<Result>): Promise<Result>;
}
