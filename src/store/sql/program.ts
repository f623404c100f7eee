/** What a statement can be given. */
export type Value = string | number | bigint | Buffer | null;

/** Rows for a table, which an engine writes in its quickest way. */
export interface Rows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Value[])[];
  readonly wanted: 'nothing';
}

/** One statement of SQL that every engine understands, with a `?` for each parameter. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly Value[];
  /** What is wanted of its answer; with nothing wanted, an engine need not wait for it. */
  readonly wanted: 'objects' | 'arrays' | 'nothing';
}

/**
 * The steps of an operation, which any engine can take: it yields the statements that it needs answered, and goes on
 * with their rows. SQLite answers at once, PostgreSQL later; what is decided between two steps is written once.
 * @example
 * import { first, type SqlProgram } from './program.ts';
 *
 * export function* slugOf(id: number): SqlProgram<string | undefined> {
 *   const row = yield* first<{ slug: string }>('SELECT slug FROM companies WHERE id = ?', id);
 *   return row?.slug;
 * }
 */
export type SqlProgram<Result> = Generator<readonly (Statement | Rows)[], Result, Answers>;

type Answers = readonly (readonly unknown[])[];

/** The rows of a statement. */
export function* all<Row>(sql: string, ...parameters: readonly Value[]): SqlProgram<Row[]> {
  const [rows] = yield [{ sql, parameters, wanted: 'objects' }];
  return rows as Row[];
}

/** As all, with each row as the list of its columns, which costs half. */
export function* allLists<Row>(sql: string, ...parameters: readonly Value[]): SqlProgram<Row[]> {
  const [rows] = yield [{ sql, parameters, wanted: 'arrays' }];
  return rows as Row[];
}

/** The first row of a statement. */
export function* first<Row>(sql: string, ...parameters: readonly Value[]): SqlProgram<Row | undefined> {
  const [row] = yield* all<Row>(sql, ...parameters);
  return row;
}

/** The first column of a statement's first row. */
export function* value<Column>(sql: string, ...parameters: readonly Value[]): SqlProgram<Column | undefined> {
  const [row] = yield* allLists<[Column]>(sql, ...parameters);
  return row?.[0];
}

/** The first column of every row. */
export function* column<Column>(sql: string, ...parameters: readonly Value[]): SqlProgram<Column[]> {
  const rows = yield* allLists<[Column]>(sql, ...parameters);
  return rows.map(([first]) => first);
}

/** The rows of several statements, asked for together. */
export function* allTogether<Row>(asked: readonly Pick<Statement, 'sql' | 'parameters'>[]): SqlProgram<Row[][]> {
  if (asked.length === 0) return [];
  return (yield asked.map(({ sql, parameters }) => ({ sql, parameters, wanted: 'objects' }))) as Row[][];
}

/** As allTogether, with each row as the list of its columns. */
export function* allListsTogether<Row>(asked: readonly Pick<Statement, 'sql' | 'parameters'>[]): SqlProgram<Row[][]> {
  if (asked.length === 0) return [];
  return (yield asked.map(({ sql, parameters }) => ({ sql, parameters, wanted: 'arrays' }))) as Row[][];
}

/** Writes, and waits for nothing. */
export function* run(sql: string, ...parameters: readonly Value[]): SqlProgram<void> {
  yield [{ sql, parameters, wanted: 'nothing' }];
}

/** Writes the same with each of some parameters. */
export function* runEach(sql: string, each: readonly (readonly Value[])[]): SqlProgram<void> {
  if (each.length > 0) yield each.map((parameters) => ({ sql, parameters, wanted: 'nothing' }));
}

/** Writes new rows of a table, many at once. */
export function* insertRows(
  table: string,
  columns: readonly string[],
  rows: readonly (readonly Value[])[],
): SqlProgram<void> {
  if (rows.length > 0) yield [{ table, columns, rows, wanted: 'nothing' }];
}

/** The statement that writes one row of a table. */
export function insertSql({ table, columns }: Pick<Rows, 'table' | 'columns'>): string {
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
}

/** What the values of a column are. */
type ColumnKind = 'number' | 'text' | 'json';

/** Which columns of a table are set in rows that are found by others. */
export interface RowUpdate {
  readonly table: string;
  readonly set: Readonly<Record<string, ColumnKind>>;
  readonly keys: Readonly<Record<string, ColumnKind>>;
  /** Assignments that are the same for every row, as SQL. */
  readonly also: readonly string[];
}

/** The statement that updates one row. */
export function updateSql({ table, set, keys, also }: RowUpdate): string {
  const assignments = [...Object.keys(set).map((column) => `${column} = ?`), ...also];
  const conditions = Object.keys(keys).map((column) => `${column} = ?`);
  return `UPDATE ${table} SET ${assignments.join(', ')} WHERE ${conditions.join(' AND ')}`;
}

/** An answer that an engine has without a statement. */
export function* atOnce<Result>(work: () => Result): SqlProgram<Result> {
  yield* NO_STATEMENTS;
  return work();
}

const NO_STATEMENTS: readonly never[] = [];
