import { type AnswerParts, enumerated, linked, say, strong } from './answer-parts.ts';
import type { AnsweredSearch } from './answer-sentence.ts';
import { recordsCompared, wordsBesidesRecords } from './compared-records.ts';
import { dayText } from './day-text.ts';
import type { RecordData } from './entities/index.ts';
import { isNamed } from './named-records.ts';
import { daysOf, fundingNote, placeOf } from './record-texts.ts';
import { recordsPhrase } from './records-phrase.ts';
import { leftOutWords } from './sentence-calls.ts';
import { isOfEditors, UNSOURCED } from './unsourced.ts';
import { markedText } from './unsourced-texts.ts';
import { shortMoney } from './usd.ts';
import { countText, isBlank, valueText } from './value-text.ts';

/** Answers that say what a record is, when and where an event is, and how two records compare. */

const WHAT =
  /^[\s¿]*(?:(?:so )?what(?:['’]?s| is| are| does)|who(?:['’]?s| is| are)|tell me about|describe|explain|was (?:ist|macht|sind)|wer (?:ist|sind)|qu[eé] (?:es|hace)|qui[eé]n es|qu['’]est-ce que?|c['’]est quoi|qui est|que fait|o que [eé]|o que faz|quem [eé])(?!\p{L})|什么是|是什么|是谁|^\s*where (?:does|did) .+ work\b|^\s*(?:is|was|are|were) .+ (?:founder|ceo|cto|cfo|coo|president|employee|partner) (?:of|at) /iu;
const WHEN =
  /^[\s¿]*(?:when|what (?:date|day)|wann|cu[aá]ndo|quand|quando)(?!\p{L})|什么时候|何时|\bdates?(?: of\b|\s*\??$)/iu;
const WHERE = /^[\s¿]*(?:where|in (?:which|what) (?:city|country)|wo|d[oó]nde|où|onde)(?!\p{L})|在哪/iu;
/** Words of a question about what a person does, which the line of the person says. */
const OF_ROLES = /^(?:role|roles|title|position|job|working|work|works|cargo|puesto|rolle|poste)$/i;

/** What the one record is that a question names, or when and where the event is: `what does Acme do`, `when is Devcon 8`. */
export function describedSentence(search: AnsweredSearch): AnswerParts | undefined {
  const { query, understood = {}, results } = search;
  const { text = '', type, filters = {}, sort } = understood;
  const [first] = results;
  // `when was the first Devcon`
  const isOfEdition = type === 'events' && sort?.endsWith('start_date') === true;
  const isOfOne = (type === undefined || isOfEdition) && Object.keys(filters).length === 0 && text !== '';
  if (first === undefined || !isOfOne || !isNamed(first, text, ['name', 'alias'])) return undefined;
  const isOfPerson = first.type === 'people';
  const isOfFact = (word: string): boolean =>
    (isOfPerson && OF_ROLES.test(word)) || (first.type === 'events' && /^(?:dates?|of)$/i.test(word));
  const others = leftOutWords(understood).filter((word) => !isOfFact(word));
  if (others.length > 0) return undefined;
  if (first.type === 'events' && (isOfEdition || WHEN.test(query) || WHERE.test(query)))
    return eventSentence(first, WHERE.test(query));
  const field = isOfPerson ? 'headline' : 'tagline';
  if (!WHAT.test(query) || isBlank(first[field])) return undefined;
  return say`${linked(first)}: ${markedText(first, field, ` (${UNSOURCED})`)}.`;
}

/** Fields by the filters that a question asks one record for. */
const ASKED_OF: Readonly<Record<string, string>> = {
  city: 'location_json',
  country: 'location_json',
  tag: 'tags',
};

/** That the one record that a question names is what it asks: `is Acme a German company`. */
export function placedSentence({
  query,
  understood = {},
  results,
  isApproximate,
}: AnsweredSearch): AnswerParts | undefined {
  const { text = '', type = 'companies', filters = {}, unstated } = understood;
  const [first] = results;
  const [[name, value] = ['', ''], ...others] = Object.entries(filters);
  const field = ASKED_OF[name];
  const isAsked = /^\s*(?:is|are|was|were)\b/i.test(query) && leftOutWords(understood).length === 0;
  if (first === undefined || others.length > 0 || unstated !== undefined || isApproximate || !isAsked) return undefined;
  const isOfOne = first.type === type && first.type === 'companies' && isNamed(first, text, ['name', 'alias']);
  if (field === undefined || !isOfOne || /[|:]/.test(String(value))) return undefined;
  const mark = isOfEditors(first, field) ? `, ${UNSOURCED}` : '';
  return say`Yes: ${linked(first)} ${strong(`is${recordsPhrase('companies', { [name]: value }).after}`)}${mark}.`;
}

