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
const WEIGHTS = { name: 20, row: 12, title: 6, page: 3, text: 1 };

/** Words of questions, which say nothing of what is looked for. */
const STOP_WORDS = new Set(
  [
    'a an the i me my we our you your it its this that there and or but not no if so any some',
    'is are was were be been am do does did can could should would will has have had may must',
    'how what which who whom whose when where why to of in on at for with about into as by',
    'get make want need use please tell show explain mean means',
  ].flatMap((line) => line.split(' ')),
);

/** Words of readers, by the one that the documentation has. */
const SYNONYMS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    page: 'paginate paginated paginating pagination paging',
    key: 'auth authenticate authentication authorization',
    cite: 'citation citations citing',
    docker: 'container containers dockerfile',
  }).flatMap(([word, others]) => others.split(' ').map((other) => [other, word])),
);

interface Scored {
  readonly part: DocPart;
  readonly score: number;
}

/**
 * The parts that have all words of a query but those of questions, the best first; of none, those that have some, by
 * how rare these are. Of many, the first and how many there are.
 */
export function findParts(parts: readonly DocPart[], query: string) {
  const words = soughtIn(query);
  const places = parts.map((part) => ({ part, weights: weightsOf(part, words) }));
  const rarities = words.map((_, index) => {
    const having = places.filter(({ weights }) => (weights[index] ?? 0) > 0).length;
    return having === 0 ? 0 : Math.log(1 + parts.length / having);
  });
  const isWhole = places.some(({ weights }) => weights.every((weight) => weight > 0));
  const scored = places.flatMap(({ part, weights }): Scored[] => {
    const isOf = isWhole ? weights.every((weight) => weight > 0) : weights.some((weight) => weight > 0);
    return isOf ? [{ part, score: scoreOf(part, { words, weights, rarities, isWhole }) }] : [];
  });
  const best = scored.sort((one, other) => other.score - one.score).slice(0, FOUND_MAX);
  const found = best.map(({ part }) => ({ ...part, excerpt: excerptOf(part, words) }));
  return { found, total: scored.length, isWhole };
}

/** The words to look for; of a query of words of questions alone, these. */
function soughtIn(query: string): readonly string[] {
  const words = [...new Set(wordsIn(query))];
  const telling = words.filter((word) => !STOP_WORDS.has(word)).map((word) => SYNONYMS[word] ?? word);
  return [...new Set(telling.length === 0 ? words : telling)].slice(0, WORDS_MAX);
}

/** Of each word, how much it counts where the part has it. */
function weightsOf({ title, page, text }: DocPart, words: readonly string[]): readonly number[] {
  const [inTitle, inPage, inText] = [title, page, text].map(wordsAndParts);
  return words.map((word) => {
    if (has(inTitle, word)) return WEIGHTS.title;
    if (has(inPage, word)) return WEIGHTS.page;
    return has(inText, word) ? WEIGHTS.text : 0;
  });
}

interface Match {
  readonly words: readonly string[];
  readonly weights: readonly number[];
  readonly rarities: readonly number[];
  readonly isWhole: boolean;
}

function scoreOf(part: DocPart, { words, weights, rarities, isWhole }: Match): number {
  const isNamed = wordsIn(part.title).join(' ') === words.join(' ');
  const ofName = isNamed ? WEIGHTS.name : rowNamed(part, words) === undefined ? 0 : WEIGHTS.row;
  const weight = weights.reduce((sum, each) => sum + each, ofName + nearness(part, words));
  if (isWhole) return weight;
  // Of parts with some words, the rarest word outweighs the place of a common one.
  const rarity = weights.reduce((sum, each, index) => sum + (each > 0 ? (rarities[index] ?? 0) : 0), 0);
  return rarity * WEIGHTS.name + weight;
}

/** What the most words of one sentence of the prose add, by their number. */
const nearness = ({ prose }: DocPart, words: readonly string[]): number =>
  Math.max(0, ...sentencesOf(prose).map((sentence) => hitsIn(sentence, words)));

const hitsIn = (text: string, words: readonly string[]): number => {
  const own = wordsAndParts(text);
  return words.filter((word) => has(own, word)).length;
};

/** Words of letters, digits and underscores. */
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** The same with the parts of names such as `funding_min`. */
const wordsAndParts = (text: string): readonly string[] =>
  wordsIn(text).flatMap((word) =>
    word.includes('_') ? [word, ...word.split('_').filter((part) => part !== '')] : [word],
  );

/** Whether a text has a word, its singular, or one that begins with it. */
function has(words: readonly string[] | undefined, word: string): boolean {
  const singular = /[^s]s$/.test(word) && word.length > 3 ? word.slice(0, -1) : word;
  return words?.some((each) => each.startsWith(word) || each === singular) === true;
}

/** The row that defines what was asked for. */
const rowNamed = ({ rows }: DocPart, words: readonly string[]): DocRow | undefined =>
  rows.find(({ name }) => wordsIn(name).join(' ') === words.join(' '));

/** The row that defines the words, else the sentence of the prose with most of them, else the row with most, else the beginning. */
function excerptOf(part: DocPart, words: readonly string[]): string {
  const { prose, rows } = part;
  const defined = rowNamed(part, words);
  if (defined !== undefined) return cutAt(rowText(defined));
  const sentences = sentencesOf(prose);
  const sentence = mostOf(sentences, words);
  if (sentence !== undefined) {
    const rest = sentences.slice(sentences.indexOf(sentence)).join(' ');
    return `${sentence === sentences[0] ? '' : '… '}${cutAt(rest)}`;
  }
  return cutAt(mostOf(rows.map(rowText), words) ?? sentences.join(' '));
}

const rowText = ({ name, about }: DocRow): string => `${name}: ${about}`;

/** The first text with the most of the words; undefined if none has any. */
function mostOf(texts: readonly string[], words: readonly string[]): string | undefined {
  const hits = texts.map((text) => hitsIn(text, words));
  const most = Math.max(0, ...hits);
  return most === 0 ? undefined : texts[hits.indexOf(most)];
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
