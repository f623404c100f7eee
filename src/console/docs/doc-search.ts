import { DAGGER } from '../../contract/unsourced.ts';

/** A row of a table, which says what its name means. */
interface DocRow {
  readonly name: string;
  readonly about: string;
}

/** A part of the documentation that a search finds: a heading with what follows it, an endpoint or an error. */
export interface DocPart {
  /** Its address below the base. */
  readonly to: string;
  readonly title: string;
  /** Title of the page that it is a part of. */
  readonly page: string;
  /** All that it says. */
  readonly text: string;
  /** Its paragraphs and lists, each a line: without code and tables. */
  readonly prose: string;
  readonly rows: readonly DocRow[];
}

const FOUND_MAX = 20;
const WORDS_MAX = 8;
const EXCERPT_LENGTH = 180;
/** A word counts more in a title, and most where the part is of that name or defines it. */
const WEIGHTS = { glossary: 50, name: 20, row: 25, title: 6, page: 3, text: 1 };

/** The part that defines words for everybody: other tables define them for one use. */
const GLOSSARY = 'Glossary';

/** Words of questions, which say nothing of what is looked for. */
const STOP_WORDS = new Set(
  [
    'a an the i me my own we our you your it its this that there and or but not no if so any some',
    'is are was were be been am do does did can could should would will has have had may must',
    'how much many what which who whom whose when where why to of in on at for with about into as by',
    'get make want need use please tell show explain mean means meaning define',
  ].flatMap((line) => line.split(' ')),
);

/** What asks for the meaning of the words after it: its words say something else elsewhere, as of a quota that counts. */
const ASKS_FOR_MEANING = /\b(?:counts?|counted|qualif(?:y|ies)) as\b/gi;

/** Words of readers, by the one that the documentation has. */
const SYNONYMS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    page: 'paginate paginated paginating pagination paging',
    key: 'auth authenticate authentication authorization',
    cite: 'citation citations citing',
    sold: 'price prices pricing cost costs fee fees',
    docker: 'container containers dockerfile',
  }).flatMap(([word, others]) => others.split(' ').map((other) => [other, word])),
);

/** Parts with what a search reads of each, made once. */
export interface DocIndex {
  readonly parts: readonly IndexedPart[];
  /** Of each word, the parts that have it, by their number, with how much it counts there. */
  readonly places: ReadonlyMap<string, ReadonlyMap<number, number>>;
}

interface IndexedPart {
  readonly part: DocPart;
  readonly titleWords: readonly string[];
  readonly sentences: readonly Sentence[];
  readonly rows: readonly (Sentence & { readonly names: readonly string[] })[];
}

