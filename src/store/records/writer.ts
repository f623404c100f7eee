import { englishCountry } from '../../contract/countries.ts';
import { isNamedType, NAMED_TYPES, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { invalidAt, ServiceError } from '../../contract/errors.ts';
import type { InputFields, RecordInput } from '../../contract/input.ts';
import { foldName, isSameAddress } from '../../contract/names.ts';
import { changedFields, claimedFields, sourcesAfter } from '../claims/claim-table.ts';
import { type Author, OPERATOR } from '../port/audit.ts';
import type { Rejected, RowInput, Upserted } from '../port/records.ts';
import type { Dialect, SqlProgram } from '../sql.ts';
import {
  computedFields,
  computedOf,
  deferComputed,
  loadComputed,
  noteLeaving,
  noteRecorded,
  refreshComputed,
} from './computed-fields.ts';
import { blankInput, composeDocument, type Document, identityKeys, isStated, withOwnComputed } from './document.ts';
import { leaving } from './investments.ts';
import type { References } from './linker.ts';
import { dropRepeated, unlinkedIn } from './links.ts';
import { joinedFields, mergedFields, united } from './merge.ts';
import type { RecordLookup, StoredRow } from './tables.ts';
import {
  beginWork,
  finishWork,
  insertRecord,
  markEarlier,
  markRemoved,
  markUnresolved,
  saveRecord,
  type UnitOfWork,
  type WriterParts,
} from './unit-of-work.ts';
import { checkInput, checkNew } from './validate-input.ts';

interface Putting {
  readonly isShipped: boolean;
  readonly author?: Author;
  /** Whether outcomes have the states of the record. */
  readonly isTrial?: true;
}

export type Writer = ReturnType<typeof createWriter>;

export function createWriter(parts: WriterParts, now: () => Date) {
  return {
    /** Upserts rows of the shipped data set, or without an author. */
    *putAll(rows: Iterable<RowInput>, isShipped: boolean): SqlProgram<Upserted[]> {
      const work = beginWork(parts, now());
      const upserted: Upserted[] = [];
      for (const chunk of inChunks(rows)) {
        const some = yield* redirected(work, chunk);
        yield* prepare(work, some);
        const rest = isShipped ? yield* asShipped(parts.dialect, work, some) : some;
        for (const row of rest) upserted.push(yield* put(work, row, { isShipped }));
      }
      yield* finishWork(work);
      return upserted;
    },
    /**
     * Upserts valid rows and audits them; fields that follow rounds are computed by `computePending`.
     * @param when as in `RecordIndexing.update`
     */
    *upsertMany(
      rows: readonly RowInput[],
      author: Author,
      when: 'later' | 'deferred',
    ): SqlProgram<(Upserted | Rejected)[]> {
      const work = beginWork(parts, now());
      const outcomes = yield* upsertEach(work, rows, { isShipped: false, author });
      yield* finishWork(work, when, deferComputed);
      return outcomes;
    },
    /** Like upsertMany, without the final step; the caller rolls back. */
    *dryRun(rows: readonly RowInput[]): SqlProgram<(Upserted | Rejected)[]> {
      return yield* upsertEach(beginWork(parts, now()), rows, { isShipped: false, author: OPERATOR, isTrial: true });
    },
    /** Writes records from claims; neither edits nor audited per record. */
    *putClaimed(rows: readonly RowInput[]): SqlProgram<(Upserted | Rejected)[]> {
      const work = beginWork(parts, now());
      const outcomes = yield* upsertEach(work, rows, { isShipped: false });
      yield* finishWork(work);
      return outcomes;
    },
    *removeAll(type: RecordType, ids: readonly number[], when: 'later' | 'deferred'): SqlProgram<void> {
      const work = beginWork(parts, now());
      yield* remove(work, type, ids);
      yield* finishWork(work, when, when === 'deferred' ? deferComputed : refreshComputed);
    },
  };
}

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

/** Prefetches what upserting rows reads; anything missed is read individually. */
function* prepare(work: UnitOfWork, rows: readonly RowInput[]): SqlProgram<void> {
  for (const type of RECORD_TYPES) {
    const some = rows.filter((row) => row.type === type);
    if (some.length === 0) continue;
    const table = work.tables[type];
    const slugs = some.flatMap(({ input: { slug } }) => (typeof slug === 'string' ? slug : []));
    yield* table.load({ ids: some.flatMap(({ id }) => id ?? []), slugs });
    const references: References[] = [];
    const computed: number[] = [];
    for (const row of some) {
      const stored = yield* findIfAny(table, row);
      references.push({ id: stored?.id, fields: row.input });
      if (stored !== undefined && statesComputed(type, row.input)) computed.push(stored.id);
    }
    yield* work.linker.prepare(type, references);
    yield* loadComputed(work, type, computed);
  }
}

/** Rows of the shipped data set: a record that nobody has changed loses what its row no longer states. */
function* asShipped(dialect: Dialect, work: UnitOfWork, rows: readonly RowInput[]): SqlProgram<readonly RowInput[]> {
  const rest = [...rows];
  for (const type of RECORD_TYPES) {
    const places = new Map<number, number>();
    const documents = new Map<number, string>();
    for (const [index, row] of rows.entries()) {
      const stored = row.type === type ? yield* findIfAny(work.tables[type], row) : undefined;
      if (stored === undefined) continue;
      places.set(stored.id, index);
      documents.set(stored.id, stored.document);
    }
    if (places.size === 0) continue;
    for (const id of yield* work.tables[type].shippedOf([...places.keys()])) {
      const index = places.get(id) as number;
      const { input, ...row } = rows[index] as RowInput;
      rest[index] = { ...row, input: { ...clearing(type, documents.get(id) ?? '{}'), ...input } };
    }
    for (const [id, fields] of yield* claimedFields(dialect, type, [...places.keys()])) {
      const index = places.get(id) as number;
      const { input, ...row } = rest[index] as RowInput;
      const left = Object.entries(input).filter(([name]) => ![...fields, 'sources', 'as_of'].includes(name));
      rest[index] = { ...row, input: Object.fromEntries(left) };
    }
  }
  return rest;
}

/** Rows of a merged record apply to the remaining one. */
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

function* upsertEach(
  work: UnitOfWork,
  given: readonly RowInput[],
  putting: Putting,
): SqlProgram<(Upserted | Rejected)[]> {
  const rows = yield* redirected(work, given);
  yield* prepare(work, rows);
  const outcomes: (Upserted | Rejected)[] = [];
  for (const row of rows) outcomes.push(yield* upsertOrReject(work, row, putting));
  return outcomes;
}

/** Validates a row before writing, so that the transaction can continue without it. */
function* upsertOrReject(work: UnitOfWork, row: RowInput, putting: Putting): SqlProgram<Upserted | Rejected> {
  try {
    return yield* put(work, row, putting);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { change: 'refused', faults: error.errors };
  }
}

function* put(work: UnitOfWork, row: RowInput, putting: Putting): SqlProgram<Upserted> {
  const stored = yield* find(work.tables[row.type], row);
  return stored === undefined
    ? yield* putNew(work, row, putting)
    : yield* updateExisting(work, row, { ...putting, stored });
}

function* putNew(work: UnitOfWork, row: RowInput, { isShipped, author, isTrial }: Putting): SqlProgram<Upserted> {
  const { type, input: given, nameWhenNew } = row;
  const name = given.name ?? nameWhenNew;
  const input = checkInput(type, name === undefined ? given : { ...given, name });
  checkNew(type, input);
  const document = yield* insertRecord(work, type, input, isShipped);
  const { id, slug } = document;
  // The state after is omitted: it is the record itself, or the state before its next change.
  if (author !== undefined) work.auditEntries.push({ author, at: work.moment, action: 'import', type, id });
  return { id, slug, change: 'created', unlinked: unlinkedIn(document), ...(isTrial && { states: [{}, document] }) };
}

function* updateExisting(
  work: UnitOfWork,
  row: RowInput,
  { isShipped, author, isTrial, stored }: Putting & { stored: StoredRow },
): SqlProgram<Upserted> {
  const { type } = row;
  const earlier = JSON.parse(stored.document) as Document;
  const stated = writtenFields(row, earlier);
  const written = author === undefined ? stated : withEarlierParts(stated, earlier);
  const input = checkInput(type, written.name === undefined ? { ...written, name: earlier.name } : written);
  const { id, slug } = earlier;
  const document = composeDocument(type, { slug }, isShipped ? input : withEarlierUrls(input, earlier), earlier);
  const computed = statesComputed(type, written) ? yield* computedOf(work, document) : {};
  const overruled = Object.entries(computed).flatMap(([field, value]) =>
    isStated(written[field]) && JSON.stringify(value) !== JSON.stringify(document[field]) ? field : [],
  );
  Object.assign(document, computed);
  yield* work.linker.linkStated(document, new Set(Object.keys(written)));
  if (type === 'rounds' && row.joined !== undefined)
    yield* work.linker.linkStated(document, dropRepeated(document, earlier));
  const noted = { id, slug, unlinked: unlinkedIn(document), ...(overruled.length > 0 && { overruled }) };
  if (JSON.stringify(document) === stored.document) return { ...noted, change: 'unchanged' };
  if (!isShipped) work.tables[type].markUnshipped(id);
  yield* noteLeaving(work, earlier, document);
  markEarlier(work, earlier);
  const changed: Document = { ...document, updated_at: work.moment };
  if (author !== undefined) {
    const fields = changedFields(earlier, document);
    changed['sources'] = sourcesAfter(earlier, document, fields);
    withOwnComputed(changed);
    work.edited.push({ document: changed, fields });
  }
  const after = JSON.stringify(changed);
  saveRecord(work, changed, after);
  if (author !== undefined)
    work.auditEntries.push({ author, at: work.moment, action: 'import', type, id, before: stored.document, after });
  // A preview shows what the row states; the sources that lose a field follow from it.
  return { ...noted, change: 'updated', ...(isTrial && { states: [earlier, document] }) };
}

/** Input of which addresses that differ from earlier ones by a trailing slash are written as those. */
function withEarlierUrls(input: RecordInput, earlier: Document): RecordInput {
  const same = Object.entries(input).filter(([field, value]) => isSameAddress(value, earlier[field]));
  return { ...input, ...Object.fromEntries(same.map(([field]) => [field, earlier[field]])) };
}

/**
 * Input of an import, of which a place or a role that states a part of what the record has leaves the rest. A city leaves the
 * country of a record without a city; another city may be in another country.
 */
function withEarlierParts(input: InputFields, earlier: Document): InputFields {
  const isPart = (part: object, whole: object): boolean =>
    Object.entries(part).every(
      ([name, value]) =>
        foldName(name === 'country' ? englishCountry(String(value)) : String(value)) ===
        foldName(String(Reflect.get(whole, name))),
    );
  const { location_json: place, roles } = input;
  const earlierPlace = earlier['location_json'] as { readonly city?: string | null } | null | undefined;
  const stated = Object.fromEntries(Object.entries(isObject(place) ? place : {}).filter(([, part]) => part !== null));
  const [only, ...others] = Object.keys(stated);
  const isSame = only !== undefined && earlierPlace && isPart(stated, earlierPlace);
  const isFirstCity = only === 'city' && (earlierPlace?.city ?? null) === null;
  const isPlacePart = earlierPlace && others.length === 0 && (isFirstCity || isSame);
  const earlierRoles = (earlier['roles'] ?? []) as readonly object[];
  const kept = (role: unknown): readonly unknown[] => {
    const same =
      isObject(role) && Object.keys(role).length === 1 ? earlierRoles.filter((each) => isPart(role, each)) : [];
    return same.length > 0 ? same : [role];
  };
  return {
    ...input,
    ...(isPlacePart && { location_json: isSame ? earlierPlace : { ...earlierPlace, ...stated } }),
    ...(Array.isArray(roles) && { roles: roles.flatMap(kept) }),
  };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** The fields that a row writes into an existing record. */
function writtenFields({ type, input, joined }: RowInput, earlier: Document): InputFields {
  if (joined === undefined) return input;
  if (!isNamedType(type)) return joined === 'fills' ? lackingFields(input, earlier) : changingFields(input, earlier);
  const checkedInput = checkInput(type, { ...input, name: input.name ?? earlier.name });
  return joined === 'fills' ? mergedFields(type, earlier, checkedInput) : joinedFields(type, earlier, checkedInput);
}

/** The fields of a row that a round does not state. A date brings whether it is of a month, and a stage its raw label. */
const lackingFields = (input: InputFields, earlier: Document): InputFields =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !isStated(earlier[BROUGHT_BY[field] ?? field])));

