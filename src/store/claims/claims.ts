import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { Provenance } from '../../contract/provenance.ts';
import type { Engine } from '../engine.ts';
import { type ClaimSource, type Claims, type Conflict, TRUST } from '../port/claims.ts';
import { findLive } from '../records/changes.ts';
import type { Document } from '../records/document.ts';
import { writerPartsOf } from '../records/records.ts';
import type { RecordLookup, RecordTables } from '../records/tables.ts';
import { createWriter } from '../records/writer.ts';
import type { Dialect } from '../sql/dialect.ts';
import type { Runner } from '../sql/runner.ts';
import { all, allLists, column, run, type Steps, value } from '../sql/steps.ts';
import { provenanceOf } from './provenance.ts';
import { CONFLICTING, createSources, inOrder, resolveClaims, rivalsOf, type Sources, sourcesOf } from './resolve.ts';
import { type ClaimRow, claimsOfRecords, groupBy } from './table.ts';
import { rowOf, type Taking, takeClaims } from './take.ts';

/** Records that are made anew in one transaction: other writers wait meanwhile. */
const REWORKED_AT_ONCE = 100;

interface SourceRow {
  readonly source: string;
  readonly trust: number;
  readonly is_restricted: number;
  readonly is_withheld: number;
}

const SOURCES = 'SELECT source, trust, is_restricted, is_withheld';
/** Since when a source has to have stated something for it not to be stale; its connector keeps that. */
const goneBefore = (state: string): string => (JSON.parse(state) as { goneBefore?: string }).goneBefore ?? '';
const namesOf = (rows: readonly SourceRow[]): ReadonlySet<string> => new Set(rows.map(({ source }) => source));
const isWithheld = ({ is_withheld }: SourceRow): boolean => is_withheld === 1;

/** The sources of the database, without those that a rule hides. */
function* readSources(isHidden: (row: SourceRow) => boolean = isWithheld): Steps<Sources> {
  const rows = yield* all<SourceRow>(`${SOURCES} FROM claim_sources`);
  return createSources(rows, namesOf(rows.filter(isHidden)));
}

/** The claims of a store, over any engine. */
export function createClaims(engine: Omit<Engine, 'close'>, now: () => Date): Claims {
  const parts = writerPartsOf(engine);
  const claiming = { runner: engine.runner, settle: engine.settle, ...parts, writer: createWriter(parts, now), now };
  return { ...createReads(claiming), ...createChanges(claiming), ...createLeases(claiming) };
}

/** What claims are kept with, for as long as the database is open. */
interface Claiming extends Omit<Taking, 'sources'> {
  readonly runner: Runner;
  /** Has the read model take in what a removal left for later. */
  readonly settle: Engine['settle'];
  readonly now: () => Date;
}

type Reads = Pick<Claims, 'of' | 'keys' | 'unseen' | 'conflicts' | 'sources' | 'without'>;

