import type { Matches } from '../../search/matches.ts';
import type { Condition } from '../../search/search-index.ts';
import type { Value } from '../../sql/steps.ts';
import type { Answers } from './answers.ts';
import { passesSql } from './matching.ts';

/** Every record that passes a condition, in static order. */
export function everything(answers: Answers, type: string, condition: Condition | undefined): Matches {
  const parameters = (condition?.parameters ?? []) as Value[];
  const where = condition === undefined ? '' : ` WHERE ${passesSql(type, condition)}`;
  const count =
    condition === undefined
      ? `SELECT documents AS total FROM search_sizes WHERE type = '${type}'`
      : `SELECT count(*) AS total FROM ${type} WHERE deleted_at IS NULL AND ${condition.sql}`;
  const page = `SELECT document.ordinal FROM ${type}_search AS document${where} ORDER BY document.ordinal LIMIT ? OFFSET ?`;
  return {
    isFound: true,
    total: answers.rows<{ total: number }>(count, ...parameters)[0]?.total ?? 0,
    page: (offset, limit) =>
      limit === 0
        ? []
        : answers
            .rows<{ ordinal: number }>(page, ...parameters, limit, offset)
            .map(({ ordinal }) => ({ ordinal, score: 0 })),
  };
}
