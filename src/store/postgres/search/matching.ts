import type { Evidence, Source } from '../../search/evidence.ts';
import type { Called } from '../../search/identities.ts';
import { FIELD } from '../../search/layers.ts';
import { best, type Matches } from '../../search/matches.ts';
import type { Condition } from '../../search/search-index.ts';
import type { Value } from '../../sql/steps.ts';
import type { Answers } from './answers.ts';
import type { TermCounts } from './counts.ts';
import { allOf, anyOf, arrayOf, termQuery, termsOf } from './lexemes.ts';
import { type Candidate, scoreCandidates } from './scores.ts';
import { tieredPage } from './tiers.ts';

/** What is looked for in one type. */
export interface MatchRequest {
  readonly type: string;
  readonly evidence: Evidence<TermCounts>;
  readonly called: readonly Called[];
  /** Documents of the type. */
  readonly documents: number;
  readonly condition: Condition | undefined;
  termOf(id: number): string;
  /** Told of what a page shows, so that its numbers need not be fetched again. */
  noteId(ordinal: number, id: number): void;
}

/** A part of a WHERE clause with its parameters. */
export interface Where {
  readonly sql: string;
  readonly parameters: readonly Value[];
}

/** Up to this many matches are scored one by one: the cost of scores must not grow with the store. */
const SCORED_MAX = 2_048;

/** What matches some evidence, in order. */
export function matchesOf(answers: Answers, request: MatchRequest): Matches {
  const { evidence, called } = request;
  const where = whereOf(request);
  const most = Math.min(...evidence.words.map(({ count }) => count), Infinity);
  const bound = (most === Infinity ? 0 : most) + (evidence.start?.count ?? 0) + called.length;
  if (bound <= SCORED_MAX) return scoredMatches(answers, request, where);
  const passing = andCondition(request, where);
  const [found = 0, total = 0] = answers.each(
    [where, passing].map((each) => () => countOf(answers, request.type, each)),
  );
  if (found <= SCORED_MAX) return scoredMatches(answers, request, where);
  return {
    isFound: true,
    total,
    page: (offset, limit) => tieredPage(answers, request, { where, offset, limit }),
  };
}

export function countOf(answers: Answers, type: string, { sql, parameters }: Where): number {
  const count = `SELECT count(*) AS total FROM ${type}_search AS document WHERE ${sql}`;
  return answers.rows<{ total: number }>(count, ...parameters)[0]?.total ?? 0;
}

/** The documents that have every word, whose name begins with the query, or that are called like it. */
function whereOf({ evidence, called, termOf }: MatchRequest): Where {
  const isWordless = evidence.words.length === 0 || evidence.words.some(({ count }) => count === 0);
  const words = isWordless ? [] : [allOf(evidence.words.map(({ sources }) => wordQuery(sources, termOf)))];
  const start = evidence.start === undefined ? [] : [startQuery(evidence.start, termOf)];
  const parts: Where[] = [];
  if (words.length + start.length > 0)
    parts.push({ sql: 'document.terms @@ CAST(? AS TSQUERY)', parameters: [anyOf([...words, ...start])] });
  if (called.length > 0) parts.push(ordinalIn(called.map(({ ordinal }) => ordinal)));
  return { sql: `(${parts.map(({ sql }) => sql).join(' OR ')})`, parameters: parts.flatMap((part) => part.parameters) };
}

export const ordinalIn = (ordinals: readonly number[]): Where => ({
  sql: 'document.ordinal = ANY (CAST(? AS BIGINT[]))',
  parameters: [`{${[...new Set(ordinals)].join()}}`],
});

/** Documents with a word; with a worth, only where it is worth as much. */
export function wordQuery(sources: readonly Source<TermCounts>[], termOf: MatchRequest['termOf'], worth = 0): string {
  const queries = sources.flatMap(({ lists, fields, weights }) => {
    const good = weights.slice(0, fields).filter((weight) => weight >= worth).length;
    return good === 0 ? [] : [termQuery(termOf(lists.term), good)];
  });
  return queries.length === 0 ? '' : anyOf(queries);
}

export const startQuery = ({ lists }: Source<TermCounts>, termOf: MatchRequest['termOf']): string =>
  termQuery(termOf(lists.term), FIELD.name + 1);

export function andCondition({ type, condition }: MatchRequest, { sql, parameters }: Where): Where {
  if (condition === undefined) return { sql, parameters };
  return {
    sql: `${sql} AND ${passesSql(type, condition)}`,
    parameters: [...parameters, ...condition.parameters] as Value[],
  };
}

/** Names inside the condition mean the type's own columns first, so it may be written as for a plain SELECT. */
export const passesSql = (type: string, { sql }: Condition): string =>
  `EXISTS (SELECT 1 FROM ${type} WHERE ${type}.id = document.id AND (${sql}))`;

interface Row {
  readonly ordinal: number;
  readonly id: number;
  /** Those of the document's terms that were asked for. */
  readonly found: string;
  readonly passes: boolean;
}

function scoredMatches(answers: Answers, request: MatchRequest, where: Where): Matches {
  const { type, evidence, condition, termOf, noteId } = request;
  const sources = [...evidence.words.flatMap((word) => word.sources), ...evidence.keywords];
  const asked = [...sources, ...(evidence.start === undefined ? [] : [evidence.start])];
  const terms = arrayOf([...new Set(asked.map(({ lists }) => termOf(lists.term)))]);
  const passes = condition === undefined ? 'TRUE' : passesSql(type, condition);
  // Taking away what was not asked for is quicker than looking for each term.
  const sql = `SELECT document.ordinal, document.id, CAST(ts_delete(document.terms, tsvector_to_array(ts_delete(document.terms, CAST(? AS TEXT[])))) AS TEXT) AS found,
    ${passes} AS passes FROM ${type}_search AS document WHERE ${where.sql} ORDER BY document.ordinal`;
  const parameters = [terms, ...((condition?.parameters ?? []) as Value[]), ...where.parameters];
  const rows = answers.rows<Row>(sql, ...parameters);
  const { ordinals, kept } = answers.once(`${sql}\n${JSON.stringify(parameters)}`, () => {
    const candidates: Candidate[] = rows.map(({ ordinal, found }) => ({ ordinal, fields: termsOf(found) }));
    const scores = scoreCandidates(candidates, request);
    const places = rows.flatMap(({ passes }, place) => (passes ? [place] : []));
    const ordinals = Uint32Array.from(places, (place) => candidates[place]?.ordinal ?? 0);
    const kept = Float64Array.from(places, (place) => scores[place] ?? 0);
    return { ordinals, kept };
  });
  return {
    isFound: rows.length > 0,
    total: ordinals.length,
    page: (offset, limit) => {
      const page = limit === 0 ? [] : best(ordinals, kept, offset + limit).slice(offset);
      const ids = new Map(rows.map(({ ordinal, id }) => [ordinal, id]));
      for (const { ordinal } of page) noteId(ordinal, ids.get(ordinal) ?? 0);
      return page;
    },
  };
}
