import type { Source } from '../../search/evidence.ts';
import { FIELD, FIELDS, type Field, rarity } from '../../search/layers.ts';
import { SCORE_UNIT } from '../../search/matches.ts';
import type { TermCounts } from './counts.ts';
import { anyOf, fieldQuery, placeOf } from './lexemes.ts';
import { type MatchRequest, passing, type Where } from './matching.ts';

/**
 * The scores of matching documents, as a SELECT of `ordinal`, `id`, `passes` and `score`: the worth of their words by
 * rarity, and the layer of what they are called. The rules are those of every engine, and numbers are rounded alike.
 */
export function scoredSql(request: MatchRequest, where: Where): Where {
  const { type, evidence, called, documents, condition } = request;
  const passes = condition === undefined ? EVERY : passing(type, condition);
  const weights = evidence.words.map((_, word) => weightOf(request, word));
  const bonus = bonusOf(request);
  const rarities = evidence.words.map((word) => rarity(documents, word.countTyped || word.count));
  const sum = rarities.reduce((total, value) => total + value, 0) || 1;
  const names = weights.map((_, word) => `word${word}`);
  const isWhole = names.length === 0 ? 'FALSE' : names.map((name) => `${name} > 0`).join(' AND ');
  const worth = names.length === 0 ? '0' : names.map((name) => `${name} * ${NUMBER}`).join(' + ');
  const columns = [
    `${passes.sql} AS passes`,
    ...weights.map(({ sql }, word) => `${sql} AS word${word}`),
    `${bonus.sql} AS bonus`,
    `${called.length === 0 ? '0' : 'coalesce(called.scale, 0)'} AS scale`,
  ];
  const join = called.length === 0 ? '' : ` LEFT JOIN ${CALLED} USING (ordinal)`;
  // The bound keeps the inner SELECT apart, so that nothing is worked out twice.
  const score = `bonus + CASE WHEN bonus > 0 OR (${isWhole}) THEN 1 ELSE scale END * (${worth}) / ${NUMBER}`;
  const sql = `SELECT ordinal, id, passes, floor((${score}) * ${1 / SCORE_UNIT} + 0.5) / ${1 / SCORE_UNIT} AS score
    FROM (SELECT document.ordinal, document.id, ${columns.join(', ')}
      FROM ${type}_search AS document${join} WHERE ${where.sql} OFFSET 0) AS weighed`;
  const inner = [...passes.parameters, ...weights.flatMap(({ parameters }) => parameters), ...bonus.parameters];
  const joined = called.length === 0 ? [] : [calledRows(request)];
  return { sql, parameters: [...rarities, sum, ...inner, ...joined, ...where.parameters] };
}

const EVERY: Where = { sql: 'TRUE', parameters: [] };
const NUMBER = 'CAST(? AS DOUBLE PRECISION)';
const CALLED =
  'json_to_recordset(CAST(? AS JSON)) AS called (ordinal BIGINT, bonus FLOAT8, scale FLOAT8, weights FLOAT8[])';

/** A document that is called like the query: what its names add, as exact as single floats are, like in every engine. */
interface CalledRow {
  readonly ordinal: number;
  readonly weights: Float32Array;
  bonus: number;
  scale: number;
}

function calledRows({ called, evidence }: MatchRequest): string {
  const rows = new Map<number, CalledRow>();
  for (const { ordinal, bonus, scale, from, to, weight } of called) {
    const row = rows.get(ordinal) ?? { ordinal, weights: new Float32Array(evidence.words.length), bonus: 0, scale: 0 };
    rows.set(ordinal, row);
    row.bonus = Math.max(row.bonus, Math.fround(bonus));
    row.scale = Math.max(row.scale, Math.fround(scale));
    for (let word = from; word <= to && word < row.weights.length; word += 1)
      row.weights[word] = Math.max(row.weights[word] ?? 0, weight);
  }
  return JSON.stringify([...rows.values()].map((row) => ({ ...row, weights: [...row.weights] })));
}

/** What a word is worth in a document: the best of its sources, and of complete keywords and names that cover it. */
function weightOf({ evidence, called, termOf }: MatchRequest, word: number): Where {
  const sources = evidence.words[word]?.sources ?? [];
  const keywords = evidence.keywords.filter(({ from, to }) => from <= word && word <= to);
  const best = bestOf([...sources, ...keywords], termOf);
  if (called.length === 0) return best;
  return { sql: `greatest(${best.sql}, called.weights[${word + 1}])`, parameters: best.parameters };
}

function bonusOf({ evidence, called, termOf }: MatchRequest): Where {
  const start = bestOf(evidence.start === undefined ? [] : [evidence.start], termOf);
  if (called.length === 0) return start;
  return { sql: `greatest(${start.sql}, called.bonus)`, parameters: start.parameters };
}

/** Terms that are worth the same where they stand. */
interface Arm {
  readonly weight: number;
  readonly queries: string[];
  /** Set for a term that must stand in this field, where the index does not tell it from another. */
  readonly inside?: { readonly term: string; readonly field: Field };
}

/** What the terms of some sources are worth in a document: the dearest that it has. */
function bestOf(sources: readonly Source<TermCounts>[], termOf: MatchRequest['termOf']): Where {
  const arms = sources.flatMap((source) => armsOf(source, termOf)).toSorted((one, other) => other.weight - one.weight);
  const merged: Arm[] = [];
  for (const arm of arms) {
    const last = merged.at(-1);
    const isSame = last?.weight === arm.weight && last.inside === undefined && arm.inside === undefined;
    if (isSame) last.queries.push(...arm.queries);
    else merged.push(arm);
  }
  if (merged.length === 0) return { sql: '0', parameters: [] };
  const cases = merged.map(({ inside }) => `WHEN ${inside === undefined ? HAS : HAS_INSIDE} THEN ${NUMBER}`);
  const parameters = merged.flatMap(({ weight, queries, inside }) => [
    anyOf(queries),
    ...(inside === undefined ? [] : [inside.term, `%:${placeOf(inside.field)}`]),
    weight,
  ]);
  return { sql: `CASE ${cases.join(' ')} ELSE 0 END`, parameters };
}

const HAS = 'document.terms @@ CAST(? AS TSQUERY)';
/** What is left of a document without its other terms says where the term stands. */
const HAS_INSIDE = `${HAS} AND CAST(ts_delete(document.terms, tsvector_to_array(ts_delete(document.terms, CAST(? AS TEXT)))) AS TEXT) LIKE ?`;

/** A source by field; fields that its term never stands in are passed over. */
function armsOf({ lists, fields, weights }: Source<TermCounts>, termOf: MatchRequest['termOf']): Arm[] {
  const term = termOf(lists.term);
  const standsIn = (field: Field): boolean => (lists.byField[field]?.count ?? 0) > 0;
  return FIELDS.slice(0, fields)
    .filter(standsIn)
    .map((field) => {
      const arm = { weight: Math.fround(weights[field] ?? 0), queries: [fieldQuery(term, field)] };
      // Overviews and related names share a class, and the overview is worth more.
      const isShared = field === FIELD.overview && fields > FIELD.related && standsIn(FIELD.related);
      return isShared ? { ...arm, inside: { term, field } } : arm;
    });
}
