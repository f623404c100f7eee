import { NAMED_TYPES, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { GivenFields } from '../../contract/input.ts';
import { foldName } from '../../contract/names.ts';
import { changedFields, claimedFields } from '../claims/table.ts';
import type { Author } from '../port/audit.ts';
import type { Rejected, RowInput, Upserted } from '../port/records.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { SqlProgram } from '../sql/program.ts';
import { checkInput, checkNew, composeDocument, type Document, fundingOf, identityKeys } from './document.ts';
import type { References } from './linker.ts';
import type { RecordLookup, StoredRow } from './tables.ts';
import { joinedFields, mergedFields } from './union.ts';
import {
  beginWork,
  finishWork,
  insertRecord,
  isNamed,
  markUnresolved,
  noteNamed,
  noteRemoved,
  noteTargets,
  saveRecord,
  type UnitOfWork,
  type WriterParts,
} from './unit-of-work.ts';

/** Writes many records, within the transaction that its steps are taken in. */
export interface Writer {
  /** Keeps rows of the shipped data set, or of nobody in particular. */
  putAll(rows: Iterable<RowInput>, isShipped: boolean): SqlProgram<Upserted[]>;
  /** Keeps the rows that are right, and writes down who brought them. When the index follows is as in `RecordIndex`. */
  upsertMany(
    rows: readonly RowInput[],
    author: Author,
    when: 'later' | 'deferred',
  ): SqlProgram<(Upserted | Rejected)[]>;
  /** As upsertMany, without what comes last; the caller takes its transaction back. */
  dryRun(rows: readonly RowInput[]): SqlProgram<(Upserted | Rejected)[]>;
  /** Makes records what claims of sources say; that is neither an edit nor in the audit log record by record. */
  putClaimed(rows: readonly RowInput[]): SqlProgram<(Upserted | Rejected)[]>;
  /** Removes records for good. */
  removeAll(type: RecordType, ids: readonly number[]): SqlProgram<void>;
}

/** How rows are put: as the data set that comes with the package, and in whose name. */
interface Putting {
  readonly isShipped: boolean;
  readonly author?: Author;
}

export function createWriter(parts: WriterParts, now: () => Date): Writer {
  return {
    putAll: function* putAll(rows, isShipped) {
      const work = beginWork(parts, now());
      const kept: Upserted[] = [];
      for (const chunk of inChunks(rows)) {
        const some = yield* redirected(work, chunk);
        yield* prepare(work, some);
        const rest = isShipped ? yield* withoutClaimed(parts.dialect, work, some) : some;
        for (const row of rest) kept.push(yield* put(work, row, { isShipped }));
      }
      yield* finishWork(work);
      return kept;
    },
    upsertMany: function* upsertMany(rows, author, when) {
      const work = beginWork(parts, now());
      const outcomes = yield* putOrRefuseAll(work, rows, { isShipped: false, author });
      yield* finishWork(work, when);
      return outcomes;
    },
    dryRun: function* dryRun(rows) {
      return yield* putOrRefuseAll(beginWork(parts, now()), rows, { isShipped: false });
    },
    putClaimed: function* putClaimed(rows) {
      const work = beginWork(parts, now());
      const outcomes = yield* putOrRefuseAll(work, rows, { isShipped: false });
      yield* finishWork(work);
      return outcomes;
    },
    removeAll: function* removeAll(type, ids) {
      const work = beginWork(parts, now());
      for (const id of ids) yield* remove(work, type, id);
      yield* finishWork(work, 'later');
    },
  };
}

/** Rows that are prepared together. */
const CHUNK_ROWS = 400;

function* inChunks(rows: Iterable<RowInput>): Generator<readonly RowInput[]> {
  let chunk: RowInput[] = [];
  for (const row of rows) {
    chunk.push(row);
    if (chunk.length < CHUNK_ROWS) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}

/** Reads in a few statements what keeping some rows would look up one by one; what it does not foresee is looked up then. */
function* prepare(work: UnitOfWork, rows: readonly RowInput[]): SqlProgram<void> {
  for (const type of RECORD_TYPES) {
    const some = rows.filter((row) => row.type === type);
    if (some.length === 0) continue;
    const table = work.tables[type];
    const slugs = some.flatMap(({ input: { slug } }) => (typeof slug === 'string' ? slug : []));
    yield* table.load({ ids: some.flatMap(({ id }) => id ?? []), slugs });
    const references: References[] = [];
    const funded: number[] = [];
    for (const row of some) {
      const stored = yield* findIfAny(table, row);
      references.push({ id: stored?.id, fields: row.input });
      if (stored !== undefined && type === 'companies' && saysFunding(row.input)) funded.push(stored.id);
    }
    yield* work.linker.prepare(type, references);
    yield* work.funding.load(funded);
  }
}

/** Rows of the shipped data set without what claims and edits of their records decide. */
function* withoutClaimed(
  dialect: Dialect,
  work: UnitOfWork,
  rows: readonly RowInput[],
): SqlProgram<readonly RowInput[]> {
  const rest = [...rows];
  for (const type of RECORD_TYPES) {
    const places = new Map<number, number>();
    for (const [index, row] of rows.entries()) {
      const stored = row.type === type ? yield* findIfAny(work.tables[type], row) : undefined;
      if (stored !== undefined) places.set(stored.id, index);
    }
    if (places.size === 0) continue;
    for (const [id, fields] of yield* claimedFields(dialect, type, [...places.keys()])) {
      const index = places.get(id) as number;
      const { input, ...row } = rows[index] as RowInput;
      const left = Object.entries(input).filter(([name]) => ![...fields, 'sources', 'as_of'].includes(name));
      rest[index] = { ...row, input: Object.fromEntries(left) };
    }
  }
  return rest;
}

/** A row of a record that was merged into another one is about that, and merged like it. */
function* redirected(work: UnitOfWork, rows: readonly RowInput[]): SqlProgram<RowInput[]> {
  const kept = new Map<string, string>();
  for (const type of NAMED_TYPES) {
    const slugs = rows.flatMap((row) =>
      row.type === type && typeof row.input.slug === 'string' ? row.input.slug : [],
    );
    if (slugs.length === 0) continue;
    for (const [slug, to] of yield* work.tables[type].mergedSlugs(slugs)) kept.set(`${type} ${slug}`, to);
  }
  return rows.map((row) => {
    const slug = kept.get(`${row.type} ${row.input.slug}`);
    return slug === undefined ? row : { ...row, input: { ...row.input, slug }, joined: 'fills' };
  });
}

function* putOrRefuseAll(
  work: UnitOfWork,
  given: readonly RowInput[],
  putting: Putting,
): SqlProgram<(Upserted | Rejected)[]> {
  const rows = yield* redirected(work, given);
  yield* prepare(work, rows);
  const outcomes: (Upserted | Rejected)[] = [];
  for (const row of rows) outcomes.push(yield* putOrRefuse(work, row, putting));
  return outcomes;
}

/** A row is refused before anything of it is written, so that the transaction goes on without it. */
function* putOrRefuse(work: UnitOfWork, row: RowInput, putting: Putting): SqlProgram<Upserted | Rejected> {
  try {
    return yield* put(work, row, putting);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { change: 'refused', faults: error.errors };
  }
}

function* put(work: UnitOfWork, row: RowInput, putting: Putting): SqlProgram<Upserted> {
  const stored = yield* find(work.tables[row.type], row);
  return stored === undefined ? yield* putNew(work, row, putting) : yield* putAgain(work, row, { ...putting, stored });
}

function* putNew(work: UnitOfWork, row: RowInput, { isShipped, author }: Putting): SqlProgram<Upserted> {
  const { type, input: given, nameWhenNew } = row;
  const name = given.name ?? nameWhenNew;
  const input = checkInput(type, name === undefined ? given : { ...given, name });
  checkNew(type, input);
  const { id, slug } = yield* insertRecord(work, type, input, isShipped);
  // The state after is left out: it is the record itself, and the state before its next change.
  if (author !== undefined) work.deeds.push({ author, at: work.moment, action: 'import', type, id });
  return { id, slug, change: 'created' };
}

function* putAgain(
  work: UnitOfWork,
  row: RowInput,
  { isShipped, author, stored }: Putting & { stored: StoredRow },
): SqlProgram<Upserted> {
  const { type } = row;
  const earlier = JSON.parse(stored.document) as Document;
  const given = writtenFields(row, earlier);
  const input = checkInput(type, given.name === undefined ? { ...given, name: earlier.name } : given);
  const { id, slug } = earlier;
  const times = { created_at: String(earlier['created_at']), updated_at: String(earlier['updated_at']) };
  const document = composeDocument(type, { id, slug, ...times }, input, earlier);
  if (saysFunding(given)) Object.assign(document, yield* work.funding.ofRecord(type, id));
  yield* work.linker.linkGiven(document, new Set(Object.keys(given)));
  if (JSON.stringify(document) === stored.document) return { id, slug, change: 'unchanged' };
  if (!isShipped) work.tables[type].disown(id);
  noteTargets(work, earlier);
  // A name that it gave up may have been the other one's too: what named both leads to that one now.
  noteNamed(work, earlier);
  const changed = { ...document, updated_at: work.moment };
  const after = JSON.stringify(changed);
  saveRecord(work, changed, after);
  if (author !== undefined) {
    const states = { before: stored.document, after };
    work.edited.push({ document: changed, fields: changedFields(earlier, changed) });
    work.deeds.push({ author, at: work.moment, action: 'import', type, id, ...states });
  }
  return { id, slug, change: 'updated' };
}

/** What a row writes into a record that is there. */
function writtenFields({ type, input, joined }: RowInput, earlier: Document): GivenFields {
  if (joined === undefined || !isNamed(type)) return input;
  const given = checkInput(type, { ...input, name: input.name ?? earlier.name });
  return joined === 'fills' ? mergedFields(type, earlier, given) : joinedFields(type, earlier, given);
}

/**
 * The record that a row is about. A number alone is ours; beside a name it may be another system's, so it counts only
 * when our record of that number bears the name. Otherwise the slug decides.
 */
function* find(table: RecordLookup, row: RowInput): SqlProgram<StoredRow | undefined> {
  const { input, id } = row;
  const found = yield* findIfAny(table, row);
  const isNamed = typeof input.slug === 'string' || input.name !== undefined;
  if (found !== undefined || id === undefined || isNamed) return found;
  const message = `id: there is no record ${id}; give a slug or a name instead`;
  throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'body.id', message }] });
}

