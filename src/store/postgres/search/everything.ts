import type { Matches } from '../../search/matches.ts';
import type { Condition } from '../../search/search-index.ts';
import type { Value } from '../../sql/steps.ts';
import type { Answers } from './answers.ts';
import { type MatchRequest, passing } from './matching.ts';

interface Listing extends Pick<MatchRequest, 'noteId'> {
  readonly type: string;
  readonly condition: Condition | undefined;
}

/** Every record that passes a condition, in static order. */
export function everything(answers: Answers, { type, condition, noteId }: Listing): Matches {
  const parameters = (condition?.parameters ?? []) as Value[];
  const where = condition === undefined ? '' : ` WHERE ${passing(type, condition).sql}`;
  const count =
    condition === undefined
      ? `SELECT documents AS total FROM search_sizes WHERE type = '${type}'`
      : `SELECT count(*) AS total FROM ${type} WHERE deleted_at IS NULL AND ${condition.sql}`;
  const page = `SELECT document.ordinal, document.id FROM ${type}_search AS document${where} ORDER BY document.ordinal LIMIT ? OFFSET ?`;
  return {
    isFound: true,
    total: answers.rows<{ total: number }>(count, ...parameters)[0]?.total ?? 0,
    page: (offset, limit) => {
      if (limit === 0) return [];
      const rows = answers.rows<{ ordinal: number; id: number }>(page, ...parameters, limit, offset);
      for (const { ordinal, id } of rows) noteId(ordinal, id);
      return rows.map(({ ordinal }) => ({ ordinal, score: 0 }));
    },
  };
}
