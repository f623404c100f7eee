import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { groupBy } from '../../contract/group-by.ts';
import { isBefore, type Provenance, staleBefore } from '../../contract/provenance.ts';
import type { Engine } from '../engine.ts';
import { type ClaimSource, type Claims, type Conflict, TRUST } from '../port/claims.ts';
import type { RowInput } from '../port/records.ts';
import { findLive } from '../records/changes.ts';
import { type Document, newestDate } from '../records/document.ts';
import { writerPartsOf } from '../records/records.ts';
import type { RecordLookup, RecordTables, StoredRow } from '../records/tables.ts';
import { createWriter } from '../records/writer.ts';
import { all, allLists, type Dialect, type Runner, run, type SqlProgram, value } from '../sql.ts';
import {
  type ApplyDeps,
  applyClaims,
  isWithheld,
  readSources,
  recompute,
  recomputeMerged,
  SOURCES,
  type SourceRow,
  sourceNames,
  visibleDocument,
  WITHHOLDING,
} from './apply-claims.ts';
import { type ClaimRow, claimsOfRecords, DERIVED_FIELDS, RECORD } from './claim-table.ts';
import { CONFLICTING, createSources, inOrder, isSame, rivalsOf, type Sources } from './resolve-claims.ts';

/** Claims not stated since this time are stale; stored by the connector. */
const goneBefore = (state: string): string => (JSON.parse(state) as { goneBefore?: string }).goneBefore ?? '';
export function createClaims(engine: Omit<Engine, 'close'>, now: () => Date): Claims {
  const parts = writerPartsOf(engine);
  const claiming = { runner: engine.runner, compact: engine.compact, ...parts, writer: createWriter(parts, now), now };
  return { ...createReads(claiming), ...createChanges(claiming), ...createLeases(claiming) };
}

interface ClaimDeps extends Omit<ApplyDeps, 'sources'> {
  readonly runner: Runner;
  readonly compact: Engine['compact'];
  readonly now: () => Date;
}

type Reads = Pick<Claims, 'of' | 'keys' | 'unseen' | 'conflicts' | 'sources' | 'without'>;

function createReads({ runner, dialect, tables, now }: ClaimDeps): Reads {
  return {
    of: (type, idOrSlug) => runner.snapshot(readProvenance(tables[type], { type, idOrSlug, dialect, now: now() })),
    keys: async (source) =>
      new Map(
        await runner.query(
          allLists<[string, number | null]>('SELECT DISTINCT key, id FROM claims WHERE source = ?', source),
        ),
      ),
    unseen: async (source, since) => {
      const unseen = 'SELECT key FROM claims WHERE source = ? GROUP BY key HAVING max(seen_at) < ?';
      return Number(await runner.query(value<number>(`SELECT count(*) FROM (${unseen}) AS unseen`, source, since)));
    },
    conflicts: (limit) => runner.snapshot(readConflicts(dialect, tables, limit)),
    sources: async () => {
      const rows = await runner.query(
        all<SourceRow & { state: string; keys: number }>(`${SOURCES}, state,
          (SELECT count(DISTINCT key) FROM claims WHERE claims.source = claim_sources.source) AS keys FROM claim_sources`),
      );
      return rows.map((row) => ({
        source: row.source,
        isRestricted: row.is_restricted === 1,
        isWithheld: isWithheld(row),
        state: row.state,
        keys: Number(row.keys),
      }));
    },
    without: (type, json, hidden) => runner.snapshot(readWithout(dialect, { type, json, hidden })),
  };
}

function createChanges(
  claiming: ClaimDeps,
): Pick<Claims, 'apply' | 'saveState' | 'drop' | 'markUnlisted' | 'withhold' | 'withholdRestricted'> {
  const { runner } = claiming;
  const mark = (source: string, state: number): Promise<void> =>
    runner.transaction('rows', run('UPDATE claim_sources SET is_withheld = ? WHERE source = ?', state, source));
  const recomputed = async (source: string, isHidden: (row: SourceRow) => boolean): Promise<number> => {
    const removed = await recompute(claiming, source, isHidden);
    if (removed > 0) await claiming.compact();
    return removed;
  };
  const withhold = async (source: string, isToBe: boolean): Promise<void> => {
    await mark(source, WITHHOLDING.changing);
    await recomputed(source, (row) => (row.source === source ? isToBe : isWithheld(row)));
    await mark(source, stateOf(isToBe));
  };
  return {
    apply: (batch) => {
      const program = function* take() {
        yield* keepSource(batch.from);
        return yield* applyClaims({ ...claiming, sources: yield* readSources() }, batch);
      };
      return batch.isDryRun ? runner.dryRun('records', program()) : runner.transaction('records', program());
    },
    saveState: (from, state) => {
      const program = function* saveState() {
        yield* keepSource(from);
        yield* run('UPDATE claim_sources SET state = ? WHERE source = ?', state, from.source);
      };
      return runner.transaction('rows', program());
    },
    drop: async (source) => {
      const isHidden = (row: SourceRow): boolean => isWithheld(row) || row.source === source;
      const removed = await recomputed(source, isHidden);
      const forget = function* forget() {
        yield* recomputeMerged(claiming, source, isHidden);
        yield* run('DELETE FROM claims WHERE source = ?', source);
        yield* run('DELETE FROM claim_sources WHERE source = ?', source);
      };
      await runner.transaction('records', forget());
      return removed;
    },
    markUnlisted: (source) => runner.transaction('records', markUnlisted(claiming, source)),
    withhold,
    withholdRestricted: async (allowed) => {
      await runner.transaction(
        'rows',
        run("INSERT INTO settings (name, value) VALUES ('served', '1') ON CONFLICT DO NOTHING"),
      );
      const restricted = await runner.query(all<SourceRow>(`${SOURCES} FROM claim_sources WHERE is_restricted = 1`));
      for (const row of restricted) {
        const isToBe = !allowed.includes(row.source);
        if (row.is_withheld !== stateOf(isToBe)) await withhold(row.source, isToBe);
      }
      return restricted.map(({ source }) => source).filter((source) => !allowed.includes(source));
    },
  };
}

