import { setImmediate } from 'node:timers/promises';
import { entityOf, NAMED_TYPES, type NamedType } from '../../contract/entities/index.ts';
import { ServiceError } from '../../contract/errors.ts';
import { appendAuditEntry } from '../audit.ts';
import { recomputeRecords } from '../claims/apply-claims.ts';
import type { Engine } from '../engine.ts';
import { createMatcher, type Fields } from '../matching/matcher.ts';
import { reasonOf } from '../matching/reasons.ts';
import type { Author } from '../port/audit.ts';
import type {
  CandidatePair,
  ChosenPair,
  Duplicate,
  DuplicateFilter,
  Duplicates,
  PairedRecord,
} from '../port/duplicates.ts';
import type { FoundRecord } from '../port/records.ts';
import { all, allTogether, first, number, run, runEach, type SqlProgram, value } from '../sql.ts';
import { findLive, foundRecord } from './changes.ts';
import { type MergeUndo, mergeRecords, undoMerge } from './merge.ts';
import { writerPartsOf } from './records.ts';
import { createRecordTables, recordPages, type StoredRow } from './tables.ts';
import type { WriterParts } from './unit-of-work.ts';
import { createWriter } from './writer.ts';

/** Records read, and candidates written, per transaction. */
const PART = 500;

interface PairRow extends Omit<Duplicate, 'records' | 'reason'> {
  readonly left_id: number;
  readonly right_id: number;
}

export function createDuplicates(engine: Omit<Engine, 'close'>, now: () => Date): Duplicates {
  const { runner } = engine;
  const parts = writerPartsOf(engine);
  const add = async (pairs: readonly CandidatePair[]): Promise<string> => {
    const at = now().toISOString();
    for (let start = 0; start < pairs.length; start += PART)
      await runner.transaction('rows', addPairs(pairs.slice(start, start + PART), at));
    return at;
  };
  return {
    add: async (pairs) => {
      await add(pairs);
      return runner.query(idsOf(pairs));
    },
    scan: async (types, author) => {
      for (const type of types) {
        const pairs = await candidatesOf(engine, type);
        const at = await add(pairs);
        const deleteStale = "DELETE FROM duplicates WHERE type = ? AND state = 'open' AND found_at < ?";
        await runner.transaction('rows', run(deleteStale, type, at));
      }
      const open = await runner.query(countOf(isOpen(types)));
      const entry = { author, at: now().toISOString(), action: 'duplicates.scan', type: 'duplicates', id: null };
      await runner.transaction('rows', appendAuditEntry({ ...entry, after: JSON.stringify({ types, open }) }));
      return open;
    },
    count: (filter) => runner.query(countOf(conditionOf(filter))),
    list: async ({ limit, offset = 0, ...filter }) => {
      const { state = 'open' } = filter;
      const where = conditionOf(filter);
      const order = state === 'open' ? 'score DESC, id' : 'decided_at DESC, id DESC';
      const sql = `SELECT ${COLUMNS} FROM duplicates WHERE ${where} ORDER BY ${order} LIMIT ? OFFSET ?`;
      const pairs = await runner.query(all<PairRow>(sql, limit, offset));
      return runner.query(withRecords(pairs));
    },
    find: (id) => runner.query(findPair(id)),
    reject: (id, author) => runner.transaction('records', reject(id, author, now())),
    merge: (id, author, keep) => runner.transaction('records', mergePair(parts, { id, author, keep }, now())),
    mergeChosen: (chosen, author) => runner.transaction('records', mergeChosen(parts, { ...chosen, author }, now())),
    undo: (id, author) => runner.transaction('records', undoPair(parts, { id, author }, now())),
  };
}

const COLUMNS = 'id, type, left_id, right_id, rule, score, state, found_at, decided_at, gone_id';

/** Both records exist and are neither deleted nor merged. */
function isOpen(types: readonly NamedType[]): string {
  const both = types.map(
    (type) => `(type = '${type}' AND EXISTS (SELECT 1 FROM ${type} WHERE id = left_id AND deleted_at IS NULL)
      AND EXISTS (SELECT 1 FROM ${type} WHERE id = right_id AND deleted_at IS NULL))`,
  );
  return `state = 'open' AND (${both.join(' OR ')})`;
}

const stateIs = (state: string, type: NamedType | undefined): string =>
  `state = '${state}'${type === undefined ? '' : ` AND type = '${type}'`}`;