const BROUGHT_BY: Readonly<Record<string, string>> = { month_only: 'announced_date', stage_raw: 'stage' };

/** The fields of a row that change a round: its company stays, however the row calls it, and lists only add to those on record. */
const changingFields = ({ company: _, ...input }: InputFields, earlier: Document): InputFields =>
  Object.fromEntries(
    Object.entries(input).map(([field, value]) => {
      const list = earlier[field];
      return [field, Array.isArray(list) && Array.isArray(value) ? united(list, value) : value];
    }),
  );

/**
 * The record of a row. An id alone is ours; with a name it may be another system's, so it counts only if our record of
 * that id has the name. Otherwise the slug decides.
 */
function* find(table: RecordLookup, row: RowInput): SqlProgram<StoredRow | undefined> {
  const { input, id } = row;
  const found = yield* findIfAny(table, row);
  const isNamed = typeof input.slug === 'string' || input.name !== undefined;
  if (found !== undefined || id === undefined || isNamed) return found;
  throw invalidAt('body.id', `id: there is no record ${id}; give a slug or a name instead`);
}

function* findIfAny(table: RecordLookup, { input, id }: RowInput): SqlProgram<StoredRow | undefined> {
  const numbered = id === undefined ? undefined : yield* table.byId(id);
  if (numbered !== undefined && (input.name === undefined || hasName(numbered.document, input.name))) return numbered;
  return typeof input.slug === 'string' ? yield* table.bySlug(input.slug) : undefined;
}

