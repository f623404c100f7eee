import { foldName } from '../../contract/names.ts';
import { type EndAsked, endAskedIn, sentenceOfEnd } from '../sentences/ends.ts';
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
