import { type AnswerParts, enumerated, linked, say, strong } from './answer-parts.ts';
import { firstRounds, isSameName, stageIn, valuationSentence } from './answer-rounds.ts';
import type { AnsweredSearch } from './answer-sentence.ts';
import { TIED_MAX } from './answer-totals.ts';
import { fieldsAskedIn } from './asked-fields.ts';
import type { RecordData } from './entities/index.ts';
import { isNamed } from './named-records.ts';
import { isOfFounder, organisationOf, type PersonRole } from './person-roles.ts';
import { fundingNote, placeOf } from './record-texts.ts';
import { countedRecords, periodText, recordsPhrase } from './records-phrase.ts';
import { countsText, isGrant } from './rounds.ts';
import { fieldAskedFor, leftOutWords, wantsValuation } from './sentence-calls.ts';
import { orderOfBound } from './sorts.ts';
import { citedSources, isOfEditors, ledMark, UNSOURCED } from './unsourced.ts';
import { shortMoney } from './usd.ts';
import { countText, isBlank, joinTexts, valueText } from './value-text.ts';
import { labelOf } from './vocabulary.ts';

/** Answers that records state: the first of an order, and facts of the one that a question names. */

/** What is said of the first record of an order. */
const FIRSTS: Readonly<Record<string, readonly [deed: string, figure: (record: RecordData) => string]>> = {
  'companies -total_funding_usd': ['has the most known funding', (company) => fundingOf(company)],
  'investors -lead_count': [
    'led the most rounds on record',
    (investor) => `${investor['lead_count']} of its ${investor['investments_count']}${ledMark(investor)}`,
  ],
  'investors -investments_count': ['took part in the most rounds on record', countOf('investments_count')],
  'people -angel_investments': ['took part in the most angel rounds on record', countOf('angel_investments')],
};

/** What the first round of an order is. */
const ORDERS_OF_ROUNDS: Readonly<Record<string, string>> = {
  '-amount_usd': 'largest',
  amount_usd: 'smallest',
  '-announced_date': 'latest',
  announced_date: 'first',
  '-valuation_usd': 'highest',
  valuation_usd: 'lowest',
};

/** Filters by which only some rounds of an investor or person are asked for. */
const OF_SOME_ROUNDS = ['company', 'funding_stage', 'investor', 'event'] as const;

/** The known funding of a company, and in which rounds, if they are named, with what is to be said of it. */
function fundingOf(company: RecordData, rounds = ''): string {
  return joinTexts(', ', shortMoney(Number(company['total_funding_usd'] ?? 0)) + rounds, fundingNote(company));
}

function countOf(field: string) {
  return (record: RecordData): string => countKnown(record[field] ?? 0);
}

function countKnown(value: unknown): string {
  return isBlank(value) ? '' : countText(Number(value));
}

