import { type AggregateQuery, type Extreme, GROUPS, MEASURED_FIELD, type Measure } from './aggregate.ts';
import { RECORD_TYPES, type RecordType } from './entities/index.ts';
import { type FilterName, hasFilter } from './filters.ts';
import { foldName } from './names.ts';
import type { Period } from './periods.ts';
import { WHOLE_ROUNDS } from './sample-notes.ts';
import { NO_GRANTS } from './vocabulary.ts';

/** How a sentence was read, as far as its answer depends on it. */
export interface ReadSentence {
  readonly type?: RecordType | undefined;
  readonly text?: string;
  readonly filters?: Readonly<Record<string, unknown>>;
  readonly group_by?: readonly string[] | undefined;
  readonly period?: Readonly<Record<string, string>> | undefined;
  readonly order?: Extreme | undefined;
  readonly compared?: true | undefined;
  readonly share?: true | undefined;
  readonly periods?: readonly Period[] | undefined;
  readonly sort?: string | undefined;
  readonly ignored?: readonly string[];
  readonly unstated?: readonly string[] | undefined;
  readonly nearest?: readonly string[] | undefined;
  readonly list?: 'similar' | undefined;
  readonly list_of?: ListOwner | undefined;
  readonly connect?: readonly string[] | undefined;
}

/** The record that a list is of, which the list does not contain. */
export interface ListOwner {
  readonly type: RecordType;
  readonly slug: string;
  readonly name: string;
}

export interface AskedAggregate {
  readonly of: RecordType;
  readonly group_by: readonly string[];
  /** Undefined for counts. */
  readonly measure: Measure | undefined;
  readonly filters: Readonly<Record<string, unknown>>;
  /** The order of the groups, if not the usual one. */
  readonly order?: Extreme | undefined;
  /** Whether only the groups of the named investors are asked for, rather than those besides them. */
  readonly isComparison?: true | undefined;
  /** The value of the group whose part of all is asked for. */
  readonly share?: string | undefined;
  /** Periods whose groups alone are asked for. */
  readonly periods?: readonly Period[] | undefined;
}

const MEASURE_WORDS: readonly (readonly [RegExp, Measure])[] = [
  // Before the average: `médiane` begins with `média`.
  [/^(?:median|médian|中位数)/i, 'median'],
  [/^(?:average|avg|mean|promedio|média|durchschnitt|moyen|平均)/i, 'average'],
  [/^(?:largest|biggest|größte|mayor|maior|最大)/i, 'max'],
  [/^(?:smallest|kleinste|menor|最小)/i, 'min'],
  [/^(?:total|sum|combined$|gesamt|much$|cuánto$|quanto$|wieviel$|viel$|combien$|总|多少)/i, 'sum'],
  [
    /^(?:money|funding|capital|dinero|dinheiro|captação|financia|geld|finanzierung|kapital|argent|financement|capitaux|融资)/i,
    'sum',
  ],
];

/** Words that are for an amount, not of companies that have one: `how much`, but not `companies with funding`. */
const OF_AMOUNT = MEASURE_WORDS.slice(0, -1);

/** The measure that a word of a sentence asks for, such as `total` or `average`. */
export const measureOf = (word: string): Measure | undefined => MEASURE_WORDS.find(([form]) => form.test(word))?.[1];

/** The field of a named record that answers `how much has Acme raised` or `total funding of Acme`; undefined for other sentences. */
export const fieldAskedFor = (read: ReadSentence): 'total_funding_usd' | undefined =>
  read.type === undefined &&
  read.unstated === undefined &&
  Object.keys(read.filters ?? {}).length === 0 &&
  read.text !== undefined &&
  read.text !== '' &&
  read.ignored?.some((word) => measureOf(word) === 'sum')
    ? 'total_funding_usd'
    : undefined;

/** Whether filters of companies are about their rounds, which are then summed. */
const isOfRounds = (filters: object): boolean =>
  ['from', 'to', 'funding_stage', 'investor'].some((name) => name in filters);

