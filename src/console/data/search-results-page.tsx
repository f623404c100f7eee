import { dayText } from '../../contract/day-text.ts';
import { isInNames } from '../../contract/named-records.ts';
import { foldName } from '../../contract/names.ts';
import { periodText } from '../../contract/records-phrase.ts';
import { isSortedBy, SORTED_FIELDS, sortText } from '../../contract/sorts.ts';
import { countText } from '../../contract/value-text.ts';
import { FUNDING_STAGES, labelOf } from '../../contract/vocabulary.ts';
import { Link, Notice, usePage } from '../components.tsx';
import { FilterSelect, Ignored, KeptFields, Pages, ShowButton } from '../lists.tsx';
import { AggregateCard } from './aggregate-page.tsx';
import { AnswerSentence } from './answer-sentence.tsx';
import { ComparedRecords } from './compared-records.tsx';
import { ConnectedReading } from './connected-records.tsx';
import { AllFacetValues, Facets } from './facet-lists.tsx';
import { FilterForm } from './filter-form.tsx';
import { foundText, recencyText, sumText, unsourcedSumText } from './found-text.ts';
import { givenFilters } from './given-filters.ts';
import { NoResults } from './no-results.tsx';
import {
  ALL,
  COLUMNS_MAX,
  EMPTY_SEARCH,
  GRANTS,
  isCharted,
  isFunded,
  isOfUpcoming,
  KINDS,
  keptFilters,
  kindOf,
  type ListView,
  ownFilters,
  PAGE_SIZE,
  type ParsedSearch,
  ROUNDS,
  recordPath,
  type SearchKind,
  sortOf,
  usualView,
  VIEWS,
  viewOf,
} from './parsed-search.ts';
import { PitchLinks } from './pitch-links.tsx';
import { EXPORT_MAX } from './record-files.ts';
import { Refusals } from './refused-parameters.tsx';
import { ResultItem } from './result-item.tsx';
import { ResultTable } from './results.tsx';
import { businessOf } from './round-statistics.ts';
import type { Group, SearchOutcome } from './search.ts';
import { CountedReading, Reading, Topic } from './search-reading.tsx';

export function SearchResultsPage({ outcome }: { outcome: SearchOutcome }) {
  const { parsed, effective, found, totals, refusals, facets, countedIn, totalled, connected, roles } = outcome;
  const { searchAt } = usePage();
  const listed = facets.find(({ facet }) => facet.name === parsed.values);
  const isCounted = totalled?.isAlone === true;
  const isAlone = isCounted || connected !== undefined;
  // No value narrows a list of nothing to something.
  const isListed = found.total > 0 || found.understood?.unstated === undefined;
  const hasFacets = facets.length + roles.length > 0 && !isAlone && isListed;
  const narrow = hasFacets ? <Facets {...{ facets, effective, countedIn, roles }} /> : null;
  const view = viewOf(effective);
  const isBeside =
    narrow !== null && (view !== 'table' || (view === usualView(effective.type) && effective.columns === undefined));
  const isFound = found.total > 0;
  const shown = kindOf(effective);
  return (
    <>
      <Kinds {...{ parsed, found, shown }} totals={isAlone ? new Map() : totals} />
      <Ignored parameters={outcome.ignored} />
      <Refusals refusals={refusals} at={searchAt} />
      {view === 'table' && (parsed.columns?.length ?? 0) > COLUMNS_MAX ? (
        <Notice tone="warn">A table has {COLUMNS_MAX} columns at most; the first of yours are shown.</Notice>
      ) : null}
      {listed === undefined ? (
        <div class={isBeside ? 'find' : undefined}>
          {isBeside ? narrow : null}
          <div id="found" tabIndex={-1}>
            <AnswerSentence {...outcome} />
            {connected === undefined ? null : <ConnectedReading {...connected} />}
            {isCounted ? <CountedReading {...totalled.asked} /> : isAlone ? null : <Reading {...outcome} />}
            {totalled === undefined ? null : <AggregateCard at={`${searchAt}/aggregate`} {...totalled} isPart />}
            <ComparedRecords {...outcome} />
            {isAlone ? null : (
              <>
                {isFound ? <Found {...outcome} /> : null}
                <div class="bar-line">
                  {isBeside ? null : narrow}
                  <FilterForm key={effective.type} {...outcome} parsed={effective} />
                  {isFound ? <Views {...outcome} /> : null}
                </div>
                {isFound ? <Results {...outcome} /> : <NoResults {...outcome} />}
                <PitchLinks {...outcome} />
              </>
            )}
          </div>
        </div>
      ) : (
        <>
          <Reading {...outcome} />
          <AllFacetValues counts={listed} effective={effective} countedIn={countedIn} />
        </>
      )}
    </>
  );
}

