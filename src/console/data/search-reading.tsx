import { periodNames } from '../../contract/day-text.ts';
import type { RecordData } from '../../contract/entities/index.ts';
import { factOf, filterTexts } from '../../contract/filter-words.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import type { Period } from '../../contract/periods.ts';
import { periodText } from '../../contract/records-phrase.ts';
import {
  amongGrants,
  betweenPeriods,
  hasTotalsAndPeriod,
  isDateOfRounds,
  OF_ALL_YEARS,
} from '../../contract/sample-notes.ts';
import { asksForLikes, type ListOwner, leftOutWords } from '../../contract/sentence-calls.ts';
import { sortText } from '../../contract/sorts.ts';
import { countText } from '../../contract/value-text.ts';
import { NO_GRANTS } from '../../contract/vocabulary.ts';
import { Link, RecordLink, usePage } from '../components.tsx';
import type { Totalled } from './aggregate-page.tsx';
import { groupsText } from './aggregate-words.ts';
import { withoutFilters } from './facets.ts';
import { unstatedNote } from './found-text.ts';
import { type GivenFilters, givenFilters } from './given-filters.ts';
import {
  EMPTY_SEARCH,
  type FoundType,
  GRANTS,
  keptFilters,
  kindOf,
  type ParsedSearch,
  recordPath,
} from './parsed-search.ts';
import type { SearchOutcome } from './search.ts';

export function Reading({ effective, found, facets, results }: SearchOutcome) {
  const { searchAt } = usePage();
  const { understood, unknown = {}, unknownGrants = {} } = found ?? {};
  const given = withPeriods(givenFilters(keptFilters(effective), { facets, results }), understood?.periods);
  const isCounted = /(investments|lead)_count$/.test(understood?.sort ?? '');
  const owner = understood?.list_of;
  // Those that nothing is filtered by are in a note.
  const told = `${understood?.unstated?.join(' ') ?? ''} ${understood?.type ?? ''}`.toLowerCase().split(' ');
  const ignored = leftOutWords(understood ?? {}).filter(
    (word) =>
      !told.includes(word.toLowerCase()) &&
      !(isCounted && word.toLowerCase() === 'rounds') &&
      !(owner !== undefined && asksForLikes([word])),
  );
  if (given.length === 0 && understood === undefined) return null;
  const isPlain = given.length === 0 && understood?.type === undefined;
  const notes = [
    ...(understood?.unstated === undefined || results.length === 0 ? [] : [unstatedNote(understood.unstated)]),
    ...(effective.type === 'companies' && effective.given.funding_stage !== undefined ? [STAGES_NOTE] : []),
    ...betweenPeriods(understood?.periods),
    ...(Object.keys(unknown).length === 0 ? [] : [unknownText(unknown, unknownGrants, effective.type)]),
  ];
  return (
    <>
      <ul class="chips">
        <li class="muted">{understood === undefined ? 'Only' : 'Read as'}</li>
        {understood?.type === undefined ? null : <li>{kindOf(effective) === GRANTS ? 'grants' : understood.type}</li>}
        {given.map(({ text, names }) => (
          <li key={text}>
            <Link to={recordPath(searchAt, effective, { given: withoutFilters(effective.given, names) })}>
              {text}
              <span class="sr">; take it out</span> <span aria-hidden="true">×</span>
            </Link>
          </li>
        ))}
        {understood?.sort === undefined ? null : <li class="muted">{sortText(understood.sort)}</li>}
        {understood === undefined || understood.text === '' ? null : (
          <li class="muted">
            {owner !== undefined ? (
              <>
                similar to <RecordLink to={owner} />
              </>
            ) : (
              `${isPlain ? '' : 'with '}“${understood.text}”`
            )}
          </li>
        )}
        {ignored.length === 0 ? null : (
          <li class="muted">
            ignoring “{ignored.join(' ')}”{understood?.period === undefined ? '' : ' in the list'}
          </li>
        )}
      </ul>
      {notes.length === 0 ? null : <p class="hint">{notes.join(' ')}</p>}
      <AmountsInPeriod {...effective} />
      <Likes words={understood?.ignored ?? []} owner={owner} first={results[0]} />
    </>
  );
}

