import type { RecordType } from '../../contract/entities/index.ts';
import type { FieldError } from '../../contract/errors.ts';
import type { Provenance } from '../../contract/provenance.ts';

/** Trust in a source per field: higher wins, then newer. Edits always win. */
export const TRUST = { derived: 0, aggregator: 1, curated: 2, government: 3, registry: 4 } as const;
type Trust = keyof typeof TRUST;

export interface ClaimSource {
  readonly source: string;
  readonly trust: Trust;
  /** Whether its terms forbid redistribution. */
  readonly isRestricted: boolean;
  /** Prefix of the source text on records imported before the source was synced. */
  readonly origin: string;
}

/** Facts that a source states under its stable key. */
export interface Claim {
  readonly type: RecordType;
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly as_of: string;
  readonly url: string;
}

/** A claim with its record: an existing id, or the key of the claim that creates one. */
export interface PlacedClaim extends Claim {
  readonly record: number | string;
}

/** Claims about a deleted record are skipped; those that would create one of withheld facts only are stored. */
export interface ClaimOutcome {
  readonly key: string;
  readonly change: 'created' | 'joined' | 'updated' | 'unchanged' | 'skipped' | 'withheld' | 'refused';
  readonly faults?: readonly FieldError[];
}

export interface ClaimBatch {
  readonly from: ClaimSource;
  /** Each key at most once. */
  readonly claims: readonly PlacedClaim[];
  /** Time of the run; non-decreasing. */
  readonly seenAt: string;
  /** Claims not stated since then are removed with the next claim of their key. */
  readonly forgetBefore: string | null;
  /** Maximum number of known keys that may change; a larger batch is rejected. */
  readonly changesMax: number;
  readonly isDryRun: boolean;
}

/** A conflict between trusted sources. The record keeps its first value. */
export interface Conflict {
  readonly type: RecordType;
  readonly id: number;
  readonly slug: string;
  readonly field: string;
  readonly values: readonly { readonly source: string; readonly as_of: string | null; readonly value: unknown }[];
}

/** Stored state of a source; `state` belongs to its connector. */
interface KnownSource {
  readonly source: string;
  readonly isRestricted: boolean;
  readonly isWithheld: boolean;
  readonly state: string;
  readonly keys: number;
}

/** Claims of sources, and the records derived from them and from edits. */
export interface Claims {
  /** Sources of each field. Undefined if there is no such record. */
  of(type: RecordType, idOrSlug: string): Promise<Provenance | undefined>;
  /** Applies claims atomically. If more than `changesMax` known keys would change, applies none and returns that number. */
  apply(batch: ClaimBatch): Promise<readonly ClaimOutcome[] | number>;
  /** Known keys of a source with their record ids. */
  keys(source: string): Promise<ReadonlyMap<string, number | null>>;
  unseen(source: string, since: string): Promise<number>;
  conflicts(limit: number): Promise<readonly Conflict[]>;
  sources(): Promise<readonly KnownSource[]>;
  saveState(from: ClaimSource, state: string): Promise<void>;
  /** Marks the records of a source that no source lists any more, after a complete run of it. */
  markUnlisted(source: string): Promise<void>;
  /** Removes all claims of a source, and records without another, in resumable parts; returns their number. */
  drop(source: string): Promise<number>;
  /** Excludes the claims of a source from records while storing them, or includes them again. */
  withhold(source: string, isWithheld: boolean): Promise<void>;
  /**
   * Marks the database as served: withholds facts that must not be redistributed, except those of the allowed sources.
   * Returns the withheld sources.
   */
  withholdRestricted(allowed: readonly string[]): Promise<readonly string[]>;
  /** A record's JSON without the facts of the sources; null if nothing remains. */
  without(type: RecordType, json: string, sources: ReadonlySet<string>): Promise<string | null>;
  /** Acquires or renews a named lease for a holder. False if another holder has it. */
  lease(name: string, holder: string, milliseconds: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
}
