import { ServiceError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';

/** A row with its first line, or the reason why it cannot be parsed. */
export type Item =
  | { readonly line: number; readonly value: object }
  | { readonly line: number; readonly fault: string };

/** Longer rows are not records and would exhaust memory. */
export const ROW_LENGTH_MAX = 16_000_000;

/** Parses the JSON text of a row. */
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
