import { enumerated } from './answer-parts.ts';
import { dayText, periodName } from './day-text.ts';
import type { RecordType } from './entities/index.ts';
import { facets } from './facets.ts';
import { filtersText, filterValueText, inWords, isOfCountry, strictFigure } from './filter-words.ts';
import { type FilterName, parseChoice } from './filters.ts';
import { shortMoney } from './usd.ts';
import { counted, countText } from './value-text.ts';
import { GRANT, investorsWords, NO_GRANTS, stageWords } from './vocabulary.ts';

type Given = Readonly<Record<string, unknown>>;

/** What stands about the noun of some records, each blank or with its space. */
export type RecordsPhrase = ReturnType<typeof recordsPhrase>;

/** How some filters stand before a noun, after it, or after "with"; undefined for those that cannot. */
interface Rule {
  readonly names: readonly FilterName[];
  readonly place: 'before' | 'after' | 'with';
  readonly write: (given: Given) => string | undefined;
}

const listOf = (name: FilterName, words: string): Rule => ({
  names: [name],
  place: 'after',
  write: ({ [name]: value }) => joined(words, listed(name, value)),
});

const countOf = (name: string, noun: string): Rule => ({
  names: [`${name}_min`, `${name}_max`] as FilterName[],
  place: 'with',
  write: ({ [`${name}_min`]: min, [`${name}_max`]: max }) =>
    joined(boundsText(min, max), Number(max) === 1 ? noun.replace(/s\b/, '') : noun),
});

const partyOf = (words: string): Rule => ({
  names: ['investor'],
  place: 'after',
  write: ({ investor, led }) => (led === undefined ? joined(words, listed('investor', investor)) : undefined),
});

const leadOf = (words: string, place: Rule['place']): Rule => ({
  names: ['investor', 'led'],
  place,
  write: ({ investor, led }) => (String(led) === 'true' ? joined(words, listed('investor', investor)) : undefined),
});

/** The investors of rounds by what and where they are, or those who led. */
const KIND: Rule = {
  names: ['investor_type', 'investor_country', 'led'],
  place: 'after',
  write: ({ led, ...given }) =>
    String(led) === 'false' ? undefined : joined(led === undefined ? 'with' : 'led by', partiesText(given)),
};

const AMOUNT: Rule = {
  names: ['funding_min', 'funding_max'],
  place: 'after',
  write: (given) => `of ${isKnown(given, 'funding') ? 'known amount' : moneyText(given, 'funding')}`,
};

const VALUATION: Rule = {
  names: ['valuation_min', 'valuation_max'],
  place: 'after',
  write: (given) =>
    isKnown(given, 'valuation') ? 'of known valuation' : `at a valuation of ${moneyText(given, 'valuation')}`,
};

const PLACES: readonly Rule[] = [listOf('city', 'in'), listOf('country', 'in')];

/** In the order in which they are said. */
const RULES: Readonly<Partial<Record<RecordType | 'grants', readonly Rule[]>>> = {
  grants: [listOf('company', 'to'), AMOUNT, listOf('tag', 'in'), listOf('chain', 'on'), ...PLACES, partyOf('from')],
  rounds: [
    { names: ['funding_stage'], place: 'before', write: ({ funding_stage: stage }) => listed('funding_stage', stage) },
    listOf('company', 'of'),
    AMOUNT,
    VALUATION,
    listOf('tag', 'in'),
    listOf('chain', 'on'),
    ...PLACES,
    partyOf('with'),
    leadOf('led by', 'after'),
    KIND,
  ],
  companies: [
    {
      names: ['status'],
      place: 'before',
      write: (given) => (endText(given) === undefined ? listed('status', given['status'])?.toLowerCase() : undefined),
    },
    listOf('tag', 'in'),
    listOf('chain', 'on'),
    ...PLACES,
    { names: ['founded_from', 'founded_to'], place: 'after', write: foundedText },
    { names: ['status', 'status_from', 'status_to', 'acquirer'], place: 'after', write: endText },
    listOf('founder', 'founded by'),
    partyOf('backed by'),
    {
      names: ['funding_stage'],
      place: 'with',
      write: ({ funding_stage: stage }) => listed('funding_stage', stage, withArticle),
    },
    {
      names: ['funding_min', 'funding_max'],
      place: 'with',
      write: (given) =>
        isKnown(given, 'funding') ? 'known funding' : joined(moneyText(given, 'funding'), 'of known funding'),
    },
    leadOf('a round led by', 'with'),
    countOf('rounds', 'rounds'),
    countOf('employees', 'employees'),
  ],
  events: [
    {
      names: ['event_type'],
      place: 'after',
      write: ({ event_type: kinds }) =>
        joined(
          'of type',
          listed('event_type', kinds, (kind) => filterValueText('event_type', kind).toLowerCase()),
        ),
    },
    ...PLACES,
  ],
  people: [listOf('event', 'who spoke at'), ...PLACES, countOf('investments', 'angel rounds')],
  investors: [
    listOf('company', 'in'),
    listOf('tag', 'focused on'),
    ...PLACES,
    {
      names: ['investor_type'],
      place: 'after',
      write: ({ investor_type: kind }) => joined('that are', kindsText(kind)),
    },
    countOf('investments', 'rounds'),
    countOf('led', 'rounds led'),
  ],
};

