import type { Extreme } from '../../contract/aggregate.ts';
import type { RecordAction } from '../../contract/changes.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import type { FieldError } from '../../contract/errors.ts';
import type { FilterName, Filters } from '../../contract/filters.ts';
import type { InputFields } from '../../contract/input.ts';
import type { RelatedList } from '../../contract/relations.ts';
import type { ListOwner } from '../../contract/sentence-calls.ts';
import type { Sort } from '../../contract/sorts.ts';
import type { CoverageGaps, Vocabulary } from '../../contract/vocabulary-response.ts';
import type { Analytics } from './analytics.ts';
import type { Author } from './audit.ts';

/** A complete record as JSON text, so that responses are assembled without parsing. */
export type RecordJson = string;

export interface FoundRecord {
  readonly id: number;
  readonly slug: string;
  /** Increases with every change of the record. */
  readonly version: number;
  readonly json: RecordJson;
}

/** A deleted record, with the end of the restore period. */
export interface DeletedRecord extends FoundRecord {
  readonly deletedAt: string;
  readonly purgeAt: string;
}

/** Offset and limit of a result, with its consistency requirement. */
export interface Window {
  readonly offset: number;
  readonly limit: number;
  /**
   * Change-log position that the result must include; by default, every change acknowledged before the call. A read
   * rejects with `unavailable` if the index does not reach it in time. Ignored by stores without a change log, which are
   * always current.
   */
  readonly atLeast?: number | undefined;
}

export interface Page {
  readonly results: readonly RecordJson[];
  readonly total: number;
}

/** How many records have a field. */
export interface Coverage {
  readonly known: number;
  readonly records: number;
  /** Those of the records that are grants; absent for none. */
  readonly grants?: number | undefined;
}

export interface SearchPage extends Page {
  readonly totals: Partial<Record<RecordType, number>>;
  /** Whether the records match the query exactly; otherwise approximately. */
  readonly isTyped: boolean;
  /** Records excluded per filter because the field is unknown; only counts above 0. */
  readonly unknown: Partial<Record<FilterName, number>>;
  /** Those of them that are grants, of rounds without a stage; only counts above 0. */
  readonly unknownGrants?: Partial<Record<FilterName, number>> | undefined;
  /**
   * Per filter, how many of all records of the searched types have the field: `unknown` omits records that lack two.
   * Undefined with one filter, or if every record has the fields.
   */
  readonly coverage?: Partial<Record<FilterName, Coverage>> | undefined;
  /** Newest date of the searched records; null if none has one. */
  readonly covered: string | null;
  /** Number of grants among rounds; undefined if none is, with a stage, and for other types. */
  readonly grants?: number | undefined;
  /** With a period or an order: rounds (without grants) or events on record in the period. */
  readonly onRecord?: number | undefined;
  /** Rounds or events that match without the dates, where none does with them. */
  readonly withoutDates?:
    | {
        readonly records: number;
        /** Their newest date; null if none has one. */
        readonly latest: string | null;
      }
    | undefined;
  /** How many records match without one of several filters, by filter, where none matches all; undefined if none does. */
  readonly withoutFilters?: Partial<Record<FilterName, number>> | undefined;
  /** How a sentence was parsed; undefined if the text was searched verbatim. */
  readonly understood?: ParsedQuery | undefined;
}

export interface ParsedQuery {
  /** Type that it names, if several are searched. */
  readonly type?: RecordType;
  /** Filters in the form of request parameters. */
  readonly filters: Partial<Record<FilterName, string | number | boolean>>;
  /** Sort in the form of the request parameter. */
  readonly sort?: string;
  /** The list that it asks for of one record, and that record, which the list does not contain. */
  readonly list?: 'similar';
  readonly list_of?: ListOwner;
  readonly group_by?: readonly string[];
  /** The order of its groups by their figure, if not the usual one. */
  readonly order?: Extreme;
  /** Days that the aggregate counts, where the records listed have no date. */
  readonly period?: { readonly from?: string; readonly to?: string };
  /** Whether it compares the investors that it names, whose groups alone it asks for. */
  readonly compared?: true;
  /** Whether it asks which part of all the value of its group is that the filters have. */
  readonly share?: true;
  /** Periods that it compares, whose groups alone it asks for. */
  readonly periods?: readonly { readonly from: string; readonly to: string }[];
  /** Names of the two records whose connection it asks for. */
  readonly connect?: readonly [string, string];
  /** Names most like the one of a party that no record has. */
  readonly nearest?: readonly string[];
  /** Words for facts that no filter is about. */
  readonly unstated?: readonly string[];
  readonly text: string;
  /** Words without effect on the result. */
  readonly ignored: readonly string[];
}

