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

/**
 * The tokens of a sentence with values of filters and firms of two words as records spell them, where a word that nothing
 * is named stands for one and has a typo: `on Arbitrm`, `Coinbase Venturs`, `Coinbse Ventures`. The same array if there is none.
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
    knowledge.editionsOf(raw).length === 0 &&
    FACETS.every((filter) => knowledge.typesWith(filter, raw).length === 0);
  const found = new Map<Token, string>();
  for (const [index, token] of tokens.entries()) {
    if (!isUnknown(token, index)) continue;
    const [before, after] = [index - 1, index + 1].map((at) =>
      phrases[at] === undefined ? tokens[at]?.raw : undefined,
    );
    const facets = facetsAt(phrases, index, knowledge.typesWith('tag', tokens[index + 1]?.raw ?? '').length > 0);
    const value =
      (before && (yield* firmPart([before, token.raw], 1))) ??
      (after && (yield* firmPart([token.raw, after], 0))) ??
      (yield* valueLike(facets, token.raw));
    if (value !== undefined) found.set(token, value);
  }
  if (found.size === 0) return tokens;
  return tokens.map((token) => {
    const raw = found.get(token);
    return raw === undefined ? token : { ...token, raw, text: raw.toLowerCase() };
  });
}

/** The filters of which the word at an index may be a value, by the words beside it. */
function facetsAt(phrases: readonly (Phrase | undefined)[], index: number, isOfTag: boolean): readonly FacetName[] {
  const [before, after] = [phrases[index - 1]?.meanings, phrases[index + 1]?.meanings];
  if (before?.has('on') || isOfTag) return ['chain'];
  if (before?.has('in') || before?.has('from')) return ['country', 'city'];
  return after?.has('companies') ? ['tag', 'chain'] : [];
}

const typoOf = (word: string): ((value: string) => boolean) => {
  const distanceTo = editDistancesTo(foldName(word), 1);
  return (value) => distanceTo(foldName(value)).whole === 1;
};

/** Letters in which the name and its misspelling agree. */
const PREFIX_LENGTH = 2;

/** The misspelt one of two words as an investor has it in its name, which differs from them by a letter. */
function* firmPart(words: readonly [string, string], misspelt: 0 | 1): SqlProgram<string | undefined> {
  const other = foldName(words[1 - misspelt] ?? '');
  const prefix = misspelt === 1 ? other : foldName(words[0]).slice(0, PREFIX_LENGTH);
  const keys = yield* allLists<[key: string]>(
    "SELECT key FROM record_keys WHERE type = 'investors' AND key > ? AND key < ?",
    prefix,
    `${prefix}\uffff`,
  );
  const isTypo = typoOf(words.join(''));
  const [key] = keys.map(([each]) => each).filter((each) => isTypo(each) && (misspelt === 1 || each.endsWith(other)));
  if (key === undefined) return undefined;
  const part = misspelt === 1 ? key.slice(other.length) : key.slice(0, -other.length);
  return /^\p{Lu}/u.test(words[misspelt]) ? part.charAt(0).toUpperCase() + part.slice(1) : part;
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