export function searchTitle({ parsed, facets, results, groups }: SearchOutcome): string {
  const { query, values } = parsed;
  if (query !== '') return query;
  if (groups.length > 0) return 'Search and browse';
  if (isFunded(parsed) && values === undefined) return 'Companies with known funding';
  const words = givenFilters(ownFilters(parsed), { facets, results }).map(({ text }) => text);
  const of = facets
    .filter(({ facet }) => facet.name === values)
    .map(({ facet }) => `by ${labelOf(facet.name).toLowerCase()}`);
  return [kindOf(parsed).label, ...words, ...of].join(', ');
}

interface KindsProps extends Pick<SearchOutcome, 'parsed' | 'totals' | 'found'> {
  readonly shown: SearchKind;
}

function Kinds({ parsed, shown, totals, found }: KindsProps) {
  // One that the sentence asks for is ignored beside the stage of a tab.
  const replaced = found.understood?.ignored.find((words) =>
    FUNDING_STAGES.some((stage) => words.split('|').includes(stage)),
  );
  const { funding_stage: read = replaced } = { ...found.understood?.filters, ...ownFilters(parsed) };
  const isOfStage = read !== undefined && read !== ROUNDS.stage && read !== GRANTS.stage;
  return (
    <nav class="kinds" aria-label="Kinds of records">
      {KINDS.map((kind) => {
        const total = totals.get(kind);
        // A stage that is asked for is one of rounds already.
        const { stage, ...unstaged } = kind;
        return (
          <Link
            key={kind.label}
            to={usePathOf(parsed, isOfStage && stage === ROUNDS.stage ? unstaged : kind)}
            aria-current={kind === shown ? 'page' : undefined}
          >
            {kind.label}
            {total === undefined ? null : <span class="muted"> {countText(total)}</span>}
          </Link>
        );
      })}
    </nav>
  );
}

const usePathOf = (parsed: ParsedSearch, { type, stage }: SearchKind): string =>
  recordPath(usePage().searchAt, parsed, {
    type,
    given: { ...keptFilters(parsed), ...(stage !== undefined && { funding_stage: stage }) },
  });

function SortForm({ parsed, effective, hasUpcoming }: SearchOutcome) {
  const { base, searchAt } = usePage();
  const { type } = effective;
  const fields = type === ALL ? SORTS_OF_ALL : SORTED_FIELDS.filter((field) => isSortedBy(type, field));
  return (
    <form method="get" action={base + searchAt} class="filters">
      <KeptFields search={recordPath('', parsed, { type, sort: undefined })} />
      <FilterSelect
        label="Sort"
        name="sort"
        all={unsortedText(effective, hasUpcoming)}
        options={fields.flatMap((field) => bothWays(field).map((one) => [one, sortText(one)] as const))}
        chosen={sortOf(effective)}
      />
      <ShowButton />
    </form>
  );
}

const BEST = 'Best match first';
/** Fields that sort records of every type: all have them, or those that have it come first. */
const SORTS_OF_ALL = ['total_funding_usd', 'name', 'updated_at'] as const;

