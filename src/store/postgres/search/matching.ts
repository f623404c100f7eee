import type { Evidence, Source } from '../../search/evidence.ts';
import type { Called } from '../../search/identities.ts';
import { FIELD } from '../../search/layers.ts';
import type { Matches, Scored } from '../../search/matches.ts';
import type { Condition } from '../../search/search-index.ts';
import type { Value } from '../../sql/steps.ts';
import type { Answers } from './answers.ts';
import type { TermCounts } from './counts.ts';
import { allOf, anyOf, termQuery } from './lexemes.ts';
import { scoredSql } from './scores.ts';
import { firstByTier } from './tiers.ts';

/** What is looked for in one type. */
export interface MatchRequest {
  readonly type: string;
  readonly evidence: Evidence<TermCounts>;
  readonly called: readonly Called[];
  /** Documents of the type. */
  readonly documents: number;
  readonly condition: Condition | undefined;
  /** How many of the first may be asked for. */
  readonly first: number;
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
  const parts = partsOf(request);
  const where = eitherOf(parts);
  const most = Math.min(...evidence.words.map(({ count }) => count), Infinity);
  const bound = (most === Infinity ? 0 : most) + (evidence.start?.count ?? 0) + called.length;
  if (bound <= SCORED_MAX) return scoredMatches(answers, request, where);
  const apart = parts.map((part, index) => butNot(part, parts.slice(0, index)));
  const those = apart.map((part) => andCondition(request, part));
  const [found = 0, total = 0] = isCounted(request)
    ? [bound, bound]
    : answers.each([apart, those].map((each) => () => countMatches(answers, request.type, each)));
  if (found <= SCORED_MAX) return scoredMatches(answers, request, where);
  return {
    isFound: true,
    total,
    page: (offset, limit) =>
      limit === 0
        ? []
        : pageOf(request, firstByTier(answers, request, { where, some: total, all: found }), { offset, limit }),
  };
}

/** Whether the matches are those of one term, whose number is kept. */
function isCounted({ evidence, called, condition }: MatchRequest): boolean {
  const [word] = evidence.words;
  const isOneTerm = evidence.words.length === 1 && word?.sources.length === 1;
  return isOneTerm && evidence.start === undefined && called.length === 0 && condition === undefined;
}

/** Parts that share nothing, each alone: of both together the index of neither is asked. */
function countMatches(answers: Answers, type: string, parts: readonly Where[]): number {
  const counts = parts.map(({ sql }) => `(SELECT count(*) FROM ${type}_search AS document WHERE ${sql})`);
  const parameters = parts.flatMap((part) => part.parameters);
  return answers.rows<{ total: number }>(`SELECT ${counts.join(' + ')} AS total`, ...parameters)[0]?.total ?? 0;
}

/** The documents that have every word, or whose name begins with the query; and those that are called like it. */
function partsOf({ evidence, called, termOf }: MatchRequest): Where[] {
  const isWordless = evidence.words.length === 0 || evidence.words.some(({ count }) => count === 0);
  const words = isWordless ? [] : [allOf(evidence.words.map(({ sources }) => wordQuery(sources, termOf)))];
  const start = evidence.start === undefined ? [] : [startQuery(evidence.start, termOf)];
  const queries = [...words, ...start];
  const found = queries.length === 0 ? [] : [isQuery(anyOf(queries))];
  const named = called.length === 0 ? [] : [ordinalIn(called.map(({ ordinal }) => ordinal))];
  return [...found, ...named];
}

const eitherOf = (parts: readonly Where[]): Where => ({
  sql: `(${parts.map(({ sql }) => sql).join(' OR ')})`,
  parameters: parts.flatMap(({ parameters }) => parameters),
});

export const isQuery = (query: string): Where => ({
  sql: 'document.terms @@ CAST(? AS TSQUERY)',
  parameters: [query],
});

export const butNot = (one: Where, others: readonly Where[]): Where => ({
  sql: [one.sql, ...others.map(({ sql }) => `NOT (${sql})`)].join(' AND '),
  parameters: [...one.parameters, ...others.flatMap(({ parameters }) => parameters)],
});

export const ordinalIn = (ordinals: readonly number[]): Where => ({
  sql: 'document.ordinal = ANY (CAST(? AS BIGINT[]))',
  parameters: [`{${[...new Set(ordinals)].join()}}`],
});

/** Documents with a word; with a worth, only where it is worth as much. Empty where it never is. */
export function wordQuery(sources: readonly Source<TermCounts>[], termOf: MatchRequest['termOf'], worth = 0): string {
  const queries = sources.flatMap((source) =>
    countOf(source, worth) > 0 ? [termQuery(termOf(source.lists.term), goodFields(source, worth))] : [],
  );
  return queries.length === 0 ? '' : anyOf(queries);
}

/** The first fields, in which a source is worth as much. */
const goodFields = ({ fields, weights }: Source<TermCounts>, worth: number): number =>
  weights.slice(0, fields).filter((weight) => weight >= worth).length;

/** How many documents have a source where it is worth as much. */
export const countOf = (source: Source<TermCounts>, worth: number): number =>
  source.lists.byField.slice(0, goodFields(source, worth)).reduce((sum, { count }) => sum + count, 0);

export const startQuery = ({ lists }: Source<TermCounts>, termOf: MatchRequest['termOf']): string =>
  termQuery(termOf(lists.term), FIELD.name + 1);

export function andCondition({ type, condition }: MatchRequest, where: Where): Where {
  if (condition === undefined) return where;
  const { sql, parameters } = passing(type, condition);
  return { sql: `${where.sql} AND ${sql}`, parameters: [...where.parameters, ...parameters] };
}

/** Names inside the condition mean the type's own columns first, so it may be written as for a plain SELECT. */
export const passing = (type: string, { sql, parameters }: Condition): Where => ({
  sql: `EXISTS (SELECT 1 FROM ${type} WHERE ${type}.id = document.id AND (${sql}))`,
  parameters: parameters as Value[],
});

/** Part of what was found. */
interface Window {
  readonly offset: number;
  readonly limit: number;
}

interface Scores {
  readonly found: number;
  readonly total: number;
  readonly best: readonly Ranked[] | null;
}

/** The matches are scored, counted and put in order where they are; only the first of them come here. */
function scoredMatches(answers: Answers, request: MatchRequest, where: Where): Matches {
  const scored = scoredSql(request, where);
  const sql = `WITH scored AS MATERIALIZED (${scored.sql})
    SELECT count(*) AS found, count(*) FILTER (WHERE passes) AS total, (SELECT json_agg(ranked) FROM (
      SELECT ordinal, id, score FROM scored WHERE passes ORDER BY score DESC, ordinal LIMIT ?
    ) AS ranked) AS best FROM scored`;
  const [row] = answers.rows<Scores>(sql, ...scored.parameters, request.first);
  const { found, total, best } = row ?? { found: 0, total: 0, best: null };
  return { isFound: found > 0, total, page: (offset, limit) => pageOf(request, best ?? [], { offset, limit }) };
}

/** A match as it comes. */
export interface Ranked extends Scored {
  readonly id: number;
}

/** A page of the first matches. */
function pageOf({ noteId }: MatchRequest, first: readonly Ranked[], window: Window): Scored[] {
  const page = first.slice(window.offset, window.offset + window.limit);
  for (const { ordinal, id } of page) noteId(ordinal, id);
  return page.map(({ ordinal, score }) => ({ ordinal, score }));
}