const conditionOf = ({ type, state = 'open' }: DuplicateFilter): string =>
  state === 'open' ? isOpen(type === undefined ? NAMED_TYPES : [type]) : stateIs(state, type);

const countOf = (condition: string): SqlProgram<number> => number(`SELECT count(*) FROM duplicates WHERE ${condition}`);

const ADD = `INSERT INTO duplicates (type, left_id, right_id, rule, score, state, found_at) VALUES (?, ?, ?, ?, ?, 'open', ?)
  ON CONFLICT (type, left_id, right_id) DO UPDATE
  SET rule = excluded.rule, score = excluded.score, found_at = excluded.found_at WHERE duplicates.state = 'open'`;

const keyOf = ({ type, left, right }: CandidatePair) => [type, Math.min(left, right), Math.max(left, right)];

const addPairs = (pairs: readonly CandidatePair[], at: string): SqlProgram<void> =>
  runEach(
    ADD,
    pairs.map((pair) => [...keyOf(pair), pair.rule, pair.score, at]),
  );

function* idsOf(pairs: readonly CandidatePair[]): SqlProgram<number[]> {
  const sql = 'SELECT id FROM duplicates WHERE type = ? AND left_id = ? AND right_id = ?';
  const asked = pairs.map((pair) => ({ sql, parameters: keyOf(pair) }));
  return (yield* allTogether<{ readonly id: number }>(asked)).flatMap((rows) => rows.map(({ id }) => id));
}

/** Candidate pairs by the matching rules. Holds the matched fields of all records of the type in memory. */
async function candidatesOf(engine: Omit<Engine, 'close'>, type: NamedType): Promise<CandidatePair[]> {
  const table = createRecordTables(engine.dialect)[type];
  const records: { readonly id: number; readonly fields: Fields }[] = [];
  for await (const rows of recordPages(engine.runner, table, PART))
    for (const { id, document } of rows) records.push({ id, fields: matchedFields(document) });
  const matcher = createMatcher<number>(type);
  for (const { fields } of records) matcher.count(fields);
  const fieldsOf = new Map(records.map(({ id, fields }) => [id, fields]));
  const pairs: CandidatePair[] = [];
  for (const [index, { id, fields }] of records.entries()) {
    // Yield to requests.
    if (index % PART === 0) await setImmediate();
    const joined = matcher.join(fields);
    const found = joined === null ? matcher.possibleMatches(fields) : [joined];
    matcher.add(id, fields);
    for (const { ref, rule, score } of found)
      if (!isToldApart(fields, fieldsOf.get(ref) ?? {})) pairs.push({ type, left: ref, right: id, rule, score });
  }
  return pairs;
}

/** Whether one of two records names the other as one that it is not to be confused with. */
function isToldApart(one: Fields, other: Fields): boolean {
  const names = ({ see_also: others }: Fields, { slug }: Fields): boolean =>
    Array.isArray(others) && others.includes(slug);
  return names(one, other) || names(other, one);
}

const MATCHED = ['name', 'aliases', 'website', 'twitter', 'github', 'chains', 'token_symbols', 'roles', 'events'];

export function matchedFields(json: string): Fields {
  const document = JSON.parse(json) as Fields;
  return Object.fromEntries(
    [...MATCHED, 'start_date', 'edition', 'slug', 'id', 'see_also'].map((field) => [field, document[field]]),
  );
}

function* withRecords(pairs: readonly PairRow[]): SqlProgram<Duplicate[]> {
  const found: Duplicate[] = [];
  for (const { left_id, right_id, ...pair } of pairs) {
    const documents = [yield* storedFields(pair.type, left_id), yield* storedFields(pair.type, right_id)] as const;
    const records = [pairedRecord(left_id, documents[0]), pairedRecord(right_id, documents[1])] as const;
    found.push({ ...pair, reason: reasonOf(pair.rule, pair.type, documents), records });
  }
  return found;
}

type StoredFields = Fields & Partial<Omit<PairedRecord, 'line'> & Record<'tagline' | 'headline', string | null>>;

/** Includes merged and deleted records. */
function* storedFields(type: NamedType, id: number): SqlProgram<StoredFields> {
  return JSON.parse((yield* value<string>(`SELECT document FROM ${type} WHERE id = ?`, id)) ?? '{}') as StoredFields;
}

function pairedRecord(id: number, fields: StoredFields): PairedRecord {
  const { slug = '', name = '', website = null, tagline, headline } = fields;
  return { id, slug, name, website, line: tagline ?? headline ?? null };
}