/** The order of a search without a sort; undefined if a sort of its type is selected then. */
function unsortedText(search: ParsedSearch, hasUpcoming: boolean): string | undefined {
  if (search.query !== '') return BEST;
  if (isOfUpcoming({ ...search, sort: undefined }))
    return hasUpcoming ? 'Upcoming, then the latest' : 'Past events, latest first';
  return undefined;
}

function Found(outcome: SearchOutcome) {
  const { parsed, effective, found, totals, newestEvent, hasUpcoming, parts, totalled, groups, results } = outcome;
  const { type } = effective;
  const isMixed =
    groups.length === 0 && type === ALL && totals.size > 1 && (found.totals?.rounds ?? 0) > 0 && parts.length === 1;
  const words = /\s/.test(effective.query.trim()) ? 'these words' : 'this word';
  const typed = `${found.total === 1 ? 'mentions' : 'mention'} ${words}`;
  const owner = found.understood?.list_of;
  return (
    <p class="muted found">
      <strong>{foundText(owner === undefined ? effective : { ...effective, type: owner.type }, found)}</strong>
      {found.onRecord === undefined ? '' : ` on record${periodText(effective.given)}, a sample of what was announced`}
      <Shown parsed={parsed} totals={totals} />
      {owner !== undefined
        ? ` similar to ${owner.name}`
        : effective.query !== ''
          ? found.isTyped
            ? ` that ${typed}`
            : found.understood && isInNames(results, found.understood)
              ? ` for “${effective.query}” alone`
              : `, the nearest to ${words}, which no record has exactly`
          : totalled !== undefined && Object.keys(effective.given).length === 0 && ', all on record'}
      {recencyText(outcome)}
      {sumText(outcome)}
      <UnsourcedSum {...outcome} />
      {newestEvent === undefined
        ? ''
        : hasUpcoming
          ? ` · events to ${dayText(newestEvent)}`
          : ` · none is upcoming: the last on record begins on ${dayText(newestEvent)}`}
      {isMixed ? ' · rounds and grants come last' : ''}
      <Topic {...outcome} />
    </p>
  );
}

/** How much of the amounts of a list is unsourced, and the list without that. */
function UnsourcedSum(outcome: SearchOutcome) {
  const { searchAt } = usePage();
  const { parsed } = outcome;
  const text = unsourcedSumText(outcome);
  if (text === '') return null;
  const sourced = recordPath(searchAt, parsed, { given: { ...parsed.given, sourced: 'true' } });
  return (
    <>
      , {text}
      {parsed.given['sourced'] === undefined ? (
        <>
          {' '}
          (<Link to={sourced}>leave that out</Link>)
        </>
      ) : null}
    </>
  );
}

/** Which companies are listed, and a link to all of them or back. */
function Shown({ parsed, totals }: Pick<SearchOutcome, 'parsed' | 'totals'>) {
  const { searchAt } = usePage();
  const all = totals.get(kindOf(parsed)) ?? 0;
  if (isFunded(parsed))
    return (
      <>
        {' '}
        with known funding ·{' '}
        <Link to={recordPath(searchAt, parsed, { given: {}, show: 'all' })}>Show all {countText(all)}</Link>
      </>
    );
  return parsed.show === undefined || parsed.type !== 'companies' || Object.keys(parsed.given).length > 0 ? null : (
    <>
      {' '}
      · <Link to={recordPath(searchAt, parsed, { show: undefined })}>Show those with known funding</Link>
    </>
  );
}