/** Filters of investors, with those of their rounds that have the same meaning. */
const OF_INVESTORS: Readonly<Record<string, FilterName>> = {
  ...{ tag: 'tag', funding_stage: 'funding_stage', company: 'company' },
  ...{ investor_type: 'investor_type', country: 'investor_country' },
};

/** Filters of some records as those of the rounds that they took part in. */
const asOfRounds = (read: RecordType | undefined, given: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [(read === 'investors' && OF_INVESTORS[name]) || name, value]),
  );

const BY_AMOUNT = '-amount_usd';

const FUNDING_WORD = /^(?:funding|capital|financing|financiación|finanzierung|kapital|financement|融资)$/i;

/** The words of a sentence that no filter was read from: in `companies with more than 100M funding`, `funding` is part of one. */
function wordsBesidesFilters({ ignored = [], filters = {} }: ReadSentence): readonly string[] {
  const isOfFunding = 'funding_min' in filters || 'funding_max' in filters;
  return isOfFunding ? ignored.filter((word) => !FUNDING_WORD.test(word)) : ignored;
}

/**
 * The aggregate that a sentence asks for; the search only lists its records. Amounts exclude grants. Undefined with keywords, which
 * no aggregate has: it would be of too much.
 */
export function aggregateAskedFor(sentence: ReadSentence): AskedAggregate | undefined {
  if (sentence.share !== undefined) return shareAskedFor(sentence);
  const { type: read, text = '', filters = {}, group_by: groups, period, sort, unstated, nearest } = sentence;
  if (text !== '' || nearest !== undefined || unstated?.some((words) => !OF_CHECKS.test(words))) return undefined;
  const ignored = wordsBesidesFilters(sentence);
  const isByAmount = groups !== undefined && /^-?(?:amount|total_funding)_usd$/.test(sort ?? '');
  const stated =
    MEASURE_WORDS.find(([form]) => ignored.some((word) => form.test(word)))?.[1] ??
    (unstated !== undefined ? 'average' : isByAmount ? 'sum' : undefined);
  // The total funding of companies is of all years, stages and investors.
  const isOfPart =
    read === 'companies' &&
    isOfRounds(filters) &&
    (groups === undefined || groups.every((group) => group in GROUPS.rounds));
  const isAskedOfRounds =
    (isOfPart && (groups === undefined || stated !== undefined)) ||
    (read !== undefined && groups?.some((group) => !(group in GROUPS[read])));
  const ofOthers = { speaker: 'events', event: 'people' }[String(groups)] as RecordType | undefined;
  const type = ofOthers ?? (isAskedOfRounds ? 'rounds' : read);
  const isOfRoundsToo = (name: string): boolean =>
    read === 'investors'
      ? name in OF_INVESTORS
      : hasFilter('rounds', name as FilterName) && !(read === 'companies' && name.startsWith('funding_m'));
  if (isAskedOfRounds && !Object.keys(filters).every(isOfRoundsToo)) return undefined;
  // `companies with the most funding` are a list; rounds that are summed have the largest first.
  const isList = groups === undefined && sort !== undefined && !(sort === BY_AMOUNT && stated === 'sum');
  const measure = type !== undefined && MEASURED_FIELD[type] !== undefined && !isList ? stated : undefined;
  if (type === undefined || (measure === undefined && groups === undefined)) return undefined;
  return {
    of: type,
    group_by: groups ?? [groupOfFigure(type, measure, { ...filters, ...period })],
    measure,
    filters: {
      ...(type === 'rounds' ? { funding_stage: NO_GRANTS, ...asOfRounds(read, filters) } : filters),
      ...period,
    },
    ...(sentence.order && { order: sentence.order }),
    ...(sentence.compared && { isComparison: sentence.compared }),
    ...(sentence.periods && { periods: sentence.periods }),
  };
}

