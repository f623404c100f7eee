import { TEXT_LENGTH_MAX } from '../search/query.ts';
import { type DatedPart, datesIn } from './dates.ts';
import { hasSentenceWord, type Lexicon, lexiconFor } from './lexicon.ts';
import { cutUnspaced, type Token, tokensOf } from './tokens.ts';

/** A text that may be a sentence, with what is read of it without a store. */
export interface Sentence {
  readonly tokens: readonly Token[];
  readonly lexicon: Lexicon;
  readonly dates: readonly DatedPart[];
  readonly today: Date;
}

const HAN = /\p{Script=Han}/u;
const SIGNS = /[$€£¥<>≥≤\d]/;

/** Whether a text may be a sentence: it has a word that sentences are made with, or a number. */
export function mayBeSentence(text: string): boolean {
  const read = text.slice(0, TEXT_LENGTH_MAX);
  return (read.includes(' ') || HAN.test(read)) && (SIGNS.test(read) || hasSentenceWord(read));
}

/** A text cut for reading; of a longer one than is searched, its beginning. */
export async function sentenceOf(whole: string, today: Date): Promise<Sentence> {
  const text = whole.slice(0, TEXT_LENGTH_MAX);
  const found = tokensOf(text);
  const lexicon = lexiconFor(
    text,
    found.map((token) => token.text),
  );
  return { tokens: cutUnspaced(found, lexicon), lexicon, dates: await datesIn(text, today), today };
}
