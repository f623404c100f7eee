import type { RecordType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import type { GivenFields } from '../../contract/input.ts';
import { foldName } from '../../contract/names.ts';
import type { Author } from '../port/audit.ts';
import type { Kept, Refused, Row } from '../port/records.ts';
import { checkInput, checkNew, composeDocument, type Document, identityKeys } from '../records/document.ts';
import type { RecordTables } from './tables.ts';
import {
  beginWork,
  finishWork,
  insertRecord,
  isSearched,
  noteFunded,
  noteNamed,
  noteWaiting,
  saveRecord,
  type Work,
  type WriterParts,
} from './work.ts';

/** Writes many records. The caller holds the transaction. */
export interface Writer {
  /** Keeps rows of the shipped data set, or of nobody in particular. */
  putAll(rows: Iterable<Row>, isShipped: boolean): Kept[];
  /** Keeps the rows that are right, and writes down who brought them. */
  putEach(rows: readonly Row[], author: Author): (Kept | Refused)[];
  /** As putEach, without what comes last; the caller takes its transaction back. */
  tryEach(rows: readonly Row[]): (Kept | Refused)[];
  /** Removes records for good. Gives how many there were. */
  removeAll(ids: Readonly<Record<RecordType, readonly number[]>>): number;
}

/** How rows are put: as the data set that comes with the package, and in whose name. */
interface Putting {
  readonly isShipped: boolean;
  readonly author?: Author;
}

export function createWriter(parts: WriterParts, now: () => Date): Writer {
  return {
    putAll: (rows, isShipped) => {
      const work = beginWork(parts, now());
      const kept = Array.from(rows, (row) => put(work, row, { isShipped }));
      finishWork(work);
      return kept;
    },
    putEach: (rows, author) => {
      const work = beginWork(parts, now());
      const outcomes = rows.map((row) => putOrRefuse(work, row, { isShipped: false, author }));
      finishWork(work, 'later');
      return outcomes;
    },
    tryEach: (rows) => {
      const work = beginWork(parts, now());
      return rows.map((row) => putOrRefuse(work, row, { isShipped: false }));
    },
    removeAll: (ids) => {
      const work = beginWork(parts, now());
      const each = Object.entries(ids) as [RecordType, readonly number[]][];
      for (const [type, some] of each) for (const id of some) remove(work, type, id);
      finishWork(work);
      return each.reduce((sum, [, some]) => sum + some.length, 0);
    },
  };
}

/** A row is refused before anything of it is written, so that the transaction goes on without it. */
function putOrRefuse(work: Work, row: Row, putting: Putting): Kept | Refused {
  try {
    return put(work, row, putting);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { change: 'refused', faults: error.errors };
  }
}

function put(work: Work, row: Row, { isShipped, author }: Putting): Kept {
  const { type, input: given, nameWhenNew } = row;
  const table = work.tables[type];
  const stored = find(table, row);
  if (stored === undefined) {
    const name = given.name ?? nameWhenNew;
    const input = checkInput(type, name === undefined ? given : { ...given, name });
    checkNew(type, input);
    const { id, slug } = insertRecord(work, type, input, isShipped);
    // The state after is left out: it is the record itself, and the state before its next change.
    if (author !== undefined) work.audit({ author, at: work.moment, action: 'import', type, id });
    return { id, slug, change: 'created' };
  }
  const earlier = JSON.parse(stored.document) as Document;
  const input = checkInput(type, given.name === undefined ? { ...given, name: earlier.name } : given);
  const { id, slug } = earlier;
  const times = { created_at: String(earlier['created_at']), updated_at: String(earlier['updated_at']) };
  const document = composeDocument(type, { id, slug, ...times }, input, earlier);
  if (saysFunding(given)) Object.assign(document, work.funding.of(type, id));
  work.linker.linkGiven(document, new Set(Object.keys(given)));
  if (JSON.stringify(document) === stored.document) return { id, slug, change: 'unchanged' };
  if (!isShipped) table.disown(id);
  noteFunded(work, earlier);
  // A name that it gave up may have been the other one's too: what named both leads to that one now.
  noteNamed(work, earlier);
  const changed = { ...document, updated_at: work.moment };
  saveRecord(work, changed);
  if (author !== undefined) {
    const states = { before: stored.document, after: JSON.stringify(changed) };
    work.audit({ author, at: work.moment, action: 'import', type, id, ...states });
  }
  return { id, slug, change: 'updated' };
}

/**
 * The record that a row is about. A number alone is ours; beside a name it may be another system's, so it counts only
 * when our record of that number bears the name. Otherwise the slug decides.
 */
function find(table: RecordTables[RecordType], { input, id }: Row) {
  const numbered = id === undefined ? undefined : table.byId(id);
  if (numbered !== undefined && (input.name === undefined || isCalled(numbered.document, input.name))) return numbered;
  if (typeof input.slug === 'string') return table.bySlug(input.slug);
  if (id === undefined || input.name !== undefined) return undefined;
  const message = `id: there is no record ${id}; give a slug or a name instead`;
  throw new ServiceError('invalid_parameter', message, { errors: [{ location: 'body.id', message }] });
}

const isCalled = (json: string, name: string): boolean =>
  identityKeys(JSON.parse(json) as Document).includes(foldName(name));

const saysFunding = (given: GivenFields): boolean =>
  given['total_funding_usd'] !== undefined || given['funding_stage'] !== undefined;

function remove(work: Work, type: RecordType, id: number): void {
  const row = work.tables[type].byId(id);
  work.tables[type].remove(id);
  work.changed.delete(`${type} ${id}`);
  const document = row && (JSON.parse(row.document) as Document);
  if (document !== undefined) noteFunded(work, document);
  const naming = work.linker.unlink(type, id);
  if (!isSearched(type)) return;
  work.names.set(type, id, []);
  work.index.remove(type, id);
  noteWaiting(work, naming);
  // A name that two records bore led to neither; now it may lead to the other one.
  if (document !== undefined) noteNamed(work, document);
}
