import { type AnswerParts, enumerated, linked, say, strong } from './answer-parts.ts';
import type { AnsweredSearch } from './answer-sentence.ts';
import { TIED_MAX } from './answer-totals.ts';
import type { RecordData } from './entities/index.ts';
import { facets } from './facets.ts';
import { isNegated } from './filters.ts';
import { foldName } from './names.ts';
import { amountText, dayOf, leadsMark, leadsOf } from './record-texts.ts';
import { countedRecords, periodText, recordsPhrase } from './records-phrase.ts';
import { countsText, isGrant, type NamedReference, namedIn, partiesIn } from './rounds.ts';
import { isUnsourced, isUnsourcedIn, UNSOURCED } from './unsourced.ts';
import { shortMoney } from './usd.ts';
import { isBlank, joinTexts } from './value-text.ts';
import { GRANT, NO_GRANTS, stageWords } from './vocabulary.ts';

/** Answers that rounds state: the first of an order, what a company is valued at, who took part, and stages. */

/** The first of some rounds or grants by a field, with those that have the same value; of one, what else is known of it. */
export function firstRounds(
  rounds: readonly RecordData[],
  { field, order, given, query }: Readonly<Record<'field' | 'order', string>> & Pick<AnsweredSearch, 'given' | 'query'>,
): AnswerParts | undefined {
  const [first] = rounds;
  const tied = rounds.filter((round) => round === first || (!isBlank(round[field]) && round[field] === first?.[field]));
  if (first === undefined || tied.length > TIED_MAX || tied.some(({ company }) => isBlank(company))) return undefined;
  const areGrants = tied.every(isGrant);
  if (field === 'valuation_usd') return ofValuation(tied, { order, given });
  const isOfCompany = given['company'] !== undefined && !isNegated(given['company']) && !areGrants;
  if (!areGrants && tied.some(isGrant)) return undefined;
  const { company: _, ...others } = given;
  const { before, after, scope } = recordsPhrase('rounds', isOfCompany ? others : given);
  const isOne = tied.length === 1;
  const parts = tied.map((round) => {
    if (areGrants) return say`${linked(round, isOne ? 'that' : 'one')} to ${linked(companyIn(round))}`;
    if (isOfCompany) return say`the ${linked(round, stageWords(round['stage']))}`;
    const named =
      isOne && before !== '' ? linked(round, 'that') : say`the ${linked(round, stageWords(round['stage']))}`;
    return say`${named} of ${linked(companyIn(round))}`;
  });
  const amount = amountIn(first);
  const noun = areGrants ? 'grant' : 'round';
  const of = isOfCompany ? say` of ${linked(companyIn(first))}` : '';
  const subject = say`${before}${isOne ? noun : `${noun}s`}${of}${after} on record${scope} ${isOne ? 'is' : 'are'}`;
  const figure = strong(isOne ? amount : `${field === 'amount_usd' ? amount : dayOf(first)} each`);
  const givers = areGrants ? namedIn(first, 'investors').map((giver) => linked(giver)) : [];
  const further = isOne
    ? say`${dateOf(first)}${leadsOf(first, ', led by ')}${givers.length === 0 ? '' : say`, given by ${enumerated(givers)}`}`
    : '';
  const unsourced = tied.every(isUnsourced) ? `, ${UNSOURCED}` : '';
  const isUnled = isOne && WHO_LED.test(query) && namedIn(first, 'lead_investors').length === 0;
  const unled = isUnled ? '; no lead investor of it is on record' : '';
  return say`The ${order} ${subject} ${enumerated(parts)}: ${figure}${further}${unsourced}${unled}.`;
}

/** The highest or lowest known valuation, with its rounds. */
function ofValuation(
  rounds: readonly RecordData[],
  { order, given }: { readonly order: string } & Pick<AnsweredSearch, 'given'>,
): AnswerParts | undefined {
  const [first] = rounds;
  if (first === undefined || isBlank(first['valuation_usd'])) return undefined;
  const { valuation_min: _, ...known } = given;
  const phrase = recordsPhrase('rounds', given['valuation_max'] === undefined ? known : given);
  const { company, ...others } = known;
  const ofRounds = phrase.before + phrase.after === '' ? '' : ` of ${phrase.before}rounds${phrase.after}`;
  const isOfCompany = company !== undefined && Object.keys(others).join() === 'funding_stage' && rounds.length === 1;
  const parts = rounds.map((round) => {
    const inRound = say`in its ${linked(round, stageWords(round['stage']))} of ${dayOf(round)}`;
    return isOfCompany ? inRound : say`${linked(companyIn(round))} ${inRound}`;
  });
  const unsourced = rounds.every(isUnsourced) ? `, ${UNSOURCED}` : '';
  const figure = strong(shortMoney(Number(first['valuation_usd'])));
  return isOfCompany
    ? say`The ${order} valuation of ${linked(companyIn(first))} on record is ${figure}, ${enumerated(parts)}${unsourced}.`
    : say`The ${order} valuation${ofRounds} on record${phrase.scope} is ${figure}, of ${enumerated(parts)}${unsourced}.`;
}

