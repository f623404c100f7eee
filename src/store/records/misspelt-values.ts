import { foldName } from '../../contract/names.ts';
import { editDistancesTo } from '../search/typos.ts';
import { FACETS, type FacetName, type Knowledge } from '../sentences/knowledge.ts';
import type { Phrase } from '../sentences/lexicon.ts';
import type { Sentence } from '../sentences/sentence.ts';
import type { Token } from '../sentences/sentence-tokens.ts';
import { allLists, type SqlProgram } from '../sql.ts';
import { LISTED } from '../sqlite/dialect.ts';

/** Shorter words resemble too many others. */
const LENGTH_MIN = 5;

const FIELDS: Readonly<Record<FacetName, readonly string[]>> = {
  tag: ['tags', 'focus'],
  chain: ['chains'],
  country: ['location_json.country'],
  city: ['location_json.city'],
};

const FIRM_ENDS = ['ventures', 'capital', 'foundation', 'partners', 'holdings', 'investments', 'digital', 'research'];

/**
 * The tokens of a sentence with values of filters and last words of firms as records spell them, where a word that nothing
 * is named stands for one and has a typo: `on Arbitrm`, `Coinbase Venturs`. The same array if there is none.
 */
export function* withoutValueTypos({ tokens, lexicon }: Sentence, knowledge: Knowledge): SqlProgram<readonly Token[]> {
  const phrases = tokens.map(({ text }) => lexicon.phrase(text));
  const isUnknown = ({ raw, text }: Token, index: number): boolean =>
    phrases[index] === undefined &&
    lexicon.corrected(text) === undefined &&
    raw.length >= LENGTH_MIN &&
    /^\p{L}+$/u.test(raw) &&
    knowledge.typesNamed(raw).length === 0 &&
    knowledge.investorsNamed(raw).length === 0 &&
    FACETS.every((filter) => knowledge.typesWith(filter, raw).length === 0);
  const found = new Map<Token, string>();
  for (const [index, token] of tokens.entries()) {
    if (!isUnknown(token, index)) continue;
    const before = phrases[index - 1] === undefined ? tokens[index - 1] : undefined;
    const value =
      (before && (yield* firmEndLike(before.raw, token.raw))) ??
      (yield* valueLike(facetsAt(phrases, index), token.raw));
    if (value !== undefined) found.set(token, value);
  }
  if (found.size === 0) return tokens;
  return tokens.map((token) => {
    const raw = found.get(token);
    return raw === undefined ? token : { ...token, raw, text: raw.toLowerCase() };
  });
}

/** The filters of which the word at an index may be a value, by the words beside it. */
function facetsAt(phrases: readonly (Phrase | undefined)[], index: number): readonly FacetName[] {
  const [before, after] = [phrases[index - 1]?.meanings, phrases[index + 1]?.meanings];
  if (before?.has('on')) return ['chain'];
  if (before?.has('in') || before?.has('from')) return ['country', 'city'];
  return after?.has('companies') ? ['tag', 'chain'] : [];
}

const typoOf = (word: string): ((value: string) => boolean) => {
  const distanceTo = editDistancesTo(foldName(word), 1);
  return (value) => distanceTo(foldName(value)).whole === 1;
};

/** The last word of the record whose name begins with another word, misspelt by a letter. */
function* firmEndLike(before: string, word: string): SqlProgram<string | undefined> {
  const end = FIRM_ENDS.find(typoOf(word));
  if (end === undefined) return undefined;
  const named = yield* allLists('SELECT key FROM record_keys WHERE key = ? LIMIT 1', foldName(`${before} ${end}`));
  if (named.length === 0) return undefined;
  return /^\p{Lu}/u.test(word) ? end.charAt(0).toUpperCase() + end.slice(1) : end;
}

/** The most frequent value of some filters that a word misspells by a letter after the first. */
function* valueLike(filters: readonly FacetName[], word: string): SqlProgram<string | undefined> {
  if (filters.length === 0) return undefined;
  const values = yield* allLists<[shown: string]>(
    `SELECT shown FROM label_values WHERE field IN (${LISTED}) AND records > 0 AND lower(substr(shown, 1, 1)) = ?
      ORDER BY records DESC, shown`,
    JSON.stringify(filters.flatMap((filter) => FIELDS[filter])),
    word.charAt(0).toLowerCase(),
  );
  const isTypo = typoOf(word);
  return values.map(([shown]) => shown).find(isTypo);
}
