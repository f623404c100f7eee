import type { NamedType } from '../../contract/entities/index.ts';
import type { MatchRule } from '../matching/matcher.ts';
import type { Author } from './audit.ts';
import type { FoundRecord } from './records.ts';

export const DUPLICATE_STATES = ['open', 'rejected', 'merged'] as const;
export type DuplicateState = (typeof DUPLICATE_STATES)[number];

/** Two records that may be one, by number. */
export interface CandidatePair {
  readonly type: NamedType;
  readonly left: number;
  readonly right: number;
  readonly rule: MatchRule | 'chosen';
  /** How likely they are one, in percent. */
  readonly score: number;
}

/** A record of a pair, as far as telling it from the other needs. */
export interface PairedRecord {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly website: string | null;
}

/** A pair of records and what was decided of it. */
export interface Duplicate {
  readonly id: number;
  readonly type: NamedType;
  readonly rule: string;
  readonly score: number;
  readonly state: DuplicateState;
  readonly found_at: string;
  readonly decided_at: string | null;
  readonly records: readonly [PairedRecord, PairedRecord];
  /** Number of the record that was merged into the other one. */
  readonly gone_id: number | null;
}

interface DuplicateQuery {
  readonly type?: NamedType | undefined;
  readonly state?: DuplicateState | undefined;
  readonly limit: number;
  readonly offset?: number;
}

/** Records that may be one: candidates, decisions, merges and their undoing. Decisions are audited. */
export interface Duplicates {
  /** Looks for candidates among all records of some types; what was decided stays. Tells how many are open. */
  scan(types: readonly NamedType[]): Promise<number>;
  /** Adds candidates; pairs that are known stay as they are. */
  add(pairs: readonly CandidatePair[]): Promise<void>;
  /** Pairs, the likeliest first; open ones whose records are both there. */
  list(query: DuplicateQuery): Promise<readonly Duplicate[]>;
  find(id: number): Promise<Duplicate | undefined>;
  /** Says that a pair are two records. */
  reject(id: number, author: Author): Promise<void>;
  /**
   * Merges a pair: what the other record says fills what the kept one does not, lists are united, references and addresses
   * lead to the kept one. Throws `not_found` or `invalid_parameter`.
   * @param keep number or slug of the record that stays; by default the older one
   */
  merge(id: number, author: Author, keep?: string): Promise<FoundRecord>;
  /** As merge, for two records that are no candidates; both by number or slug. */
  mergeChosen(chosen: ChosenPair, author: Author): Promise<Duplicate>;
  /** Takes a merge back: both records are as before it, but for what was changed since. Throws `invalid_parameter`. */
  undo(id: number, author: Author): Promise<void>;
}

export interface ChosenPair {
  readonly type: NamedType;
  readonly keep: string;
  readonly other: string;
}