/** The first record in the order that was asked for, or the last known valuation. */
export function rankSentence(search: AnsweredSearch): AnswerParts | undefined {
  const { query, type, given, total, understood: { sort } = {} } = search;
  const place = placeIn(query);
  const results = search.results.slice(place.number);
  const [first] = results;
  if (first === undefined || sort === undefined || search.sort !== sort || search.text !== '') return undefined;
  // Another order is asked for: `which round had the most investors`.
  const lost = leftOutWords(search.understood ?? {});
  if (lost.some((word) => !OF_FIGURES.test(word) && isOfSuperlative(query, word))) return undefined;
  // `investors with more than 20 deals` does not ask who has the most.
  if (orderOfBound(type, given) === sort && !SUPERLATIVE.test(query)) return undefined;
  const field = sort.replace('-', '');
  // Where the one before is equal, it has that place as well.
  if (place.number > 0 && search.results[place.number - 1]?.[field] === first[field]) return undefined;
  if (type === 'rounds') {
    // None is of the stage that was asked for.
    if (stageIn(search.understood?.ignored ?? []) !== undefined) return undefined;
    if (sort === '-announced_date' && wantsValuation(query))
      return total === results.length ? valuationSentence(results) : undefined;
    // Of fewer rounds, others might have the same value.
    const isWhole = results.length > TIED_MAX || search.results.length === total;
    const order = ORDERS_OF_ROUNDS[sort];
    if (order === undefined || !isWhole || isBlank(first['company'])) return undefined;
    // The second of all is not the second `first`.
    const name = sort === 'announced_date' && place.number > 0 ? place.word.trim() : place.word + order;
    return firstRounds(results, { field, order: name, given, query });
  }
  const rank = FIRSTS[`${type} ${sort}`];
  // Of a part that is not read, another one may be the first: `who invested in most DeFi companies`.
  if (lost.some((word) => !OF_ALL.test(word) && !(type === 'companies' && OF_FIGURES.test(word)))) return undefined;
  // Totals are of all time, and those of investors and people of all rounds.
  const isOfPart = type !== 'companies' && OF_SOME_ROUNDS.some((name) => name in given);
  if (type === 'all' || rank === undefined || isOfPart || periodText(given) !== '') return undefined;
  const tied = results.filter((record) => record[field] === first[field]);
  const isCut = tied.length === results.length && search.results.length < total;
  if (isCut || tied.length > TIED_MAX) return undefined;
  const figures = [...new Set(tied.map((record) => rank[1](record)))];
  const figure = strong(figures.length < tied.length ? `${figures.join(' and ')} each` : figures.join(' and '));
  const { before, after, scope } = recordsPhrase(type, given);
  const among = before + after === '' ? '' : ` of ${before}${type}${after}`;
  return say`${enumerated(tied.map((record) => linked(record)))} ${rank[0].replace('the most', `the ${place.word}most`)}${among}${scope}: ${figure}.`;
}

/** Words for the money by which companies and rounds are ordered. */
const OF_FIGURES = /^(?:money|funding|capital|amounts?|funds)$/i;

/** Whether a superlative is of a word: `most investors`, `largest known portfolio`. */
const isOfSuperlative = (query: string, word: string): boolean =>
  new RegExp(
    `(?:most|largest|biggest|highest)(?: \\p{L}+)? ${word.replace(/[^\p{L}\p{N}]/gu, '.')}(?!\\p{L})`,
    'iu',
  ).test(query);

const OF_ALL = /^(?:crypto|web3|web|blockchain|ever|all-?time|so|far|world|worldwide|globally|today|now|currently)$/i;

const PLACES = [
  ['second', '2nd'],
  ['third', '3rd'],
  ['fourth', '4th'],
  ['fifth', '5th'],
] as const;
/** Whether a word is a place after the first: `second`, `3rd`. */
export const isLaterPlace = (word: string): boolean => PLACES.flat().some((place) => place === word.toLowerCase());

/** What a place is in: an order by size, or the rounds in the order of time. */
const PLACED = /^(?:\w+(?:st|most)|most|(?:(?:funding|financing|seed|grant|series \w) )?round)\b/i;

/** The place in an order that a question asks for, by how many are before it and in words: `second largest`, `third round`. */
export function placeIn(query: string): { readonly number: number; readonly word: string } {
  const number =
    PLACES.findIndex((words) =>
      words.some((word) => PLACED.test(new RegExp(`\\b${word}[ -](.*)`, 'is').exec(query)?.[1] ?? '')),
    ) + 1;
  return { number, word: number === 0 ? '' : `${PLACES[number - 1]?.[0]} ` };
}

const SUPERLATIVE = /\b(?:top|most|largest|biggest|highest|gr(?:ö|oe)(?:ß|ss)te|ma[iy]or|plus gr)/i;

/** Facts of a company, by their field: what is asked for, and the answer. */
const FACTS: Readonly<Record<string, readonly [what: string, text: (record: RecordData) => string]>> = {
  total_funding_usd: ['how much it raised', raisedText],
  year_founded: ['when it was founded', (record) => said('was founded in', record['year_founded'])],
  total_employees: [
    'how many employees it has',
    (record) => said('has', countKnown(record['total_employees']), ' employees'),
  ],
  location_json: ['where it is based', (record) => said('is based in', placeOf(record))],
  status: ['whether it is active', (record) => said('is', record['status'])],
};