function Views(outcome: SearchOutcome) {
  const { parsed, effective, found, groups } = outcome;
  const { searchAt } = usePage();
  const list = recordPath(searchAt, parsed);
  const total = found.total;
  const shown = viewOf(effective);
  const usual = usualView(effective.type);
  // The records are cards on a narrow screen, whichever way they are listed.
  const isOnNarrow = (view: ListView) => view === 'chart' || (shown === 'chart' && view === usual);
  return (
    <div class="filters">
      {groups.length > 0 || shown === 'chart' ? null : <SortForm {...outcome} />}
      {VIEWS.filter((view) => view !== shown && (view !== 'chart' || isCharted(effective))).map((view) => (
        <Link
          key={view}
          to={recordPath(searchAt, parsed, {
            view: view === usual ? undefined : view,
            page: view === 'chart' ? 1 : parsed.page,
          })}
          class={isOnNarrow(view) ? 'button small' : 'button small on-wide'}
        >
          {labelOf(view)}
        </Link>
      ))}
      {['CSV', 'JSON'].map((format) => (
        <Link
          key={format}
          to={`${list}${list.includes('?') ? '&' : '?'}format=${format.toLowerCase()}`}
          class="button small"
          title={`Download ${total > EXPORT_MAX ? `the first ${countText(EXPORT_MAX)} of ` : ''}the list as ${format}`}
          download
        >
          {format}
        </Link>
      ))}
    </div>
  );
}

function Results(outcome: SearchOutcome) {
  const { parsed, effective, found, results, parts, grants, companies, charted, groups } = outcome;
  const { searchAt } = usePage();
  if (charted !== undefined) return <AggregateCard at={`${searchAt}/aggregate`} {...charted} isPart />;
  const words = effective.query
    .split(/\s+/)
    .map(foldName)
    .filter((word) => word.length > 1);
  return (
    <>
      {groups.length > 0 ? (
        <Groups groups={groups} />
      ) : results.length === 0 ? null : viewOf(effective) === 'table' ? (
        <ResultTable parsed={parsed} shown={effective} records={results} {...{ companies, words }} />
      ) : (
        parts.map(({ title, records: some, look = '' }) => (
          <section key={title} class={title === '' ? undefined : `group ${look}`.trim()}>
            {title === '' ? null : <h2>{title}</h2>}
            <ul class="records">
              {some.map((record) => (
                <ResultItem
                  key={`${record.type} ${record.id}`}
                  record={record}
                  grants={grants.get(record.slug)}
                  business={businessOf(record, companies)}
                  sort={sortOf(effective)}
                  part={title}
                  words={words}
                  hasKind={effective.type === ALL && look !== 'rounds'}
                />
              ))}
            </ul>
          </section>
        ))
      )}
      {groups.length > 0 ? null : (
        <Pages
          number={parsed.page}
          total={found.total}
          size={PAGE_SIZE}
          to={(page) => recordPath(searchAt, parsed, { page })}
        />
      )}
      {found.total <= EXPORT_MAX || groups.length > 0 ? null : (
        <p class="hint on-wide">
          CSV, JSON: the first {countText(EXPORT_MAX)}. All:{' '}
          <code>web3-bi export --type {effective.type === ALL ? 'companies' : effective.type} --output all.csv</code>
        </p>
      )}
    </>
  );
}

/** Which records of a kind come first. */
const GROUPED_BY: Readonly<Record<string, string>> = {
  Companies: 'by known funding',
  People: 'in most angel rounds',
  Investors: 'in most rounds',
  Events: 'the newest',
  Rounds: 'the latest',
  Grants: 'the largest',
};

function Groups({ groups }: { groups: readonly Group[] }) {
  return (
    <>
      {groups.map(({ kind, records, companies }) => (
        <section key={kind.label} class="group">
          <h2>
            {kind.label} <span class="muted">{GROUPED_BY[kind.label]}</span>{' '}
            <Link to={usePathOf(EMPTY_SEARCH, kind)}>All {kind.label.toLowerCase()}</Link>
          </h2>
          <ul class="records">
            {records.map((record) => (
              <ResultItem
                key={record.id}
                {...{ record, words: [], hasKind: false, business: businessOf(record, companies) }}
              />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

const bothWays = (field: string): readonly string[] => (field === 'name' ? [field, '-name'] : [`-${field}`, field]);
