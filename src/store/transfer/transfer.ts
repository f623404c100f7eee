import { createHash } from 'node:crypto';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { identityOf } from '../access/keys.ts';
import type { Engine } from '../engine.ts';
import type { Document } from '../records/document.ts';
import { all, first, insertRows, run, runEach, type SqlProgram, type Value, value } from '../sql.ts';

interface CopiedTable {
  readonly name: string;
  /** Primary key columns, in read order. */
  readonly key: readonly string[];
  /** Whether the database assigns ids. */
  readonly isNumbered?: true;
}

/** All tables except those of the search index, which is rebuilt; referenced tables first. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'settings', key: ['name'] },
  { name: 'accounts', key: ['id'], isNumbered: true },
  { name: 'quotas', key: ['id'], isNumbered: true },
  { name: 'keys', key: ['id'], isNumbered: true },
  { name: 'oauth_grants', key: ['id'], isNumbered: true },
  { name: 'oauth_tokens', key: ['id'], isNumbered: true },
  { name: 'members', key: ['id'], isNumbered: true },
  { name: 'invitations', key: ['id'], isNumbered: true },
  { name: 'sessions', key: ['id'], isNumbered: true },
  { name: 'attempts', key: ['subject'] },
  { name: 'companies', key: ['id'] },
  { name: 'people', key: ['id'] },
  { name: 'investors', key: ['id'] },
  { name: 'events', key: ['id'] },
  { name: 'rounds', key: ['id'] },
  { name: 'former_slugs', key: ['type', 'slug'] },
  { name: 'duplicates', key: ['id'], isNumbered: true },
  { name: 'record_keys', key: ['type', 'key', 'id'] },
  { name: 'links', key: ['relation', 'from_id', 'position'] },
  { name: 'pending_computed', key: ['type', 'id'] },
  { name: 'claims', key: ['source', 'key', 'field'] },
  { name: 'claim_sources', key: ['source'] },
  { name: 'leases', key: ['name'] },
  { name: 'audit', key: ['id'], isNumbered: true },
  { name: 'idempotency', key: ['scope', 'key'] },
  { name: 'payments', key: ['id'], isNumbered: true },
  { name: 'requests', key: ['id'], isNumbered: true },
  { name: 'request_days', key: ['key_id', 'day', 'class'] },
];

/** Rows per transaction, the unit of resumption. */
const BATCH = 500;
/** Records indexed per transaction: larger batches share more terms. */
const INDEXED_BATCH = 2_000;

export interface TransferProgress {
  readonly step: 'move' | 'index' | 'check';
  readonly table: string;
  readonly rows: number;
  readonly total: number;
}

export interface TransferReport {
  /** Whether it resumes an earlier run. */
  readonly isResumed: boolean;
  readonly tables: Readonly<Record<string, { readonly rows: number; readonly checksum: string }>>;
}

interface Transfer {
  readonly source: Engine;
  readonly target: Engine;
  readonly onProgress: (progress: TransferProgress) => void;
}

/** Copies a database into an empty one, resumably, and compares them; the source must not change meanwhile. */
export async function transfer(transfer: Transfer): Promise<TransferReport> {
  const { source, target } = transfer;
  let state = await readState(target, await source.runner.query(identityOf()));
  const isResumed = state.done.length > 0 || state.place !== undefined;
  for (const table of COPIED_TABLES)
    if (!state.done.includes(table.name)) state = await copyTable(transfer, table, state);
  for (const type of RECORD_TYPES)
    if (!state.done.includes(indexOf(type))) state = await indexType(transfer, type, state);
  await target.compact();
  for (const type of RECORD_TYPES) {
    const last = await source.runner.query(source.dialect.lastId(type));
    await target.runner.transaction('records', target.dialect.keepLastId(type, last));
  }
  for (const { name, isNumbered } of COPIED_TABLES)
    if (isNumbered) await target.runner.transaction('rows', target.dialect.adoptNumbers(name));
  const tables = await compare(transfer);
  await target.runner.transaction('rows', dropState());
  return { isResumed, tables };
}

async function copyTable({ source, target, onProgress }: Transfer, table: CopiedTable, begun: State): Promise<State> {
  const total = await source.runner.query(countRows(table));
  let state = begun;
  let rows = 0;
  for (;;) {
    const position = state.table === table.name ? state.place : undefined;
    const batch = await source.runner.query(rowsBehind(table, position, BATCH));
    const last = batch.at(-1);
    if (last === undefined) break;
    state = { ...state, table: table.name, place: positionOf(table, last) };
    await target.runner.transaction('records', runAll([putRows(table, batch), keepState(state)]));
    rows += batch.length;
    onProgress({ step: 'move', table: table.name, rows, total });
  }
  return finish(target, state, table.name);
}

const indexOf = (type: RecordType): string => `${type} index`;

/** Rebuilds the read model of the copied records, or logs them for followers. */
async function indexType({ target, onProgress }: Transfer, type: RecordType, begun: State): Promise<State> {
  const table: CopiedTable = { name: type, key: ['id'] };
  const total = await target.runner.query(countRows(table));
  let state = begun;
  let rows = 0;
  for (;;) {
    const position = state.table === indexOf(type) ? state.place : undefined;
    const batch = await target.runner.query(rowsBehind(table, position, INDEXED_BATCH));
    const last = batch.at(-1);
    if (last === undefined) break;
    state = { ...state, table: indexOf(type), place: positionOf(table, last) };
    const live = batch.filter(({ deleted_at }) => deleted_at === null);
    const documents = live.map(({ document }) => JSON.parse(String(document)) as Document);
    const indexed = target.indexing.update(
      { put: documents, recomputed: [], removed: [], named: [], relinked: [] },
      'deferred',
    );
    await target.runner.transaction('records', runAll([indexed, keepState(state)]));
    rows += batch.length;
    onProgress({ step: 'index', table: type, rows, total });
  }
  return finish(target, state, indexOf(type));
}