/** Words that ask for a fact, where the reader of sentences finds none. */
const FACT_WORDS: readonly (readonly [RegExp, field: string])[] = [
  [
    /(?<!\p{L})(?:how old|wie alt|(?:how long ago|when did|(?:what|which) year) .+ (?:start|launch(?:ed)?|begin)|founded|established|started|gegründet|fundad[ao]|fundó|fundou|cr[eé]ée?|fondée?)(?!\p{L})|成立|创立/iu,
    'year_founded',
  ],
  [/(?<!\p{L})(?:employees|people work|mitarbeiter|empleados|employés|funcion[aá]rios)(?!\p{L})/iu, 'total_employees'],
  [
    /\b(?:still|active|alive|dead|gone|defunct|bankrupt|shut down|closed|status of|aktiv|actif|activ[ao]|ativ[ao]|operando)\b/i,
    'status',
  ],
  [/(?<!\p{L})(?:raised|fundraising|recaudado|levé|captou|eingesammelt)(?!\p{L})/iu, 'total_funding_usd'],
  [/\b(?:based|located|headquarter\w*|sitz|sede|siège|ansässig)\b/i, 'location_json'],
];

const said = (before: string, value: unknown, after = ''): string =>
  isBlank(value) ? '' : `${before} ${value}${after}`;

/** What a company raised in rounds of known amount; blank for none. */
export function raisedText(record: RecordData): string {
  const rounds = Number(record['disclosed_rounds'] ?? 0);
  const counted = countsText({ rounds, grants: 0 });
  return rounds === 0 ? '' : `raised ${fundingOf(record, ` in ${counted} of known amount`)}`;
}

/** A fact of the one record that a question names. */
export function factSentence({ query, understood, results: [first] }: AnsweredSearch): AnswerParts | undefined {
  const { text = '', type } = understood ?? {};
  if (first === undefined || type !== undefined) return undefined;
  const isOfName = isNamed(first, text, ['name', 'alias']);
  const [asked] = fieldsAskedIn(query, [first.type]);
  if (asked !== undefined && (isOfName || isNamed(first, text, ['token']))) {
    const value =
      asked.endsWith('_usd') && !isBlank(first[asked]) ? shortMoney(Number(first[asked])) : valueText(first[asked]);
    const fact = say`${strong(value)}${isOfEditors(first, asked) ? `, ${UNSOURCED}` : ''}`;
    // An address would be copied with a full stop.
    return say`${labelOf(asked)} of ${linked(first)}: ${value === '' ? 'no source on record states it.' : fact}`;
  }
  const isOfInvestor = first.type === 'investors';
  if (!isOfName || (first.type !== 'companies' && !isOfInvestor)) return undefined;
  const field = fieldAskedFor(understood ?? {}) ?? FACT_WORDS.find(([asked]) => asked.test(query))?.[1] ?? '';
  const [what, write] = FACTS[field] ?? [];
  if (what === undefined || write === undefined || (isOfInvestor && field !== 'location_json')) return undefined;
  const fact = write(first);
  if (fact === '') return say`No source on record states of ${linked(first)} ${what}.`;
  // A number of people says little without its day.
  const stating = field === 'total_employees' && citedSources(first).find(({ fields }) => fields.includes(field));
  const dated = stating ? stating.as_of?.slice(0, 4) : undefined;
  const mark = isOfEditors(first, field) ? `, ${UNSOURCED}` : dated === undefined ? '' : ` as of ${dated}`;
  return say`${linked(first)} ${strong(fact)}${mark}.`;
}

const PEOPLE_SHOWN = 5;

