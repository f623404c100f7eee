import { capitalize } from '../../contract/capitalize.ts';
import { NAMED_TYPES } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import { editDistancesTo } from '../search/typos.ts';
import {
  closedValue,
  FACETS,
  type FacetName,
  type Knowledge,
  nameSpans,
  phraseOf,
  WORDS_MAX,
} from '../sentences/knowledge.ts';
import type { Lexicon, Phrase } from '../sentences/lexicon.ts';
import type { Sentence } from '../sentences/sentence.ts';
import { type Token, wordsOf } from '../sentences/sentence-tokens.ts';
import { allLists, allTogether, type SqlProgram } from '../sql.ts';
import { LISTED } from '../sqlite/dialect.ts';

/** Shorter words resemble too many others, also as a part of a name. */
const LENGTH_MIN = 5;
const PART_LENGTH_MIN = 3;

/** Most tokens of a sentence that are looked up as words of names. */
const MISSPELT_MAX = 3;

const FIELDS: Readonly<Record<FacetName, readonly string[]>> = {
  tag: ['tags', 'focus'],
  chain: ['chains'],
  country: ['location_json.country'],
  city: ['location_json.city'],
};

/**
 * The tokens of a sentence with values of filters and words of names as records spell them, where a word that nothing is named
 * has a typo: `on Arbitrm`, `Coinbase Venturs`, `Sky Mavsi`. The same array if there is none.
 */
export function* withoutValueTypos({ tokens, lexicon }: Sentence, knowledge: Knowledge): SqlProgram<readonly Token[]> {
  const phrases = phrasesOf(tokens, lexicon);
  const spans = nameSpans(tokens, lexicon);
  const named = spans.filter((span) => knowledge.typesNamed(phraseOf(span)).length > 0);
  const isUnnamed = (token: Token, index: number): boolean =>
    phrases[index] === undefined &&
    closedValue(token.text) === undefined &&
    !isOfClosedValue(tokens, index) &&
    token.raw.length >= PART_LENGTH_MIN &&
    // `non-US companies`
    token.text !== 'non' &&
    /^\p{L}+$/u.test(token.raw) &&
    !named.some((span) => span.includes(token)) &&
    FACETS.every((filter) => knowledge.typesWith(filter, token.raw).length === 0);
  const isUnknown = ({ raw, text }: Token): boolean =>
    raw.length >= LENGTH_MIN &&
    lexicon.corrected(text) === undefined &&
    knowledge.investorsNamed(raw).length === 0 &&
    knowledge.editionsOf(raw).length === 0;
  const unnamed = tokens.filter(isUnnamed);
  const found = yield* partsOfNames(spans, unnamed.slice(0, MISSPELT_MAX));
  for (const token of unnamed) {
    if (found.has(token) || !isUnknown(token)) continue;
    const index = tokens.indexOf(token);
    const isOfTag = knowledge.typesWith('tag', tokens[index + 1]?.raw ?? '').length > 0;
    const value = yield* valueLike(facetsAt(phrases, index, isOfTag), token.raw);
    if (value !== undefined) found.set(token, value);
  }
  if (found.size === 0) return tokens;
  return tokens.map((token) => {
    const raw = found.get(token);
    return raw === undefined ? token : { ...token, raw, text: raw.toLowerCase() };
  });
}

/** The phrase that each token is, or begins or continues: `co invest with`. */
function phrasesOf(tokens: readonly Token[], lexicon: Lexicon): readonly (Phrase | undefined)[] {
  const phrases: (Phrase | undefined)[] = tokens.map(({ text }) => lexicon.phrase(text));
  for (const start of tokens.keys())
    for (let length = 2; length <= Math.min(lexicon.wordsMax, tokens.length - start); length++) {
      const phrase = lexicon.phrase(wordsOf(tokens.slice(start, start + length)));
      for (let at = start; phrase !== undefined && at < start + length; at++) phrases[at] ??= phrase;
    }
  return phrases;
}

/** Whether the word at an index is one of a stage or the like: `Serie` of `Serie A`. */
const isOfClosedValue = (tokens: readonly Token[], index: number): boolean =>
  [index - 1, index].some((from) => from >= 0 && closedValue(wordsOf(tokens.slice(from, from + 2))) !== undefined);

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

/** Most names with one beginning that are compared, so that a sentence takes no longer among a million records. */
const BEGUN_MAX = 5000;

const NAMES = `SELECT key FROM (SELECT key FROM record_keys WHERE type IN (${NAMED_TYPES.map((type) => `'${type}'`).join()})
    AND key > ? AND key < ? LIMIT ${BEGUN_MAX}) AS begun
  WHERE length(key) BETWEEN ? AND ? AND substr(key, length(key) - ?) = ?`;

/** Misspelt tokens, each as the only name of several words that differs from those around it by a letter of this token has it. */
function* partsOfNames(
  spans: readonly (readonly Token[])[],
  misspelt: readonly Token[],
): SqlProgram<Map<Token, string>> {
  const fold = (some: readonly Token[]): string => foldName(some.map(({ raw }) => raw).join(''));
  const parts = misspelt.flatMap((token) =>
    spans
      .filter((span) => span.length > 1 && span.length <= WORDS_MAX && span.includes(token))
      .map((span) => {
        const at = span.indexOf(token);
        return { token, span, before: fold(span.slice(0, at)), after: fold(span.slice(at + 1)) };
      }),
  );
  const keys = yield* allTogether<{ key: string }>(
    parts.map(({ token, before, after }) => {
      const word = foldName(token.raw);
      const prefix = before || word.charAt(0);
      const length = before.length + word.length + after.length;
      return { sql: NAMES, parameters: [prefix, `${prefix}\uffff`, length - 1, length + 1, after.length - 1, after] };
    }),
  );
  const found = new Map<Token, string>();
  const read = new Set<Token>();
  for (const { part, some } of parts
    .map((part, index) => ({ part, some: keys[index] ?? [] }))
    .sort((one, other) => other.part.span.length - one.part.span.length)) {
    const { token, span, before, after } = part;
    const words = some.map(({ key }) => key.slice(before.length, key.length - after.length)).filter(typoOf(token.raw));
    if (words.length === 0 || span.some((each) => read.has(each))) continue;
    for (const each of span) read.add(each);
    const [known = '', ...others] = new Set(words);
    const isCapital = /^\p{Lu}/u.test(token.raw);
    if (others.length === 0) found.set(token, isCapital ? capitalize(known) : known);
  }
  return found;
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