function* findIfAny(table: RecordLookup, { input, id }: RowInput): SqlProgram<StoredRow | undefined> {
  const numbered = id === undefined ? undefined : yield* table.byId(id);
  if (numbered !== undefined && (input.name === undefined || isCalled(numbered.document, input.name))) return numbered;
  return typeof input.slug === 'string' ? yield* table.bySlug(input.slug) : undefined;
}

const isCalled = (json: string, name: string): boolean =>
  identityKeys(JSON.parse(json) as Document).includes(foldName(name));

/** Fields that the rounds of a company tell, where it has any. */
const FUNDING_FIELDS = Object.keys(fundingOf([]));
const saysFunding = (given: GivenFields): boolean => FUNDING_FIELDS.some((field) => given[field] !== undefined);

function* remove(work: UnitOfWork, type: RecordType, id: number): SqlProgram<void> {
  const row = yield* work.tables[type].byId(id);
  yield* work.tables[type].remove(id);
  work.changed.delete(`${type} ${id}`);
  const document = row && (JSON.parse(row.document) as Document);
  if (document !== undefined) noteTargets(work, document);
  const naming = yield* work.linker.unlink(type, id);
  noteRemoved(work, type, id);
  if (!isNamed(type)) return;
  work.names.set(type, id, []);
  markUnresolved(work, naming);
  // A name that two records bore led to neither; now it may lead to the other one.
  if (document !== undefined) noteNamed(work, document);
}
