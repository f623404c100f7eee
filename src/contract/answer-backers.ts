import { countValues } from './aggregate-rows.ts';
import { type AnswerParts, enumerated, linked, say, strong } from './answer-parts.ts';
import { asksHowMany } from './answer-records.ts';
import type { AnsweredSearch } from './answer-sentence.ts';
import { type AnsweredTotal, amongText } from './answer-totals.ts';
import { recordsPhrase, withoutParties } from './records-phrase.ts';
import { backersOf, companyOf, countsText, partiesIn } from './rounds.ts';
import { unsourcedPart } from './sample-notes.ts';
import { leftOutWords } from './sentence-calls.ts';
import { isUnsourcedIn, UNSOURCED } from './unsourced.ts';
import { counted, countText } from './value-text.ts';
import { labelOf, NO_GRANTS } from './vocabulary.ts';

/** Answers about who took part in rounds: how many did, and which people. */

const DEEDS: Readonly<Record<string, string>> = { investor: 'took part in', lead_investor: 'led' };

/** Words for investors directly after `how many`, not those of `how many rounds did investors lead`. */
const BACKERS =
  /(?:many|number of|count of|nt[oa]s|viele|anzahl(?: der)?|combien d[e’']|nombre d[e’']|多少|几)[家个名位]?\s*(?:(?:different|distinct|unique|lead|leading|crypto|angel) )*(?:invest(?:or|idor|isseur)|inversor|vcs?\b|funds\b|backers|firms|fonds\b|fond?os\b|fundos\b|投资|机构|风投)/iu;

/** The same with words for where they are: `how many European VCs`. */
const PLACED_BACKERS =
  /(?:many|number of|count of) (?:\p{Lu}[\p{L}-]* ){1,2}(?:based )?(?:investors|VCs|funds|backers|firms)\b/u;

/** Groups, with the words that count them, and what is said of the records that have one. */
const COUNTED: Readonly<Record<string, readonly [words: RegExp, noun: string, are: string]>> = {
  country: [/^[\s¿]*(?:in )?how many (?:different )?countries\b/i, 'countries', 'are in'],
  city: [/^[\s¿]*(?:in )?how many (?:different )?cities\b/i, 'cities', 'are in'],
  tag: [/^[\s¿]*(?:in )?how many (?:different )?(?:sectors|categories|industries)\b/i, 'sectors', 'are in'],
  chain: [/^[\s¿]*(?:on )?how many (?:different )?(?:block)?chains\b/i, 'chains', 'are on'],
};

/** How many groups an aggregate has, where a question counts them: those who took part in rounds or led some, companies, places. */
export function groupCountSentence(query: string, total: AnsweredTotal): AnswerParts | undefined {
  const { asked, data } = total;
  const { of, group_by: groups, measure = 'count', filters } = asked;
  const group = groups.join();
  const { known, records } = data.covered;
  const values = countValues(data);
  if (measure !== 'count' || values === 0 || !asksHowMany(query.replace(/^[\s¿]*(?:in|on) /i, ''))) return undefined;
  const among = amongText(asked);
  const isOfKind = among.length > 0;
  const given = isOfKind ? withoutParties(filters) : filters;
  const { before, after, scope } = recordsPhrase(of, given);
  const rounds = counted(known, `${before}${of}`) + after;
  const part = unsourcedPart(data.covered, of);
  const unsourced = part === undefined ? '' : `; ${part} ${UNSOURCED}`;
  const [words, noun, are] = COUNTED[group] ?? [];
  if (words?.test(query)) {
    const whose = known === records ? '' : ` whose ${labelOf(group).toLowerCase()} is known, of ${countText(records)},`;
    return say`The ${rounds} on record${scope}${whose} ${are} ${strong(counted(values, noun))}${unsourced}.`;
  }
  if (of === 'rounds' && group === 'company' && UNICORNS.test(query))
    return say`${strong(counted(values, 'companies'))} raised the ${rounds} on record${scope}${unsourced}.`;
  const deed = DEEDS[group];
  if (of !== 'rounds' || deed === undefined || !(BACKERS.test(query) || PLACED_BACKERS.test(query))) return undefined;
  const others = known === records ? '' : ` that ${known === 1 ? 'names' : 'name'} one, of ${countText(records)}`;
  const investors = strong(counted(values, 'investors'));
  if (isOfKind) return say`${among}${investors} ${deed} ${rounds} on record${scope}${unsourced}.`;
  return say`${investors} ${deed} the ${rounds} on record${scope}${others}${unsourced}; people and names without a record count as investors.`;
}

const UNICORNS = /unicorn|einhörner|独角兽/i;

const ANGELS = /(?<!\p{L})(?:angels?|[aá]ngel(?:es)?|anjos?|providentiels?)(?!\p{L})|天使/iu;

/** The people whom all rounds of one company name, where angels are asked for. */
export function angelSentence({
  query,
  type,
  text,
  given,
  results,
  total,
  understood = {},
}: AnsweredSearch): AnswerParts | undefined {
  const { company, funding_stage: stage = NO_GRANTS, ...others } = given;
  const [first] = results;
  const isOfAll = stage === NO_GRANTS && Object.keys(others).length === 0 && results.length === total;
  const isOfOne = company !== undefined && !/[|:]/.test(String(company));
  if (
    type !== 'rounds' ||
    text !== '' ||
    first === undefined ||
    !isOfAll ||
    !isOfOne ||
    !ANGELS.test(query) ||
    leftOutWords(understood).length > 0
  )
    return undefined;
  const of = linked(companyOf(first));
  const backers = backersOf(results).map(({ investor }) => investor);
  const people = backers.filter((backer) => backer.type === 'people');
  const names = backers.filter(({ slug }) => slug == null).length;
  const unknown =
    names === 0
      ? ''
      : `; ${counted(names, 'other names')} in its rounds may be of ${names === 1 ? 'a person' : 'people'}, too`;
  if (people.length === 0)
    return say`No person is on record among the investors in ${of}, of ${countsText({ rounds: total, grants: 0 })}${unknown}.`;
  const isOfEditors = ({ slug }: (typeof people)[number]): boolean =>
    results.every(
      (round) => !partiesIn(round).some((party) => party.slug === slug) || isUnsourcedIn(round, 'investors'),
    );
  const marked = people.filter(isOfEditors).length;
  const mark = marked === 0 ? '' : ` (${marked === people.length ? '' : `${marked} of them `}${UNSOURCED})`;
  return say`On record as angel investors in ${of}: ${enumerated(people.map((person) => linked(person)))}${mark}${unknown}.`;
}