/** Compared periods in place of the days from the first to the last. */
function withPeriods(given: readonly GivenFilters[], periods: readonly Period[] | undefined): readonly GivenFilters[] {
  if (periods === undefined) return given;
  const others = given.filter(({ names }) => !names.every((name) => name === 'from' || name === 'to'));
  return [...others, { text: periodNames(periods), names: ['from', 'to'] }];
}

/** That amounts of companies are not those of a period, with a link to the rounds that are. */
function AmountsInPeriod({ type, given }: ParsedSearch) {
  const { searchAt } = usePage();
  if (!hasTotalsAndPeriod(type, given)) return null;
  const ofRounds = Object.entries(given).filter(([name]) => hasFilter('rounds', name as FilterName));
  const rounds = recordPath(searchAt, EMPTY_SEARCH, { type: 'rounds', given: Object.fromEntries(ofRounds) });
  return (
    <p class="hint">
      {OF_ALL_YEARS} <Link to={rounds}>Rounds of such amounts in the period</Link>
    </p>
  );
}

/** A link from a text that is a tag or a chain to the companies with it, of which the best funded come first. */
export function Topic({ effective: { query }, facets }: Pick<SearchOutcome, 'effective' | 'facets'>) {
  const { searchAt } = usePage();
  const isAsked = ({ value }: { value: string }): boolean => value.toLowerCase() === query.toLowerCase();
  const topic = facets.find(({ facet: { name }, values }) => /^(tag|chain)$/.test(name) && values.some(isAsked));
  if (topic === undefined) return null;
  const [name, value] = [topic.facet.name, topic.values.find(isAsked)?.value ?? ''];
  return (
    <>
      {' · '}
      <Link to={recordPath(searchAt, EMPTY_SEARCH, { type: 'companies', given: { [name]: value } })}>
        Companies with the {name} {value}, by known funding
      </Link>
    </>
  );
}

const STAGES_NOTE = 'A company has the stages of all its rounds; the list shows that of the latest.';

/** Numbers of records without a known value, by filter; both bounds of a field count as one. */
function unknownText(
  unknown: Readonly<Record<string, number>>,
  grants: Readonly<Partial<Record<string, number>>>,
  type: FoundType,
): string {
  const texts = Object.entries(unknown).map(
    ([name, records]) =>
      `${countText(records)} ${isDateOfRounds(name, type) ? 'with no round on record whose date is known' : `whose ${factOf(name as FilterName, type)} is not known`}${amongGrants(grants[name])}`,
  );
  return `Not counted, though some may match: ${[...new Set(texts)].join(', ')}.`;
}

interface LikesProps {
  readonly words: readonly string[];
  readonly owner: ListOwner | undefined;
  readonly first: RecordData | undefined;
}

/** A link to the list of similar companies or co-investors, if the sentence asked for such: of its owner, or of the first result. */
function Likes({ words, owner, first }: LikesProps) {
  const { recordsAt } = usePage();
  const of = owner ?? first;
  if (!asksForLikes(words) || (of?.type !== 'companies' && of?.type !== 'investors')) return null;
  const likes = of.type === 'companies' ? 'Companies similar to' : 'Co-investors of';
  const text = owner === undefined ? likes : 'What they share with';
  return (
    <p>
      <Link to={`${recordsAt}/${of.type}/${of.slug}#${of.type === 'companies' ? 'similar' : 'co_investors'}`}>
        {text} {of.name}
      </Link>
    </p>
  );
}

/** The interpretation of a sentence that only the aggregate answers. */
export function CountedReading(asked: Totalled['asked']) {
  const { of, groups } = asked;
  const { from, to, funding_stage: stage, ...given } = asked.given;
  const filters = { ...given, ...(stage !== undefined && stage !== NO_GRANTS && { funding_stage: stage }) };
  const period = periodText({ from, to });
  return (
    <ul class="chips">
      <li class="muted">Read as</li>
      <li>
        {of} by {groupsText(groups)}
      </li>
      {filterTexts(filters).map(({ text }) => (
        <li key={text}>{text}</li>
      ))}
      {period === '' ? null : <li>{period}</li>}
    </ul>
  );
}