async function finish(target: Engine, { source, done }: State, name: string): Promise<State> {
  const state: State = { source, done: [...done, name] };
  await target.runner.transaction('rows', keepState(state));
  return state;
}

function* runAll(all: readonly SqlProgram<void>[]): SqlProgram<void> {
  for (const program of all) yield* program;
}

async function compare({ source, target, onProgress }: Transfer): Promise<TransferReport['tables']> {
  const tables: Record<string, { rows: number; checksum: string }> = {};
  for (const table of COPIED_TABLES) {
    const expected = await sumOf(source, table);
    const moved = await sumOf(target, table);
    if (moved.rows !== expected.rows || String(moved) !== String(expected)) {
      const message = `${table.name} differs: ${expected.rows} rows (${expected}) became ${moved.rows} rows (${moved}). Was the source in use? Start again with an empty database.`;
      throw new ServiceError('unavailable', message);
    }
    tables[table.name] = { rows: moved.rows, checksum: String(moved) };
    onProgress({ step: 'check', table: table.name, rows: moved.rows, total: expected.rows });
  }
  return tables;
}

async function sumOf({ runner }: Engine, table: CopiedTable): Promise<Checksum> {
  const sum = new Checksum();
  let position: KeyPosition | undefined;
  for (;;) {
    const batch: TableRow[] = await runner.query(rowsBehind(table, position, BATCH));
    const last = batch.at(-1);
    if (last === undefined) return sum;
    for (const row of batch) if (table.name !== 'settings' || row['name'] !== STATE_NAME) sum.add(row);
    position = positionOf(table, last);
  }
}

/** Setting with the state of the transfer; deleted at the end. */
const STATE_NAME = 'transfer';

interface State {
  /** Identifies the source database by its key pepper. */
  readonly source: string;
  /** Completed tables, and the current one with its position. */
  readonly done: readonly string[];
  readonly table?: string;
  readonly place?: KeyPosition;
}

const SELECT = `SELECT value FROM settings WHERE name = '${STATE_NAME}'`;

function keepState(state: State): SqlProgram<void> {
  return run(
    `INSERT INTO settings (name, value) VALUES ('${STATE_NAME}', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    JSON.stringify(state),
  );
}

const dropState = (): SqlProgram<void> => run(`DELETE FROM settings WHERE name = '${STATE_NAME}'`);

/** All tables except settings, which a new database has. */
const FILLED = COPIED_TABLES.filter(({ name }) => name !== 'settings').map(({ name }) => `SELECT 1 FROM ${name}`);
const IN_USE = `SELECT 1 WHERE ${["SELECT 1 FROM settings WHERE name = 'filled_at'", ...FILLED]
  .map((some) => `EXISTS (${some})`)
  .join(' OR ')}`;

/** The state of a transfer into a database. Throws if it has other content. */
async function readState({ runner }: Engine, source: string): Promise<State> {
  const saved = await runner.query(value<string>(SELECT));
  if (saved !== undefined) {
    const state = JSON.parse(saved) as State;
    if (state.source === source) return state;
    throw refusal('The target contains a part of another database; give an empty one.');
  }
  if ((await runner.query(first(IN_USE))) !== undefined)
    throw refusal('The target is in use already; give an empty database.');
  return { source, done: [] };
}

const refusal = (message: string): ServiceError => new ServiceError('invalid_parameter', message);

type TableRow = Readonly<Record<string, Value>>;

type KeyPosition = readonly Value[];

const positionOf = ({ key }: CopiedTable, row: TableRow): KeyPosition => key.map((column) => row[column] ?? null);

function rowsBehind({ name, key }: CopiedTable, place: KeyPosition | undefined, limit: number): SqlProgram<TableRow[]> {
  const columns = key.join(', ');
  const behind = place === undefined ? '' : `WHERE (${columns}) > (${key.map(() => '?').join(', ')})`;
  return all<TableRow>(`SELECT * FROM ${name} ${behind} ORDER BY ${columns} LIMIT ?`, ...(place ?? []), limit);
}

const PUT_SETTING = `INSERT INTO settings (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

function putRows({ name }: CopiedTable, rows: readonly TableRow[]): SqlProgram<void> {
  const columns = name === 'settings' ? ['name', 'value'] : Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => columns.map((column) => row[column] ?? null));
  return name === 'settings' ? runEach(PUT_SETTING, cells) : insertRows(name, columns, cells);
}

/** Number of rows of a table, without the state of the transfer itself. */
function* countRows({ name }: CopiedTable): SqlProgram<number> {
  const row = yield* first<{ rows: number }>(`SELECT count(*) AS rows FROM ${name}`);
  return row?.rows ?? 0;
}

const SUM_BYTES = 16;

/** An order-independent and engine-independent checksum of rows. */
class Checksum {
  #rows = 0;
  readonly #sum = Buffer.alloc(SUM_BYTES);

  add(row: TableRow): void {
    const cells = Object.entries(row).toSorted(([one], [other]) => (one < other ? -1 : 1));
    const text = JSON.stringify(cells.map(([, cell]) => (Buffer.isBuffer(cell) ? cell.toString('hex') : cell)));
    const digest = createHash('sha256').update(text).digest();
    for (let index = 0; index < SUM_BYTES; index += 1)
      this.#sum[index] = (this.#sum[index] ?? 0) ^ (digest[index] ?? 0);
    this.#rows += 1;
  }

  get rows(): number {
    return this.#rows;
  }

  toString(): string {
    return this.#sum.toString('hex');
  }
}