/** The aggregate of all that a sentence asks for a part of, of which only the group of the part is asked for. */
function shareAskedFor({
  type,
  filters = {},
  group_by: groups,
  ignored = [],
}: ReadSentence): AskedAggregate | undefined {
  const [group = ''] = groups ?? [];
  const name = { stage: 'funding_stage', lead_investor: 'investor' }[group] ?? group;
  const { [name]: share, led, ...others } = filters;
  const whole = group === 'lead_investor' || led === undefined ? others : { ...others, led };
  const measure = ignored.some((word) => measureOf(word) === 'sum') ? 'sum' : undefined;
  if (type === undefined || share === undefined || (measure === 'sum' && MEASURED_FIELD[type] === undefined))
    return undefined;
  const all = { ...(type === 'rounds' && { funding_stage: NO_GRANTS }), ...whole };
  return { of: type, group_by: [group], measure, filters: all, isComparison: true, share: String(share) };
}

/** The group of a figure that is asked for without one: sums of years add up, but of an average or median there is to be one. */
function groupOfFigure(type: RecordType, measure: Measure | undefined, filters: Record<string, unknown>): string {
  if (type !== 'rounds') return 'country';
  if ('company' in filters) return 'company';
  const { funding_stage: stage, from, to } = filters;
  const isOfYear = from !== undefined && String(from).slice(0, 4) === String(to).slice(0, 4);
  const isOfStage = typeof stage === 'string' && /^\w+$/.test(stage);
  return measure !== 'sum' && isOfStage && !isOfYear ? 'stage' : 'year';
}

/**
 * A sentence as a list of the rounds that its aggregate is of, rather than of companies or investors, which have the totals of
 * all years: `how much was raised in 2025`, `investors that led most in 2025`.
 */
export function asRoundsOfTotal<Read extends ReadSentence>(sentence: Read): Read {
  const { period, sort, ...read } = sentence;
  const { type, filters = {}, group_by: groups, ignored = [] } = read;
  const asked = aggregateAskedFor(sentence);
  const isOfAmount = groups === undefined && ignored.some((word) => OF_AMOUNT.some(([form]) => form.test(word)));
  const isOfCompanies = type === 'companies' && isOfRounds(filters) && isOfAmount;
  const isOfParties = type === 'investors' && period !== undefined;
  if (asked?.of !== 'rounds' || !(type === 'rounds' || isOfParties || isOfCompanies)) return sentence;
  const isBySize = asked.measure === 'sum' && !('company' in filters);
  const order = isBySize ? BY_AMOUNT : type === 'rounds' ? sort : undefined;
  return {
    ...read,
    type: 'rounds',
    filters: { ...asOfRounds(type, filters), ...period },
    ...(order && { sort: order }),
  } as Read;
}

interface AnsweredSearch {
  readonly understood?: ReadSentence | undefined;
  readonly isTyped: boolean;
  readonly total: number;
  /** JSON of the records found. */
  readonly results: readonly string[];
}

/**
 * The aggregate that answers a search, by the type and filters that are given beside its sentence, too. None where the search
 * left a condition out: the total would be of too much.
 */
export function aggregateThatAnswers(
  { understood, isTyped, total, results }: AnsweredSearch,
  given: Pick<ReadSentence, 'type' | 'filters'>,
): AskedAggregate | undefined {
  if (understood === undefined || (!isTyped && total > 0 && wordsOutOfTotals(understood).length > 0)) return undefined;
  const { type = given.type, text = '', filters } = understood;
  const company = total === 1 ? companyNamed(results[0] ?? '{}', text) : undefined;
  const all = { ...filters, ...given.filters, ...(company !== undefined && { company }) };
  return aggregateAskedFor({ ...understood, type, text: company === undefined ? text : '', filters: all });
}

