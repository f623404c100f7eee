import type { RecordType } from '../../contract/entities/index.ts';
import type { Relaxation } from './matches.ts';

/** The searchable content of a record, derived from its entity definition. */
export interface SearchedDocument {
  id: number;
  /** Name first, then aliases. */
  names: string[];
  /** Whether names are composed, so that they are not typed as one word. */
  hasComposedNames?: true;
  slug: string;
  tickers: string[];
  domain: string | null;
  /** Names of its accounts on X and GitHub. */
  handles: string[];
  /** Tags, chains and vocabulary values. */
  keywords: string[];
  headline: string;
  overview: string;
  /** Roles, organisations, portfolio, founders, speakers, city, country. */
  related: string[];
  /** Static rank, higher first. */
  rank: number;
}

export type Ranked = Pick<SearchedDocument, 'id' | 'rank'>;

/** Thrown by a search that would hold its thread for long; another thread runs it. */
export class LongSearch extends Error {}

/** An SQL text with positional parameters. */
export interface Condition {
  sql: string;
  parameters: readonly (string | number | bigint | null)[];
}

/** A condition on records of a type: as a test of one row of their table, and as sets. */
export interface RecordCondition extends Condition {
  /** Statements that select ids, perhaps also of deleted records: a record that all select satisfies the condition. */
  sets: readonly Condition[];
}

/** A field of the records of a type. Unknown values come last, equal ones by id. */
export interface SortOrder {
  /** SQL expression of the field. */
  key: string;
  /** SQLite index on the field and the id; undefined for a type without the field, whose records are ordered by id. */
  index: string | undefined;
  isDescending: boolean;
}

export interface IndexRequest {
  types: readonly RecordType[];
  text: string;
  where?: ((type: RecordType) => RecordCondition | undefined) | undefined;
  /** Records of the only type that match as if the text were their name: rounds of the company with this name. */
  namedIds?: readonly number[] | undefined;
  offset: number;
  limit: number;
  /** By which records are ordered instead of by score. A list without text then has records that are not indexed yet, too. */
  order?: ((type: RecordType) => SortOrder) | undefined;
  /** Whether types alternate instead of being merged by score. */
  isInterleaved?: boolean | undefined;
  /** Allowed relaxations; by default those of a text that is not a sentence. */
  relaxations?: readonly Relaxation[] | undefined;
}

export interface SearchHit {
  type: RecordType;
  id: number;
  score: number;
}

export interface IndexResult {
  totals: Record<RecordType, number>;
  hits: SearchHit[];
  relaxation: Relaxation;
  /** Changes with the index; undefined if it was never written. */
  epoch: number | undefined;
}

/**
 * When posting lists are merged: with the change, or later, which is cheaper for successive batches; results are the same.
 * With `deferred`, words that no document has any more are also forgotten later, and correct typos until then.
 */
export type Merging = 'now' | 'later' | 'deferred';

/**
 * Full-text index over records of every type, maintained in the caller's transactions. A function of the indexed
 * documents: whatever the order of changes, equal documents with equal ranks give equal results. Ties are ordered by
 * rank step, then record id.
 */
export interface SearchIndex {
  /** Unless merged now, returns the ids of those that keep their former rank, until `rerank`, because their text is the same. */
  putMany(type: RecordType, documents: Iterable<SearchedDocument>, merging?: Merging): readonly number[];
  /** Changes the ranks of documents without their text; unknown ones are ignored. */
  rerank(type: RecordType, ranked: Iterable<Ranked>, merging?: Merging): void;
  remove(type: RecordType, ids: readonly number[], merging?: Merging): void;
  /** Does a short part of the deferred work. False if nothing is left. */
  compact(): boolean;
  /** @throws LongSearch if a bound is exceeded */
  find(request: IndexRequest): IndexResult;
  /** Bounds the rows that searches read from now on, in all: a search that would read more throws `LongSearch`. */
  bound(rows: number): void;
  /** Identifies the state of the index; undefined before the first record. */
  epoch(): number | undefined;
  /** Starts another epoch without changing the index. */
  touch(): void;
  readonly build: IndexBuild;
}

/**
 * Builds a new index of all or some types beside the live one, which serves until `finish`. Each call runs in the
 * caller's transaction and takes about 50 ms (`add` in proportion to its documents). An interrupted build starts over.
 */
export interface IndexBuild {
  /** @param types types whose documents are added to the existing dictionary; without it, everything is rebuilt */
  begin(types?: readonly RecordType[]): void;
  /** Adds documents in the order of record ids. A document without text keeps its indexed text. */
  add(type: RecordType, documents: Iterable<SearchedDocument | Ranked>): void;
  /** Writes a part. False when all is written. */
  write(): boolean;
  finish(): void;
}
