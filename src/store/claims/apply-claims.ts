import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { groupBy } from '../../contract/group-by.ts';
import type { ClaimBatch, ClaimOutcome, PlacedClaim } from '../port/claims.ts';
import type { Rejected, RowInput, Upserted } from '../port/records.ts';
import { blankInput, type Document, isStated, newestDate } from '../records/document.ts';
import type { RecordTables } from '../records/tables.ts';
import type { Writer } from '../records/writer.ts';
import { all, column, type Dialect, type Runner, run, type SqlProgram } from '../sql.ts';
import {
  type ClaimRow,
  claimsOfKeys,
  claimsOfRecords,
  DERIVED_FIELDS,
  deleteKeys,
  EDIT,
  insertClaims,
  ownClaim,
  RECORD,
} from './claim-table.ts';
import { createSources, resolveClaims, type Sources, sourcesOf } from './resolve-claims.ts';

export interface ApplyDeps {
  readonly dialect: Dialect;
  readonly tables: RecordTables;
  readonly writer: Writer;
  readonly sources: Sources;
}

interface ChangedClaim {
  readonly claim: PlacedClaim;
  readonly rows: readonly ClaimRow[];
  readonly gone: readonly string[];
  readonly isNew: boolean;
}

/** Applies a batch of claims. Returns the number of changed known keys if it exceeds the maximum, without applying any. */
export function* applyClaims(deps: ApplyDeps, batch: ClaimBatch): SqlProgram<readonly ClaimOutcome[] | number> {
  const { from, claims, changesMax, seenAt } = batch;
  const makers = claims.flatMap(({ record }) => (typeof record === 'string' ? record : []));
  const keys = [...new Set([...claims.map(({ key }) => key), ...makers])];
  const known = groupBy(yield* claimsOfKeys(deps.dialect, from.source, keys), ({ key }) => key);
  const changed = claims.flatMap((claim) => changeOf(claim, known.get(claim.key) ?? [], batch) ?? []);
  const changes = changed.filter(({ isNew }) => !isNew).length;
  if (changes > changesMax) return changes;
  const recordOf = (claim: PlacedClaim): number | string => {
    const own = known.get(claim.key)?.[0]?.id ?? claim.record;
    return typeof own === 'string' ? (known.get(own)?.[0]?.id ?? own) : own;
  };
  const outcomes = new Map<string, ClaimOutcome>(claims.map(({ key }) => [key, { key, change: 'unchanged' }]));
  for (const [type, ofType] of groupBy(changed, ({ claim }) => claim.type)) {
    const groups = [...groupBy(ofType, ({ claim }) => recordOf(claim))];
    for (const outcome of yield* applyGroups(deps, { ...batch, type, groups })) outcomes.set(outcome.key, outcome);
  }
  const same = claims.map(({ key }) => key).filter((key) => outcomes.get(key)?.change === 'unchanged');
  yield* run(
    `UPDATE claims SET seen_at = ? WHERE source = ? AND key IN (${deps.dialect.textsOf})`,
    ...[seenAt, from.source, JSON.stringify(same)],
  );
  return [...outcomes.values()];
}

/** Difference between a claim and the stored one. Unchanged values keep their date; fields no longer stated are removed later. */
function changeOf(claim: PlacedClaim, known: readonly ClaimRow[], batch: ClaimBatch): ChangedClaim | undefined {
  const { seenAt, forgetBefore, from } = batch;
  const before = new Map(known.map((row) => [row.field, row]));
  const stated = Object.entries(claim.fields).map(([field, given]): ClaimRow => {
    const value = JSON.stringify(given);
    const existing = before.get(field);
    const as_of = existing?.value === value ? existing.as_of : claim.as_of;
    const { key, type, url } = claim;
    return { source: from.source, key, field, type, id: null, value, as_of, seen_at: seenAt, url };
  });
  const unstated = known.filter(({ field }) => !Object.hasOwn(claim.fields, field));
  const retained = unstated.filter(({ seen_at }) => forgetBefore === null || seen_at >= forgetBefore);
  const isSame =
    known.length > 0 &&
    known[0]?.id !== null &&
    retained.length === unstated.length &&
    stated.every(({ field, value }) => before.get(field)?.value === value);
  // Rows of an unchanged key are updated with it.
  if (isSame && unstated.length === 0) return undefined;
  const removed = unstated.filter((row) => !retained.includes(row)).map(({ field }) => field);
  return { claim, rows: [...stated, ...retained], gone: removed, isNew: known[0]?.id == null };
}