const dateOf = (round: RecordData): string => (isBlank(round['announced_date']) ? '' : `, ${dayOf(round)}`);

const amountIn = (round: RecordData): string =>
  isBlank(round['amount_usd']) ? 'amount not disclosed' : amountText(round);

const companyIn = (round: RecordData): NamedReference => round['company'] as NamedReference;

/** The last known valuation of a company by its rounds, the newest of which is the first. */
export function valuationSentence(rounds: readonly RecordData[]): AnswerParts | undefined {
  const [newest] = rounds;
  const company = newest?.['company'] as NamedReference | null | undefined;
  if (company == null || rounds.some((round) => companyIn(round)?.slug !== company.slug)) return undefined;
  const at = rounds.findIndex((round) => !isBlank(round['valuation_usd']));
  const round = rounds[at];
  if (round === undefined) {
    const none =
      rounds.length === 1
        ? 'its only round on record states none'
        : `none of its ${countsText({ rounds: rounds.length, grants: 0 })} on record states one`;
    return say`No valuation of ${linked(company)} is known: ${none}.`;
  }
  const figure = strong(shortMoney(Number(round['valuation_usd'])));
  const unsourced = isUnsourced(round) ? `, ${UNSOURCED}` : '';
  const later = at === 0 ? '' : '; no later round on record states a valuation';
  return say`The last valuation of ${linked(company)} on record is ${figure}, in its ${linked(round, stageWords(round['stage']))} of ${dayOf(round)}${unsourced}${later}.`;
}

const WHO_LED =
  /(?<!\p{L})(?:who|which|any(?:one|body| investors?)|wer|qui|quién|quem)(?!\p{L}).*(?<!\p{L})(?:led|leads?|leading|angeführt|dirigé|mené|lider(?:ó|ou|a))(?!\p{L})/iu;

/** Whether a text asks for the amount of a round: `how big was`, `size of`. */
export const asksForSize = (text: string): boolean => HOW_BIG.test(text);

const HOW_BIG =
  /^[\s¿]*(?:how (?:big|large|small)|(?:the )?(?:size|amount) of|wie groß|wie gross|de cuánto|quelle (?:est|était) la taille)(?!\p{L})/iu;

