import type { NamedType } from '../../contract/entities/index.ts';
import type { MatchRule } from '../matching/matcher.ts';
import type { Author } from './audit.ts';
import type { FoundRecord } from './records.ts';

export const DUPLICATE_STATES = ['open', 'rejected', 'merged'] as const;
export type DuplicateState = (typeof DUPLICATE_STATES)[number];

/** Two probable duplicates, by id. */
export interface CandidatePair {
  readonly type: NamedType;
  readonly left: number;
  readonly right: number;
  readonly rule: MatchRule | 'chosen';
  readonly score: number;
}

export interface PairedRecord {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly website: string | null;
  readonly line: string | null;
}

export interface Duplicate extends Omit<CandidatePair, 'left' | 'right'> {
  readonly id: number;
  /** The rule in words, with what the records share: `Same account: foo on GitHub`. */
  readonly reason: string;
  readonly state: DuplicateState;
  readonly found_at: string;
  readonly decided_at: string | null;
  readonly records: readonly [PairedRecord, PairedRecord];
  /** Id of the merged record, which is hidden. */
  readonly gone_id: number | null;
}

export interface DuplicateFilter {
  readonly type?: NamedType | undefined;
  readonly state?: DuplicateState | undefined;
}

interface DuplicateQuery extends DuplicateFilter {
  readonly limit: number;
  readonly offset?: number;
}

/** Duplicate candidates, decisions, merges and undo. Decisions are audited. */
export interface Duplicates {
  /** Searches all records of the types for candidates, keeping decisions. Audited. Returns the number of open pairs. */
  scan(types: readonly NamedType[], author: Author): Promise<number>;
  /** Adds candidates; known pairs are unchanged. Returns the ids of all, in order. */
  add(pairs: readonly CandidatePair[]): Promise<readonly number[]>;
  /** Pairs, the likeliest first. Open pairs only if both records exist. */
  list(query: DuplicateQuery): Promise<readonly Duplicate[]>;
  /** Number of pairs, by default of open ones. */
  count(filter: DuplicateFilter): Promise<number>;
  find(id: number): Promise<Duplicate | undefined>;
  /**
   * Marks a pair as different records.
   * @throws ServiceError `not_found`, or `invalid_parameter` if it is merged
   */
  reject(id: number, author: Author): Promise<void>;
  /**
   * Merges a pair: fills unknown fields, unites lists, and redirects references and slugs to the remaining record.
   * @param keep id or slug of the remaining record; by default the older one
   * @throws ServiceError `not_found`, or `invalid_parameter` if the pair is merged or does not contain `keep`
   */
  merge(id: number, author: Author, keep?: string): Promise<FoundRecord>;
  /**
   * Merges two records that need not be candidates, by id or slug.
   * @throws ServiceError `not_found`, or `invalid_parameter` if both are the same record
   */
  mergeChosen(chosen: ChosenPair, author: Author): Promise<Duplicate>;
  /**
   * Undoes a merge, keeping later changes.
   * @throws ServiceError `not_found`, `invalid_parameter` if the pair is not merged or the record was purged, or
   * `slug_conflict` if its slug was taken
   */
  undo(id: number, author: Author): Promise<void>;
}

export interface ChosenPair {
  readonly type: NamedType;
  readonly keep: string;
  readonly other: string;
}