interface Groups extends ClaimBatch {
  readonly type: RecordType;
  readonly groups: readonly (readonly [record: number | string, changed: readonly ChangedClaim[]])[];
}

function* applyGroups(deps: ApplyDeps, { type, groups, ...batch }: Groups): SqlProgram<ClaimOutcome[]> {
  const { dialect, tables, writer, sources } = deps;
  const { source, origin } = batch.from;
  const ids = groups.flatMap(([record]) => (typeof record === 'number' ? record : []));
  const documents = new Map(
    (yield* tables[type].byIds(ids)).map(({ id, document }) => [id, JSON.parse(document) as Document]),
  );
  const claimed = groupBy(yield* claimsOfRecords(dialect, type, ids), ({ id }) => id);
  const outcomes: ClaimOutcome[] = [];
  const made: {
    readonly row: RowInput;
    readonly rows: readonly ClaimRow[];
    readonly changed: readonly ChangedClaim[];
    readonly keys: readonly string[];
  }[] = [];
  for (const [record, changed] of groups) {
    const keys = changed.map(({ claim }) => claim.key);
    const document = typeof record === 'number' ? documents.get(record) : blankOf(type);
    if (document === undefined) {
      outcomes.push(...keys.map((key) => ({ key, change: 'skipped' as const })));
      continue;
    }
    if (sources.isHidden(source) && typeof record === 'string') {
      outcomes.push(...keys.map((key) => ({ key, change: 'withheld' as const })));
      yield* deleteKeys(dialect, source, keys);
      yield* insertClaims(changed.flatMap(({ rows }) => rows));
      continue;
    }
    const known = claimed.get(document.id) ?? [];
    const others = known.filter((row) => row.source !== source || !keys.includes(row.key));
    const stated = changed.flatMap(({ rows }) => rows);
    const met = { stated, known, origin, seen_at: batch.seenAt };
    const own = typeof record === 'string' ? [] : ownClaims(document, met);
    const rows = [...own, ...stated];
    const blank = blankInput(type);
    const gone = Object.fromEntries(changed.flatMap((each) => each.gone.map((field) => [field, blank[field]])));
    const { input, ...row } = rowOf(document, [...others, ...rows], { sources, origins: [origin] });
    made.push({ row: { ...row, input: { ...gone, ...input } }, rows, changed, keys });
  }
  const upserted = yield* writer.putClaimed(made.map(({ row }) => row));
  for (const [index, { rows, changed, keys }] of made.entries()) {
    const outcome = upserted[index] as Upserted | Rejected;
    outcomes.push(...changed.map((each) => outcomeOf(each, outcome)));
    if (outcome.change === 'refused') continue;
    yield* deleteKeys(dialect, source, keys);
    yield* insertClaims(rows.map((row) => ({ ...row, id: outcome.id })));
  }
  return outcomes;
}

function outcomeOf({ claim: { key }, isNew }: ChangedClaim, outcome: Upserted | Rejected): ClaimOutcome {
  if (outcome.change === 'refused') return { key, change: 'refused', faults: outcome.faults };
  if (outcome.change === 'created') return { key, change: 'created' };
  return { key, change: isNew ? 'joined' : 'updated' };
}

