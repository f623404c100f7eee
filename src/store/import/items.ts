import { ServiceError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';

/** A row of a file, with the line it begins at: what it holds, or why it cannot be read. */
export type Item =
  | { readonly line: number; readonly value: object }
  | { readonly line: number; readonly fault: string };

/** A row longer than this is no record, and would only fill the memory. */
export const ROW_LENGTH_MAX = 16_000_000;

/** Reads the JSON text of one row. */
export function readRow(text: string, line: number): Item {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return { line, fault: error instanceof ServiceError ? error.message : 'this is not valid JSON' };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { line, value };
  return { line, fault: 'a record must be a JSON object' };
}
