import type { TermReader } from '../../search/evidence.ts';
import { FIELDS } from '../../search/layers.ts';
import type { Plan } from '../../search/plan.ts';
import type { Answers } from './answers.ts';

/** What is known of a term before its documents are read: how many there are by field. */
export interface TermCounts {
  readonly term: number;
  readonly byField: readonly { count: number }[];
}

interface Row {
  readonly term: number;
  readonly field: number;
  readonly documents: number;
}

/** Counts of the terms of one type; those of a plan are fetched together. */
export function createCounts(answers: Answers, type: string): TermReader<TermCounts> & { expect(plan: Plan): void } {
  const sql = `SELECT term, field, documents FROM ${type}_search_counts WHERE term = ANY (CAST(? AS BIGINT[]))`;
  const known = new Map<number, TermCounts>();
  const read = (terms: readonly number[]): void => {
    const unknown = terms.filter((term) => !known.has(term));
    if (unknown.length === 0) return;
    const rows = answers.rows<Row>(sql, `{${unknown.join()}}`);
    for (const term of unknown) known.set(term, { term, byField: FIELDS.map(() => ({ count: 0 })) });
    for (const { term, field, documents } of rows) {
      const counted = known.get(term)?.byField[field];
      if (counted !== undefined) counted.count = documents;
    }
  };
  return {
    of: (term) => {
      read([term]);
      return known.get(term) as TermCounts;
    },
    expect: ({ words, keywords, start }) =>
      read([
        ...words.flatMap(({ alternatives }) => alternatives.map(({ term }) => term)),
        ...keywords.map(({ term }) => term),
        ...(start === undefined ? [] : [start]),
      ]),
  };
}