function createReads({ runner, dialect, tables, now }: Claiming): Reads {
  return {
    of: (type, idOrSlug) => runner.read(readProvenance(tables[type], { type, idOrSlug, dialect, now: now() })),
    keys: async (source) =>
      new Map(
        await runner.ask(
          allLists<[string, number | null]>('SELECT DISTINCT key, id FROM claims WHERE source = ?', source),
        ),
      ),
    unseen: async (source, since) => {
      const unseen = 'SELECT key FROM claims WHERE source = ? GROUP BY key HAVING max(seen_at) < ?';
      return Number(await runner.ask(value<number>(`SELECT count(*) FROM (${unseen}) AS unseen`, source, since)));
    },
    conflicts: (limit) => runner.read(readConflicts(dialect, tables, limit)),
    sources: async () => {
      const rows = await runner.ask(
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
    without: (type, json, hidden) => runner.read(readWithout(dialect, { type, json, hidden })),
  };
}

function createChanges(
  claiming: Claiming,
): Pick<Claims, 'take' | 'keepState' | 'drop' | 'withhold' | 'withholdRestricted'> {
  const { runner } = claiming;
  const withhold = async (source: string, isToBe: boolean): Promise<void> => {
    const flag = isToBe ? 1 : 0;
    await runner.write('rows', run('UPDATE claim_sources SET is_withheld = ? WHERE source = ?', flag, source));
    await rework(claiming, source, isWithheld);
  };
  return {
    take: (batch) => {
      const program = function* take() {
        yield* keepSource(batch.from);
        return yield* takeClaims({ ...claiming, sources: yield* readSources() }, batch);
      };
      return batch.isDryRun ? runner.tryOut('records', program()) : runner.write('records', program());
    },
    keepState: (from, state) => {
      const program = function* keepState() {
        yield* keepSource(from);
        yield* run('UPDATE claim_sources SET state = ? WHERE source = ?', state, from.source);
      };
      return runner.write('rows', program());
    },
    drop: async (source) => {
      const removed = await rework(claiming, source, (row) => isWithheld(row) || row.source === source);
      const forget = function* forget() {
        yield* run('DELETE FROM claims WHERE source = ?', source);
        yield* run('DELETE FROM claim_sources WHERE source = ?', source);
      };
      await runner.write('records', forget());
      return removed;
    },
    withhold,
    withholdRestricted: async (allowed) => {
      await runner.write(
        'rows',
        run("INSERT INTO settings (name, value) VALUES ('served', '1') ON CONFLICT DO NOTHING"),
      );
      const restricted = await runner.ask(all<SourceRow>(`${SOURCES} FROM claim_sources WHERE is_restricted = 1`));
      for (const row of restricted) {
        const isToBe = !allowed.includes(row.source);
        if (isWithheld(row) !== isToBe) await withhold(row.source, isToBe);
      }
      return restricted.map(({ source }) => source).filter((source) => !allowed.includes(source));
    },
  };
}

function createLeases({ runner, now }: Claiming): Pick<Claims, 'lease' | 'release'> {
  return {
    lease: async (name, holder, milliseconds) => {
      const moment = now().getTime();
      const after = (more: number): string => new Date(moment + more).toISOString();
      // A lease of the far future is from before the clock was set back.
      const taken = `INSERT INTO leases (name, holder, until) VALUES (?, ?, ?) ON CONFLICT (name) DO UPDATE
        SET holder = excluded.holder, until = excluded.until
        WHERE leases.holder = excluded.holder OR leases.until < ? OR leases.until > ? RETURNING holder`;
      const parameters = [name, holder, after(milliseconds), after(0), after(milliseconds)];
      return (await runner.write('rows', value(taken, ...parameters))) !== undefined;
    },
    release: (name, holder) =>
      runner.write('rows', run('DELETE FROM leases WHERE name = ? AND holder = ?', name, holder)),
  };
}

interface Asked {
  readonly type: RecordType;
  readonly idOrSlug: string;
  readonly dialect: Dialect;
  readonly now: Date;
}

function* readProvenance(table: RecordLookup, { type, idOrSlug, dialect, now }: Asked): Steps<Provenance | undefined> {
  const row = yield* findLive(table, idOrSlug);
  if (row === undefined) return undefined;
  const rows = yield* claimsOfRecords(dialect, type, [row.id]);
  const known = yield* all<SourceRow & { readonly state: string }>(`${SOURCES}, state FROM claim_sources`);
  const sources = createSources(known, namesOf(known.filter(isWithheld)));
  const restricted = namesOf(known.filter(({ is_restricted }) => is_restricted === 1));
  const goneSince = new Map(known.map(({ source, state }) => [source, goneBefore(state)]));
  return provenanceOf(JSON.parse(row.document) as Document, rows, { sources, restricted, goneSince, now });
}

interface Hiding {
  readonly type: RecordType;
  readonly json: string;
  readonly hidden: ReadonlySet<string>;
}

function* readWithout(dialect: Dialect, { type, json, hidden }: Hiding): Steps<string | null> {
  const document = JSON.parse(json) as Document;
  const rows = yield* claimsOfRecords(dialect, type, [document.id]);
  if (!rows.some((row) => hidden.has(row.source))) return json;
  const sources = yield* readSources((row) => isWithheld(row) || hidden.has(row.source));
  if (isOrphan(rows, sources)) return null;
  const { fields } = resolveClaims(document, rows, sources);
  return JSON.stringify({ ...document, ...fields, ...sourcesOf(document, rows, { sources, origins: [] }) });
}

type IsHidden = (row: SourceRow) => boolean;

/** Makes the records of a source's claims anew, as if the hidden sources said nothing; tells how many records went. */
async function rework(claiming: Claiming, source: string, isHidden: IsHidden): Promise<number> {
  let removed = 0;
  const sql = 'SELECT DISTINCT id FROM claims WHERE source = ? AND type = ? AND id > ? ORDER BY id LIMIT ?';
  for (const type of RECORD_TYPES) {
    for (let last = 0; ; ) {
      const ids = await claiming.runner.ask(column<number>(sql, source, type, last, REWORKED_AT_ONCE));
      const end = ids.at(-1);
      if (end === undefined) break;
      last = end;
      removed += await claiming.runner.write('records', reworkSome(claiming, { type, ids, isHidden }));
    }
  }
  if (removed > 0) await claiming.settle();
  return removed;
}

interface Part {
  readonly type: RecordType;
  readonly ids: readonly number[];
  readonly isHidden: IsHidden;
}

function* reworkSome({ dialect, tables, writer }: Claiming, { type, ids, isHidden }: Part): Steps<number> {
  const sources = yield* readSources(isHidden);
  const claimed = groupBy(yield* claimsOfRecords(dialect, type, ids), ({ id }) => id);
  const live = yield* tables[type].byIds(ids);
  const orphans = live.filter(({ id }) => isOrphan(claimed.get(id) ?? [], sources)).map(({ id }) => id);
  const kept = live.filter(({ id }) => !orphans.includes(id));
  const rows = kept.map(({ id, document }) =>
    rowOf(JSON.parse(document) as Document, claimed.get(id) ?? [], { sources, origins: [] }),
  );
  for (const outcome of yield* writer.putClaimed(rows))
    if (outcome.change === 'refused') throw new Error(`A record lacks what it needs: ${outcome.faults[0]?.message}`);
  if (orphans.length === 0) return 0;
  yield* writer.removeAll(type, orphans);
  yield* run(
    `UPDATE claims SET id = NULL WHERE type = ? AND id IN (${dialect.numbersOf})`,
    ...[type, JSON.stringify(orphans)],
  );
  return orphans.length;
}

/** Whether nothing that is not hidden states a record. */
const isOrphan = (rows: readonly ClaimRow[], { isHidden }: Sources): boolean =>
  rows.length > 0 && rows.every(({ source }) => isHidden(source));

function* keepSource({ source, trust, isRestricted }: ClaimSource): Steps<void> {
  yield* run(
    // What may not be handed on is not put into the records of a database that is served.
    `INSERT INTO claim_sources (source, trust, is_restricted, is_withheld, state)
      SELECT ?, ?, ?, CASE WHEN EXISTS (SELECT 1 FROM settings WHERE name = 'served') THEN ? ELSE 0 END, '{}'
      WHERE true ON CONFLICT (source) DO UPDATE SET trust = excluded.trust, is_restricted = excluded.is_restricted`,
    ...[source, TRUST[trust], isRestricted ? 1 : 0, isRestricted ? 1 : 0],
  );
}

function* readConflicts(dialect: Dialect, tables: RecordTables, limit: number): Steps<Conflict[]> {
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