const hasName = (json: string, name: string): boolean =>
  identityKeys(JSON.parse(json) as Document).includes(foldName(name));

/** Input that clears what a record has, except fields computed from its rounds. */
function clearing(type: RecordType, json: string): InputFields {
  const document = JSON.parse(json) as Document;
  const blank = Object.entries(blankInput(type)).filter(
    ([field, value]) =>
      !computedFields(type).includes(field) && JSON.stringify(document[field] ?? null) !== JSON.stringify(value),
  );
  return Object.fromEntries(blank) as InputFields;
}

const statesComputed = (type: RecordType, given: InputFields): boolean =>
  computedFields(type).some((field) => given[field] !== undefined);

function* remove(work: UnitOfWork, type: RecordType, ids: readonly number[]): SqlProgram<void> {
  const removed: Document[] = [];
  yield* work.tables[type].load({ ids });
  for (const id of ids) {
    const row = yield* work.tables[type].byId(id);
    if (row !== undefined) removed.push(JSON.parse(row.document) as Document);
  }
  if (type === 'rounds')
    yield* noteRecorded(
      work,
      removed.flatMap((document) => leaving(document)),
    );
  for (const document of removed) markEarlier(work, document);
  yield* work.tables[type].removeAll(ids);
  const naming = yield* work.linker.unlink(type, ids);
  for (const id of ids) markRemoved(work, type, id);
  if (!isNamedType(type)) return;
  for (const id of ids) work.names.set(type, id, []);
  markUnresolved(work, naming);
}