/** The name of a record if it is a company and the keywords: among companies, `Acme` in `how much did Acme raise in 2025` is no filter. */
function companyNamed(json: string, text: string): string | undefined {
  const { type, name = '' } = JSON.parse(json) as { readonly type?: RecordType; readonly name?: string };
  return type === 'companies' && foldName(name) === foldName(text) ? name : undefined;
}

/** The aggregate of an answer, by its parameters. */
export function askedIn(parameters: Readonly<Record<string, unknown>>): AskedAggregate {
  const { of, group_by, measure, order, ...filters } = parameters as Pick<AskedAggregate, 'of' | 'group_by' | 'order'> &
    Pick<AggregateQuery, 'measure'>;
  const [first] = measure;
  return { of, group_by, measure: first === 'count' ? undefined : first, filters, ...(order && { order }) };
}

/** Whether only the aggregate answers: no list is of what was raised or done in a period. A sector of investors is a list, unless ranked. */
export const answersAlone = ({ of, group_by, filters }: AskedAggregate, read: ReadSentence | undefined): boolean =>
  ['speaker', 'event'].includes(group_by.join()) ||
  (of === 'rounds' &&
    ((read?.type === 'investors' && !(read.sort === undefined && isOfTag(read.filters))) ||
      (read?.type === 'companies' && group_by.includes('company')) ||
      ranksParties(group_by, filters)));

/** Whether investors are ranked by all rounds of a period. */
const ranksParties = (groups: readonly string[], filters: object): boolean =>
  /^(?:lead_)?investor$/.test(groups.join()) &&
  ('from' in filters || 'to' in filters) &&
  !('company' in filters || 'investor' in filters);

/** Whether investors of any kind, or of one, are asked for by nothing but a sector. */
const isOfTag = ({ investor_type: _, ...others }: NonNullable<ReadSentence['filters']> = {}): boolean =>
  Object.keys(others).join() === 'tag';

/** What one investor pays, of which rounds state only the sum: `check size`. */
const OF_CHECKS = /che(?:ck|que)|ticket|支票|单笔投资额/i;

/** The parts of a sentence that no filter can express. */
export function unstatedText(words: readonly string[]): string {
  const checks = words.filter((word) => OF_CHECKS.test(word));
  const others = words.filter((word) => !checks.includes(word)).map((word) => `"${word}"`);
  const advice = ADVICE.find(([form]) => words.some((word) => form.test(word)))?.[1] ?? '';
  return [
    ...(others.length === 0 ? [] : [`Nothing can be filtered, ordered or counted by ${others.join(' or ')}.${advice}`]),
    ...(checks.length === 0 ? [] : [WHOLE_ROUNDS]),
  ].join(' ');
}

/** That no record has the name in a sentence, with those that have the nearest. */
export const nearestText = (names: readonly string[]): string =>
  `No record has this name${names.length === 0 ? '' : `; the nearest are ${names.join(', ')}`}.`;

/** Records that another type would be restricted by: `gaming companies` of founders. */
const OF_COMPANIES = /^(?!with|no).*\b(?:companies|startups|projects|(?:investors|backers) (?:of|in))\b/i;

/** A word for a record that only an earlier question names. */
export const PRONOUN = /^(?:they|them|their|it|its|he|she|his|her)$/;

/** What else may answer, by words for what nothing can be filtered by. */
const ADVICE: readonly (readonly [RegExp, string])[] = [
  [PRONOUN, ' A search does not know what was asked before; give the name.'],
  [OF_COMPANIES, ' Search these first, then each by its name.'],
  [
    /unicorn|valu|worth|独角兽|估值/i,
    ' Only some rounds state a valuation: lists of rounds can be filtered by valuation_min and valuation_max and ordered by -valuation_usd, but valuations are not grouped or averaged.',
  ],
  [
    /\b(?:aum|under management|fund sizes?|by size)\b/i,
    ' Only some investors state a fund_size_usd, shown with their records; investors can be ordered by investments_count.',
  ],
];