/**
 * The filters of records of a type about their noun.
 *
 * @example recordsPhrase('rounds', { funding_stage: 'seed', tag: 'DeFi' }) // { before: 'seed ', after: ' in DeFi', scope: '' }
 */
export function recordsPhrase(of: RecordType, { from, to, funding_stage: stage, ...others }: Given) {
  const isOfKind = stage === GRANT || stage === NO_GRANTS;
  const given: Given = stage === undefined || isOfKind ? others : { ...others, funding_stage: stage };
  const rules = RULES[of === 'rounds' && stage === GRANT ? 'grants' : of] ?? PLACES;
  const said = rules.flatMap(({ names, place, write }) => {
    const text = names.some((name) => given[name] !== undefined) ? write(given) : undefined;
    return text === undefined ? [] : [{ names: names as readonly string[], place, text }];
  });
  const placed = (at: Rule['place']): string[] => said.filter(({ place }) => place === at).map(({ text }) => text);
  const had = placed('with');
  // Companies are of all years: those of a period have a round in it.
  const isOfRounds = of === 'companies' && (from ?? to) !== undefined;
  if (isOfRounds && had.length === 0 && given['investor'] === undefined) had.push('a round');
  const after = [...placed('after'), joined('with', enumerated(had).join('') || undefined)];
  const rest = Object.entries(given).filter(([name]) => !said.some(({ names }) => names.includes(name)));
  const words = filtersText(Object.fromEntries(rest)).join(', ');
  return {
    /** Before it: `seed `. */
    before: placed('before')
      .map((text) => `${text} `)
      .join(''),
    /** After it: ` in DeFi`. */
    after: after.map((text) => (text === undefined ? '' : ` ${text}`)).join(''),
    /** After "on record": the period, and in brackets what has no other place. */
    scope: periodText({ from, to }) + (words && ` (${words})`),
  };
}

/** A number of records, or of rounds that are grants, with their phrase: `3 seed rounds in DeFi`. */
export const countedRecords = (count: number, of: RecordType, phrase: RecordsPhrase, isGrants = false): string =>
  counted(count, `${phrase.before}${isGrants ? 'grants' : of}`) + phrase.after;

/** The period of some filters, such as ` in 2021`; blank for none. */
export function periodText({ from, to }: Given): string {
  const [first, last] = [from, to].map((day) => (day === undefined ? undefined : String(day)));
  if (first?.endsWith('-01-01') && last === `${first.slice(0, 4)}-12-31`) return ` in ${first.slice(0, 4)}`;
  if (first !== undefined && last !== undefined) return ` from ${dayText(first)} to ${dayText(last)}`;
  return first === undefined ? (last === undefined ? '' : ` until ${dayText(last)}`) : ` since ${dayText(first)}`;
}

