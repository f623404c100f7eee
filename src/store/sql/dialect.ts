import type { RecordType } from '../../contract/entities/index.ts';
import type { RowUpdate, SqlProgram, Value } from './program.ts';

/** Type in which a document field is compared. */
export type FieldKind = 'text' | 'number' | 'money' | 'name';

export interface Dialect {
  /** SQL expression of a document field; expression indexes use the same text. */
  field(type: RecordType, field: string, kind: FieldKind): string;
  /** A subquery of the numbers in a JSON list parameter. */
  readonly numbersOf: string;
  /** A subquery of the texts in a JSON list parameter. */
  readonly textsOf: string;
  /** Updates many existing rows; each lists the values to set, then the key values. */
  updateRows(update: RowUpdate, rows: readonly (readonly Value[])[]): SqlProgram<void>;
  lastId(type: RecordType): SqlProgram<number>;
  /** Persists the highest id, for engines where inserts alone do not. */
  keepLastId(type: RecordType, id: number): SqlProgram<void>;
  /** Advances the id sequence of a table past explicitly inserted ids. */
  adoptNumbers(table: string): SqlProgram<void>;
}
