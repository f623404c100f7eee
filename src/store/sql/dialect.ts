import type { RecordType } from '../../contract/entities/index.ts';
import type { RowUpdate, SqlProgram, Value } from './program.ts';

/** What a field of a document is compared as. */
export type FieldKind = 'text' | 'number' | 'money' | 'name';

/** The few things that engines write in their own way. */
export interface Dialect {
  /** A field of a type's documents as SQL compares it; the indexes are over the same texts. */
  field(type: RecordType, field: string, kind: FieldKind): string;
  /** The numbers in a parameter that is a JSON list of them, as a subquery. */
  readonly numbersOf: string;
  /** The same for texts. */
  readonly textsOf: string;
  /** Writes many rows that are there already; each gives the values of the columns to set, then those of the keys. */
  updateRows(update: RowUpdate, rows: readonly (readonly Value[])[]): SqlProgram<void>;
  /** The highest number that was ever given to a record of a type. */
  lastId(type: RecordType): SqlProgram<number>;
  /** Remembers it, where inserting alone does not. */
  keepLastId(type: RecordType, id: number): SqlProgram<void>;
  /** Goes on numbering the rows of a table behind those that were put in with their numbers. */
  adoptNumbers(table: string): SqlProgram<void>;
}
