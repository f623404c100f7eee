import { englishCountry, englishRegion, regionOf } from './countries.ts';
import type { RecordType } from './entities/index.ts';
import { type FilterName, filterOf, filters, parseChoice, partyFilterOf } from './filters.ts';
import { shortMoney } from './usd.ts';
import { countText } from './value-text.ts';
import { isVocabularyField, labelOf, vocabularyLabel } from './vocabulary.ts';

/** Filters and sorts in words. */

/** The subject of a bound or another filter, in words. */
export const subjectOf = (name: FilterName): string =>
  isBound(name) ? labelOf(FIELDS_OF[name] ?? (name.replace(BOUND, '') || 'date')) : labelOf(name);

const BOUND = /_?(min|max|from|to|after|before|since)$/;
/** What bounds are of, where their names do not say it. */
const FIELDS_OF: Partial<Readonly<Record<FilterName, string>>> = {
  status_from: 'status_date',
  status_to: 'status_date',
};

/** The fact that a record lacks which a filter leaves out for that, in words: `year founded`. */
export function factOf(name: FilterName, type: RecordType | 'all'): string {
  if (type === 'rounds' && /^funding_m/.test(name)) return 'amount';
  const named = (type !== 'all' && partyFilterOf(type, name)) || name;
  return FACTS.find(([form]) => form.test(named))?.[1] ?? subjectOf(named).toLowerCase();
}

/** What a filter of a range is about, where its name in words does not say it. */
const FACTS: readonly (readonly [RegExp, string])[] = [
  [/^led$/, 'lead investor'],
  [/^(?:from|to)$/, 'date'],
  [/^last_round_/, 'date of the last round'],
  [/^founded_/, 'year founded'],
  [/^employees_/, 'number of employees'],
  [/^investments_/, 'number of investments'],
  [/^valuation_/, 'valuation'],
  [/^rounds_/, 'number of rounds'],
  [/^led_/, 'number of rounds led'],
  [/^starts_/, 'start date'],
  [/^status_(?:from|to)$/, 'date of the acquisition or closure'],
  [/^(?:updated_since|stale)$/, 'age of the source'],
];

export const isBound = (name: FilterName): boolean => ['from', 'to'].includes(filterOf(name).test);

/** Text of a value, if records spell it otherwise. */
type Spelled = (value: string) => string | undefined;

/** The values of a filter in words: `DeFi or Gaming`, `not Grant`. */
export function inWords(name: FilterName, text: string, spelled: Spelled = () => undefined): string {
  const { mode, values, without = [] } = parseChoice(name, text);
  const shown = (all: readonly string[], between: string): string =>
    all.map((value) => spelled(value) ?? filterValueText(name, value)).join(between);
  const isNot = mode === 'none' || mode === 'except';
  const left = without.length === 0 ? '' : ` but not ${shown(without, ' or ')}`;
  return `${isNot ? 'not ' : ''}${shown(values, mode === 'all' ? ' and ' : ' or ')}${left}`;
}

/** Whether a filter is by countries, of which regions are several. */
export function isOfCountry(name: FilterName): boolean {
  const filter = filterOf(name);
  return filter.test === 'facet' && filter.kind === 'country';
}

export function filterValueText(filter: FilterName, value: string): string {
  if (OF_MONEY.test(filter)) return boundText(Number(value));
  if (isOfCountry(filter)) return englishRegion(value) ?? placeText(englishCountry(value));
  if (filter === 'city') return placeText(value);
  return isVocabularyField(filter) ? vocabularyLabel(value) : value;
}

