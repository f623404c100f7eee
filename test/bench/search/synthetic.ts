import type { SearchedDocument } from '../../../src/store/search/search-index.ts';
import { createRandom, type Random } from './random.ts';

/** Deterministic records and queries: words as frequent as in real text (Zipf, s = 1). */
export interface Synthetic {
  documents(count: number): Generator<SearchedDocument>;
  queries(count: number, records: number): Record<QueryKind, string[]>;
}

export const QUERY_KINDS = ['rare', 'brand', 'common', 'twoCommon', 'commonMid', 'prefix', 'typo', 'phrase'] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

const VOCABULARY = 100_000;
const OVERVIEW_WORDS = 30;
const TAGS = 60;
const CHAINS = 20;
const COMMON_END = 60;
const MID_END = 3_000;
const SYLLABLES =
  'ba be bi bo ca co cu da de di do fa fi fo ga go ha he ka ke ki ko la le li lo ma me mi mo na ne ni no pa pe po ra re ri ro sa se si so ta te ti to va vi xa za zo'.split(
    ' ',
  );

export function createSynthetic(seed: number): Synthetic {
  const words = makeWords(createRandom(seed));
  const word = (random: Random) => words[Math.min(VOCABULARY - 1, Math.floor((VOCABULARY + 1) ** random.next()) - 1)];
  const document = (id: number): SearchedDocument => {
    const random = createRandom(seed + id * 7919);
    const name = random.next() < 0.5 ? brandOf(id) : `${brandOf(id)} ${word(random)}`;
    return {
      id,
      names: [name],
      slug: `${name.replace(' ', '-')}-${id}`,
      tickers: random.next() < 0.2 ? [brandOf(id).slice(0, 4)] : [],
      domain: random.next() < 0.7 ? `${brandOf(id)}.io` : null,
      handles: [],
      keywords: [...random.sample(words.slice(0, TAGS), 2), words[TAGS + random.below(CHAINS)]],
      headline: '',
      overview: Array.from({ length: OVERVIEW_WORDS }, () => word(random)).join(' '),
      related: [word(random), word(random)],
      rank: Math.floor(1 / (random.next() + 0.01)) - 1,
    };
  };
  const makers: Record<QueryKind, (random: Random, records: number) => string> = {
    rare: (random) => words[MID_END * 10 + random.below(VOCABULARY - MID_END * 10)],
    brand: (random, records) => brandOf(1 + random.below(records)),
    common: (random) => words[random.below(COMMON_END)],
    twoCommon: (random) => `${words[random.below(COMMON_END)]} ${words[random.below(COMMON_END)]}`,
    commonMid: (random) => `${words[random.below(COMMON_END)]} ${words[COMMON_END + random.below(MID_END)]}`,
    prefix: (random, records) => brandOf(1 + random.below(records)).slice(0, 2 + random.below(3)),
    typo: (random, records) => withTypo(brandOf(1 + random.below(records)), random),
    phrase: (random, records) => {
      const text = document(1 + random.below(records)).overview.split(' ');
      const start = random.below(text.length - 3);
      return text.slice(start, start + 3).join(' ');
    },
  };
  return {
    *documents(count) {
      for (let id = 1; id <= count; id++) yield document(id);
    },
    queries(count, records) {
      const random = createRandom(seed + 1);
      const entries = QUERY_KINDS.map((kind) => [
        kind,
        Array.from({ length: count }, () => makers[kind](random, records)),
      ]);
      return Object.fromEntries(entries) as Record<QueryKind, string[]>;
    },
  };
}

function makeWords(random: Random): string[] {
  const words = new Set<string>();
  while (words.size < VOCABULARY) {
    words.add(Array.from({ length: 2 + random.below(4) }, () => random.pick(SYLLABLES)).join(''));
  }
  return [...words];
}

/** A name of its own for each record; neighbours look nothing alike. */
function brandOf(id: number): string {
  let rest = Math.imul(id, 0x9e3779b1) >>> 0;
  let brand = '';
  for (let index = 0; index < 5; index++) {
    brand += SYLLABLES[rest % SYLLABLES.length];
    rest = Math.floor(rest / SYLLABLES.length);
  }
  return `${brand}x`;
}

function withTypo(word: string, random: Random): string {
  const place = 1 + random.below(word.length - 2);
  return random.pick([
    word.slice(0, place) + word.slice(place + 1),
    word.slice(0, place) + word[place] + word.slice(place),
    word.slice(0, place) + word[place + 1] + word[place] + word.slice(place + 2),
    `${word.slice(0, place)}q${word.slice(place + 1)}`,
  ]);
}

/** Groups of so many; the last may have fewer. */
export function* batches<T>(all: Iterable<T>, size: number): Generator<T[]> {
  let batch: T[] = [];
  for (const one of all) {
    batch.push(one);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
