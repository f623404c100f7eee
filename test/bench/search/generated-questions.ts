import { EVAL_TYPES, type EvalData, type EvalType, type Question } from './eval-data.ts';
import { createRandom, type Random } from './random.ts';

/** Questions of the kinds of the evaluation, made from its records with a fixed seed; they check that nothing was fitted to single ones. */
export function generateQuestions(data: EvalData, perKind: number, seed: number): Question[] {
  const random = createRandom(seed);
  const questions: Question[] = [];
  const add = (kind: string, type: EvalType | 'all', query: string, expected: string[]) => {
    if (query.trim() && expected.length > 0) {
      questions.push({ id: `g${questions.length}`, query, type, kind, expected_slugs: expected });
    }
  };
  for (const type of EVAL_TYPES) namedQuestions(data, type, perKind, random, add);
  companyQuestions(data, perKind, random, add);
  for (const { slug, headline } of random.sample(data.documents.people, data.documents.people.length)) {
    const company = /^(?:Co-)?Founder, (.+)$/i.exec(headline)?.[1];
    const same = company
      ? data.documents.people.filter((other) => other.headline === headline).map((other) => other.slug)
      : [slug];
    if (company && questions.filter(({ kind }) => kind === 'person_by_company').length < perKind) {
      add('person_by_company', 'people', random.pick([`${company} founder`, `founder of ${company}`]), same);
    }
  }
  for (const event of random.sample(data.documents.events, perKind)) {
    const [city, , , year] = event.related;
    const same = data.documents.events.filter((other) => other.related[0] === city && other.related[3] === year);
    if (city)
      add(
        'event_place',
        'events',
        `${city} ${year}`.toLowerCase(),
        same.map(({ slug }) => slug),
      );
  }
  return questions;
}

type Add = (kind: string, type: EvalType | 'all', query: string, expected: string[]) => void;

const EXTRA_WORDS: Record<EvalType, string[]> = {
  companies: ['news', 'labs', 'token', 'investors', 'app', 'protocol', 'price', 'review', 'crypto', 'funding'],
  people: ['founder', 'ceo', 'twitter', 'linkedin', 'crypto'],
  investors: ['crypto', 'vc', 'portfolio', 'fund', 'investments'],
  events: ['tickets', 'speakers', 'schedule', 'event', 'blockchain'],
};
/** Shares of the questions, as in the evaluation. */
const SHARE: Record<EvalType, number> = { companies: 0.5, people: 0.2, investors: 0.2, events: 0.1 };
const TYPED_NAME = /^[A-Za-z0-9 .]{5,40}$/;

function namedQuestions(data: EvalData, type: EvalType, perKind: number, random: Random, add: Add): void {
  const documents = data.documents[type].filter(({ names }) => TYPED_NAME.test(names[0]));
  const named = (name: string) =>
    data.documents[type]
      .filter(({ names }) => names.some((other) => plain(other) === plain(name)))
      .map(({ slug }) => slug);
  const starting = (start: string) =>
    data.documents[type]
      .filter(({ names }) => names.some((name) => plain(name).startsWith(plain(start))))
      .map(({ slug }) => slug);
  const some = () =>
    random.sample(documents, Math.round(perKind * SHARE[type])).map(({ names }) => names[0].toLowerCase());
  for (const name of some()) add('name_exact', type, name, named(name));
  for (const name of some())
    add(
      'name_variant',
      type,
      random.pick([name.replaceAll(' ', ''), name.replaceAll(' ', '-'), name.toUpperCase()]),
      named(name),
    );
  for (const name of some()) {
    const start = name.slice(0, 4 + random.below(Math.max(1, name.length - 5)));
    add('prefix', type, start, starting(start));
    if (start.length >= 5) add('hard_typo_prefix', type, withTypo(start, random), starting(start));
  }
  for (const name of some()) add('typo1', type, withTypo(name, random), named(name));
  for (const name of some())
    if (name.length >= 8) add('hard_typo2', type, withTypo(withTypo(name, random), random), named(name));
  for (const name of some()) add('hard_extra_word', type, `${name} ${random.pick(EXTRA_WORDS[type])}`, named(name));
  for (const name of some()) {
    const words = name.split(' ');
    if (words.length === 2) add('hard_word_order', type, `${words[1]} ${words[0]}`, named(name));
  }
  for (const name of some())
    add(
      'all_types',
      'all',
      name,
      EVAL_TYPES.flatMap((each) =>
        data.documents[each]
          .filter(({ names }) => names.some((other) => plain(other) === plain(name)))
          .map(({ slug }) => `${each}:${slug}`),
      ),
    );
}

