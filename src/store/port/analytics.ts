import type { Aggregate, AggregateData } from '../../contract/aggregate.ts';
import type { ConnectionKind, ConnectionsData } from '../../contract/connections.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import type { Filters } from '../../contract/filters.ts';

/** The change-log position that a result must include; by default the newest. */
export interface AtLeast {
  readonly atLeast?: number | undefined;
}

/** Counts and sums by group over the records that pass the filters. */
export interface AggregateRequest extends Aggregate, AtLeast {
  readonly filters: Filters;
}

export interface ConnectionsRequest extends AtLeast {
  readonly from: RecordRef;
  readonly to: RecordRef;
  readonly hopsMax: number;
  readonly limit: number;
  readonly kinds: readonly ConnectionKind[];
}

export interface RecordRef {
  readonly type: RecordType;
  readonly id: number;
}

/** A record identified by a text, with its display fields. */
export interface NamedRecord extends RecordRef {
  readonly slug: string;
}

/**
 * Queries over many records. Each result is of one snapshot.
 * @throws ServiceError `unavailable` if the index does not reach the required position in time, and `invalid_parameter`
 * for unknown filter values
 */
export interface Analytics {
  aggregate(request: AggregateRequest): Promise<AggregateData>;
  connect(request: ConnectionsRequest): Promise<ConnectionsData>;
  /** Records of any type with exactly this name, alias or slug, bounded to a few. */
  named(name: string, atLeast?: number): Promise<readonly NamedRecord[]>;
}
