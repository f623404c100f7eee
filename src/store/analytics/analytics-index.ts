import type { AggregateData } from '../../contract/aggregate.ts';
import type { ConnectionsData } from '../../contract/connections.ts';
import type { AggregateRequest, ConnectionsRequest, RecordRef } from '../port/analytics.ts';
import type { ResolvedFilters } from '../records/conditions.ts';
import type { Document } from '../records/document.ts';
import type { SqlProgram } from '../sql.ts';

export interface ResolvedAggregate extends Omit<AggregateRequest, 'filters'> {
  readonly filters: ResolvedFilters;
}

/** The read model of aggregates and connections: facts maintained in the transactions that write records. */
export interface AnalyticsIndex {
  /** Stores the facts of new or changed documents. */
  putAll(documents: readonly Document[]): SqlProgram<void>;
  removeAll(removed: readonly RecordRef[]): SqlProgram<void>;
  /**
   * Applies a part of the changes since the last call. Returns false if there are more, so that the caller can yield.
   * Query in the transaction in which this returned true.
   */
  catchUp(): SqlProgram<boolean>;
  /** Precomputes a part of the commonest queries; false if nothing is left. Requires `catchUp` in this transaction. */
  prepare(): SqlProgram<boolean>;
  aggregate(request: ResolvedAggregate): SqlProgram<AggregateData>;
  connect(request: ConnectionsRequest): SqlProgram<ConnectionsData>;
}