const blankOf = (type: RecordType): Document => ({ ...blankInput(type), type, id: 0, name: '', slug: '' });

/** The row that makes a record equal to its claims; a new record has no slug yet. */
function rowOf(document: Document, rows: readonly ClaimRow[], given: Parameters<typeof sourcesOf>[2]): RowInput {
  const { fields } = resolveClaims(document, rows, given.sources);
  const slug = document.slug === '' ? {} : { slug: document.slug };
  return { type: document.type as RecordType, input: { ...fields, ...sourcesOf(document, rows, given), ...slug } };
}

interface RecordClaims {
  readonly stated: readonly ClaimRow[];
  readonly known: readonly ClaimRow[];
  readonly origin: string;
  readonly seen_at: string;
}

/**
 * Preserves a record's values in fields that a source claims for the first time, so that they are weighed and return if the
 * source is dropped. Values without a source become edits. Values from an earlier import of this source are replaced.
 */
function ownClaims(document: Document, { stated, known, origin, seen_at }: RecordClaims): ClaimRow[] {
  const claimed = new Set(known.map(({ field }) => field));
  const fields = [...new Set(stated.map(({ field }) => field))].filter((field) => !claimed.has(field));
  const entries = (document['sources'] ?? []) as { source: string; as_of: string | null; fields: string[] }[];
  return fields.flatMap((field) => {
    const value = document[field];
    if (!isStated(value)) return [];
    const naming = entries.filter((entry) => entry.fields.includes(field));
    if (naming.length === 0) return ownClaim(document, field, { source: EDIT, seen_at });
    const rest = naming.filter((entry) => !entry.source.startsWith(origin));
    if (rest.length === 0) return [];
    const source = rest.every((entry) => entry.source.includes('derived')) ? DERIVED_FIELDS : RECORD;
    const as_of = newestDate(rest.map((entry) => entry.as_of));
    return ownClaim(document, field, { source, seen_at, as_of });
  });
}

/** Records recomputed per transaction, to bound the time that other writers wait. */
const RECOMPUTED_AT_ONCE = 100;

export interface SourceRow {
  readonly source: string;
  readonly trust: number;
  readonly is_restricted: number;
  readonly is_withheld: number;
}

/** Values of `is_withheld`. `changing` marks an interrupted change, whose records are recomputed. */
export const WITHHOLDING = { shown: 0, withheld: 1, changing: 2 } as const;

type IsHidden = (row: SourceRow) => boolean;

export const SOURCES = 'SELECT source, trust, is_restricted, is_withheld';
export const sourceNames = (rows: readonly SourceRow[]): ReadonlySet<string> =>
  new Set(rows.map(({ source }) => source));
export const isWithheld: IsHidden = ({ is_withheld }) => is_withheld !== WITHHOLDING.shown;

/** Sources of the database, with hidden ones by a rule. */
export function* readSources(isHidden: IsHidden = isWithheld): SqlProgram<Sources> {
  const rows = yield* all<SourceRow>(`${SOURCES} FROM claim_sources`);
  return createSources(rows, sourceNames(rows.filter(isHidden)));
}

/** A record as determined by its claims; null if no visible source states it. */
export function visibleDocument(document: Document, rows: readonly ClaimRow[], sources: Sources): Document | null {
  if (rows.every(({ source }) => sources.isHidden(source))) return null;
  const { fields } = resolveClaims(document, rows, sources);
  return { ...document, ...fields, ...sourcesOf(document, rows, { sources, origins: [] }) };
}

type RecomputeDeps = Omit<ApplyDeps, 'sources'>;

