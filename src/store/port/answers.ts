import type { Aggregate, AggregateData } from '../../contract/aggregate.ts';
import type { ConnectionKind, ConnectionsData } from '../../contract/connections.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import type { Filters } from '../../contract/filters.ts';

/** The position in the change log that an answer must include; without it, the newest. */
export interface AtLeast {
  readonly atLeast?: number | undefined;
}

/** Counts and sums by group, of the records of a type that pass the filters. */
export interface AggregateRequest extends Aggregate, AtLeast {
  readonly filters: Filters;
}

/** Paths between two records. */
export interface ConnectRequest extends AtLeast {
  readonly from: RecordPlace;
  readonly to: RecordPlace;
  readonly hopsMax: number;
  readonly limit: number;
  /** Only these kinds of connection. */
  readonly kinds: readonly ConnectionKind[];
}

/** A record by its type and number. */
export interface RecordPlace {
  readonly type: RecordType;
  readonly id: number;
}

/** A record that a text names, with what shows it. */
export interface NamedPlace extends RecordPlace {
  readonly slug: string;
}

/** What is asked of many records at once. Every answer is of one moment, and of the records as they are then. */
export interface Answers {
  aggregate(request: AggregateRequest): Promise<AggregateData>;
  connect(request: ConnectRequest): Promise<ConnectionsData>;
  /** The records of any type that bear exactly this name, alias or slug, at most a few. */
  named(name: string, atLeast?: number): Promise<readonly NamedPlace[]>;
}