const OF_FOUNDERS = /\bfounders (?:of|from|at|behind|in|based|located|living)\b/i;
const FOUNDED_MAX = 4;

/** Who founded the first companies of a list, where the founders of such companies are asked for: no list of people is of these. */
export function foundersSentence({ query, understood = {}, results, total }: AnsweredSearch): AnswerParts | undefined {
  if (understood.type !== 'companies' || !OF_FOUNDERS.test(query)) return undefined;
  const founded = results.filter((record) => !isBlank(record['founders'])).slice(0, FOUNDED_MAX);
  if (founded.length === 0) return undefined;
  const each = founded.map((record) => {
    const people = record['founders'] as readonly { readonly name: string }[];
    const mark = isOfEditors(record, 'founders') ? `, ${UNSOURCED}` : '';
    return say`${linked(record)} (${enumerated(people.map(({ name }) => name))}${mark})`;
  });
  const of = founded.length === total ? '' : ' of the first companies';
  return say`Founders on record${of}: ${enumerated(each)}.`;
}

function eventSentence(event: RecordData, isWhere: boolean): AnswerParts | undefined {
  const [days, place] = [daysOf(event), placeOf(event)];
  const [fields, asked, more] = isWhere ? ['location_json', place, days] : ['start_date', days, place];
  if (asked === '') return say`No source on record states of ${linked(event)} ${isWhere ? 'where' : 'when'} it is.`;
  const unsourced = isOfEditors(event, fields) ? `, ${UNSOURCED}` : '';
  return say`${linked(event)}: ${strong(asked)}${more === '' ? '' : `, ${more}`}${unsourced}.`;
}

const AGE =
  /\b(?:older|younger|oldest|youngest|(?:founded|started|created|launched) (?:first|earlier|later|before|after))\b/i;

/** Words for a part of what records did, which their figures are not of: `A vs B on Solana`. */
const OF_PART = /^(?:on|in|at)$/i;

/** What a comparison may ask for, with the field of it and its name in words. */
const FIELDS: readonly (readonly [words: RegExp, field: string, noun: string])[] = [
  [/\b(?:employees?|staff|headcount|team size)\b/i, 'total_employees', 'Employees'],
  [/\b(?:age|founding (?:year|date)|year founded)\b/i, 'year_founded', 'Year founded'],
  [/\b(?:locations?|headquarters|hq|country|countries)\b/i, 'location_json', 'Head office'],
  [/\b(?:block)?chains\b/i, 'chains', 'Chains'],
  [/\b(?:tokens?|tickers?)\b/i, 'token_symbols', 'Tokens'],
  [/\b(?:last|latest|most recent) (?:round|investment|deal)/i, 'last_round_date', 'Last round'],
];

/** A field of each of some records; undefined if it is known of none. */
function byField(records: readonly RecordData[], [, named, noun]: (typeof FIELDS)[number]): AnswerParts | undefined {
  const field = named === 'last_round_date' && records[0]?.type === 'investors' ? 'last_investment_date' : named;
  if (records.every((record) => isBlank(record[field]))) return undefined;
  const values = records.map((record) => {
    const value = record[field];
    const text = field === 'location_json' ? placeOf(record) : valueText(value, { write: fieldText });
    return say`${linked(record)} ${isBlank(value) ? 'not on record' : strong(text)}${markOf(record, field)}`;
  });
  return say`${noun}: ${enumerated(values)}.`;
}

function fieldText(value: unknown): string {
  if (typeof value === 'number' && value > YEAR_MAX) return countText(value);
  return /^\d{4}-\d\d-\d\d$/.test(String(value)) ? dayText(String(value)) : String(value);
}

/** Larger numbers are no years. */
const YEAR_MAX = 3_000;

