import { randomUUID } from 'node:crypto';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { SearchIndex } from '../search/search-index.ts';
import { all, atOnce, column, number, type Runner, run, type SqlProgram, value } from '../sql.ts';
import { sqliteDialect } from '../sqlite/dialect.ts';
import type { Document } from './document.ts';
import {
  compactPending,
  countChanged,
  forgetPending,
  isBuilding,
  ranksOf,
  searchedDocuments,
  takePending,
} from './pending-indexing.ts';
import type { RecordIndex, SearchModel } from './record-index.ts';
import { createRecordTables } from './tables.ts';

/** Owner and progress of an index build. Other processes wait for it, unless it stopped or they need another index. */
interface Build {
  readonly id: string;
  readonly definitions: string | undefined;
  readonly at: number;
}

interface IndexBuildRequest {
  readonly fullText: SearchIndex;
  readonly runner: Pick<Runner, 'query' | 'transaction' | 'longTransaction' | 'relaxedTransaction'>;
  /** Fingerprints of the definitions, if changed: a concurrent build with others ends. */
  readonly definitions?: string;
  /**
   * Types whose records changed position, if the index is otherwise correct except for pending records: only pending records
   * are read, and the others keep their postings at new positions.
   */
  readonly moved?: readonly RecordType[] | undefined;
  /** Gives up if more records than this changed after they were read: they are applied in the transaction that ends the build. */
  readonly changedMax?: number | undefined;
  /** Additional work in the transaction that activates the new index. */
  readonly finish?: () => SqlProgram<void>;
}

/** Documents per transaction: other writers wait about 20 ms. Moved ones cost a third. */
const PORTION = 200;
const MOVED_PORTION = 400;
/** A build without progress for this long is considered dead. */
const STOPPED_MS = 5_000;
const WAIT_MS = 50;
/** Changed records per write of the posting lists. */
const CHANGED = 1_000;

/**
 * Builds a new index beside the live one in short transactions. The live index follows changes meanwhile; they are
 * recorded and applied to the new one. A dead build is restarted by the next request.
 * @returns false if another process took over, or completed its own build, or if too much changed
 */
export async function buildIndex(request: IndexBuildRequest): Promise<boolean> {
  const { runner } = request;
  const own = randomUUID();
  const beginOwn = () => runner.longTransaction('records', begin(request, own));
  let types = await beginOwn();
  while (types === undefined) {
    if (await hasEnded(runner)) return false;
    types = await beginOwn();
  }
  const portion = async <Result>(program: () => SqlProgram<Result>): Promise<Result | undefined> => {
    await setImmediate();
    return runner.relaxedTransaction('records', ifOwn(own, request.definitions, program));
  };
  const addPortion = types === RECORD_TYPES ? addSome : moveSome;
  for (const type of types) {
    for (let after: number | undefined = 0; after !== undefined; ) {
      const from: number = after;
      const added = await portion(() => addPortion(request.fullText, type, from));
      if (added === undefined) return false;
      after = added.last;
    }
  }
  for (let isLeft: boolean | undefined = true; isLeft; ) {
    isLeft = await portion(() => atOnce(request.fullText.build.write));
    if (isLeft === undefined) return false;
  }
  const finished = await runner.longTransaction(
    'records',
    ifOwn(own, request.definitions, () => finish(request)),
  );
  return finished === true;
}

const SELECT_BUILD = "SELECT value FROM search_definitions WHERE name = 'build'";

function* current(): SqlProgram<Build | undefined> {
  const text = yield* value<string>(SELECT_BUILD);
  return text === undefined ? undefined : (JSON.parse(text) as Build);
}

const hasStopped = ({ at }: Build): boolean => Date.now() - at > STOPPED_MS;

/** Waits for a build in progress. False if it died. */
async function hasEnded({ query }: Pick<Runner, 'query'>): Promise<boolean> {
  for (;;) {
    const build = await query(current());
    if (build === undefined) return true;
    if (hasStopped(build)) return false;
    await setTimeout(WAIT_MS);
  }
}

/** Whether a build has died: live ones record progress many times a second. */
export async function isAbandoned({ query }: Pick<Runner, 'query'>): Promise<boolean> {
  const first = await query(current());
  for (let build = first; build !== undefined; build = await query(current())) {
    if (build.at !== first?.at) return false;
    if (hasStopped(build)) return true;
    await setTimeout(WAIT_MS);
  }
  return false;
}

/** Stores a definition, or the progress of a build or rebuild, as JSON text. */
export const saveDefinition = (name: string, json: string): SqlProgram<void> =>
  run(
    'INSERT INTO search_definitions (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
    name,
    json,
  );

const keepBuild = (build: Build): SqlProgram<void> => saveDefinition('build', JSON.stringify(build));

/** Starts a build and returns the types to add; undefined while another build is in progress. */
function* begin(request: IndexBuildRequest, own: string): SqlProgram<readonly RecordType[] | undefined> {
  const { fullText, definitions, moved } = request;
  const other = yield* current();
  const isOutdated = definitions !== undefined && other?.definitions !== definitions;
  if (other !== undefined && !isOutdated && !hasStopped(other)) return undefined;
  yield* keepBuild({ id: own, definitions, at: Date.now() });
  // Records taken by a dead build are no longer pending, so everything is rebuilt.
  const types = other === undefined && moved !== undefined ? moved : RECORD_TYPES;
  if (types === RECORD_TYPES) yield* run('DELETE FROM search_pending');
  else for (const type of types) yield* run("DELETE FROM search_pending WHERE type = ? AND reason = 'named'", type);
  fullText.build.begin(types === RECORD_TYPES ? undefined : types);
  return types;
}

