import { type AskedCheck, checksAskedIn } from '../../contract/asked-checks.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { facets } from '../../contract/facets.ts';
import { foldName } from '../../contract/names.ts';
import { type EndAsked, endAskedIn, sentenceOfCheck, sentenceOfEnd } from '../sentences/ends.ts';
import type { ParsedSentence } from '../sentences/parser.ts';
import type { Token } from '../sentences/sentence-tokens.ts';
import { exists, type SqlProgram } from '../sql.ts';
import { idsWithName } from './name-buffer.ts';

/** A sentence about what a company acquired or what became of it, if records have its name; undefined for any other. */
export function* parseEnd(tokens: readonly Token[]): SqlProgram<ParsedSentence | undefined> {
  const asked = endAskedIn(tokens);
  return asked !== undefined && (yield* isKnown(asked)) ? sentenceOfEnd(asked) : undefined;
}

function* isKnown({ of, name }: EndAsked): SqlProgram<boolean> {
  const key = foldName(name);
  if ((yield* idsWithName('companies', key)).length > 0) return true;
  if (of === 'end') return false;
  return (
    (yield* idsWithName('investors', key)).length > 0 ||
    (yield* exists(
      "SELECT 1 FROM links WHERE key = ? AND to_id IS NULL AND relation = 'companies.acquired_by' LIMIT 1",
      key,
    ))
  );
}

/** A sentence that asks whether something is so of one record, if one has its name; undefined for any other. */
export function* parseCheck(text: string, types: readonly RecordType[]): SqlProgram<ParsedSentence | undefined> {
  for (const asked of checksAskedIn(text)) {
    if (!types.includes(asked.type)) continue;
    if (yield* isOfOne(asked)) return sentenceOfCheck(asked);
    // Of a company that is not on record, those that the other one acquired.
    const { value: name, of } = asked;
    const isPlain = of === 'acquirer' && !/\d| in /.test(asked.name);
    if (isPlain && (yield* isKnown({ of, name, year: undefined }))) return sentenceOfEnd({ of, name, year: undefined });
  }
  return undefined;
}

/** Whether one record has the name, or editions of an event, and the place or the chain is known. */
function* isOfOne({ of, type, name, value }: AskedCheck): SqlProgram<boolean> {
  const named = (yield* idsWithName(type, foldName(name))).length;
  if (of === 'chain' && named === 1)
    return yield* exists(
      "SELECT 1 FROM label_values WHERE field = 'chains' AND value = ? LIMIT 1",
      facets.chain.key(value),
    );
  if (of !== 'place' || named === 0) return named === 1;
  return yield* exists(
    "SELECT 1 FROM label_values WHERE field IN ('location_json.city', 'location_json.country') AND value IN (?, ?) LIMIT 1",
    facets.city.key(value),
    facets.country.key(value),
  );
}