export interface SearchRequest {
  readonly types: readonly RecordType[];
  /** Any text; blank lists the types. */
  readonly text: string;
  readonly filters?: Filters;
  /** Sort order instead of relevance. */
  readonly sort?: Sort | undefined;
  readonly window: Window;
  /** Whether each page is divided evenly among the types; otherwise ordered by relevance alone. */
  readonly isInterleaved?: boolean;
}

/** A row to upsert: creates a record, or replaces the given fields of an existing one. */
export interface RowInput {
  readonly type: RecordType;
  readonly input: InputFields;
  /** Id of an existing record; if a name is given too, only if the record has that name. */
  readonly id?: number;
  /**
   * The row matched a record by another name or day: its values replace, or only fill unknown ones, and its name is an alias.
   * A round that it changes keeps its company and what its lists have.
   */
  readonly joined?: 'changes' | 'fills';
  /** Name of a new record if the input has none. */
  readonly nameWhenNew?: string;
}

/** Identifies a state of the shipped data set: its content, and the version of the package that has it. */
export interface ShippedEdition {
  readonly digest: string;
  readonly version: string;
}

export interface Upserted {
  readonly id: number;
  readonly slug: string;
  readonly change: 'created' | 'updated' | 'unchanged';
  /** Of a round: names without a record. */
  readonly unlinked?: UnlinkedNames | undefined;
  /** The fields that the row stated and that follow rounds on record instead. */
  readonly overruled?: readonly string[];
  /** By a dry run: the record before, which is empty if there was none, and after. */
  readonly states?: readonly [before: RecordState, after: RecordState];
}

type RecordState = Readonly<Record<string, unknown>>;

/** Names of a company and of investors that no record has. */
export interface UnlinkedNames {
  readonly companies: readonly string[];
  readonly investors: readonly string[];
}

/** A rejected row; each error is located at `body.FIELD`. */
export interface Rejected {
  readonly change: 'refused';
  readonly faults: readonly FieldError[];
}

/** Makes retries of a change idempotent. */
export interface IdempotencyKey {
  /** Account and path, because different ones may use the same key. */
  readonly scope: string;
  readonly key: string;
  /** Detects a different request under the same key. */
  readonly fingerprint: string;
}

export interface RecordChange {
  readonly action: RecordAction;
  readonly type: RecordType;
  /** Id or slug; absent for a new record. */
  readonly target?: string;
  /** The request body, not validated. */
  readonly input?: unknown;
  /** Allowed versions; otherwise the change fails with `precondition_failed`. */
  readonly expected?: readonly number[] | undefined;
  readonly idempotencyKey?: IdempotencyKey | undefined;
  readonly author: Author;
}

export interface Changed extends FoundRecord {
  /** Set by a deletion. */
  readonly deletedAt: string | null;
  readonly purgeAt: string | null;
  /** Change-log position; reads that must include the change require at least this. Undefined without a change log. */
  readonly position: number | undefined;
  /** Whether this is the stored response of an earlier request (idempotent replay). */
  readonly isReplay: boolean;
}

export interface ImportUndo {
  /** Request of the import's entries in the audit log. */
  readonly requestId: string;
  /** Only if the import was in the name of this account. */
  readonly account?: string;
  readonly author: Author;
  readonly isDryRun: boolean;
}

/** A record that an import created or changed, and what its undo does. */
export interface UndoneRecord {
  readonly type: RecordType;
  readonly slug: string;
  readonly name: string;
  /** Gone records were deleted or merged since; their slug and name are their id. */
  readonly change: 'deleted' | 'restored' | 'left' | 'gone' | 'unchanged';
  readonly restored: readonly string[];
  /** Fields that were changed since, which stay; of a record to delete, none. */
  readonly left: readonly string[];
  /** Of a deleted one: the records that keep its name without a link, as `rounds/slug`. */
  readonly namedBy?: readonly string[];
}