function companyQuestions(data: EvalData, perKind: number, random: Random, add: Add): void {
  const companies = data.documents.companies;
  const words = new Map(
    companies.map((company) => [company, new Set(company.overview.toLowerCase().match(CONTENT_WORD) ?? [])]),
  );
  const holding = (asked: readonly string[]) =>
    companies.filter((company) => asked.every((word) => words.get(company)?.has(word))).map(({ slug }) => slug);
  const described = companies.filter((company) => (words.get(company)?.size ?? 0) > 12);
  for (const company of random.sample(described, perKind)) {
    const asked = random.sample([...(words.get(company) ?? [])], 3);
    if (holding(asked).length > 3) continue;
    add('description_words', 'companies', asked.join(' '), holding(asked));
    add('description_inflected', 'companies', asked.map(inflected).join(' '), holding(asked));
    add(
      'hard_desc_typo',
      'companies',
      asked.map((word, index) => (index === 1 ? withTypo(word, random) : word)).join(' '),
      holding(asked),
    );
  }
  for (const company of random.sample(
    companies.filter(({ tickers }) => tickers.length > 0),
    perKind,
  )) {
    const ticker = company.tickers[0];
    add(
      'ticker',
      'companies',
      ticker.toLowerCase(),
      companies
        .filter(({ tickers }) => tickers.some((other) => other.toLowerCase() === ticker.toLowerCase()))
        .map(({ slug }) => slug),
    );
  }
  for (const company of random.sample(
    companies.filter(({ domain }) => domain),
    perKind,
  )) {
    add(
      'domain',
      'companies',
      random.pick(['', 'www.', 'https://']) + company.domain,
      companies.filter(({ domain }) => domain === company.domain).map(({ slug }) => slug),
    );
  }
  for (const company of random.sample(
    companies.filter(({ keywords }) => keywords.length > 1),
    perKind,
  )) {
    const [tag, chain] = [company.keywords[0], company.keywords[company.keywords.length - 1]];
    const same = companies.filter(({ keywords }) =>
      [tag, chain].every((asked) => keywords.some((word) => word.toLowerCase() === asked.toLowerCase())),
    );
    if (tag !== chain && same.length <= 40)
      add(
        'category_chain',
        'companies',
        random.pick([`${tag} ${chain}`, `${tag} on ${chain}`]).toLowerCase(),
        same.map(({ slug }) => slug),
      );
  }
}

/** Words that the evaluation asks for have a meaning of their own. */
const CONTENT_WORD =
  /\b(?!(?:with|that|this|these|those|from|their|your|into|they|have|which|while|where|what|when|more|such|like|through)\b)[a-z]{4,}\b/g;

const plain = (name: string): string => name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
const inflected = (word: string): string => (word.endsWith('s') ? word.slice(0, -1) : `${word}s`);
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** One letter dropped, doubled, swapped or replaced; never the first. */
function withTypo(text: string, random: Random): string {
  const place = 1 + random.below(text.length - 2);
  const [before, letter, next, after] = [text.slice(0, place), text[place], text[place + 1], text.slice(place + 2)];
  return random.pick([
    before + next + after,
    before + letter + letter + next + after,
    before + next + letter + after,
    before + random.pick([...LETTERS]) + next + after,
  ]);
}
