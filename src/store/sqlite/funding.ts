import type { RecordType } from '../../contract/entities/index.ts';
import { fundingOf } from '../records/document.ts';
import type { Sqlite } from './database.ts';

/** What a company raised, from the rounds that are kept of it. */
export interface Funding {
  /** The funding of a company's rounds; nothing known when it has none. */
  ofRounds(id: number): ReturnType<typeof fundingOf>;
  /** The same for a record of any type; nothing to say of one without rounds. */
  of(type: RecordType, id: number): Partial<ReturnType<typeof fundingOf>>;
}

export function createFunding(database: Sqlite): Funding {
  const roundsOf = database
    .prepare<[number], string>(
      `SELECT document FROM links JOIN rounds ON rounds.id = links.from_id
       WHERE relation = 'rounds.company' AND to_type = 'companies' AND to_id = ? AND deleted_at IS NULL`,
    )
    .pluck();
  const read = (id: number) =>
    roundsOf.all(id).map((round) => JSON.parse(round) as Parameters<typeof fundingOf>[0][number]);
  return {
    ofRounds: (id) => fundingOf(read(id)),
    of: (type, id) => {
      const rounds = type === 'companies' ? read(id) : [];
      return rounds.length === 0 ? {} : fundingOf(rounds);
    },
  };
}
