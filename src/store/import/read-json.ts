import { ServiceError } from '../../contract/errors.ts';
import { parseJson } from '../../contract/json.ts';

const BLANK = /\s/;

/**
 * Rows of a JSON array of objects, or of concatenated objects. Only finds object boundaries and uses JSON.parse, which
 * is faster than tokenizing and recovers after a broken object.
 */
export const readJsonFile = (chunks: AsyncIterable<string>): AsyncGenerator<Item> => readAll(chunks, newScan());

/** Rows of the array at the start of a text; the rest of the surrounding object is ignored. */
export const readWrapped = (chunks: AsyncIterable<string>): AsyncGenerator<Item> =>
  readAll(chunks, { ...newScan(), isWrapped: true });

type Scan = ReturnType<typeof newScan>;

const newScan = () => ({
  line: 1,
  /** Open brackets within the value. */
  depth: 0,
  isText: false,
  isEscaped: false,
  /** The current value and its first line. */
  value: '',
  valueLine: 0,
  /** Values before the current one, and the first line of the last. */
  count: 0,
  lastLine: 0,
  /** Whether the values are in an array, and whether it has ended. */
  isArray: false,
  isEnded: false,
  /** Whether the array is inside an object, whose rest is ignored. */
  isWrapped: false,
});

async function* readAll(chunks: AsyncIterable<string>, scan: Scan): AsyncGenerator<Item> {
  for await (const chunk of chunks) {
    yield* scanChunk(scan, chunk);
    if (scan.isWrapped && scan.isEnded) return;
    if (scan.value.length <= ROW_LENGTH_MAX) continue;
    yield { line: scan.valueLine, fault: `the record is longer than ${ROW_LENGTH_MAX} characters; reading ends here` };
    return;
  }
  if (scan.depth > 0) yield { line: scan.valueLine, fault: 'the file ends in the middle of this record' };
  else if (scan.value !== '') yield readRow(scan.value, nextPlace(scan));
  else if (scan.isArray && !scan.isEnded) yield { line: scan.line, fault: 'the file ends before its list does' };
}

function* scanChunk(scan: Scan, chunk: string): Generator<Item> {
  let start = 0;
  for (let index = 0; index < chunk.length && !(scan.isWrapped && scan.isEnded); index += 1) {
    const character = chunk.charAt(index);
    if (character === '\n') scan.line += 1;
    if (scan.valueLine === 0) {
      if (isBetween(scan, character)) continue;
      scan.valueLine = scan.line;
      start = index;
    }
    if (!isLast(scan, character)) continue;
    // A bare scalar is the last of the list.
    const endsList = scan.depth < 0;
    scan.isEnded ||= endsList;
    const end = character === ',' || endsList ? index : index + 1;
    const [value, place] = [scan.value + chunk.slice(start, end), nextPlace(scan)];
    scan.value = '';
    scan.valueLine = 0;
    scan.depth = 0;
    yield readRow(value, place);
  }
  if (scan.valueLine !== 0) scan.value += chunk.slice(start);
}

/** The place of the value that ends. */
function nextPlace(scan: Scan): RowPlace {
  const { valueLine: line, lastLine } = scan;
  scan.count += 1;
  scan.lastLine = line;
  return line === lastLine ? { line, record: scan.count } : { line };
}

/** Whether a character is between values. Tracks the brackets of the whole list. */
function isBetween(scan: Scan, character: string): boolean {
  if (character === '[' && !scan.isArray && !scan.isEnded) {
    scan.isArray = true;
    return true;
  }
  if (character === ']' && scan.isArray) {
    scan.isEnded = true;
    return true;
  }
  return character === ',' || BLANK.test(character);
}

/** Advances the scan by a character. Returns whether the value ends with it. */
function isLast(scan: Scan, character: string): boolean {
  if (scan.isText) {
    if (scan.isEscaped) scan.isEscaped = false;
    else if (character === '\\') scan.isEscaped = true;
    else if (character === '"') scan.isText = false;
    return false;
  }
  switch (character) {
    case '"':
      scan.isText = true;
      return false;
    case '{':
    case '[':
      scan.depth += 1;
      return false;
    case '}':
    case ']':
      scan.depth -= 1;
      return scan.depth <= 0;
    default:
      // A bare scalar ends at the next delimiter; it is no record anyway.
      return scan.depth === 0 && (character === ',' || BLANK.test(character));
  }
}

/** Where a row of a file begins. */
export interface RowPlace {
  readonly line: number;
  /** Its number among the records of the file, from 1, where an earlier one begins on the same line. */
  readonly record?: number;
}

/** A row with its place, or the reason why it cannot be parsed. */
export type Item = RowPlace & ({ readonly value: object } | { readonly fault: string });

/** Longer rows are not records and would exhaust memory. */
export const ROW_LENGTH_MAX = 16_000_000;

export function readRow(text: string, place: RowPlace): Item {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    return { ...place, fault: error instanceof ServiceError ? error.message : 'this is not valid JSON' };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...place, value };
  return { ...place, fault: 'a record must be a JSON object' };
}