/** Runs a step if this process still owns the build, and records progress; undefined otherwise. */
function* ifOwn<Result>(
  own: string,
  definitions: string | undefined,
  program: () => SqlProgram<Result>,
): SqlProgram<Result | undefined> {
  if ((yield* current())?.id !== own) return undefined;
  yield* keepBuild({ id: own, definitions, at: Date.now() });
  return yield* program();
}

const tables = createRecordTables(sqliteDialect);

interface Added {
  readonly last: number | undefined;
}

function* addSome(fullText: SearchIndex, type: RecordType, after: number): SqlProgram<Added> {
  const rows = yield* tables[type].after(after, PORTION);
  const last = rows.at(-1)?.id;
  if (last === undefined) return { last };
  const documents = rows.map(({ document }) => JSON.parse(document) as Document);
  fullText.build.add(type, yield* searchedDocuments(type, documents));
  yield* forgetPending(type, { after, last });
  return { last };
}

function* moveSome(fullText: SearchIndex, type: RecordType, after: number): SqlProgram<Added> {
  const ids = yield* column<number>(
    `SELECT id FROM ${type} WHERE deleted_at IS NULL AND id > ? ORDER BY id LIMIT ${MOVED_PORTION}`,
    after,
  );
  const last = ids.at(-1);
  if (last === undefined) return { last };
  const waiting = yield* takePending(type, { after, last });
  const rows = waiting.length === 0 ? [] : yield* tables[type].byIds(waiting);
  const documents = rows.map(({ document }) => JSON.parse(document) as Document);
  const read = new Map((yield* searchedDocuments(type, documents)).map((document) => [document.id, document]));
  const ranked = yield* ranksOf(type, ids);
  fullText.build.add(
    type,
    ranked.map((one) => read.get(one.id) ?? one),
  );
  return { last };
}

/**
 * Applies concurrent changes before the new index is activated; deferred records stay pending. False if there are too many, which
 * leaves a build that has died.
 */
function* finish(request: IndexBuildRequest): SqlProgram<boolean> {
  const { fullText, definitions, changedMax = Infinity, finish: finishMore } = request;
  if ((yield* countChanged()) > changedMax) {
    yield* keepBuild({ id: 'given up', definitions, at: 0 });
    return false;
  }
  fullText.build.finish();
  while (yield* compactPending(fullText, 'changed', CHANGED));
  yield* run("DELETE FROM search_definitions WHERE name = 'build'");
  if (finishMore) yield* finishMore();
  return true;
}

/** Far more than an import defers; concurrent imports may add work and compact it themselves. */
const STEPS_MAX = 20_000;

/** Runs the index's deferred work in parts, yielding to other work in between. */
export async function compact(runner: Pick<Runner, 'transaction'>, index: Pick<RecordIndex, 'compact'>): Promise<void> {
  const { transaction } = runner;
  for (let step = 0; step < STEPS_MAX && (await transaction('records', index.compact())); step += 1)
    await setImmediate();
}

/** From this number of pending records, a rebuild is considered, if cheaper by the costs below. */
const BUILT_MIN = 4_000;
/**
 * Relative costs per record, with indexing into a new index as 1: moving postings to a new position; updating the live
 * index; checking whether a referenced record's rank changed, which it does about every second time.
 */
const MOVED = 0.3;
const CHANGED_DOCUMENTS = 3;
const NAMED = 1.5;

/** Applies all pending records and other deferred work to the index. */
export async function compactAll(
  runner: IndexBuildRequest['runner'],
  { fullText, index }: Pick<SearchModel, 'fullText' | 'index'>,
): Promise<void> {
  await hasEnded(runner);
  await buildIfCheaper(runner, fullText);
  // Another process may have taken over the build.
  await hasEnded(runner);
  await compact(runner, index);
}

/**
 * Builds the index in bulk if that is cheaper than applying the pending records one by one, or if a build has died, which
 * took some of them.
 * @param changedMax as in `IndexBuildRequest`
 * @returns whether it built
 */
export async function buildIfCheaper(
  runner: IndexBuildRequest['runner'],
  fullText: SearchIndex,
  changedMax?: number,
): Promise<boolean> {
  const types = (await runner.query(isBuilding())) ? RECORD_TYPES : await runner.query(typesToBuild());
  if (types.length === 0) return false;
  return await buildIndex({ runner, fullText, changedMax, moved: types === RECORD_TYPES ? undefined : types });
}

/** The types to rebuild, if that is cheaper than updating: all, or those with pending records. */
function* typesToBuild(): SqlProgram<readonly RecordType[]> {
  const waiting = yield* all<{ readonly type: RecordType; readonly deferred: number; readonly named: number }>(
    `SELECT type, sum(reason <> 'named') AS deferred, sum(reason = 'named') AS named FROM search_pending GROUP BY type`,
  );
  const types = waiting.map(({ type }) => type);
  const [deferred, named] = [sum(waiting.map((one) => one.deferred)), sum(waiting.map((one) => one.named))];
  if (deferred + named < BUILT_MIN) return [];
  const records = new Map<RecordType, number>();
  for (const type of RECORD_TYPES) records.set(type, yield* number(`SELECT count(*) FROM ${type}`));
  const anew = sum([...records.values()]);
  const moved = deferred + MOVED * sum(types.map((type) => records.get(type) ?? 0));
  const changed = CHANGED_DOCUMENTS * deferred + NAMED * named;
  if (changed <= Math.min(anew, moved)) return [];
  return anew <= moved ? RECORD_TYPES : types;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
