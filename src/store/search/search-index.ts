import type { Relaxation } from './matches.ts';

/** What search sees of one record; read from a record by the contract's definition. */
export interface SearchedDocument {
  id: number;
  /** Name first, then aliases. */
  names: string[];
  slug: string;
  tickers: string[];
  /** Web domain of the website. */
  domain: string | null;
  /** Tags, chains and labels of vocabularies. */
  keywords: string[];
  /** Tagline, headline or title. */
  headline: string;
  overview: string;
  /** Roles, organisations, portfolio, founders, speakers, city, country. */
  related: string[];
  /** Static importance, higher first. */
  rank: number;
}

/** The static importance of a record. */
export type Ranked = Pick<SearchedDocument, 'id' | 'rank'>;

/** A condition on the entity's own table, with positional parameters. */
export interface Condition {
  sql: string;
  parameters: readonly (string | number | bigint | null)[];
  /** The same in a form that is cheaper where few records are tried, and not all that pass are gathered. */
  test?: Pick<Condition, 'sql' | 'parameters'>;
}

export interface IndexRequest<Type extends string> {
  types: readonly Type[];
  text: string;
  where?: (type: Type) => Condition | undefined;
  offset: number;
  limit: number;
  /** Whether the types take turns instead of being merged by score. */
  isDivided?: boolean | undefined;
  /** How far the matches may be from the text; without it as for a text that is no sentence. */
  reaches?: readonly Relaxation[] | undefined;
}

export interface SearchHit<Type extends string> {
  type: Type;
  id: number;
  score: number;
}

export interface SearchAnswer<Type extends string> {
  totals: Record<Type, number>;
  hits: SearchHit<Type>[];
  /** How far the matches are from the text. */
  reach: Relaxation;
  /** Another one with each change of the index; undefined for one that never had a document. */
  epoch: number | undefined;
}

/**
 * When the lists of an index are rewritten: with their change, or after many changes, which is cheaper for batches in a
 * row. What is found is the same.
 */
export type Merging = 'now' | 'later';

/**
 * Full-text index over the records of every type, kept in the caller's transactions. It is a function of the documents that were put:
 * whatever came in between, the same documents with the same ranks give the same answers. Equal scores are in the order of
 * importance steps, then of the records' numbers.
 */
export interface SearchIndex<Type extends string> {
  put(type: Type, document: SearchedDocument): void;
  /** As `put` for each, many times faster: lists are merged once for the whole batch. */
  putMany(type: Type, documents: Iterable<SearchedDocument>, merging?: Merging): void;
  /** Keeps documents under other ranks, without their texts; those that are not there are passed over. */
  rerank(type: Type, ranked: Iterable<Ranked>, merging?: Merging): void;
  remove(type: Type, ids: readonly number[], merging?: Merging): void;
  /** Does a part of what was left for later, in a moment; false when nothing is left. */
  compact(): boolean;
  find(request: IndexRequest<Type>): SearchAnswer<Type>;
  readonly build: IndexBuild<Type>;
}

/**
 * A new index of all types, or of some, beside the one that is there, which answers until it is finished. Each call is inside a transaction of the
 * caller and takes some twenty milliseconds (`add` as long as its documents take), so others have their turn between two. One that is
 * cut off is begun again.
 */
export interface IndexBuild<Type extends string> {
  /** @param types those whose documents are added; the vocabulary stays then, and words that come meanwhile are new in it. Without them all are */
  begin(types?: readonly Type[]): void;
  /** Takes in documents of a type, in the order of their numbers. One without texts keeps those that the present index has. */
  add(type: Type, documents: Iterable<SearchedDocument | Ranked>): void;
  /** Writes a part of what was taken in; false when all is written. */
  write(): boolean;
  /** Puts the new index in the place of the old one. */
  finish(): void;
}