/** Whether a party took part in rounds of a company, or who led the one round that a question names. */
export function roundSentence(search: AnsweredSearch): AnswerParts | undefined {
  const { query, type, text, given, results, total } = search;
  const [first] = results;
  const { investor, company, led, ...others } = given;
  if (type !== 'rounds' || text !== '') return undefined;
  if (first === undefined) return noRoundSentence(search);
  if (company === undefined) return partSentence(search);
  if (isBlank(first['company'])) return undefined;
  const grants = results.filter(isGrant).length;
  const of = linked(companyIn(first));
  if (investor === undefined) {
    const { from, to, funding_stage: stage = NO_GRANTS, ...further } = others;
    // Where all that matches are grants, these are listed.
    const isOfAll = stage === NO_GRANTS || (stage === GRANT && !/grant|subvenci|zuschuss|资助/i.test(query));
    const isOfPeriod = (from ?? to) !== undefined && isOfAll && Object.keys(further).length === 0;
    const isOfOne = asksIf(query) && !WHO_LED.test(query) && !/[|:]/.test(String(company));
    if (isOfPeriod && isOfOne && grants === 0)
      return say`Yes: ${strong(countsText({ rounds: total, grants: 0 }))} of ${of} on record${periodText({ from, to })}.`;
    if (isOfPeriod && isOfOne && grants === total)
      return say`No funding round of ${of} is on record${periodText({ from, to })}, beside ${strong(countsText({ rounds: 0, grants }))}.`;
    if (total !== 1 || grants > 0) return undefined;
    if (asksForSize(query) && isBlank(first['amount_usd']))
      return say`No amount of the ${linked(first, stageWords(first['stage']))} of ${of}${dateOf(first)} is on record.`;
    if (asksForSize(query))
      return say`The ${linked(first, stageWords(first['stage']))} of ${of} on record is ${strong(amountIn(first))}${dateOf(first)}${leadsOf(first, ', led by ')}${isUnsourced(first) ? `, ${UNSOURCED}` : ''}.`;
    return WHO_LED.test(query) ? say`${leadsSentence(first)}.` : undefined;
  }
  // Several companies, or all but some, are a list.
  const isOne = !/[|:]/.test(String(company)) && !/:/.test(String(investor));
  const isWhen = WHEN.test(query) && total <= TIED_MAX;
  if (!isOne || !(asksIf(query) || isWhen) || results.length < total) return undefined;
  const names = String(investor).split('|');
  const [named, other] = partiesNamed(results, names);
  // Of several firms that a word may name, one.
  const isInAll = results.every((round) => partiesNamed([round], [named?.name ?? '']).length > 0);
  if (names.length > 1 && (other !== undefined || !isInAll)) return undefined;
  const party = named === undefined ? String(investor) : linked(named);
  const isLed = String(led) === 'true';
  const unsourced = results.filter((round) => isUnsourcedIn(round, isLed ? 'lead_investors' : 'investors')).length;
  if (isWhen) {
    const rounds = results.map((round) => {
      const mark = isUnsourcedIn(round, isLed ? 'lead_investors' : 'investors') && UNSOURCED;
      const facts = joinTexts(', ', !isBlank(round['announced_date']) && dayOf(round), mark);
      return say`the ${linked(round, stageWords(round['stage']))}${facts === '' ? '' : ` (${facts})`}`;
    });
    return say`${party} ${isLed ? 'led' : 'took part in'} ${enumerated(rounds)} of ${of}.`;
  }
  if (total > 1) {
    const did = isLed ? 'led' : 'is named in';
    const { before, after, scope } = recordsPhrase('rounds', others);
    const counted = countsText({ rounds: total - grants, grants }, before);
    const part = unsourced === 0 ? '' : `, ${unsourced === total ? '' : `${unsourced} of these `}${UNSOURCED}`;
    return say`Yes: ${party} ${did} ${strong(counted)} of ${of}${after} on record${scope}${part}.`;
  }
  const did = isGrant(first) ? 'gave' : isLed ? 'led' : 'took part in';
  const what = linked(first, stageWords(first['stage']));
  const ofPart = isLed ? `; that it led is ${UNSOURCED}` : `; its part is ${UNSOURCED}`;
  const mark = isUnsourced(first) ? `, ${UNSOURCED}` : unsourced > 0 ? ofPart : '';
  return say`Yes: ${party} ${strong(did)} the ${what} of ${of}${dateOf(first)}, ${amountIn(first)}${mark}.`;
}

/** Who led the one round of a company. */
function leadsSentence(round: RecordData): AnswerParts {
  const what = say`the ${linked(round, stageWords(round['stage']))} of ${linked(companyIn(round))}${dateOf(round)}, ${amountIn(round)}`;
  const leads = namedIn(round, 'lead_investors').map((lead) => linked(lead));
  if (leads.length === 0) return say`No lead investor is on record of ${what}`;
  return say`${enumerated(leads)}${leadsMark(round)} led ${what}${isUnsourced(round) ? `, ${UNSOURCED}` : ''}`;
}

/** Whether a party led the one round of a stage, which names others or nobody as leads: `did Acme lead Bolt's Series B`. */
export function otherLeadSentence({ query, type, given, results, total }: AnsweredSearch): AnswerParts | undefined {
  const [, active, passive] = DID_LEAD.exec(query.trim()) ?? [];
  const asked = active ?? passive;
  const [round] = results;
  const { company, funding_stage: stage, ...others } = given;
  const isOfOne = total === 1 && company !== undefined && stage !== undefined && Object.keys(others).length === 0;
  if (asked === undefined || round === undefined || type !== 'rounds' || !isOfOne || isBlank(round['company']))
    return undefined;
  const isAsked = ({ name, slug }: NamedReference): boolean => [name, slug].some((each) => isWordOf(each, asked));
  const leads = namedIn(round, 'lead_investors');
  const lead = leads.find(isAsked);
  if (lead !== undefined) return say`${isSameName(lead.name, asked) ? 'Yes: ' : ''}${leadsSentence(round)}.`;
  const party = namedIn(round, 'investors').find(isAsked);
  const part = party === undefined ? '' : `; ${party.name} took part`;
  if (leads.length === 0) return say`${leadsSentence(round)}${part}.`;
  return say`No source on record says so of ${party === undefined ? asked : linked(party)}: ${leadsSentence(round)}${part}.`;
}

