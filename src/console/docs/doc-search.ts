/** A part of the documentation that a search finds: a heading with what follows it, an endpoint or an error. */
export interface DocPart {
  /** Its address below the base. */
  readonly to: string;
  readonly title: string;
  /** Title of the page that it is a part of. */
  readonly page: string;
  readonly text: string;
}

export interface FoundPart extends DocPart {
  /** The text about the first word that was asked for. */
  readonly excerpt: string;
}

const FOUND_MAX = 20;
const WORDS_MAX = 8;
const EXCERPT_LENGTH = 180;
/** A word counts more in a title. */
const WEIGHTS = { name: 20, title: 6, page: 3, text: 1 };

/** The parts that have all words of a query, the best first; of none, those that have most of them. */
export function findParts(parts: readonly DocPart[], query: string): { found: readonly FoundPart[]; isWhole: boolean } {
  const words = [...new Set(wordsIn(query))].slice(0, WORDS_MAX);
  const scored = parts.flatMap((part) => {
    const [title, page, text] = [part.title, part.page, part.text].map(wordsAndParts);
    const isNamed = wordsIn(part.title).join(' ') === words.join(' ');
    const scores = words.map((word) =>
      has(title, word) ? WEIGHTS.title : has(page, word) ? WEIGHTS.page : has(text, word) ? WEIGHTS.text : 0,
    );
    const hits = scores.filter((score) => score > 0).length;
    const score = scores.reduce((sum: number, each) => sum + each, isNamed ? WEIGHTS.name : 0);
    return hits === 0 ? [] : [{ part, hits, score }];
  });
  const most = Math.max(0, ...scored.map(({ hits }) => hits));
  const best = scored.filter(({ hits }) => hits === most).sort((one, other) => other.score - one.score);
  const found = best.slice(0, FOUND_MAX).map(({ part }) => ({ ...part, excerpt: excerptOf(part.text, words) }));
  return { found, isWhole: most === words.length };
}

/** Words of letters, digits and underscores. */
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/** The same with the parts of names such as `funding_min`. */
const wordsAndParts = (text: string): readonly string[] =>
  wordsIn(text).flatMap((word) =>
    word.includes('_') ? [word, ...word.split('_').filter((part) => part !== '')] : [word],
  );

/** Whether a text has a word, or one that begins with it. */
const has = (words: readonly string[] | undefined, word: string): boolean =>
  words?.some((each) => each.startsWith(word)) === true;

function excerptOf(text: string, words: readonly string[]): string {
  const folded = text.toLowerCase();
  const first = Math.min(...words.map((word) => folded.indexOf(word)).filter((at) => at >= 0), text.length);
  const start = first === text.length || first < EXCERPT_LENGTH / 2 ? 0 : text.lastIndexOf(' ', first - 40) + 1;
  const end = start + EXCERPT_LENGTH >= text.length ? text.length : text.lastIndexOf(' ', start + EXCERPT_LENGTH);
  return `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`;
}

/** The parts of a page, by its headings that have an address; what is before the first is of the page itself. */
export function partsOfPage(html: string, { to, page }: { readonly to: string; readonly page: string }): DocPart[] {
  const [first = '', ...others] = html.split(/(?=<h[23] id=")/);
  const ofPage = { to, page, title: page, text: textIn(first) };
  const parts = others.map((part) => {
    const [heading = '', id = '', title = ''] = /^<h[23] id="([^"]+)"[^>]*>([\s\S]*?)<\/h[23]>/.exec(part) ?? [];
    return { to: `${to}#${id}`, page, title: textIn(title), text: textIn(part.slice(heading.length)) };
  });
  return [ofPage, ...parts];
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

const textIn = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim();