/** Who has a role at the company that a question names, such as its founders; undefined unless all are listed. */
export function roleSentence({ type, text, given, results, total }: AnsweredSearch): AnswerParts | undefined {
  const { company, ...others } = given;
  const isWhole = total > 0 && results.length === total;
  const isRole = type === 'people' && text !== '' && !/^(?:former|ex)\b/i.test(text);
  if (!isRole || !isWhole || Object.keys(others).length > 0) return undefined;
  const held = results.map((person) => ({ person, role: roleNamed(person, String(company), text) }));
  const people = held.flatMap(({ person, role }) => (role ? [say`${linked(person)} (${titleOf(role, person)})`] : []));
  const role = held[0]?.role;
  if (role === undefined || people.length < held.length) return undefined;
  const former = held.every((each) => each.role?.is_current === false) ? 'former ' : '';
  return say`On record as ${former}${text} of ${linked(organisationOf(role))}: ${enumerated(people, PEOPLE_SHOWN)}.`;
}

/** Offices that one person holds, or few do. */
const OFFICES = /^(?:ceo|cto|cfo|coo|cmo|cpo|president|chairman|chairwoman)$/i;

/** That none of the people on record at a company, all of whom are listed, has the office that a question names. */
export function vacantOfficeSentence({ understood = {}, results, total, isApproximate }: AnsweredSearch) {
  const { type, text = '', filters: { company, ...others } = {} } = understood;
  const isOfOffice = type === 'people' && OFFICES.test(text) && Object.keys(others).length === 0;
  const isWhole = isApproximate && results.length === total && leftOutWords(understood).length === 0;
  if (!isOfOffice || !isWhole) return undefined;
  const roles = results
    .flatMap((person) => (person['roles'] ?? []) as readonly PersonRole[])
    .filter((role) => isAt(role, String(company)));
  const [role] = roles;
  // `Chief Technology Officer`
  if (roles.some(({ title }) => /\bchief\b/i.test(title ?? ''))) return undefined;
  return role && say`No ${text} of ${linked(organisationOf(role))} is on record.`;
}

const isAt = (role: PersonRole, company: string): boolean =>
  [role.organization, role.organization_slug].some((name) => isSameName(name, company));

/** The role of a person at a company, by its name, whose title has some words. */
const roleNamed = (person: RecordData, company: string, words: string): PersonRole | undefined =>
  ((person['roles'] ?? []) as readonly PersonRole[]).find(
    (role) =>
      isAt(role, company) &&
      ((words === 'founder' && isOfFounder(role)) ||
        wordsOf(words).every((word) => wordsOf(role.title ?? '').includes(word))),
  );

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);

const titleOf = (role: PersonRole, person: RecordData): string =>
  joinTexts(', ', role.title ?? 'founder', role.is_current === false && 'formerly', noteOfRole(role, person));

/** When a role was stated, and whether by the editors alone: `as of 2025, unsourced`; blank for neither. */
export const noteOfRole = ({ as_of: asOf }: PersonRole, person: RecordData): string =>
  joinTexts(', ', asOf != null && `as of ${asOf.slice(0, 4)}`, isOfEditors(person, 'roles', asOf) && UNSOURCED);

/** How many records a question counts; undefined where keywords were searched. */
export function countSentence({ query, type, text, given, results, total }: AnsweredSearch): AnswerParts | undefined {
  if (!asksHowMany(query) || type === 'all' || text !== '' || total === 0) return undefined;
  // Their funding is of all years.
  const isOfPart = ('funding_min' in given || 'funding_max' in given) && ('from' in given || 'to' in given);
  if (type === 'companies' && isOfPart) return undefined;
  const areGrants = type === 'rounds' && results.some(isGrant);
  if (areGrants && !results.every(isGrant)) return undefined;
  const phrase = recordsPhrase(type, given);
  const others =
    type === 'investors' && 'company' in given ? '; its rounds may name people, and others without a record, too' : '';
  return say`${strong(countedRecords(total, type, phrase, areGrants))} on record${phrase.scope}${others}.`;
}

/** Whether a question is how many there are of something. */
export const asksHowMany = (query: string): boolean => ASKS_COUNT.test(query);

const ASKS_COUNT =
  /^[\s¿]*(?:how (?:many|often)|(?:the )?(?:total )?number of|count of|cu[aá]nt[oa]s|wie ?viele|anzahl|combien de?|nombre de|quant[oa]s)(?!\p{L})|(?<![融募资额])多少|几(?=[家个轮名位])/iu;
