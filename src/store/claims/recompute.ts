import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { Document } from '../records/document.ts';
import type { RecordTables } from '../records/tables.ts';
import type { Writer } from '../records/writer.ts';
import type { Dialect } from '../sql/dialect.ts';
import { all, column, run, type SqlProgram } from '../sql/program.ts';
import type { Runner } from '../sql/runner.ts';
import { rowOf } from './apply-claims.ts';
import { type ClaimRow, claimsOfKeys, claimsOfRecords, groupBy } from './claim-table.ts';
import { createSources, resolveClaims, type Sources, sourcesOf } from './resolve-claims.ts';

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

interface RecomputeDeps {
  readonly dialect: Dialect;
  readonly tables: RecordTables;
  readonly writer: Writer;
}

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
export function* recomputeRecords(
  { dialect, tables, writer }: RecomputeDeps,
  part: RecomputeBatch,
): SqlProgram<number> {
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
  yield* writer.removeAll(type, orphanIds);
  const sql = `UPDATE claims SET id = NULL WHERE type = ? AND id IN (${dialect.numbersOf})`;
  yield* run(sql, type, JSON.stringify(orphanIds));
  return orphans.filter(({ deleted_at }) => deleted_at === null).length;
}
