import {
  type AggregateData,
  type AggregateQuery,
  aggregateQuery,
  checkAggregate,
  figuresOf,
  GROUPS,
  groupNamed,
  MEASURED_FIELD,
} from '../../contract/aggregate.ts';
import { MEASURES } from '../../contract/aggregate-rows.ts';
import type { AnsweredTotal } from '../../contract/answer-totals.ts';
import { checkFilters } from '../../contract/check-filters.ts';
import { statedText } from '../../contract/day-text.ts';
import { RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { undefinedIfInvalid } from '../../contract/errors.ts';
import { filterTexts } from '../../contract/filter-words.ts';
import { FILTER_NAMES, type Filters, hasFilter, pickFilters } from '../../contract/filters.ts';
import { createReader } from '../../contract/reader.ts';
import { measuredLines } from '../../contract/sample-notes.ts';
import { isBlank, withAnd } from '../../contract/value-text.ts';
import { GRANT, labelOf } from '../../contract/vocabulary.ts';
import { VOCABULARY, type Vocabulary } from '../../contract/vocabulary-response.ts';
import { csvText } from '../../store/csv.ts';
import type { Records } from '../../store/port/records.ts';
import { Card, Empty, Link, NoRecords, PageHead, SmallLink, Submit, usePage } from '../components.tsx';
import { FilterSelect, Ignored, KeptFields, ShowButton } from '../lists.tsx';
import { type PageQuery, unknownParameters } from '../query.ts';
import { AggregateFigures, cellText } from './aggregate-figures.tsx';
import { groupsText } from './aggregate-words.ts';
import { frequentInvestors, withoutFilters } from './facets.ts';
import { FilterFields } from './filter-form.tsx';
import { GroupText } from './group-text.tsx';
import type { RecordFile } from './record-files.ts';
import { type Refusal, Refusals, runAccepted } from './refused-parameters.tsx';
import { newestRoundDate, ONLY_GRANTS, WITHOUT_GRANTS } from './round-statistics.ts';
import { withStatedSpan } from './stated-span.ts';

const USUAL = { of: 'rounds', group_by: 'year', measure: 'count', top: '30' };
/** Questions that are often asked, of which the first is the page without one. */
const QUESTIONS = {
  'Funding by year': { measure: 'sum' },
  'Who leads most rounds': { group_by: 'lead_investor' },
  'Stages by year': { group_by: 'year|stage' },
  'Median Series A': { measure: 'median', funding_stage: 'series_a' },
  'Categories by funding': { group_by: 'tag', measure: 'sum' },
  'Investors by country': { of: 'investors', group_by: 'country' },
} as const;
const read = createReader(aggregateQuery, 'query');
const PARAMETERS = [...Object.keys(aggregateQuery.shape), 'kind', 'format'];

type AggregateForm = ReturnType<typeof readAsked>;

/** Programs pay many small grants, which would hide the funding rounds in a count. */
const ROUND_KINDS = { rounds: 'Funding rounds', grants: 'Grants', all: 'Rounds and grants' } as const;
type RoundKind = keyof typeof ROUND_KINDS;
const KIND_FILTERS: Readonly<Record<RoundKind, Filters>> = { rounds: WITHOUT_GRANTS, grants: ONLY_GRANTS, all: {} };

/** The page of an aggregate, or its file if the address asks for one. Throws `invalid_parameter` for a file, which does not say what is left out. */
export async function aggregatePage(records: Records, raw: PageQuery) {
  const run = (query: PageQuery) => computeAggregate(records, readAsked(query));
  if (raw['format'] === 'csv') return csvFile(await run(raw));
  const { result, accepted, refusals } = await runAccepted(raw, (query) => [readAsked(query).of], run);
  const asked = readAsked(accepted);
  const [data, newestRound, vocabulary, investors] = await Promise.all([
    asStated(records, asked, result),
    newestRoundDate(records, asked.kind === 'grants' ? ONLY_GRANTS : undefined),
    records.vocabulary(),
    frequentInvestors(records, asked.of),
  ]);
  const title = `${pageTitle(asked)} by ${groupsText(asked.groups)}`;
  return {
    title,
    status: refusals.length > 0 ? 400 : 200,
    body: (
      <>
        <Ignored parameters={[...unknownParameters(accepted, PARAMETERS), ...unknownGroups(accepted)]} />
        <AggregatePage
          {...{ asked, data, refusals, title, newestRound, investors }}
          choices={choicesIn(vocabulary, asked.of)}
        />
      </>
    ),
  };
}

function csvFile({ columns, rows }: AggregateData): RecordFile {
  const text = csvText([columns, ...rows.map((row) => row.map(cellText))]);
  return { name: 'aggregate.csv', type: 'text/csv', text };
}

/** The values of filters that records of a type have. */
const choicesIn = (vocabulary: Vocabulary, of: RecordType): ReadonlyMap<string, readonly string[]> =>
  new Map(
    Object.entries(VOCABULARY).map(([list, filter]) => [
      filter,
      vocabulary[list as keyof typeof VOCABULARY].filter(({ types }) => (types[of] ?? 0) > 0).map(({ value }) => value),
    ]),
  );

/** What is asked for as a group and is none of any type; one of another type is left out without a word, as the form keeps it. */
function unknownGroups({ group_by: groups = '' }: PageQuery): readonly string[] {
  const known = RECORD_TYPES.flatMap((type) => Object.keys(GROUPS[type]));
  return groups.split(/[|,]/).flatMap((group) => (group === '' || known.includes(group) ? [] : [`group_by=${group}`]));
}

const titleOf = ({ of, kind }: AggregateForm): string => (kind === undefined ? labelOf(of) : ROUND_KINDS[kind]);

/** Parses the query; values that do not fit the type are dropped, so that changing the type resets them. */
export function readAsked(raw: PageQuery) {
  const { of, group_by, measure, top, order }: PageQuery & typeof USUAL = {
    ...USUAL,
    ...(isBlank(raw) ? QUESTIONS['Funding by year'] : raw),
  };
  const type = RECORD_TYPES.find((one) => one === of) ?? 'rounds';
  const known = Object.keys(GROUPS[type]);
  const asked = group_by.split(/[|,]/).map((group) => groupNamed(type, group));
  const groups = [...new Set(asked)].filter((group) => known.includes(group)).slice(0, 2);
  const kind = type === 'rounds' ? kindOf(raw) : undefined;
  const names = FILTER_NAMES.filter((name) => !isBlank(raw[name]) && hasFilter(type, name));
  const given = kind === 'grants' ? names.filter((name) => name !== 'funding_stage') : names;
  return {
    of: type,
    groups: groups.length > 0 ? groups : [known[0] ?? ''],
    measure: MEASURED_FIELD[type] === undefined ? 'count' : measure,
    top,
    order: isBlank(order) ? undefined : order,
    /** Whether rounds include grants; undefined for other types, and if a filter by another stage says so. */
    kind,
    given: Object.fromEntries(given.map((name) => [name, raw[name] ?? ''])) as PageQuery,
  };
}

function kindOf({ kind = '', funding_stage: stage }: PageQuery): RoundKind | undefined {
  if (stage === GRANT) return 'grants';
  if (!isBlank(stage)) return undefined;
  return Object.hasOwn(ROUND_KINDS, kind) ? (kind as RoundKind) : 'rounds';
}

/** Throws `invalid_parameter`. */
async function computeAggregate(records: Records, form: AggregateForm): Promise<AggregateData> {
  const { of, groups } = form;
  const query = queryOf(form);
  const filters = filtersOf(form);
  checkFilters([of], filters);
  const aggregate = { ...checkAggregate(query), ...(groups.length > 1 && { top: CROSSED_MAX }), filters };
  return records.aggregate(aggregate);
}

const queryOf = ({ of, given, ...form }: AggregateForm): AggregateQuery => read({ of, ...figuresOf(form), ...given });
const filtersOf = (form: AggregateForm): Filters => ({
  ...pickFilters(queryOf(form)),
  ...(form.kind && KIND_FILTERS[form.kind]),
});

/** The data of an aggregate with the dates that it covers as sources state them. */
export const asStated = (records: Records, form: AggregateForm, data: AggregateData): Promise<AggregateData> =>
  withStatedSpan(records, { of: form.of, filters: filtersOf(form) }, data);

/** The data of an aggregate; undefined for one that is refused. */
export const runAggregate = (records: Records, asked: AggregateForm): Promise<AggregateData | undefined> =>
  computeAggregate(records, asked).catch(undefinedIfInvalid);

/** The data of an aggregate, by default a count. Throws `invalid_parameter`. */
export const countBy = (records: Records, query: PageQuery): Promise<AggregateData> =>
  computeAggregate(records, readAsked({ measure: 'count', ...query }));

/** Pairs of two groups: a table of them has several in each row. */
const CROSSED_MAX = 10_000;

function addressOf(at: string, form: AggregateForm, change: PageQuery = {}): string {
  const { of, groups, measure, top, order, kind, given } = form;
  const shown = { measure, top, ...(order && { order }), ...(kind && { kind }) };
  const query = { of, group_by: groups.join('|'), ...shown, ...given, ...change };
  return `${at}?${new URLSearchParams(query)}`;
}

interface AggregatePageProps extends QuestionProps {
  readonly data: AggregateData;
  readonly title: string;
  readonly newestRound: string | undefined;
}

function AggregatePage({ asked, data, title, newestRound, ...offered }: AggregatePageProps) {
  const at = `${usePage().searchAt}/aggregate`;
  return (
    <>
      <PageHead
        title={title}
        {...(newestRound &&
          asked.of === 'rounds' && {
            lead: `${asked.kind === 'grants' ? 'Grants' : 'Funding rounds'} on record to ${statedText(newestRound)}.`,
          })}
      />
      <Refusals refusals={offered.refusals} at={at} />
      <nav aria-label="Questions">
        <ul class="chips">
          {Object.entries(QUESTIONS).map(([question, query]) => (
            <li key={question}>
              <Link to={`${at}?${new URLSearchParams(query)}`}>{question}</Link>
            </li>
          ))}
        </ul>
      </nav>
      <nav class="kinds" aria-label="Kinds of records">
        {RECORD_TYPES.map((type) => (
          <Link key={type} to={`${at}?of=${type}`} aria-current={type === asked.of ? 'page' : undefined}>
            {labelOf(type)}
          </Link>
        ))}
      </nav>
      <Question asked={asked} {...offered} />
      {data.rows.length === 0 ? (
        <Card>
          {data.covered.records === 0 && Object.keys(asked.given).length === 0 ? (
            <NoRecords of={asked.of} />
          ) : (
            <Empty title="Nothing to count">
              <p>No record passes the filters, or none has the measured field.</p>
            </Empty>
          )}
        </Card>
      ) : (
        <AggregateCard at={at} asked={asked} data={data} />
      )}
    </>
  );
}

export interface Totalled extends Omit<AnsweredTotal, 'asked'> {
  readonly asked: AggregateForm;
  /** Whether only some periods are compared. */
  readonly isComparison?: boolean;
}

/** The result of an aggregate; as a part of another page, with a link to its own. */
export function AggregateCard({
  at,
  asked,
  data,
  isComparison = false,
  isPart = false,
}: Totalled & { at: string; isPart?: boolean }) {
  const title = cardTitle(asked);
  const { searchAt } = usePage();
  return (
    <Card
      title={isPart ? `${title} by ${groupsText(asked.groups)}` : title}
      action={
        isPart ? (
          <SmallLink to={addressOf(at, asked)}>Open in Aggregate</SmallLink>
        ) : (
          <span>
            {asked.kind === 'all' ? null : (
              <SmallLink to={`${searchAt}?${new URLSearchParams({ type: asked.of, ...listedBy(asked) })}`}>
                List
              </SmallLink>
            )}{' '}
            <SmallLink to={addressOf(at, asked, { format: 'csv' })} download>
              CSV
            </SmallLink>
          </span>
        )
      }
    >
      {measuredLines({ ...asked, measures: [asked.measure], filters: listedBy(asked) as Filters }).map((note) => (
        <p key={note} class="muted">
          {note}
        </p>
      ))}
      <AggregateFigures
        groups={asked.groups}
        data={data}
        measures={measuresOf(asked.measure).length}
        sourcedAt={asked.given['sourced'] ? undefined : addressOf(at, asked, { sourced: 'true' })}
        isDated={asked.of === 'rounds' || asked.of === 'events'}
        isComparison={isComparison}
        nouns={asked.kind === 'grants' ? 'grants' : asked.of}
      >
        {(group, cell) => <GroupText of={asked.of} group={group} cell={cell} given={listedBy(asked)} />}
      </AggregateFigures>
    </Card>
  );
}

/** A lead investor did not pay the whole amount of a round. */
const isSumLed = ({ measure, groups }: AggregateForm): boolean => measure === 'sum' && groups.includes('lead_investor');

function pageTitle(asked: AggregateForm): string {
  if (asked.measure === 'count') return titleOf(asked);
  return isSumLed(asked) ? 'Total size of rounds' : `${cardTitle(asked)} of ${titleOf(asked).toLowerCase()}`;
}

/** What is counted or measured. */
function cardTitle(asked: AggregateForm): string {
  if (asked.measure === 'count') return titleOf(asked);
  return isSumLed(asked) ? 'Total size of rounds led' : measureText(asked.of, asked.measure);
}

const MEASURE_WORDS: Readonly<Record<string, string>> = { sum: 'total', min: 'smallest', max: 'largest' };

const measuresOf = (measure: string): string[] => measure.split(/[|,]/);

/** `Number`, `Total amount`, `Median and average amount`, `Total amount and number`, `Total, average and median`. */
function measureText(of: RecordType, measure: string): string {
  if (measure === 'count') return 'Number';
  const all = measuresOf(measure);
  const words = all.filter((one) => one !== 'count').map((one) => MEASURE_WORDS[one] ?? one);
  const number = all.includes('count') ? ['number'] : [];
  // More words than two leave no room for that of the field.
  if (words.length > 2) return labelOf(withAnd([...words, ...number]));
  return labelOf([`${words.join(' and ')} ${measured(of)}`, ...number].join(' and '));
}

const measured = (type: RecordType): string =>
  labelOf(MEASURED_FIELD[type] ?? '')
    .replace(' (USD)', '')
    .toLowerCase();

/** The filters of the list of what was counted; lists of rounds are without grants by themselves. */
export const listedBy = ({ kind, given }: AggregateForm): PageQuery =>
  kind === 'grants' ? { ...given, funding_stage: GRANT } : given;

interface QuestionProps {
  readonly asked: AggregateForm;
  readonly choices: ReadonlyMap<string, readonly string[]>;
  readonly investors: readonly string[];
  readonly refusals: readonly Refusal[];
}

function Question({ asked, choices, investors, refusals }: QuestionProps) {
  const { base, searchAt } = usePage();
  const { of, groups, measure, top, kind, given } = asked;
  const known = optionsOf(Object.keys(GROUPS[of]));
  const measures = MEASURED_FIELD[of] === undefined ? ['count'] : [...new Set([...MEASURES, measure])];
  const at = `${searchAt}/aggregate`;
  return (
    <>
      <form method="get" action={`${base}${searchAt}/aggregate`} class="filters">
        <input type="hidden" name="of" value={of} />
        <FilterSelect
          label="Show"
          name="measure"
          options={measures.map((one) => [one, measureText(of, one)])}
          chosen={measure}
        />
        {kind === undefined ? null : (
          <FilterSelect label="of" name="kind" options={Object.entries(ROUND_KINDS)} chosen={kind} />
        )}
        <FilterSelect label="by" name="group_by" options={known} chosen={groups[0]} />
        <FilterSelect
          label="and by"
          name="group_by"
          id="group-2"
          all="nothing else"
          options={known}
          chosen={groups[1]}
        />
        {groups.length > 1 ? (
          <input type="hidden" name="top" value={top} />
        ) : (
          <FilterSelect label="rows" name="top" options={optionsOf(['10', '30', '100'])} chosen={top} />
        )}
        <KeptFields search={String(new URLSearchParams(given))} />
        <ShowButton />
        <span class="chips">
          {filterTexts(given).map(({ text, names }) => (
            <Link key={text} to={addressOf(at, { ...asked, given: withoutFilters(given, names) })}>
              {text}
              <span class="sr">; take it out</span>
              <span aria-hidden="true">×</span>
            </Link>
          ))}
        </span>
      </form>
      <details class="refine">
        <summary>{Object.keys(given).length === 0 ? 'Add filters' : 'Change filters'}</summary>
        <form method="get" action={base + at}>
          <KeptFields search={addressOf('', { ...asked, given: {} })} />
          <FilterFields type={of} {...{ given, choices, investors, refusals }} />
          <div class="row">
            <Submit>Apply</Submit>
          </div>
        </form>
      </details>
    </>
  );
}

const optionsOf = (names: readonly string[]) => names.map((name) => [name, labelOf(name)] as const);