const DID_LEAD =
  /^(?:(?:did|has) (?!any|some)(.+?) (?:ever )?(?:co-?)?(?:lead|led) |(?:is|was) .+ (?:co-?)?led by (?!any|some)(.+?)(?:\s*\?)?$)/i;

/** That a party took part in no round of a kind, where that is asked: `did Acme invest in 2021`, `have Acme and Bolt invested together`. */
function noPartSentence({ query, given, total }: AnsweredSearch): AnswerParts | undefined {
  const { investor = '|', led, ...others } = given;
  const names = String(investor).replace(/^all:/, '').split('|');
  const isOfAll = String(investor).startsWith('all:');
  const isOne = (names.length === 1 || isOfAll) && !names.some((name) => name.includes(':'));
  // A word for a kind may be a name: `lead a round of Syndicate`.
  if (total > 0 || !isOne || 'investor_type' in given || !asksIf(query) || WHO_LED.test(query)) return undefined;
  const { before, after, scope } = recordsPhrase('rounds', others);
  const did = String(led) === 'true' ? 'led by' : 'with';
  return say`No ${before}round${after} ${did} ${isOfAll && names.length === 2 ? 'both ' : ''}${enumerated(names)} is on record${scope}.`;
}

/** That a party took part in no round of a company, or that it raised none in a period, where that is asked. */
function noRoundSentence(search: AnsweredSearch): AnswerParts | undefined {
  const { query, given, total } = search;
  if (given.company === undefined) return noPartSentence(search);
  const { investor, company, led, from, to, funding_stage: stage = NO_GRANTS, ...others } = given;
  const isOne = stage === NO_GRANTS && company !== undefined && !/[|:]/.test(String(company));
  if (total > 0 || !isOne || !asksIf(query) || WHO_LED.test(query) || Object.keys(others).length > 0) return undefined;
  const of = `No round of ${String(company)}`;
  const isOfPeriod = (from ?? to) !== undefined;
  if (investor === undefined) return isOfPeriod ? say`${of} is on record${periodText({ from, to })}.` : undefined;
  const isOfAll = String(investor).startsWith('all:');
  const names = String(investor).replace(/^all:/, '').split('|');
  if (isOfPeriod || names.some((name) => name.includes(':'))) return undefined;
  const did = String(led) === 'true' ? 'led by' : 'with';
  const parties = enumerated(names).map((part) => (part === ' and ' && !isOfAll ? ' or ' : part));
  return say`${of} ${did} ${isOfAll && names.length === 2 ? 'both ' : ''}${parties} is on record.`;
}

/** Whether a party took part in any round of a kind, where that is asked: `has Acme ever led a seed round`. */
function partSentence({ query, given, results, total }: AnsweredSearch): AnswerParts | undefined {
  const { investor, led, ...others } = given;
  const names = String(investor ?? '|')
    .replace(/^all:/, '')
    .split('|');
  const isOne = names.length === 1 || String(investor).startsWith('all:');
  if (!isOne || names.some((name) => name.includes(':')) || !asksIf(query) || results.some(isGrant)) return undefined;
  const parties = names.map((name) => {
    const [named] = partiesNamed(results, [name]);
    return named === undefined ? name : linked(named);
  });
  const { before, after, scope } = recordsPhrase('rounds', others);
  const counted = countsText({ rounds: total, grants: 0 }, before);
  const did = String(led) === 'true' ? 'led' : 'took part in';
  const together = names.length > 1 ? ' together' : '';
  return say`Yes: ${enumerated(parties)} ${did} ${strong(counted)}${after}${together} on record${scope}.`;
}

/** Those of some names who took part in rounds, each once. */
const partiesNamed = (rounds: readonly RecordData[], names: readonly string[]): readonly NamedReference[] => {
  const parties = rounds
    .flatMap(partiesIn)
    .filter(({ name, slug }) => names.some((one) => [name, slug].some((each) => isSameName(each, one))));
  return [...new Map(parties.map((party) => [party.slug ?? party.name, party])).values()];
};

const OF_COMPANIES = ['investor', 'tag', 'chain', 'country', 'city', 'status'];

