import type { RecordData } from './entities/index.ts';
import { foldName } from './names.ts';
import { asksToCompare, type ReadSentence } from './sentence-calls.ts';

const COMPARED_MAX = 4;
/** Numbers of words of a name, the longest first. */
const LENGTHS = [6, 5, 4, 3, 2, 1] as const;

/** The records of one type that a sentence such as `compare Aave and Compound` names, of those found; none for any other. */
export function recordsCompared(
  { ignored = [], text = '' }: ReadSentence,
  results: readonly RecordData[],
): readonly RecordData[] {
  if (!asksToCompare(ignored)) return [];
  const named = recordsIn(text, results);
  const records = named.filter(({ type }) => type === named[0]?.type).slice(0, COMPARED_MAX);
  return records.length > 1 ? records : [];
}

/** The records whose name or alias is some successive words of a text, in the order of the text; of namesakes the first. */
function recordsIn(text: string, records: readonly RecordData[]): readonly RecordData[] {
  const byName = new Map(
    records
      .toReversed()
      .flatMap((record) => [record.name, ...aliasesOf(record)].map((name) => [foldName(name), record] as const)),
  );
  const words = text.split(/\s+/);
  const named: RecordData[] = [];
  for (let from = 0; from < words.length; ) {
    // Of `Magic Eden`, the first word is no name of its own.
    const [longest] = LENGTHS.flatMap((length) => {
      const record = byName.get(foldName(words.slice(from, from + length).join(' ')));
      return record === undefined ? [] : { record, length };
    });
    if (longest !== undefined) named.push(longest.record);
    from += longest?.length ?? 1;
  }
  return [...new Set(named)];
}

/** The words of a text that are in no name or alias of some records. */
export function wordsBesidesRecords(text: string, records: readonly RecordData[]): readonly string[] {
  const named = new Set(
    records.flatMap((record) => [record.name, ...aliasesOf(record)].flatMap((name) => name.split(/\s+/).map(foldName))),
  );
  return text.split(/\s+/).filter((word) => !named.has(foldName(word)));
}

const aliasesOf = (record: RecordData): readonly string[] => (record['aliases'] ?? []) as readonly string[];
