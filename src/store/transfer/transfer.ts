import { createHash } from 'node:crypto';
import { RECORD_TYPES } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { identityOf } from '../access/keys.ts';
import type { Engine } from '../engine.ts';
import type { Document } from '../records/document.ts';
import { all, first, insertRows, number, run, runEach, type SqlProgram, type Value, value } from '../sql.ts';

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

/** Rows per transaction, the unit of resumption; larger batches of the index share more terms. */
const BATCH = { move: 500, index: 2_000, check: 500 };

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
    state = await walk(transfer, state, { step: 'move', table, write: (rows) => putRows(table, rows) });
  for (const name of RECORD_TYPES) {
    const write = (rows: readonly TableRow[]) => indexRows(target, rows);
    state = await walk(transfer, state, { step: 'index', table: { name, key: ['id'] }, write });
  }
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

interface Walk {
  readonly step: 'move' | 'index';
  readonly table: CopiedTable;
  readonly write: (rows: readonly TableRow[]) => SqlProgram<void>;
}

/** Writes the rows of a table to the target, each batch in one transaction with its position, and continues behind that. */
async function walk({ source, target, onProgress }: Transfer, begun: State, walked: Walk): Promise<State> {
  const { step, table, write } = walked;
  const name = step === 'move' ? table.name : `${table.name} index`;
  if (begun.done.includes(name)) return begun;
  const from = step === 'move' ? source : target;
  const total = await from.runner.query(countRows(table));
  let state = begun;
  let rows = 0;
  const begin = begun.table === name ? begun.place : undefined;
  for await (const { batch, place } of batchesOf(from, table, BATCH[step], begin)) {
    state = { ...state, table: name, place };
    await target.runner.transaction('records', runAll([write(batch), keepState(state)]));
    rows += batch.length;
    onProgress({ step, table: table.name, rows, total });
  }
  state = { source: begun.source, done: [...begun.done, name] };
  await target.runner.transaction('rows', keepState(state));
  return state;
}

/** Rebuilds the read model of copied records, or logs them for followers. */
function indexRows({ indexing }: Engine, rows: readonly TableRow[]): SqlProgram<void> {
  const live = rows.filter(({ deleted_at }) => deleted_at === null);
  const put = live.map(({ document }) => JSON.parse(String(document)) as Document);
  return indexing.update({ put, recomputed: [], removed: [], named: [], relinked: [] }, 'deferred');
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

async function sumOf(engine: Engine, table: CopiedTable): Promise<Checksum> {
  const sum = new Checksum();
  for await (const { batch } of batchesOf(engine, table, BATCH.check))
    for (const row of batch) if (table.name !== 'settings' || row['name'] !== STATE_NAME) sum.add(row);
  return sum;
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

const keepState = (state: State): SqlProgram<void> => run(PUT_SETTING, STATE_NAME, JSON.stringify(state));

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

/** The rows of a table behind a position in batches, each with the position of its last row. */
async function* batchesOf({ runner }: Engine, { name, key }: CopiedTable, limit: number, begin?: KeyPosition) {
  const columns = key.join(', ');
  const behind = `WHERE (${columns}) > (${key.map(() => '?').join(', ')})`;
  let place = begin;
  for (;;) {
    const sql = `SELECT * FROM ${name} ${place === undefined ? '' : behind} ORDER BY ${columns} LIMIT ?`;
    const batch: TableRow[] = await runner.query(all<TableRow>(sql, ...(place ?? []), limit));
    const last = batch.at(-1);
    if (last === undefined) return;
    place = key.map((column) => last[column] ?? null);
    yield { batch, place };
  }
}

const PUT_SETTING = `INSERT INTO settings (name, value) VALUES (?, ?)
  ON CONFLICT (name) DO UPDATE SET value = excluded.value`;

function putRows({ name }: CopiedTable, rows: readonly TableRow[]): SqlProgram<void> {
  const columns = name === 'settings' ? ['name', 'value'] : Object.keys(rows[0] ?? {});
  const cells = rows.map((row) => columns.map((column) => row[column] ?? null));
  return name === 'settings' ? runEach(PUT_SETTING, cells) : insertRows(name, columns, cells);
}

const countRows = ({ name }: CopiedTable): SqlProgram<number> => number(`SELECT count(*) FROM ${name}`);

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