/** Whether an investor funded companies of a kind, where that is asked: `does Acme invest in gaming`. */
export function companiesSentence({ query, type, text, given, total }: AnsweredSearch): AnswerParts | undefined {
  const names = Object.keys(given);
  const isOfInvestor =
    names.includes('investor') && names.length > 1 && names.every((name) => OF_COMPANIES.includes(name));
  if (type !== 'companies' || text !== '' || total === 0 || !isOfInvestor || !asksIf(query)) return undefined;
  const phrase = recordsPhrase(type, given);
  return say`Yes: ${strong(countedRecords(total, type, phrase, false))} on record${phrase.scope}.`;
}

/** Asks for the rounds in which a party took part. */
const WHEN =
  /^[\s¿]*(?:when|in (?:which|what) rounds?|wann|in welche[rn]|cu[aá]ndo|en qué ronda|quand|dans quel|quando)(?!\p{L})/iu;

/** Whether the answer to a question is yes or no. */
const asksIf = (query: string): boolean =>
  /^[\s¿]*(?:did|does|do|has|have|was(?! (?:ist|sind|macht|hat|haben|war|waren)\b)|is|hat|haben|ha|han|est-ce que)\b/i.test(
    query,
  ) ||
  (/\?\s*$/.test(query) && !ASKING.test(query));

const ASKING =
  /(?<!\p{L})(?:wh(?:o|om|at|ich|en|ere)|how|list|show|wer|was|wen|wann|wo|wie|welche[rsnm]?|qui|quoi|quand|où|quels?|quelles?|combien|quién(?:es)?|qué|cuándo|cuál(?:es)?|cuánt[oa]s?|quem|o que|quando|qua(?:l|is)|quant[oa]s?)(?!\p{L})/iu;

/** Whether a company raised at a stage: its round, or that none is on record among all of its rounds. */
export function stageSentence(search: AnsweredSearch): AnswerParts | undefined {
  const { query, type, text, given, results, total, understood, isApproximate } = search;
  const [first] = results;
  const { company = '|', funding_stage: stage = '', from, to, ...others } = given;
  const isOfStage =
    (asksIf(query) || WHO_LED.test(query)) && !/[|:]/.test(String(company)) && Object.keys(others).length === 0;
  const isWhole = type === 'rounds' && text === '' && results.length === total && !isBlank(first?.['company']);
  if (first === undefined || !isOfStage || !isWhole) return undefined;
  const of = linked(companyIn(first));
  const missed = stageIn(understood?.ignored ?? []);
  if (missed !== undefined && from === undefined && to === undefined) {
    const unknown = results.filter((round) => isBlank(round['stage'])).length;
    const beside = `; the stage of ${countsText({ rounds: unknown, grants: 0 })} of it is not known`;
    return say`No ${stageWords(missed)} of ${of} is on record${unknown === 0 ? '' : beside}.`;
  }
  const isYes = asksIf(query) && !WHO_LED.test(query) && !isApproximate && !/[|:]|^$|^grant$/.test(String(stage));
  if (missed !== undefined || !isYes) return undefined;
  if (total > 1) {
    const { before, after, scope } = recordsPhrase('rounds', { ...given, company: undefined });
    return say`Yes: ${strong(countsText({ rounds: total, grants: 0 }, before) + after)} of ${of} on record${scope}.`;
  }
  const round = say`${linked(first, stageWords(first['stage']))} of ${of} is on record${dateOf(first)}`;
  return say`Yes: the ${round}, ${strong(amountIn(first))}${leadsOf(first, ', led by ')}${isUnsourced(first) ? `, ${UNSOURCED}` : ''}.`;
}

/** The stage among some words: `Series C`, `seed`. */
export function stageIn(words: readonly string[]): string | undefined {
  const keys = [...words.map((word, index) => `${word} ${words[index + 1]}`), ...words].map((each) =>
    facets.funding_stage.key(each.replace(/^s[eé]rie /i, 'series ')),
  );
  return keys.find((key) => facets.funding_stage.isKnown(key));
}

/** Whether a name is another one, or has it as a word: `a16z` of `Andreessen Horowitz (a16z crypto)`. */
const isWordOf = (name: unknown, other: string): boolean =>
  isSameName(name, other) ||
  ` ${String(name ?? '')} `
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .includes(` ${other.toLowerCase()} `);

export const isSameName = (one: unknown, other: unknown): boolean =>
  foldName(String(one ?? '')) === foldName(String(other));
