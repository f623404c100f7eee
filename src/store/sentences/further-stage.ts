import type { FilterName } from '../../contract/filters.ts';
import { closedValue } from './knowledge.ts';
import type { Lexicon } from './lexicon.ts';
import type { Token } from './sentence-tokens.ts';

/** The stage of a letter after another stage: `Series A or B`, `series a/b in 2022`, but not `a Series A and B2B`. */
export function furtherStageAt(
  tokens: readonly Token[],
  index: number,
  lexicon: Lexicon,
): readonly [FilterName, string] | undefined {
  const [letter, next] = [tokens[index]?.text ?? '', tokens[index + 1]];
  const meaningsAt = (at: number) => lexicon.phrase(tokens[at]?.text ?? '')?.meanings;
  const isEnd = next === undefined || /^(?:\d|[b-h]$|[-–])/.test(next.text) || meaningsAt(index + 1) !== undefined;
  if (!/^[b-h]$/.test(letter) || !isEnd) return undefined;
  const joint = meaningsAt(index - 1);
  const isJoined =
    joint?.has('and') ||
    joint?.has('or') ||
    joint?.has('to') ||
    /^(?:[-–]|through)$/.test(tokens[index - 1]?.text ?? '');
  const last = isJoined ? index - 2 : index - 1;
  const isFirst = /^series?$/.test(tokens[last - 1]?.text ?? '') && /^[a-h]$/.test(tokens[last]?.text ?? '');
  return isFirst || furtherStageAt(tokens, last, lexicon) ? closedValue(`series ${letter}`) : undefined;
}