export interface Records extends Analytics {
  /** A record by id or slug, including former slugs. Undefined if there is none. */
  get(type: RecordType, idOrSlug: string): Promise<FoundRecord | undefined>;
  /** A restorable deleted record by id or slug; the last deleted one if several match. */
  getDeleted(type: RecordType, idOrSlug: string): Promise<DeletedRecord | undefined>;
  /**
   * Makes one change atomically, with its effects on other records.
   * @throws ServiceError `invalid_parameter`, `missing_parameter`, `not_found`, `not_deleted`, `slug_conflict`,
   * `precondition_failed` or `idempotency_mismatch`
   */
  change(change: RecordChange): Promise<Changed>;
  /**
   * Records that match a text, by relevance; pages of one search are disjoint and complete.
   * @throws ServiceError `invalid_parameter` for unknown filter values
   */
  search(request: SearchRequest): Promise<SearchPage>;
  related(list: RelatedList, id: number, window: Window): Promise<Page>;
  /** Filter values and coverage: the same object until a record changes. */
  vocabulary(atLeast?: number): Promise<Vocabulary>;
  coverageGaps(): Promise<CoverageGaps>;
  /** The number of records of a type, counted in the tables, for processes without an index. */
  count(type: RecordType): Promise<number>;
  /** Every record of a type in the order of ids. */
  walk(type: RecordType): AsyncIterable<RecordJson>;
  /**
   * Upserts all rows or none; returns the result of each, in order.
   * @throws ServiceError `invalid_parameter` for an invalid row
   */
  putAll(rows: Iterable<RowInput>): Promise<readonly Upserted[]>;
  /**
   * Upserts the valid rows; returns the result of each, in order. After the last ones of an import, `compactIndex` computes the
   * fields that follow rounds.
   * @param following rows of the same import known to follow; if they are many, all are searchable only after `compactIndex`
   */
  upsertMany(rows: readonly RowInput[], author?: Author, following?: number): Promise<readonly (Upserted | Rejected)[]>;
  /**
   * Takes back an import in atomic parts, the last rows first: deletes the records that it created if nobody has changed them
   * since, and sets back the fields that still have its values. Calling it again completes it. Returns what became of each record.
   */
  undoImport(undo: ImportUndo): AsyncIterable<UndoneRecord>;
  /** Returns the results that `upsertMany` would have, without writing. */
  dryRun(rows: readonly RowInput[]): Promise<readonly (Upserted | Rejected)[]>;
  /**
   * Inserts the rows if the database was never filled. Returns whether it did. Safe with concurrent processes.
   * @throws ServiceError `invalid_parameter` for an invalid row
   */
  fillOnce(rows: () => Iterable<RowInput>, edition?: ShippedEdition): Promise<boolean>;
  /**
   * Upserts the shipped data set, marked so that it can be dropped.
   * @throws ServiceError `invalid_parameter` for an invalid row
   */
  addShipped(
    rows: () => Iterable<RowInput>,
    by?: { readonly author?: Author; readonly edition?: ShippedEdition | undefined },
  ): Promise<readonly Upserted[]>;
  /**
   * Brings the shipped data set of the database to another edition, as `addShipped` and `dropShipped` would; records that were
   * changed, added or deleted since stay so. Undefined if there is nothing to do: no shipped records, the same edition, or
   * that of a newer version. Safe with concurrent processes.
   * @throws ServiceError `invalid_parameter` for an invalid row
   */
  updateShipped(
    rows: () => Iterable<RowInput>,
    edition: ShippedEdition,
    isKept: (type: RecordType, slug: string) => boolean,
  ): Promise<{ readonly upserted: readonly Upserted[]; readonly dropped: number } | undefined>;
  /**
   * Permanently deletes shipped records that were not changed since. Returns their number. Works in parts and is resumable.
   * @param isKept whether a record stays
   */
  dropShipped(author?: Author, isKept?: (type: RecordType, slug: string) => boolean): Promise<number>;
}
