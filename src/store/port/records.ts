import type { RecordAction } from '../../contract/changes.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import type { FieldError } from '../../contract/errors.ts';
import type { FilterName, Filters } from '../../contract/filters.ts';
import type { GivenFields } from '../../contract/input.ts';
import type { RelatedList } from '../../contract/relations.ts';
import type { Sort } from '../../contract/sorts.ts';
import type { Vocabulary } from '../../contract/vocabulary-answer.ts';
import type { Answers } from './answers.ts';
import type { Author } from './audit.ts';

/** A record as JSON text of its whole contract shape, so that an answer can be put together without parsing it. */
export type RecordJson = string;

/** A record that was asked for, under the slug that it has now. */
export interface FoundRecord {
  readonly id: number;
  readonly slug: string;
  /** Grows with every change of the record. */
  readonly version: number;
  readonly json: RecordJson;
}

/** A record that is deleted, and until when it can be restored. */
export interface DeletedRecord extends FoundRecord {
  readonly deletedAt: string;
  readonly purgeAt: string;
}

/** The part of a result that is asked for. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
  /**
   * The position in the change log that the answer must include; without it, every change that was acknowledged before the
   * call. A store without a log always answers with every change.
   */
  readonly atLeast?: number | undefined;
}

export interface Page {
  readonly results: readonly RecordJson[];
  readonly total: number;
}

export interface SearchPage extends Page {
  readonly totals: Partial<Record<RecordType, number>>;
  /** Whether the records have what was asked for as it was typed; otherwise they are only like it. */
  readonly isTyped: boolean;
  /** Records that each filter left out only because they do not say what it asks for; without those that left out none. */
  readonly unknown: Partial<Record<FilterName, number>>;
  /** The newest day that the searched records are of; null when none says. */
  readonly covered: string | null;
  /** How many of some rounds are grants; undefined where all or none are, and of other types. */
  readonly grants?: number | undefined;
  /** How a sentence was read; undefined for a text that was taken as it is. */
  readonly understood?: Understood | undefined;
}

/** A sentence as it was read. */
export interface Understood {
  /** The type that it names, where several are searched. */
  readonly type?: RecordType;
  /** Filters as they are given in a request. */
  readonly filters: Partial<Record<FilterName, string | number | boolean>>;
  /** The order that it asks for, as it is given in a request. */
  readonly sort?: string;
  /** Words that were searched. */
  readonly text: string;
  /** Words that have no part in the answer. */
  readonly ignored: readonly string[];
}

export interface SearchRequest {
  readonly types: readonly RecordType[];
  /** Any text; blank lists the types. */
  readonly text: string;
  readonly filters?: Filters;
  /** An order instead of relevance. */
  readonly sort?: Sort | undefined;
  readonly window: Window;
  /** Whether the types take turns, so that each page is divided evenly among them; otherwise only relevance decides. */
  readonly isDivided?: boolean;
}

/** A record to keep: a new one, or an existing one by its slug or number, whose given fields are replaced. */
export interface RowInput {
  readonly type: RecordType;
  readonly input: GivenFields;
  /** Number of an existing record; beside a name it counts only when that record bears the name. */
  readonly id?: number;
  /**
   * Set when the row is about an existing record under another name, which becomes an alias: its values change the record,
   * or only fill what is unknown.
   */
  readonly joined?: 'changes' | 'fills';
  /** Name for a record that is new and that the input does not name. */
  readonly nameWhenNew?: string;
}

/** What became of a row. */
export interface Upserted {
  readonly id: number;
  readonly slug: string;
  readonly change: 'created' | 'updated' | 'unchanged';
}

/** Why a row was not kept; each fault is at `body.FIELD`. */
export interface Rejected {
  readonly change: 'refused';
  readonly faults: readonly FieldError[];
}

/** Makes a change that is sent again under the same key happen once. */
export interface IdempotencyKey {
  /** Whose key it is and what it is for: two accounts or two paths may use one key. */
  readonly scope: string;
  readonly key: string;
  /** Tells another request under the same key apart. */
  readonly fingerprint: string;
}

/** One change of one record. */
export interface RecordChange {
  readonly action: RecordAction;
  readonly type: RecordType;
  /** Number or slug of the record; a new one has none. */
  readonly target?: string;
  /** Body as it was sent, not checked. */
  readonly input?: unknown;
  /** Versions that the record may have; others are refused with `precondition_failed`. */
  readonly expected?: readonly number[] | undefined;
  readonly once?: IdempotencyKey | undefined;
  readonly author: Author;
}

/** The record after a change. */
export interface Changed extends FoundRecord {
  /** Set by a deletion. */
  readonly deletedAt: string | null;
  readonly purgeAt: string | null;
  /** Where the change stands in the change log, where searches follow one; what must be found asks for at least this. */
  readonly position: number | undefined;
  /** Whether this is the answer of an earlier request that was sent again. */
  readonly isReplay: boolean;
}

export interface Records extends Answers {
  /** One record by number or slug, also one it had before; undefined when there is none. */
  get(type: RecordType, idOrSlug: string): Promise<FoundRecord | undefined>;
  /** A deleted record that can still be restored, by number or slug; of several, the one deleted last. */
  getDeleted(type: RecordType, idOrSlug: string): Promise<DeletedRecord | undefined>;
  /** Makes one change with all that follows from it, or none; throws a ServiceError that says what stands against it. */
  change(change: RecordChange): Promise<Changed>;
  /** Records that match a text, the best first; pages of one text are disjoint and complete. */
  search(request: SearchRequest): Promise<SearchPage>;
  /** Records of a related list of the record with this number. */
  related(list: RelatedList, id: number, window: Window): Promise<Page>;
  /** What filters can be given, and how much is known. */
  vocabulary(atLeast?: number): Promise<Vocabulary>;
  /** Filters that no record can satisfy, because the fact is known of none. */
  uncovered(): Promise<readonly FilterName[]>;
  /** Every record of a type in the order of their numbers. */
  walk(type: RecordType): AsyncIterable<RecordJson>;
  /** Keeps all rows or none, and tells of each, in order, what became of it. */
  putAll(rows: Iterable<RowInput>): Promise<readonly Upserted[]>;
  /** Keeps the rows that are right, and tells of each, in order, what became of it. */
  upsertMany(rows: readonly RowInput[], author?: Author): Promise<readonly (Upserted | Rejected)[]>;
  /** Tells what `upsertMany` would do, and changes nothing. */
  dryRun(rows: readonly RowInput[]): Promise<readonly (Upserted | Rejected)[]>;
  /** Keeps all rows when the database has never been filled; tells whether it did. Safe with many processes at once. */
  fillOnce(rows: () => Iterable<RowInput>): Promise<boolean>;
  /** Keeps the rows of the shipped data set, marked as such, so that they can be dropped again. */
  addShipped(rows: () => Iterable<RowInput>, author?: Author): Promise<readonly Upserted[]>;
  /**
   * Removes for good what the shipped data set brought and nobody has changed since; tells how many records. It goes in parts, and one
   * that is cut off is completed by the next.
   */
  dropShipped(author?: Author): Promise<number>;
}
