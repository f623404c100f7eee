import type { RecordType } from '../../contract/entities/index.ts';
import type { FieldError } from '../../contract/errors.ts';
import type { Provenance } from '../../contract/provenance.ts';

/** How far a source is trusted, a field at a time: the higher wins, and of equals the newer. An edit wins over all. */
export const TRUST = { derived: 0, aggregator: 1, curated: 2, government: 3, registry: 4 } as const;
type Trust = keyof typeof TRUST;

/** Who states something. */
export interface ClaimSource {
  readonly source: string;
  readonly trust: Trust;
  /** Whether its terms forbid to hand its facts on. */
  readonly isRestricted: boolean;
  /** How records name it that had its facts before it was synced: the beginning of a source's text. */
  readonly origin: string;
}

/** What a source states under a key of its own, which is stable. */
export interface Claim {
  readonly type: RecordType;
  readonly key: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly as_of: string;
  /** Where a person can read it. */
  readonly url: string;
}

/** A claim and its record: the number of one that is there, or the key of the claim that a new one is made of. */
export interface PlacedClaim extends Claim {
  readonly record: number | string;
}

/** What became of a claim. One about a record that a person deleted is skipped; one that would make a record of withheld facts is kept as a claim. */
export interface ClaimOutcome {
  readonly key: string;
  readonly change: 'created' | 'joined' | 'updated' | 'unchanged' | 'skipped' | 'withheld' | 'refused';
  readonly faults?: readonly FieldError[];
}

export interface ClaimBatch {
  readonly from: ClaimSource;
  /** Each key once. */
  readonly claims: readonly PlacedClaim[];
  /** Moment of the run, which never goes back. */
  readonly seenAt: string;
  /** What the source has not stated since goes with the next claim of its key. */
  readonly forgetBefore: string | null;
  /** Known keys that may change; a batch with more is not taken. */
  readonly changesMax: number;
  readonly isDryRun: boolean;
}

/** A difference between sources that are both trusted. The record keeps what it said first. */
export interface Conflict {
  readonly type: RecordType;
  readonly id: number;
  readonly slug: string;
  readonly field: string;
  readonly values: readonly { readonly source: string; readonly as_of: string | null; readonly value: unknown }[];
}

/** What is known of a source besides its claims; the state is its connector's. */
interface KnownSource {
  readonly source: string;
  readonly isRestricted: boolean;
  readonly isWithheld: boolean;
  readonly state: string;
  /** Keys that it states. */
  readonly keys: number;
}

/** Statements of sources, and the records that are made of them and of people's edits. */
export interface Claims {
  /** Where each field of a record comes from; undefined when there is no such record. */
  of(type: RecordType, idOrSlug: string): Promise<Provenance | undefined>;
  /** Takes claims, all of them or, beyond `changesMax`, none: then the answer is the number of keys that would change. */
  take(batch: ClaimBatch): Promise<readonly ClaimOutcome[] | number>;
  /** The keys of a source that are known, each with its record. */
  keys(source: string): Promise<ReadonlyMap<string, number | null>>;
  /** How many known keys a source has not stated since a moment. */
  unseen(source: string, since: string): Promise<number>;
  conflicts(limit: number): Promise<readonly Conflict[]>;
  sources(): Promise<readonly KnownSource[]>;
  /** Keeps the state of a source's connector. */
  keepState(from: ClaimSource, state: string): Promise<void>;
  /** Forgets all that a source said; tells how many records were of it alone, and went. In parts: one that is cut off is begun again. */
  drop(source: string): Promise<number>;
  /** Leaves what a source says out of the records, and keeps it as claims; or puts it in again, where its records are still there. */
  withhold(source: string, isWithheld: boolean): Promise<void>;
  /**
   * Has the database served: from now on, facts that may not be handed on are withheld, but for those of some sources.
   * Tells which sources are.
   */
  withholdRestricted(allowed: readonly string[]): Promise<readonly string[]>;
  /** A record's JSON without what the sources state, or null when nothing else states it. */
  without(type: RecordType, json: string, sources: ReadonlySet<string>): Promise<string | null>;
  /** Whether this holder has the lease of a name now: for one holder at a time, until the moment, unless it is released. */
  lease(name: string, holder: string, milliseconds: number): Promise<boolean>;
  release(name: string, holder: string): Promise<void>;
}