/** A place as records spell it: sentences are read in lower case. */
const placeText = (value: string): string =>
  value.replaceAll(/^\p{Ll}{2}$|(?<![\p{L}’'])(?!(?:of|the|and)\b)\p{Ll}/gu, (letters) => letters.toUpperCase());

/** Money as a bound: one next to a round figure, as of `more than $100M`, in full. */
function boundText(value: number): string {
  const isNextToRound = [value - 1, value + 1].some((round) => round % ROUND === 0 && round > 0);
  return isNextToRound ? `$${countText(value)}` : shortMoney(value);
}

const OF_MONEY = /^(?:funding|valuation)_m/;

/** The round figure that a bound of money is next to, as $100M of `more than $100M`; undefined for another bound. */
export function strictFigure(name: FilterName, value: unknown): number | undefined {
  const figure = name.endsWith('_min') ? Number(value) - 1 : Number(value) + 1;
  return OF_MONEY.test(name) && figure > 0 && figure % ROUND === 0 ? figure : undefined;
}

/** A bound of money next to a round figure by that figure, as `Funding > $100M`; undefined for another. */
function strictBound(name: FilterName, text: string): string | undefined {
  const figure = strictFigure(name, text);
  const sign = name.endsWith('_min') ? '>' : '<';
  return figure === undefined ? undefined : `${subjectOf(name)} ${sign} ${shortMoney(figure)}`;
}

const ROUND = 100;

/** The label of a filter at the start of a sentence; bounds are labelled by their field. */
function wordsOf(name: FilterName): string {
  const { test } = filters[name];
  const bound = { from: ' ≥', to: ' ≤' }[test as string] ?? '';
  return subjectOf(name) + bound;
}

/** Filters with their values in words, whom they exclude as lead as one: `Tag DeFi or Gaming`, `Led`, `Lead investor not Paradigm`. */
export function filterTexts(
  given: Readonly<Record<string, unknown>>,
  spelledOf: (name: FilterName) => Spelled | undefined = () => undefined,
): { text: string; names: FilterName[] }[] {
  const { investor, led, ...others } = given;
  const isOfLeads =
    String(led) === 'true' &&
    investor !== undefined &&
    ['none', 'except'].includes(parseChoice('investor', String(investor)).mode);
  const shown = Object.keys(isOfLeads ? { investor, ...others } : given) as FilterName[];
  const years = OF_YEARS.flatMap(({ names, words }) => {
    const year = yearOf(given, names);
    return year === undefined ? [] : [{ text: `${words} in ${year}`, names: [...names] }];
  });
  const names = shown.filter((name) => given[name] !== undefined && !years.some(({ names: [, to] }) => to === name));
  return names.map((name) => {
    const ofYear = years.find(({ names: [from] }) => from === name);
    if (ofYear !== undefined) return ofYear;
    const text =
      name === 'led' && String(led) === 'false'
        ? `${investor === undefined ? 'No known' : 'Not as'} lead`
        : filterText(name, String(given[name]), spelledOf(name));
    return isOfLeads && name === 'investor'
      ? { text: text.replace(/^Investor/, 'Lead investor'), names: ['investor', 'led'] }
      : { text, names: [name] };
  });
}

/** Bounds that may be of one year, and what is in it. */
const OF_YEARS = [
  { names: ['founded_from', 'founded_to'], words: 'Founded' },
  { names: ['status_from', 'status_to'], words: 'Acquired or closed' },
] as const satisfies readonly { names: readonly [FilterName, FilterName]; words: string }[];

/** The year that two bounds are of: `2022` and `2022`, or its first and last day; undefined for any other period. */
function yearOf(
  given: Readonly<Record<string, unknown>>,
  names: readonly [FilterName, FilterName],
): string | undefined {
  const [from, to] = names.map((name) => String(given[name] ?? '')) as [string, string];
  const year = from.replace(/-01-01$/, '');
  return /^\d{4}$/.test(year) && to.replace(/-12-31$/, '') === year ? year : undefined;
}

/** Filters in words within a line: `tag DeFi`, `led`. */
export const filtersText = (given: Readonly<Record<string, unknown>>): string[] =>
  filterTexts(given).map(({ text }) => text.replace(/^./, (first) => first.toLowerCase()));

/** A filter with its values in words: `Tag DeFi or Gaming`, `Led`. */
function filterText(name: FilterName, text: string, spelled?: Spelled): string {
  if (name === 'sourced' && text === 'false') return 'Stated by the editors alone';
  const isSwitch = ['flag', 'role', 'age'].includes(filterOf(name).test);
  if (isSwitch) return `${text === 'false' ? 'Not ' : ''}${wordsOf(name)}`;
  if (OF_MONEY.test(name) && name.endsWith('_min') && text === '1') return `Known ${subjectOf(name).toLowerCase()}`;
  if (isOfCountry(name) && parseChoice(name, text).values.every((value) => regionOf(value) !== undefined))
    return `${wordsOf(name).replace(/country$/i, (noun) => (noun === 'Country' ? 'Region' : 'region'))} ${inWords(name, text, spelled)}`;
  return strictBound(name, text) ?? `${wordsOf(name)} ${inWords(name, text, spelled)}`;
}