/** How records compare that a question names: by their age, or by what they raised or took part in. */
export function comparedRecordsSentence({ query, understood = {}, results }: AnsweredSearch): AnswerParts | undefined {
  const compared = recordsCompared(understood, results);
  const [first] = compared;
  const asked = wordsBesidesRecords(query, compared);
  const isRestricted = Object.keys(understood.filters ?? {}).length > 0 || asked.some((word) => OF_PART.test(word));
  if (first === undefined || isRestricted || leftOutWords(understood).length > 0) return undefined;
  const field = FIELDS.find(([words]) => words.test(asked.join(' ')));
  if (field !== undefined) return byField(compared, field);
  if (wordsBesidesRecords(understood.text ?? '', compared).length > 0) return undefined;
  if (AGE.test(query)) return byAge(compared);
  if (first.type === 'companies') return byFunding(compared);
  return first.type === 'investors' ? byRounds(compared) : undefined;
}

/** Whether a field of all records is known. */
const areKnown = (records: readonly RecordData[], field: string): boolean =>
  records.every((record) => !isBlank(record[field]));

const markOf = (record: RecordData, field: string): string => (isOfEditors(record, field) ? ` (${UNSOURCED})` : '');

function byAge(records: readonly RecordData[]): AnswerParts | undefined {
  if (!areKnown(records, 'year_founded')) return undefined;
  const yearOf = (record: RecordData): number => Number(record['year_founded']);
  const [first, ...others] = records.toSorted((one, other) => yearOf(one) - yearOf(other));
  if (first === undefined) return undefined;
  const year = ({ [0]: record = first }: readonly RecordData[]): string =>
    yearOf(record) + markOf(record, 'year_founded');
  if (others.some((record) => yearOf(record) === yearOf(first)))
    return others.length === 1
      ? say`${linked(first)} and ${others.map((record) => linked(record))} were both founded in ${strong(String(yearOf(first)))}.`
      : undefined;
  const later = enumerated(others.map((record) => say`${linked(record)} in ${year([record])}`)).flat();
  return say`${linked(first)} was founded first: in ${strong(year([first]))}, ${later}.`;
}

function byFunding(records: readonly RecordData[]): AnswerParts | undefined {
  const known = records.filter((record) => Number(record['disclosed_rounds'] ?? 0) > 0);
  const sumOf = (record: RecordData): number => Number(record['total_funding_usd']);
  const sourcedOf = (record: RecordData): number => sumOf(record) - Number(record['unsourced_funding_usd'] ?? 0);
  const noted = (record: RecordData): string => {
    const note = fundingNote(record);
    return shortMoney(sumOf(record)) + (note === '' ? '' : ` (${note})`);
  };
  const [first, ...others] = known.toSorted((one, other) => sumOf(other) - sumOf(one));
  const unknown = records.filter((record) => !known.includes(record));
  if (first === undefined) return undefined;
  const none =
    unknown.length === 0 ? '' : say`; no amount is known of ${enumerated(unknown.map((record) => linked(record)))}`;
  if (others.length === 0) return say`${linked(first)} has known funding of ${strong(noted(first))}${none}.`;
  if (others.some((record) => sumOf(record) === sumOf(first))) return undefined;
  const most = known.toSorted((one, other) => sourcedOf(other) - sourcedOf(one))[0];
  const turned =
    most === undefined || most === first || sourcedOf(most) === sourcedOf(first)
      ? ''
      : say`; without what is ${UNSOURCED}, ${linked(most)} comes first: ${shortMoney(sourcedOf(most))}`;
  return say`${linked(first)} has more known funding than ${enumerated(others.map((record) => linked(record)))}: ${strong(noted(first))} against ${enumerated(others.map(noted))}${turned}${none}.`;
}

function byRounds(records: readonly RecordData[]): AnswerParts | undefined {
  if (!areKnown(records, 'investments_count')) return undefined;
  const countOf = (record: RecordData): number => Number(record['investments_count']);
  const [first, ...others] = records.toSorted((one, other) => countOf(other) - countOf(one));
  if (first === undefined || others.some((record) => countOf(record) === countOf(first))) return undefined;
  return say`${linked(first)} took part in more rounds on record than ${enumerated(others.map((record) => linked(record)))}: ${strong(countText(countOf(first)))} against ${enumerated(others.map((record) => countText(countOf(record))))}.`;
}
