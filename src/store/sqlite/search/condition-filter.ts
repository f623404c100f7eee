import type { Database, Statement } from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import { cached } from '../../cached.ts';
import type { Matches } from '../../search/matches.ts';
import type { Condition } from '../../search/search-index.ts';
import { searchTables } from './search-tables.ts';

/** Applies conditions on the type's table to document ids. */
export interface ConditionFilter {
  /** Document ids whose records satisfy the condition, in order. */
  keep(docIds: Uint32Array, condition: Condition): Uint32Array;
  /** All records that satisfy the condition, in static order. */
  everything(condition: Condition | undefined): Matches;
}

/** Up to this many records are tested one by one; beyond, the condition is evaluated over the table. */
const LOOKED_UP_MAX = 20_000;
const STATEMENTS_MAX = 32;
const EVERYTHING_SCORE = 0;

export function createConditionFilter(database: Database, type: string): ConditionFilter {
  const { documents } = searchTables(type);
  const statements = new LRUCache<string, Statement<unknown[], number>>({ max: STATEMENTS_MAX });
  const prepare = (sql: string) => cached(statements, sql, () => database.prepare<unknown[], number>(sql).pluck());
  const isPending = database
    .prepare<[string], number>("SELECT 1 FROM search_pending WHERE type = ? AND reason <> 'named' LIMIT 1")
    .pluck();
  // Column names in the condition resolve to the type's table first, as in a plain SELECT. The unary + stops SQLite
  // from enumerating the whole condition for each tested record.
  const passes = ({ sql }: Pick<Condition, 'sql'>) =>
    `EXISTS (SELECT 1 FROM ${type} WHERE ${type}.id = +document.id AND (${sql}))`;

  return {
    keep(docIds, condition) {
      if (docIds.length > LOOKED_UP_MAX) {
        const sql = `SELECT ordinal FROM ${documents} WHERE id IN (SELECT id FROM ${type} WHERE ${condition.sql}) ORDER BY ordinal`;
        return common(docIds, Uint32Array.from(prepare(sql).all(...condition.parameters)));
      }
      const { test = condition } = condition;
      const sql = `SELECT document.ordinal FROM json_each(?) AS given CROSS JOIN ${documents} AS document ON document.ordinal = given.value WHERE ${passes(test)}`;
      return Uint32Array.from(prepare(sql).all(`[${docIds.join()}]`, ...test.parameters));
    },
    everything(condition) {
      // Pending records are not in the index.
      const indexed = condition && isPending.get(type) !== undefined ? ` AND id IN (SELECT id FROM ${documents})` : '';
      const matching = condition
        ? (prepare(`SELECT count(*) FROM ${type} WHERE (${condition.sql})${indexed}`).get(...condition.parameters) ?? 0)
        : 0;
      // A narrow condition is evaluated from its own index; a wide one by scanning documents in order, which soon fills a page.
      const isNarrow = condition !== undefined && matching <= LOOKED_UP_MAX;
      const form = isNarrow ? condition : (condition?.test ?? condition);
      const inCondition =
        form && (isNarrow ? `id IN (SELECT ${type}.id FROM ${type} WHERE ${form.sql})` : passes(form));
      const where = inCondition === undefined ? '' : ` WHERE ${inCondition}`;
      // The unary + sorts the few results instead of scanning all documents in order.
      const order = isNarrow ? '+ordinal' : 'ordinal';
      const page = `SELECT ordinal FROM ${documents} AS document${where} ORDER BY ${order} LIMIT CAST(? AS INTEGER) OFFSET CAST(? AS INTEGER)`;
      const parameters = form?.parameters ?? [];
      return {
        isTextMatched: true,
        total: condition ? matching : (prepare(`SELECT count(*) FROM ${documents}`).get() ?? 0),
        page: (offset, limit) =>
          prepare(page)
            .all(...parameters, limit, offset)
            .map((docId) => ({ docId, score: EVERYTHING_SCORE })),
      };
    },
  };
}

function common(one: Uint32Array, other: Uint32Array): Uint32Array {
  const kept = new Uint32Array(one.length);
  let length = 0;
  let place = 0;
  for (const docId of one) {
    while (place < other.length && other[place] < docId) place++;
    if (other[place] === docId) kept[length++] = docId;
  }
  return kept.subarray(0, length);
}