/** Recomputes the records of a source without hidden sources. Returns the number of removed records. */
export async function recompute(
  { runner, ...reworking }: RecomputeDeps & { readonly runner: Runner },
  source: string,
  isHidden: IsHidden,
): Promise<number> {
  let removed = 0;
  const sql = 'SELECT DISTINCT id FROM claims WHERE source = ? AND type = ? AND id > ? ORDER BY id LIMIT ?';
  for (const type of RECORD_TYPES) {
    for (let last = 0; ; ) {
      const ids = await runner.query(column<number>(sql, source, type, last, RECOMPUTED_AT_ONCE));
      const end = ids.at(-1);
      if (end === undefined) break;
      last = end;
      removed += await runner.transaction('records', recomputeRecords(reworking, { type, ids, isHidden }));
    }
  }
  return removed;
}

/** Recomputes records that undoing a merge can restore, without the hidden source. */
export function* recomputeMerged(deps: RecomputeDeps, source: string, isHidden: IsHidden): SqlProgram<void> {
  const { dialect } = deps;
  const merged = yield* all<{ type: RecordType; gone_id: number; undo: string }>(
    "SELECT type, gone_id, undo FROM duplicates WHERE state = 'merged' AND undo LIKE ? ORDER BY id",
    `%[${JSON.stringify(source)},%`,
  );
  for (const { type, gone_id: id, undo } of merged) {
    const { claims } = JSON.parse(undo) as { claims: readonly (readonly [source: string, key: string])[] };
    const rows = yield* claimsOfRecords(dialect, type, [id]);
    for (const [from, keys] of groupBy(claims, ([from]) => from))
      rows.push(
        ...(yield* claimsOfKeys(
          dialect,
          from,
          keys.map(([, key]) => key),
        )),
      );
    yield* recomputeRecords(deps, { type, ids: [id], isHidden, claims: rows.map((row) => ({ ...row, id })) });
  }
}

interface RecomputeBatch {
  readonly type: RecordType;
  readonly ids: readonly number[];
  readonly isHidden?: IsHidden;
  /** Claims about the records; by default read from the database. */
  readonly claims?: readonly ClaimRow[];
}

/** Recomputes records with claims, including restorable deleted ones. Returns the number of removed records. */
export function* recomputeRecords(deps: RecomputeDeps, part: RecomputeBatch): SqlProgram<number> {
  const { dialect, tables, writer } = deps;
  const { type, ids } = part;
  const sources = yield* readSources(part.isHidden);
  const claimed = groupBy(part.claims ?? (yield* claimsOfRecords(dialect, type, ids)), ({ id }) => id);
  const stored = yield* all<{ id: number; slug: string; document: string; deleted_at: string | null }>(
    `SELECT id, slug, document, deleted_at FROM ${type} WHERE id IN (${dialect.numbersOf})`,
    JSON.stringify([...claimed.keys()]),
  );
  const made = stored.map((row) => {
    const earlier = JSON.parse(row.document) as Document;
    return { ...row, earlier, document: visibleDocument(earlier, claimed.get(row.id) ?? [], sources) };
  });
  const live = made.filter(({ document, deleted_at }) => document !== null && deleted_at === null);
  const rows = live.map(({ id, earlier }) => rowOf(earlier, claimed.get(id) ?? [], { sources, origins: [] }));
  for (const outcome of yield* writer.putClaimed(rows))
    if (outcome.change === 'refused') throw new Error(`A record lacks what it needs: ${outcome.faults[0]?.message}`);
  const deleted = made.filter(({ document, deleted_at }) => document !== null && deleted_at !== null);
  yield* tables[type].updateAll(
    deleted.map(({ id, slug, document }) => ({ id, slug, document: JSON.stringify(document), isRenamed: false })),
  );
  const orphans = made.filter(({ document }) => document === null);
  if (orphans.length === 0) return 0;
  const orphanIds = orphans.map(({ id }) => id);
  yield* writer.removeAll(type, orphanIds, 'later');
  const sql = `UPDATE claims SET id = NULL WHERE type = ? AND id IN (${dialect.numbersOf})`;
  yield* run(sql, type, JSON.stringify(orphanIds));
  return orphans.filter(({ deleted_at }) => deleted_at === null).length;
}