const LIKES =
  /^(?:like$|similai?r|parecid|semelhant|alternativ|compet|concorrent|rival|peer|konkurren|wettbewerb|mitbewerb|ähnlich|concurren|类似|相似|竞争对手|替代品)/i;

/** Whether words such as `alternatives` ask for records similar to the first result. */
export const asksForLikes = (words: readonly string[]): boolean => words.some((word) => LIKES.test(word));

const COMPARING = /^(?:compar|versus|vs|differenc|diferencia|vergleich|unterschied|différence|比较|对比|区别)/i;

/** Whether words such as `compare` ask for the named records side by side. */
export const asksToCompare = (words: readonly string[]): boolean => words.some((word) => COMPARING.test(word));

const VALUED = /\b(?:unicorn|valu(?:ed|ation)|worth\b|valora|bewert|valoris)|估值/i;

/** Whether a text asks what a company is valued at. */
export const wantsValuation = (text: string): boolean => VALUED.test(text);

/** Words that no search requires. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a an and are as at by for from in is of on or that the to with w/ www http https'.split(' '),
);

/** Words that begin a question; the answer is the reply to them. */
const QUESTION_WORDS = new Set(
  `about also anzahl announced any anything been being but count into its rank their these those you your did do does done find gave give given gives award awarded awards donate donated distribute distributed had has have how i list made make many record me much put show tell what when where tagged ever which who whom whose write writes writing qué cuál
    con avec wie viel viele ist gibt es fait ayant hizo fez tem tiene old wann wurde cuándo quando fue foi t il elle ce est cuáles quién quien quiénes cuántas cuántos hay el la los las del un una han ha que le les des du ont quel quelle quels quelles qui sont son sind gab gaben often anyone anybody was were there war waren était fue macht hace fait faz quoi 什么 welche
    welcher welches wer hat haben der die das den ein eine mit qual quais quem quantas quantos há o os as do da dos das foi com uma number número numero nombre hubo houve 的 哪些 谁 是 有 家 个`.split(
    /\s+/,
  ),
);

/** Words for what an aggregate counts or sums, and for the groups that it is by. */
const FIGURE_WORDS: ReadonlySet<string> = new Set([
  ...RECORD_TYPES,
  ...'compare vs versus than each amount size number most top frequent speakers spoke spoken speak speaks'.split(' '),
  ...'per years yearly annually quarterly monthly over time trend trends pro je jahr quartal monat land'.split(' '),
  ...'sector sectors category categories industry industries tags stages chains countries cities months quarters'.split(
    ' ',
  ),
  ...'por año trimestre mes país par an année mois pays ano mês'.split(' '),
]);

/** The words of a sentence that neither its list nor the aggregate that it asks for is about. */
export function leftOutWords(read: ReadSentence): readonly string[] {
  const asked = aggregateAskedFor(read);
  // Those that are compared stand side by side.
  const words = unusedWords(wordsBesidesFilters(read).flatMap((part) => part.split(' '))).filter(
    (word) => !asksToCompare([word]),
  );
  if (asked === undefined)
    return fieldAskedFor(read) === undefined ? words : words.filter((word) => measureOf(word) !== 'sum');
  const groups = asked.group_by.map((group) => group.toLowerCase());
  return words.filter((word) => {
    const lower = word.toLowerCase();
    return measureOf(word) === undefined && !FIGURE_WORDS.has(lower) && !groups.includes(lower);
  });
}

/** The words that an aggregate for a sentence leaves out, of which records matched without them; it has the period. */
export const wordsOutOfTotals = (read: ReadSentence): readonly string[] =>
  read.period === undefined ? leftOutWords(read) : [];

/** The words of a sentence that had no effect, without stop words, question words and dates made of other words. */
const unusedWords = (ignored: readonly string[]): readonly string[] =>
  ignored.filter((words) => {
    const word = words.toLowerCase();
    return word !== '' && !STOP_WORDS.has(word) && !QUESTION_WORDS.has(word) && !/^\d{4}-\d\d-\d\d/.test(word);
  });
