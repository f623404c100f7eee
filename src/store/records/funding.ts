import type { RecordType } from '../../contract/entities/index.ts';
import { column, type Steps } from '../sql/steps.ts';
import { fundingOf } from './document.ts';

type Raised = ReturnType<typeof fundingOf>;
type Round = Parameters<typeof fundingOf>[0][number];

const ROUNDS_OF = `SELECT document FROM links JOIN rounds ON rounds.id = links.from_id
  WHERE relation = 'rounds.company' AND to_type = 'companies' AND to_id = ? AND deleted_at IS NULL ORDER BY rounds.id`;

function* roundsOf(id: number): Steps<Round[]> {
  return (yield* column<string>(ROUNDS_OF, id)).map((round) => JSON.parse(round) as Round);
}

/** What a company raised, from the rounds that are kept of it; nothing known when it has none. */
export function* fundingOfCompany(id: number): Steps<Raised> {
  return fundingOf(yield* roundsOf(id));
}

/** The same for a record of any type; nothing to say of one without rounds. */
export function* fundingOfRecord(type: RecordType, id: number): Steps<Partial<Raised>> {
  const rounds = type === 'companies' ? yield* roundsOf(id) : [];
  return rounds.length === 0 ? {} : fundingOf(rounds);
}
