import type { RecordData } from './entities/index.ts';
import { foldName } from './names.ts';
import { asksToCompare, type ReadSentence } from './sentence-calls.ts';

const COMPARED_MAX = 4;
const NAME_WORDS_MAX = 6;

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
  const named = words.flatMap((_, from) =>
    Array.from({ length: NAME_WORDS_MAX }, (_, more) =>
      byName.get(foldName(words.slice(from, from + more + 1).join(' '))),
    ),
  );
  return [...new Set(named.filter((record) => record !== undefined))];
}

const aliasesOf = (record: RecordData): readonly string[] => (record['aliases'] ?? []) as readonly string[];
