import type { AggregateData } from '../../contract/aggregate.ts';
import type { ConnectionsData } from '../../contract/connections.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import type { AggregateRequest, ConnectRequest } from '../port/answers.ts';
import type { ResolvedFilters } from '../records/conditions.ts';
import type { Document } from '../records/document.ts';
import type { SqlProgram } from '../sql/program.ts';

/** An aggregate whose filters were looked up. */
export interface ResolvedAggregate extends Omit<AggregateRequest, 'filters'> {
  readonly filters: ResolvedFilters;
}

/** What aggregates and connections are answered from: facts that are kept in the transactions that write the records. */
export interface AnswerIndex {
  /** Keeps the facts of documents, new or changed. */
  putAll(documents: readonly Document[]): SqlProgram<void>;
  remove(type: RecordType, id: number): SqlProgram<void>;
  /**
   * Takes in a part of what has changed since it was last asked: false when there is more, so that the caller can let others
   * have their turn. The answer is to be asked for in the same transaction in which this is true.
   */
  catchUp(): SqlProgram<boolean>;
  /** Computes ahead a part of what is asked for most; false when nothing is left. In the transaction in which `catchUp` is true. */
  prepare(): SqlProgram<boolean>;
  aggregate(request: ResolvedAggregate): SqlProgram<AggregateData>;
  connect(request: ConnectRequest): SqlProgram<ConnectionsData>;
}
