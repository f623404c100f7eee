import type { VNode } from 'preact';
import { recordNoun } from '../../contract/entities/index.ts';
import { labelOf } from '../../contract/field-labels.ts';
import { countsText, type NamedReference } from '../../contract/rounds.ts';
import { INVESTORS_LISTED } from '../../contract/sample-notes.ts';
import { isSortedBy, SORTED_FIELDS, type SortedField } from '../../contract/sorts.ts';
import { shortMoney } from '../../contract/usd.ts';
import { FUNDING_STAGES, stageOfCompany, vocabularyLabel } from '../../contract/vocabulary.ts';
import { Badge, countText, Link, RecordLink, ScrollTable } from '../components.tsx';
import { usePage } from '../context.ts';
import { dayText, monthText, shownValue } from '../day-text.ts';
import { isUnsourced, UNSOURCED } from '../profile/cited-sources.tsx';
import { daysOf, placeOf } from '../profile/event-table.tsx';
import { ownValue } from '../profile/facts.tsx';
import { leadsOf, ROUND_CELLS } from '../profile/round-table.tsx';
import { RecordTile } from '../profile/tile.tsx';
import { ALL, GRANTS, kindOf, type ParsedSearch, recordPath, shownColumns, sortOf, typesOf } from './parsed-search.ts';
import { businessOf } from './round-statistics.ts';
import { inShort, isBlank, Marked, type RecordData, ShortValue, sentenceWith, withoutLastRound } from './values.tsx';

interface ResultTableProps {
  readonly parsed: ParsedSearch;
  readonly shown: ParsedSearch;
  readonly records: readonly RecordData[];
  /** Companies of the rounds, whose business stands below their names. */
  readonly companies: readonly RecordData[];
  readonly words: readonly string[];
}