const stateOf = (isToBe: boolean): number => (isToBe ? WITHHOLDING.withheld : WITHHOLDING.shown);

function createLeases({ runner, now }: ClaimDeps): Pick<Claims, 'lease' | 'release'> {
  return {
    lease: (name, holder, milliseconds) => {
      const program = function* take() {
        // Read in the transaction: while this process waited for it, the holder may have renewed its lease.
        const moment = now().getTime();
        const after = (more: number): string => new Date(moment + more).toISOString();
        // A lease beyond what clocks of machines differ by stems from before the clock was set back.
        const taken = `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
          SET holder = excluded.holder, until = excluded.until
          WHERE leases.holder = excluded.holder OR leases.until < ? OR leases.until > ? RETURNING holder`;
        const parameters = [name, holder, after(milliseconds), after(0), after(2 * milliseconds)];
        return (yield* value(taken, ...parameters)) !== undefined;
      };
      return runner.transaction('rows', program());
    },
    release: (name, holder) =>
      runner.transaction('rows', run('DELETE FROM leases WHERE name = ? AND holder = ?', name, holder)),
  };
}

function* readProvenance(
  table: RecordLookup,
  { type, idOrSlug, dialect, now }: { type: RecordType; idOrSlug: string; dialect: Dialect; now: Date },
): SqlProgram<Provenance | undefined> {
  const row = yield* findLive(table, idOrSlug);
  return row && (yield* provenanceOfRecord(row, { type, dialect, now }));
}

function* provenanceOfRecord(
  { id, document }: StoredRow,
  { type, dialect, now }: { type: RecordType; dialect: Dialect; now: Date },
): SqlProgram<Provenance> {
  const rows = yield* claimsOfRecords(dialect, type, [id]);
  const known = yield* all<SourceRow & { readonly state: string }>(`${SOURCES}, state FROM claim_sources`);
  const sources = createSources(known, sourceNames(known.filter(isWithheld)));
  const restricted = sourceNames(known.filter(({ is_restricted }) => is_restricted === 1));
  const goneSince = new Map(known.map(({ source, state }) => [source, goneBefore(state)]));
  return provenanceOf(JSON.parse(document) as Document, rows, { sources, restricted, goneSince, now });
}

/** Marks the records of a source all of whose fields are stale since its last two complete runs, and unmarks the others. */
function* markUnlisted({ dialect, tables, writer, now }: ClaimDeps, source: string): SqlProgram<void> {
  const state = yield* value<string>('SELECT state FROM claim_sources WHERE source = ?', source);
  for (const type of RECORD_TYPES) {
    const isMarked = `${dialect.field(type, 'unlisted_since', 'text')} IS NOT NULL`;
    const concerned = yield* all<{ id: number; seen_at: string }>(
      `SELECT id, (SELECT max(seen_at) FROM claims AS c WHERE c.type = ? AND c.id = ${type}.id) AS seen_at FROM ${type} WHERE id IN (SELECT id FROM claims WHERE source = ? AND type = ? GROUP BY id HAVING max(seen_at) < ?)
        OR (${isMarked} AND id IN (SELECT id FROM claims WHERE source = ? AND type = ?))`,
      ...[type, source, type, goneBefore(state ?? '{}'), source, type],
    );
    const rows: RowInput[] = [];
    for (const { id, seen_at } of concerned) {
      const row = yield* tables[type].byId(id);
      if (row === undefined) continue;
      const { fields } = yield* provenanceOfRecord(row, { type, dialect, now: now() });
      const isUnlisted = fields.every(({ stale }) => stale);
      rows.push({ type, id, input: { unlisted_since: isUnlisted ? seen_at.slice(0, 10) : null } });
    }
    yield* writer.putClaimed(rows);
  }
}

function* readWithout(
  dialect: Dialect,
  { type, json, hidden }: { readonly type: RecordType; readonly json: string; readonly hidden: ReadonlySet<string> },
): SqlProgram<string | null> {
  const document = JSON.parse(json) as Document;
  const rows = yield* claimsOfRecords(dialect, type, [document.id]);
  if (!rows.some((row) => hidden.has(row.source))) return json;
  const sources = yield* readSources((row) => isWithheld(row) || hidden.has(row.source));
  const visible = visibleDocument(document, rows, sources);
  return visible && JSON.stringify(visible);
}