/** What became of companies, by whom and when: `that closed in 2022`, `acquired by Acme`. */
function endText({ status, status_from: from, status_to: to, acquirer }: Given): string | undefined {
  const by = listed('acquirer', acquirer);
  if ((acquirer !== undefined && by === undefined) || (from ?? to ?? by) === undefined) return undefined;
  const isOf = (one: string): boolean => status === one || (by !== undefined && one === 'acquired');
  const deed = isOf('acquired') ? 'acquired' : isOf('closed') ? 'that closed' : 'acquired or closed';
  const first = from === undefined ? undefined : `${from}-01-01`.slice(0, 'YYYY-MM-DD'.length);
  const when =
    first !== undefined && to !== undefined
      ? ` in ${periodName({ from: first, to: String(to) })}`
      : periodText({ from: first, to });
  return `${deed}${by === undefined ? '' : ` by ${by}`}${first === undefined && to === undefined ? '' : when}`;
}

const joined = (...texts: readonly (string | undefined)[]): string | undefined =>
  texts.includes(undefined) ? undefined : texts.join(' ');

/** The values of a filter; undefined for none, and for those that exclude. */
function listed(name: FilterName, value: unknown, write = spelledBy(name)): string | undefined {
  if (value === undefined || ['none', 'except'].includes(parseChoice(name, String(value)).mode)) return undefined;
  return inWords(name, String(value), write);
}

/** Kinds of investor in the plural: `hedge funds or DAOs`; undefined for none, and for those that are excluded. */
const kindsText = (kinds: unknown): string | undefined =>
  listed('investor_type', kinds, (kind) => investorsWords(facets.investor_type.key(kind)));

/**
 * Investors of rounds by the filters of what and where they are: `hedge funds or DAOs in Germany`; undefined without these, and
 * for those that are excluded.
 */
export function partiesText({ investor_type: kinds, investor_country: places }: Given): string | undefined {
  if (places === undefined) return kindsText(kinds);
  return joined(kinds === undefined ? 'investors' : kindsText(kinds), 'in', listed('investor_country', places));
}

/** Filters without those of what and where investors are. */
export const withoutParties = ({ investor_type: _, investor_country: __, ...others }: Given): Given => others;

/** Countries and regions that have an article. */
const WITH_THE =
  /^(?:U[SK]|USA|UAE|United .*|European Union|Middle East|Netherlands|Philippines|Bahamas|.* (?:Islands|Republic))$/;

function spelledBy(name: FilterName): (value: string) => string {
  if (name === 'funding_stage') return (stage) => stageWords(stage).replace(/ round$/, '');
  return (value) => filterValueText(name, value).replace(isOfCountry(name) ? WITH_THE : /^$/, 'the $&');
}

const withArticle = (stage: string): string => `${/^(?:[aeio]|ICO)/.test(stage) ? 'an' : 'a'} ${stageWords(stage)}`;

function boundsText(min: unknown, max: unknown): string {
  if (min === undefined || max === undefined)
    return min === undefined ? `at most ${countText(Number(max))}` : `${countText(Number(min))} or more`;
  return min === max ? `exactly ${countText(Number(min))}` : `${countText(Number(min))} to ${countText(Number(max))}`;
}

type Money = 'funding' | 'valuation';

const isKnown = (given: Given, of: Money): boolean =>
  String(given[`${of}_min`]) === '1' && given[`${of}_max`] === undefined;

/** Bounds of an amount: `more than $50M`, `$1M to $5M`. */
function moneyText(given: Given, of: Money): string {
  const { [`${of}_min`]: min, [`${of}_max`]: max } = given;
  const [over, under] = [strictFigure(`${of}_min`, min), strictFigure(`${of}_max`, max)];
  const low = over === undefined ? `${shortMoney(Number(min))} or more` : `more than ${shortMoney(over)}`;
  const high = under === undefined ? `at most ${shortMoney(Number(max))}` : `less than ${shortMoney(under)}`;
  if (min === undefined || max === undefined) return min === undefined ? high : low;
  return (over ?? under) ? `${low} and ${high}` : `${shortMoney(Number(min))} to ${shortMoney(Number(max))}`;
}

function foundedText({ founded_from: from, founded_to: to }: Given): string {
  if (from === undefined || to === undefined)
    return from === undefined ? `founded in ${to} or before` : `founded in ${from} or later`;
  return String(from) === String(to) ? `founded in ${from}` : `founded from ${from} to ${to}`;
}