function* findPair(id: number): SqlProgram<Duplicate | undefined> {
  return (yield* withRecords(yield* all<PairRow>(`SELECT ${COLUMNS} FROM duplicates WHERE id = ?`, id)))[0];
}

function* pairOf(id: number, isWanted: (pair: PairRow) => boolean, wanted: string): SqlProgram<PairRow> {
  const pair = yield* first<PairRow>(`SELECT ${COLUMNS} FROM duplicates WHERE id = ?`, id);
  if (pair === undefined)
    throw new ServiceError('not_found', `There is no candidate ${id}; see the list of duplicates.`);
  if (!isWanted(pair))
    throw new ServiceError('invalid_parameter', `Candidate ${id} is ${pair.state}, and not ${wanted}.`);
  return pair;
}

const isUnmerged = ({ state }: PairRow): boolean => state !== 'merged';

function* reject(id: number, author: Author, now: Date): SqlProgram<void> {
  const { type } = yield* pairOf(id, isUnmerged, 'open');
  const at = now.toISOString();
  yield* run("UPDATE duplicates SET state = 'rejected', decided_at = ? WHERE id = ?", at, id);
  yield* appendAuditEntry({
    author,
    at,
    action: 'duplicates.reject',
    type,
    id: null,
    after: JSON.stringify({ duplicate: id }),
  });
}

interface Decision {
  readonly id: number;
  readonly author: Author;
  readonly keep?: string | undefined;
}

function* mergePair(parts: WriterParts, { id, author, keep }: Decision, now: Date): SqlProgram<FoundRecord> {
  const { type, left_id: left, right_id: right } = yield* pairOf(id, isUnmerged, 'open');
  const survivorId = keep === undefined ? left : (yield* liveRecord(parts, type, keep)).id;
  if (survivorId !== left && survivorId !== right)
    throw new ServiceError('invalid_parameter', `The record ${keep} does not belong to candidate ${id}.`);
  const merge = { type, survivorId, mergedId: survivorId === left ? right : left, author };
  const undo = yield* mergeRecords(parts, merge, now);
  yield* run(
    "UPDATE duplicates SET state = 'merged', decided_at = ?, gone_id = ?, undo = ? WHERE id = ?",
    now.toISOString(),
    merge.mergedId,
    JSON.stringify(undo),
    id,
  );
  return foundRecord((yield* parts.tables[type].byId(survivorId)) as StoredRow);
}

function* mergeChosen(
  parts: WriterParts,
  { type, keep, other, author }: ChosenPair & Pick<Decision, 'author'>,
  now: Date,
): SqlProgram<Duplicate> {
  const [survivor, duplicate] = [yield* liveRecord(parts, type, keep), yield* liveRecord(parts, type, other)];
  if (survivor.id === duplicate.id)
    throw new ServiceError('invalid_parameter', 'A record cannot be merged into itself.');
  const pair = { type, left: survivor.id, right: duplicate.id, rule: 'chosen', score: 100 } as const;
  yield* addPairs([pair], now.toISOString());
  const [id] = (yield* idsOf([pair])) as [number];
  yield* mergePair(parts, { id, author, keep: survivor.slug }, now);
  return (yield* findPair(id)) as Duplicate;
}

function* liveRecord({ tables }: WriterParts, type: NamedType, target: string): SqlProgram<StoredRow> {
  const row = yield* findLive(tables[type], target);
  if (row !== undefined) return row;
  throw new ServiceError('not_found', `There is no ${entityOf(type).noun} ${target}; give its number or slug.`);
}

function* undoPair(parts: WriterParts, { id, author }: Decision, now: Date): SqlProgram<void> {
  const pair = yield* pairOf(id, (found) => found.state === 'merged', 'merged');
  const undo = JSON.parse((yield* value<string>('SELECT undo FROM duplicates WHERE id = ?', id)) ?? '{}') as MergeUndo;
  const mergedId = pair.gone_id as number;
  const survivorId = mergedId === pair.left_id ? pair.right_id : pair.left_id;
  yield* undoMerge(parts, { type: pair.type, survivorId, mergedId, author }, undo, now);
  // A source may have been withheld in the meantime.
  yield* recomputeRecords(
    { ...parts, writer: createWriter(parts, () => now) },
    { type: pair.type, ids: [survivorId, mergedId] },
  );
  yield* run("UPDATE duplicates SET state = 'open', decided_at = NULL, gone_id = NULL, undo = NULL WHERE id = ?", id);
}