function* keepSource({ source, trust, isRestricted }: ClaimSource): SqlProgram<void> {
  yield* run(
    // A served database must not show restricted facts.
    `INSERT INTO claim_sources (source, trust, is_restricted, is_withheld, state)
      SELECT ?, ?, ?, CASE WHEN EXISTS (SELECT 1 FROM settings WHERE name = 'served') THEN ? ELSE 0 END, '{}'
      WHERE true ON CONFLICT (source) DO UPDATE SET trust = excluded.trust, is_restricted = excluded.is_restricted`,
    ...[source, TRUST[trust], isRestricted ? 1 : 0, isRestricted ? 1 : 0],
  );
}

function* readConflicts(dialect: Dialect, tables: RecordTables, limit: number): SqlProgram<Conflict[]> {
  const sources = yield* readSources();
  const fields = [...CONFLICTING].map((field) => `'${field}'`).join();
  const differing = yield* all<{ type: RecordType; id: number; field: string }>(
    `SELECT type, id, field FROM claims WHERE id IS NOT NULL AND field IN (${fields})
      GROUP BY type, id, field HAVING count(DISTINCT value) > 1 ORDER BY type, id, field`,
  );
  const conflicts: Conflict[] = [];
  for (const { type, id, field } of differing) {
    if (conflicts.length === limit) break;
    const stated = (yield* claimsOfRecords(dialect, type, [id])).filter((row) => row.field === field);
    const rivals = rivalsOf(field, inOrder(stated, sources), sources);
    const row = rivals.length > 1 ? yield* tables[type].byId(id) : undefined;
    if (row === undefined) continue;
    const values = rivals.map(({ source, as_of, value: text }) => ({
      source,
      as_of,
      value: JSON.parse(text) as unknown,
    }));
    conflicts.push({ type, id, slug: row.slug, field, values });
  }
  return conflicts;
}

interface ProvenanceInput {
  readonly sources: Sources;
  readonly restricted: ReadonlySet<string>;
  /** By source: claims not stated since this time are missing from two complete runs. */
  readonly goneSince: ReadonlyMap<string, string>;
  readonly now: Date;
}

/** The provenance of each field: the record's own sources and its visible claims. */
function provenanceOf(document: Document, rows: readonly ClaimRow[], input: ProvenanceInput): Provenance {
  const { sources, restricted, goneSince, now } = input;
  const day = staleBefore(now);
  const claims = groupBy(rows, ({ field }) => field);
  const urls = new Set(rows.map(({ url }) => url));
  const entries = (document['sources'] ?? []) as { source: string; as_of: string | null; fields: string[] }[];
  const unclaimed = entries.filter(({ source }) => !urls.has(source));
  const names = new Set([...entries.flatMap(({ fields }) => fields), ...claims.keys()]);
  const fields = Object.keys(document).flatMap((field) => {
    if (!names.has(field)) return [];
    const visible = inOrder(claims.get(field) ?? [], sources);
    const stated = visible.filter(({ source }) => source !== RECORD && source !== DERIVED_FIELDS);
    const own = unclaimed.filter((entry) => entry.fields.includes(field));
    const statements: Provenance['fields'][number]['sources'] = [
      ...stated.map((row) => ({
        source: row.url === '' ? row.source : row.url,
        as_of: row.as_of,
        seen_at: row.url === '' ? null : row.seen_at,
        value: JSON.parse(row.value) as unknown,
        stale: isBefore(row.as_of, day) || row.seen_at < (goneSince.get(row.source) ?? ''),
        redistributable: !restricted.has(row.source),
      })),
      ...own.map(({ source, as_of }) => {
        // A sync has matched the record and preserved its earlier values as claims.
        const met = visible.find((row) => row.source === RECORD || row.source === DERIVED_FIELDS);
        return {
          source,
          as_of,
          seen_at: null,
          ...(met && { value: JSON.parse(met.value) as unknown }),
          stale: isBefore(as_of, day),
          redistributable: true,
        };
      }),
    ];
    if (statements.length === 0) return [];
    const value = document[field];
    const agreeing = statements.filter(({ value: said }) => said === undefined || states(field, said, value));
    const as_of = newestDate(agreeing.map((each) => each.as_of));
    const conflict = rivalsOf(field, visible, sources).length > 1;
    const isStale = isBefore(as_of, day) || (agreeing.length > 0 && agreeing.every(({ stale }) => stale));
    return [{ field, value, as_of, stale: isStale, conflict, sources: statements }];
  });
  const { id, name, slug } = document;
  const as_of = (document['as_of'] ?? null) as string | null;
  const isStale = isBefore(as_of, day) || document['unlisted_since'] != null;
  return { type: document.type as RecordType, id, name, slug, as_of, stale: isStale, fields };
}

/** Whether a value is the record's, or part of its list. */
const states = (field: string, said: unknown, value: unknown): boolean =>
  Array.isArray(value) || isSame(field, said, value);