interface Sentence {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

const asSentence = (text: string): Sentence => ({ text, words: new Set(wordsAndParts(text)) });
const nameOf = (text: string): string => wordsIn(text).map(singularOf).join(' ');

export function indexParts(parts: readonly DocPart[]): DocIndex {
  const places = new Map<string, Map<number, number>>();
  for (const [at, { title, page, text }] of parts.entries())
    for (const [said, weight] of [
      [text, WEIGHTS.text],
      [page, WEIGHTS.page],
      [title, WEIGHTS.title],
    ] as const)
      for (const word of wordsAndParts(said)) {
        if (!places.has(word)) places.set(word, new Map());
        places.get(word)?.set(at, weight);
      }
  return { parts: parts.map(indexed), places };
}

const indexed = (part: DocPart): IndexedPart => ({
  part,
  titleWords: tellingIn(part.title),
  sentences: sentencesOf(part.prose).map(asSentence),
  // `deal, round, raise` are three names of one thing.
  rows: part.rows.map((row) => ({ names: row.name.split(',').map(nameOf), ...asSentence(rowText(row)) })),
});

/**
 * The parts that have all words of a query but those of questions and those that many parts have, the best first; of
 * none, those that have some, by how rare these are. Of many, the first and how many there are.
 */
export function findParts({ parts, places }: DocIndex, query: string) {
  const words = soughtIn(query);
  const sought = words.map((word) => soughtWord(word, { parts, places }));
  const isRare = ({ found }: SoughtWord): boolean => found.size <= parts.length * RARE_SHARE;
  const needed = sought.some(isRare) ? sought.filter(isRare) : sought;
  const hasAll = (at: number): boolean => needed.every(({ found }) => found.has(at));
  const having = [...new Set(sought.flatMap(({ found }) => [...found.keys()]))];
  const whole = having.filter(hasAll);
  const isWhole = whole.length > 0;
  const scored = (isWhole ? whole : having).map((at) => {
    const one = parts[at] as IndexedPart;
    const score = scoreOf(one, { at, words, sought }) + asked(query, one);
    // Of parts with some words, the rarest word outweighs the places of common ones.
    return { one, score: isWhole ? score : score + rarityAt(at, sought) * WEIGHTS.name };
  });
  const best = scored.sort((one, other) => other.score - one.score).slice(0, FOUND_MAX);
  const found = best.map(({ one }) => ({ ...one.part, excerpt: excerptOf(one, words) }));
  return { found, total: scored.length, isWhole };
}

/** A larger share of all parts has what says little of one. */
const RARE_SHARE = 1 / 3;

/** The words to look for; of a query of words of questions alone, these. */
function soughtIn(query: string): readonly string[] {
  const telling = tellingIn(query.replaceAll(ASKS_FOR_MEANING, '')).map((word) => SYNONYMS[word] ?? word);
  return [...new Set(telling.length === 0 ? wordsIn(query) : telling)].slice(0, WORDS_MAX);
}

const tellingIn = (text: string): readonly string[] => [
  ...new Set(wordsIn(text).filter((word) => !STOP_WORDS.has(word))),
];

interface SoughtWord {
  /** How much it counts in each part that has it. */
  readonly found: ReadonlyMap<number, number>;
  readonly rarity: number;
}

/** A word counts less where a part has but longer ones that begin with it. */
function soughtWord(word: string, { parts, places }: DocIndex): SoughtWord {
  const found = new Map<number, number>();
  for (const [term, inParts] of places) {
    if (!isForm(term, word)) continue;
    const share = isSame(term, word) ? 1 : BEGINNING_SHARE;
    for (const [at, weight] of inParts) found.set(at, Math.max(found.get(at) ?? 0, weight * share));
  }
  return { found, rarity: found.size === 0 ? 0 : Math.log(1 + parts.length / found.size) };
}

const BEGINNING_SHARE = 0.5;

interface Match {
  readonly at: number;
  readonly words: readonly string[];
  readonly sought: readonly SoughtWord[];
}

/** The rarer a word, the more its place counts; most counts what is of that name, or defines it. */
function scoreOf(one: IndexedPart, { at, words, sought }: Match): number {
  const inPlaces = sought.reduce((sum, { found, rarity }) => sum + (found.get(at) ?? 0) * rarity, 0);
  const weight = one.part.title === GLOSSARY ? WEIGHTS.glossary : WEIGHTS.row;
  const defined = rowNamed(one, words) === undefined ? 0 : weight;
  return inPlaces + named(one, words) + defined + nearness(one, words);
}

/** How rare the words are that a part has. */
const rarityAt = (at: number, sought: readonly SoughtWord[]): number =>
  sought.reduce((sum, { found, rarity }) => sum + (found.has(at) ? rarity : 0), 0);

/** How far the title is what is looked for: all of it, without more, counts most; longer words, such as `payment` for `pay`, less. */
function named({ titleWords }: IndexedPart, words: readonly string[]): number {
  const shares = words.map((word) => {
    if (titleWords.some((each) => isSame(each, word))) return 1;
    return titleWords.some((each) => isForm(each, word)) ? BEGINNING_SHARE : 0;
  });
  const hits = shares.reduce<number>((sum, share) => sum + share, 0);
  return titleWords.length === 0 ? 0 : (WEIGHTS.name * hits * hits) / (titleWords.length * words.length);
}

/** Of parts that are as good, the one whose title has the words of the question too. */
const asked = (query: string, { part }: IndexedPart): number => {
  const own = wordsIn(part.title);
  return wordsIn(query).filter((word) => own.includes(word)).length;
};

/** What the most words of one sentence of the prose add, by their number. */
const nearness = ({ sentences }: IndexedPart, words: readonly string[]): number =>
  Math.max(0, ...sentences.map((sentence) => hitsIn(sentence, words)));

const hitsIn = ({ words: own }: Sentence, words: readonly string[]): number =>
  words.filter((word) => own.has(word) || [...own].some((each) => isForm(each, word))).length;

/** Words of letters, digits and underscores, and the mark of what is unsourced. */
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(WORD) ?? [];
const WORD = new RegExp(`[\\p{L}\\p{N}_]+|${DAGGER}`, 'gu');

/** The same with the parts of names such as `funding_min`. */
const wordsAndParts = (text: string): readonly string[] =>
  wordsIn(text).flatMap((word) =>
    word.includes('_') ? [word, ...word.split('_').filter((part) => part !== '')] : [word],
  );

/** Whether a word of a text is one that is looked for, its singular, or begins with it. */
const isForm = (each: string, word: string): boolean => each.startsWith(word) || each === singularOf(word);
const isSame = (each: string, word: string): boolean => singularOf(each) === singularOf(word);

const singularOf = (word: string): string => (/[^s]s$/.test(word) && word.length > 2 ? word.slice(0, -1) : word);

/** The row that defines what was asked for. */
const rowNamed = ({ rows }: IndexedPart, words: readonly string[]): Sentence | undefined =>
  rows.find(({ names }) => names.includes(nameOf(words.join(' '))));

/** The row that defines the words, else the sentence of the prose with most of them, else the row with most, else the beginning. */
function excerptOf(one: IndexedPart, words: readonly string[]): string {
  const { sentences, rows } = one;
  const defined = rowNamed(one, words);
  if (defined !== undefined) return cutAt(defined.text);
  const sentence = mostOf(sentences, words);
  if (sentence !== undefined) {
    const rest = sentences.slice(sentences.indexOf(sentence)).map(({ text }) => text);
    return `${sentence === sentences[0] ? '' : '… '}${cutAt(rest.join(' '))}`;
  }
  return cutAt(mostOf(rows, words)?.text ?? sentences.map(({ text }) => text).join(' '));
}

const rowText = ({ name, about }: DocRow): string => `${name}: ${about}`;

/** The first with the most of the words; undefined if none has any. */
function mostOf(sentences: readonly Sentence[], words: readonly string[]): Sentence | undefined {
  const hits = sentences.map((sentence) => hitsIn(sentence, words));
  const most = Math.max(0, ...hits);
  return most === 0 ? undefined : sentences[hits.indexOf(most)];
}

const sentencesOf = (prose: string): readonly string[] =>
  prose.split(/\n|(?<=[.?!]) (?=[\p{Lu}`])/u).filter((sentence) => sentence !== '');

function cutAt(text: string): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  return `${text.slice(0, text.lastIndexOf(' ', EXCERPT_LENGTH))} …`;
}

/** The parts of a page, by its headings that have an address; what is before the first is of the page itself. */
export function partsOfPage(html: string, { to, page }: { readonly to: string; readonly page: string }): DocPart[] {
  const [first = '', ...others] = html.split(/(?=<h[23] id=")/);
  const parts = others.map((part) => {
    const [heading = '', id = '', title = ''] = /^<h[23] id="([^"]+)"[^>]*>([\s\S]*?)<\/h[23]>/.exec(part) ?? [];
    return { to: `${to}#${id}`, page, title: textIn(title), ...contentOf(part.slice(heading.length)) };
  });
  return [{ to, page, title: page, ...contentOf(first) }, ...parts];
}

/** What a part without code and tables says. */
export const proseAlone = (text: string): Pick<DocPart, 'text' | 'prose' | 'rows'> => ({ text, prose: text, rows: [] });

function contentOf(html: string): Pick<DocPart, 'text' | 'prose' | 'rows'> {
  const prose = html
    .replaceAll(/<(pre|table|form|nav|button)\b[\s\S]*?<\/\1>/g, '\n')
    .replaceAll(/\s+/g, (space) => (space.includes('\n') ? ' ' : space))
    .replaceAll(/<\/?(?:p|li|ul|ol|div|section|blockquote|h\d)\b[^>]*>/g, '\n');
  const rows = [...html.matchAll(/<tr[^>]*><th scope="row"[^>]*>([\s\S]*?)<\/th>([\s\S]*?)<\/tr>/g)];
  return {
    text: textIn(html),
    prose: prose
      .split('\n')
      .map(textIn)
      .filter((line) => line !== '')
      .join('\n'),
    rows: rows.map(([, name = '', cells = '']) => ({ name: textIn(name), about: aboutOf(cells) })),
  };
}

/** The description among the cells of a row: the last sentence, else the longest text. */
function aboutOf(cells: string): string {
  const texts = cells.split('</td>').map(textIn);
  const [longest = ''] = texts.toSorted((one, other) => other.length - one.length);
  return texts.findLast((text) => text.endsWith('.')) ?? longest;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const textIn = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[.,;:?!)])/g, '')
    .trim();
