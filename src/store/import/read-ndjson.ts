import { type Item, ROW_LENGTH_MAX, readRow } from './items.ts';

/** The rows of a text with one JSON object a line; blank lines are passed over. */
export async function* readNdjson(chunks: AsyncIterable<string>): AsyncGenerator<Item> {
  let rest = '';
  let line = 1;
  let isTooLong = false;
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const text of lines) {
      if (isTooLong) isTooLong = false;
      else yield* itemOf(text, line);
      line += 1;
    }
    if (rest.length <= ROW_LENGTH_MAX) continue;
    if (!isTooLong) yield { line, fault: `the line is longer than ${ROW_LENGTH_MAX} characters` };
    isTooLong = true;
    rest = '';
  }
  if (!isTooLong) yield* itemOf(rest, line);
}

function* itemOf(text: string, line: number): Generator<Item> {
  if (text.trim() !== '') yield readRow(text, line);
}
