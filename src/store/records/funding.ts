import type { RecordType } from '../../contract/entities/index.ts';
import type { Dialect } from '../sql/dialect.ts';
import { allLists, type SqlProgram } from '../sql/program.ts';
import { fundingOf } from './document.ts';

type Raised = ReturnType<typeof fundingOf>;
type Round = Parameters<typeof fundingOf>[0][number];

/** Computes funding from stored rounds, within one transaction. */
export interface FundingReader {
  load(ids: readonly number[]): SqlProgram<void>;
  /** Funding of a company; unknown without rounds. */
  ofCompany(id: number): SqlProgram<Raised>;
  /** The same for any record; empty for types without rounds. */
  ofRecord(type: RecordType, id: number): SqlProgram<Partial<Raised>>;
  /** Invalidates a company whose rounds change. */
  forget(id: number): void;
}

/** @param flush writes pending records and links */
export function createFunding({ numbersOf }: Dialect, flush: () => SqlProgram<void>): FundingReader {
  const known = new Map<number, Round[]>();
  const sql = `SELECT to_id, document FROM links JOIN rounds ON rounds.id = links.from_id
    WHERE relation = 'rounds.company' AND to_type = 'companies' AND to_id IN (${numbersOf}) AND deleted_at IS NULL
    ORDER BY rounds.id`;
  const load: FundingReader['load'] = function* load(ids) {
    const missing = ids.filter((id) => !known.has(id));
    if (missing.length === 0) return;
    yield* flush();
    for (const id of missing) known.set(id, []);
    const rows = yield* allLists<[number, string]>(sql, JSON.stringify(missing));
    for (const [id, round] of rows) known.get(id)?.push(JSON.parse(round) as Round);
  };
  const roundsOf = function* roundsOf(id: number): SqlProgram<Round[]> {
    yield* load([id]);
    return known.get(id) ?? [];
  };
  return {
    load,
    ofCompany: function* ofCompany(id) {
      return fundingOf(yield* roundsOf(id));
    },
    ofRecord: function* ofRecord(type, id) {
      const rounds = type === 'companies' ? yield* roundsOf(id) : [];
      return rounds.length === 0 ? {} : fundingOf(rounds);
    },
    forget: (id) => void known.delete(id),
  };
}
