import { countValues } from './aggregate-rows.ts';
import { type AnswerParts, enumerated, linked, say, strong } from './answer-parts.ts';
import { asksHowMany } from './answer-records.ts';
import type { AnsweredSearch } from './answer-sentence.ts';
import type { AnsweredTotal } from './answer-totals.ts';
import { recordsPhrase } from './records-phrase.ts';
import { backersOf, companyOf, countsText, partiesIn } from './rounds.ts';
import { unsourcedPart } from './sample-notes.ts';
import { leftOutWords } from './sentence-calls.ts';
import { isUnsourcedIn, UNSOURCED } from './unsourced.ts';
import { counted, countText } from './value-text.ts';
import { NO_GRANTS } from './vocabulary.ts';

/** Answers about who took part in rounds: how many did, and which people. */

const DEEDS: Readonly<Record<string, string>> = { investor: 'took part in', lead_investor: 'led' };

/** Words for investors directly after `how many`, not those of `how many rounds did investors lead`. */
const BACKERS =
  /(?:many|number of|count of|nt[oa]s|viele|anzahl(?: der)?|combien d[e’']|nombre d[e’']|多少|几)[家个名位]?\s*(?:(?:different|distinct|unique|lead|leading|crypto|angel) )*(?:invest(?:or|idor|isseur)|inversor|vcs?\b|funds\b|backers|firms|fonds\b|fond?os\b|fundos\b|投资|机构|风投)/iu;

/** How many took part in rounds, or led some, where a question counts them: of a group the aggregate has the number. */
export function backersCount(query: string, { asked, data }: AnsweredTotal): AnswerParts | undefined {
  const { of, group_by: groups, measure = 'count', filters } = asked;
  const deed = DEEDS[groups.join()];
  const { known, records } = data.covered;
  const values = countValues(data);
  if (of !== 'rounds' || deed === undefined || measure !== 'count' || values === 0) return undefined;
  if (!asksHowMany(query) || !BACKERS.test(query)) return undefined;
  const { before, after, scope } = recordsPhrase(of, filters);
  const others = known === records ? '' : ` that ${known === 1 ? 'names' : 'name'} one, of ${countText(records)}`;
  const part = unsourcedPart(data.covered, of);
  const unsourced = part === undefined ? '' : `; ${part} ${UNSOURCED}`;
  const rounds = counted(known, `${before}rounds`) + after;
  return say`${strong(counted(values, 'investors'))} ${deed} the ${rounds} on record${scope}${others}${unsourced}; people and names without a record count as investors.`;
}

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