/** Results as rows. Rounds are named by their company, unless columns were chosen. */
export function ResultTable({ parsed, shown, records, companies, words }: ResultTableProps): VNode {
  const known = shownColumns(shown);
  // Default columns are shown only if they have a value.
  const columns = shown.columns ? known : known.filter((field) => isWorthIt(shown, records, field));
  const isOfDeals = shown.type === 'rounds' && shown.columns === undefined;
  const fields = isOfDeals ? columns : ['name', ...columns];
  const numbers = new Set(fields.filter((field) => isOfNumbers(records, field)));
  const figure = fields.find((field) => field === 'amount_usd') ?? fields.find((field) => numbers.has(field));
  const lookOf = (field: string) => (field === figure ? 'number main' : numbers.has(field) ? 'number' : LOOKS[field]);
  const heads = new Map(fields.map((field) => [field, headIn(shown, records, field)]));
  const isCut = fields.includes('investors') && records.some((record) => record['investors_may_be_cut'] === true);
  const table = (
    <ScrollTable label="Results" look="stacks lines">
      <thead>
        <tr>
          {fields.map((field) => (
            <SortHead
              key={field}
              {...{ parsed, shown, field }}
              head={heads.get(field) ?? ''}
              isNumeric={numbers.has(field)}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {records.map((record) => (
          <tr key={`${record.type} ${record.id}`}>
            <th scope="row">
              <RecordLink to={isOfDeals ? companyOf(record) : record}>
                <Marked text={(isOfDeals ? companyOf(record) : record).name} words={words} />
              </RecordLink>
              {shown.type === ALL ? <Badge>{recordNoun(record)}</Badge> : null}
              {fields.includes('status') ? null : <StatusBadge status={statusOf(record)} />}
              {isOfDeals ? <p class="business">{businessOf(record, companies)}</p> : null}
            </th>
            {fields.slice(1).map((field) => (
              <td key={field} data-label={heads.get(field)} class={lookOf(field)}>
                <ResultCell record={record} field={field} isMarked={!fields.includes('announcement')} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
  return isCut ? (
    <>
      {table}
      <p class="hint under">Investors with +: there may be more, because {INVESTORS_LISTED}.</p>
    </>
  ) : (
    table
  );
}

/** Whether a default column has values, of grants none that another column has: its one investor gave it. */
const isWorthIt = (shown: ParsedSearch, records: readonly RecordData[], field: string): boolean =>
  records.some((record) => !isBlank(record[field]) || (field === 'announcement' && markOf(record) !== '')) &&
  (field !== 'investors' || kindOf(shown) !== GRANTS);

/** The company of a round; of one that names none, the round. */
const companyOf = (round: RecordData): NamedReference => (round['company'] ?? round) as NamedReference;

/** Whether a column has numbers: figures, or the number of the investors of each round. */
const isOfNumbers = (records: readonly RecordData[], field: string): boolean =>
  field.endsWith('_usd') ||
  records.some(({ type, [field]: value }) => typeof value === 'number' || (type === 'rounds' && field === 'investors'));

/** Columns whose heads are shorter than the names of their fields. */
const HEADS: Readonly<Record<string, string>> = {
  announced_date: 'Date',
  amount_usd: 'Amount',
  lead_investors: 'Led by',
  announcement: 'Source',
  funding_stage: 'Stage',
  funding_stages: 'Stages',
  last_round_date: 'Last round',
};

/** The head of a column; that of the rounds of the last year on record says when it began. */
function headIn(shown: ParsedSearch, records: readonly RecordData[], field: string): string {
  if (field === 'lead_investors' && kindOf(shown) === GRANTS) return 'Given by';
  const since = records.find((record) => !isBlank(record['rounds_since']))?.['rounds_since'];
  if (field === 'rounds_last_year' && since !== undefined) return `Since ${monthText(String(since))}`;
  return HEADS[field] ?? labelOf(field);
}

/** Names of parties take two lines where one is too short. */
const LOOKS: Readonly<Record<string, string>> = { lead_investors: 'names' };

/** What became of a company that is not just active, beside its name. */
function StatusBadge({ status }: { status: unknown }): VNode | null {
  if (isBlank(status) || status === 'active') return null;
  return (
    <>
      {' '}
      <Badge tone={status === 'closed' ? 'warn' : 'plain'}>{vocabularyLabel(String(status))}</Badge>
    </>
  );
}

interface ResultCellProps {
  readonly record: RecordData;
  readonly field: string;
  /** Whether no other column says that an amount has no source. */
  readonly isMarked: boolean;
}

function ResultCell({ record, field, isMarked: isToMark }: ResultCellProps): VNode {
  const ofRound = record.type === 'rounds' ? ROUND_CELLS[field]?.(record) : undefined;
  const stages = field === 'funding_stages' ? stageRange((record[field] ?? []) as readonly string[]) : '';
  const value = field === 'status' ? statusOf(record) : ownValue(record, field);
  return (
    <>
      {ofRound ?? (stages || <ShortValue of={record.type} field={field} value={value} />)}
      {isToMark && MARKED_FIELDS.includes(field) && markOf(record) ? (
        <span class="muted"> {markOf(record)}</span>
      ) : null}
      {field === 'total_funding_usd' && !isBlank(record['token_sales']) ? (
        <p class="business">{String(record['token_sales'])}</p>
      ) : null}
      {field === 'funding_stage' && isStageEarlier(record) ? (
        <span class="muted"> in {String(record['funding_stage_date'] ?? '–').slice(0, 4)}</span>
      ) : null}
    </>
  );
}

/** What became of a company; a listed one is active, too. */
const statusOf = (record: RecordData): unknown =>
  record['company_stage'] === 'public' ? 'public' : (record['status'] ?? null);

interface SortHeadProps extends Pick<ResultTableProps, 'parsed' | 'shown'> {
  readonly field: string;
  readonly head: string;
  readonly isNumeric: boolean;
}

function SortHead({ parsed, shown, field, head, isNumeric }: SortHeadProps): VNode {
  const { searchAt } = usePage();
  const numeric = isNumeric ? 'number' : undefined;
  const sort = sortOf(shown);
  // The names of rounds begin with that of the company.
  const by = shown.type === 'rounds' && field === 'company' ? 'name' : field;
  const sorted = sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : undefined;
  const canSort =
    SORTED_FIELDS.includes(by as SortedField) &&
    typesOf(shown.type).some((type) => isSortedBy(type, by as SortedField));
  if (!canSort)
    return (
      <th scope="col" class={numeric}>
        {head}
      </th>
    );
  const next = sorted === 'descending' || (sorted === undefined && by === 'name') ? by : `-${by}`;
  return (
    <th scope="col" class={numeric} aria-sort={sorted}>
      <Link to={recordPath(searchAt, parsed, { sort: next, type: shown.type })}>
        {head}
        {sorted === undefined ? '' : sorted === 'ascending' ? '\u00a0↑' : '\u00a0↓'}
      </Link>
    </th>
  );
}

const LINE_LENGTH = 200;

const count = (value: unknown): string => countText(Number(value));
const sizeOf = (value: unknown): string => countText((value as readonly unknown[]).length);

/** The figure of a result: the first of these fields with a value. */
const FIGURES: readonly (readonly [
  field: string,
  label: string,
  text: (value: unknown, record: RecordData) => string,
])[] = [
  ['total_funding_usd', 'known', (value) => shortMoney(Number(value))],
  ['amount_usd', '', (value, record) => `${isBlank(record['amount_raw']) ? '' : '≈ '}${shortMoney(Number(value))}`],
  ['angel_investments', 'angel rounds', count],
  ['roles', 'roles', sizeOf],
  ['events', 'talks', sizeOf],
];

/** What an investor does in rounds, as whoever raises one asks: leads, of the last year on record, of which size, at which stages. */
function dealsText(record: RecordData): string {
  const {
    lead_count: led,
    rounds_last_year: lately,
    median_round_usd: median,
    funding_stages: stages,
    rounds_since: since,
  } = record;
  if (lately === undefined || isBlank(since)) return '';
  return [
    `${count(led ?? 0)} led`,
    `${count(lately)} since ${monthText(String(since))}`,
    isBlank(median) ? '' : `median round ${shortMoney(Number(median))}`,
    stageRange((stages ?? []) as readonly string[]),
  ]
    .filter(Boolean)
    .join(' · ');
}

/** The first and last of some stages that follow each other, such as `Seed to Series C`. */
function stageRange(stages: readonly string[]): string {
  const known = FUNDING_STAGES.slice(0, FUNDING_STAGES.indexOf('series_h') + 1).filter((stage) =>
    stages.includes(stage),
  );
  return [...new Set([known[0], known.at(-1)])]
    .flatMap((stage) => (stage ? [vocabularyLabel(stage)] : []))
    .join(' to ');
}

function figureOf(
  record: RecordData,
  { grants = 0, sort = '', part = '' }: Pick<ResultItemProps, 'grants' | 'sort' | 'part'>,
): Figure {
  if (record.type === 'events') return [part === '' ? daysOf(record) : daysOf(record).replaceAll(` ${part}`, ''), ''];
  const rounds = Number(record['investments_count'] ?? 0);
  if (sort.endsWith('lead_count') && rounds > 0)
    return [count(record['lead_count'] ?? 0), `led of ${countsText({ rounds, grants: 0 })}`];
  const [figure] = knownFigures(record, sort);
  if (figure !== undefined) return figure;
  if (record.type === 'rounds') return ['', 'undisclosed'];
  if (rounds + grants === 0) return ['', ''];
  const [number = '', ...words] = countsText({ rounds, grants }).split(' ');
  return [number, words.join(' ')];
}

type Figure = readonly [value: string, label: string];

/** The known figures of a record; of a person the largest first, unless the list is sorted by one. */
function knownFigures(record: RecordData, sort: string): readonly Figure[] {
  const known = FIGURES.filter(([field]) => !isBlank(record[field])).map(([field, label, text]): Figure => {
    const figure = text(record[field], record);
    return [figure, nounAfter(figure, label)];
  });
  const isRanked = record.type === 'people' && !sort.endsWith('angel_investments');
  return isRanked ? known.toSorted(([one], [other]) => Number(other) - Number(one)) : known;
}

interface ResultItemProps {
  readonly record: RecordData;
  /** Grants that an investor gave. */
  readonly grants?: number | undefined;
  /** What the company of a round does. */
  readonly business?: string | undefined;
  /** The order of the list, whose field the figure shows. */
  readonly sort?: string | undefined;
  /** The year that its part of the list is about. */
  readonly part?: string | undefined;
  readonly words: readonly string[];
  /** Whether results of several types are mixed. */
  readonly hasKind: boolean;
}

/** Whether the stage of a company is from a round before its last one. */
const isStageEarlier = (record: RecordData): boolean =>
  !isBlank(record['funding_stage']) &&
  !isBlank(record['last_round_date']) &&
  record['funding_stage_date'] !== record['last_round_date'];

/** The stage of a company and the date of its last round, which may be of another stage. */
function stageTexts(record: RecordData): readonly string[] {
  const stage = stageOfCompany(record);
  const isOfLast = stage === record['funding_stage'] && record['funding_stage_date'] === record['last_round_date'];
  const last = dayText(shownValue(record, 'last_round_date'));
  // An earlier stage beside the date of a later round would read as the stage of that round.
  const text =
    isBlank(stage) || (stage === record['funding_stage'] && isStageEarlier(record))
      ? ''
      : vocabularyLabel(String(stage));
  return [text, isOfLast || last === '' ? last : `last round ${last}`];
}

/** What is counted, after one of it without the plural. */
const nounAfter = (figure: string, label: string): string => (figure === '1' ? label.replace(/s$/, '') : label);

/** What is known beside the figure: roles and talks of a person, speakers of an event. */
function furtherOf(record: RecordData, sort: string): readonly string[] {
  if (record.type === 'events') {
    const speakers = sizeOf(record['speakers'] ?? []);
    return speakers === '0' ? [] : [`${speakers} ${nounAfter(speakers, 'speakers')} on record`];
  }
  if (record.type !== 'people') return [];
  const [, ...others] = knownFigures(record, sort);
  return others.map((figure) => figure.join(' '));
}

/** Facts that a result shows only in a list sorted by them. */
const FACTS_OF_ORDER: readonly (readonly [field: string, write: (value: string) => string])[] = [
  ['year_founded', (year) => `founded ${year}`],
  ['total_employees', (employees) => `${countText(Number(employees))} employees`],
];

/** Whether the amount of a round, or the known funding of a company, has no source page; blank if it has. */
const markOf = (record: RecordData): string =>
  record.type === 'rounds' && isUnsourced(record) ? UNSOURCED : String(record['unsourced'] ?? '');
/** The columns of these amounts. */
const MARKED_FIELDS = ['total_funding_usd', 'amount_usd'];

/** What the line of an investor says that its figures say. */
const INVESTS_SINCE = /, with known investments since \d{4}(: )?/;

/** The line that describes a result, and the texts below its figure. */
function textsOf(
  record: RecordData,
  { sort = '', business = '' }: Pick<ResultItemProps, 'sort' | 'business'>,
): readonly [line: string, note: string] {
  const text = (field: string, write: (value: string) => string): string =>
    isBlank(record[field]) ? '' : write(String(shownValue(record, field)));
  // The line of an event repeats its dates.
  const own = record.type === 'events' ? '' : (record['tagline'] ?? record['headline'] ?? record['overview'] ?? '');
  const line = inShort(withoutLastRound(String(own)).replace(INVESTS_SINCE, ' · ').replace(/ · $/, ''), LINE_LENGTH);
  const place = placeOf(record);
  const stage = text('stage', vocabularyLabel);
  const isNamed = record.name.toLowerCase().includes(stage.toLowerCase());
  const lines = [line, text('event_type', vocabularyLabel), isNamed ? '' : stage, leadsOf(record, 'led by '), business];
  const notes = [
    ...stageTexts(record),
    text('announced_date', dayText),
    String(record['token_sales'] ?? ''),
    markOf(record),
    text('last_investment_date', (day) => `last ${dayText(day)}`),
    ...furtherOf(record, sort),
    ...FACTS_OF_ORDER.filter(([field]) => sort.endsWith(field)).map(([field, write]) => text(field, write)),
  ];
  if (!line.includes(place.split(',')[0] ?? place))
    (line === '' || record.type === 'investors' ? lines : notes).push(place);
  return [lines.filter(Boolean).join(' · '), notes.filter(Boolean).join(' · ')];
}

/** The speakers of an event, at the end of what is said of it. */
const speakersText = ({ type, overview }: RecordData): string =>
  type === 'events' ? inShort(String(overview ?? '').replace(/^.*?(?=Speakers on record|$)/s, ''), LINE_LENGTH) : '';

/** A result: its description, its figure with date or stage, and the matching text if these do not show it. */
export function ResultItem({ record, grants, sort, part, business, words, hasKind }: ResultItemProps): VNode {
  const { name } = record;
  const [line, note] = textsOf(record, { sort, business });
  const deals = dealsText(record) || speakersText(record);
  const [figure, label] = figureOf(record, { grants, sort, part });
  const match = [name, line].some((text) => sentenceWith(text, words) !== undefined)
    ? undefined
    : sentenceWith(String(record['overview'] ?? ''), words);
  return (
    <li>
      <RecordTile record={record} />
      <div>
        <p class="record-name">
          <RecordLink to={record}>
            <Marked text={name} words={words} />
          </RecordLink>{' '}
          {hasKind ? <Badge>{recordNoun(record)}</Badge> : null}
        </p>
        <p class="record-line muted">
          <Marked text={line} words={words} />
        </p>
        {deals === '' ? null : <p class="record-line">{deals}</p>}
        {match === undefined ? null : (
          <p class="record-match muted">
            <Marked text={match} words={words} />
          </p>
        )}
      </div>
      <div class="record-figure">
        {figure + label === '' ? null : (
          <p>
            <strong>{figure}</strong> <span class="muted">{label}</span>
          </p>
        )}
        {note === '' ? null : <p class="muted">{note}</p>}
      </div>
    </li>
  );
}
