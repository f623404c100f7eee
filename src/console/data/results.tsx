import { dayText } from '../../contract/day-text.ts';
import { type RecordData, recordNoun } from '../../contract/entities/index.ts';
import { companyOf } from '../../contract/rounds.ts';
import { INVESTORS_AT_LEAST, placedLines } from '../../contract/sample-notes.ts';
import { isSortedBy, SORTED_FIELDS, type SortedField } from '../../contract/sorts.ts';
import { unsourcedMark } from '../../contract/unsourced.ts';
import { countText, isBlank } from '../../contract/value-text.ts';
import { labelOf, vocabularyLabel } from '../../contract/vocabulary.ts';
import { Badge, Link, namedRow, RecordLink, Table, usePage } from '../components.tsx';
import { ownValue } from '../profile/facts.tsx';
import { isCut, LeadsNote, orMore, ROUND_CELLS, Valuation } from '../profile/round-table.tsx';
import { ALL, GRANTS, kindOf, type ParsedSearch, recordPath, shownColumns, sortOf, typesOf } from './parsed-search.ts';
import { isStageEarlier, stageRange } from './result-item.tsx';
import { businessOf } from './round-statistics.ts';
import { Marked, ShortValue } from './values.tsx';

interface ResultTableProps {
  readonly parsed: ParsedSearch;
  readonly shown: ParsedSearch;
  readonly records: readonly RecordData[];
  readonly companies: readonly RecordData[];
  readonly words: readonly string[];
}

/** Results as rows. Rounds are named by their company, unless columns were chosen. */
export function ResultTable({ parsed, shown, records, companies, words }: ResultTableProps) {
  const known = withOrder(shown, shownColumns(shown));
  // Default columns are shown only if they have a value.
  const usual = kindOf(shown) === GRANTS ? known.map((field) => (field === 'stage' ? 'stage_raw' : field)) : known;
  const columns = shown.columns ? known : usual.filter((field) => isColumnShown(shown, records, field));
  const isOfDeals = shown.type === 'rounds' && shown.columns === undefined;
  const fields = isOfDeals ? columns : ['name', ...columns];
  const numbers = new Set(fields.filter((field) => isOfNumbers(records, field)));
  const figure = fields.find((field) => field === 'amount_usd') ?? fields.find((field) => numbers.has(field));
  const lookOf = (field: string) => (field === figure ? 'number main' : numbers.has(field) ? 'number' : LOOKS[field]);
  const since = fields.includes('rounds_last_year')
    ? records.find((record) => !isBlank(record['rounds_since']))
    : undefined;
  const hasMore = fields.some((field) => field === 'investors' || field === 'investors_count') && isCut(records);
  return (
    <>
      <Table
        label="Results"
        head={fields.map((field) => headIn(shown, field))}
        drawHead={(head, place) => {
          const field = fields[place] ?? '';
          return <SortHead key={field} {...{ parsed, shown, field, head }} isNumeric={numbers.has(field)} />;
        }}
        look={isOfDeals ? 'stacks lines' : 'stacks lines compared'}
      >
        {records.map((record) =>
          namedRow(
            `${record.type} ${record.id}`,
            <>
              <RecordLink to={isOfDeals ? companyOf(record) : record}>
                <Marked text={(isOfDeals ? companyOf(record) : record).name} words={words} />
              </RecordLink>
              {shown.type === ALL ? <Badge>{recordNoun(record)}</Badge> : null}
              {fields.includes('status') ? null : <StatusBadge status={statusOf(record)} />}
              {isOfDeals ? <p class="business">{businessOf(record, companies)}</p> : null}
            </>,
            ...fields.slice(1).map((field) => (
              <td key={field} class={lookOf(field)}>
                <ResultCell record={record} field={field} isMarked={!fields.includes('announcement')} />
              </td>
            )),
          ),
        )}
      </Table>
      {since === undefined ? null : (
        <p class="hint under">
          Last 12 months: rounds since {dayText(since['rounds_since'])}, twelve months before the newest on record.
          Median round: of all investors together.
        </p>
      )}
      {hasMore ? <p class="hint under">+: {INVESTORS_AT_LEAST}.</p> : null}
      {placedLines(shown.given).map((line) => (
        <p key={line} class="hint under">
          {line}
        </p>
      ))}
      {fields.includes('lead_investors') ? <LeadsNote rounds={records} /> : null}
    </>
  );
}

/** The columns of a list, with that of its order unless columns were chosen; valuations stand below amounts. */
function withOrder(shown: ParsedSearch, columns: readonly string[]): readonly string[] {
  const order = shown.sort?.replace('-', '') ?? 'name';
  const isBelow = order === 'valuation_usd' && columns.includes('amount_usd');
  return shown.columns || order === 'name' || isBelow || columns.includes(order) ? columns : [...columns, order];
}

/** Whether a default column has values, or leads to the rounds. Of grants, the one investor stands as who gave it, where others have their leads. */
function isColumnShown(shown: ParsedSearch, records: readonly RecordData[], field: string): boolean {
  const isOfGrants = kindOf(shown) === GRANTS;
  if (isOfGrants && field === 'investors') return false;
  const stated = isOfGrants && field === 'lead_investors' ? 'investors' : field;
  if (field === 'announced_date') return true;
  return records.some(
    (record) => !isBlank(record[stated]) || (field === 'announcement' && unsourcedMark(record) !== ''),
  );
}

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
  stage_raw: 'Programme',
  funding_stage: 'Stage',
  funding_stages: 'Stages',
  investors_count: 'Investors',
  last_round_date: 'Last round',
  rounds_last_year: 'Last 12 months',
  last_investment_date: 'Latest',
};

const headIn = (shown: ParsedSearch, field: string): string =>
  field === 'lead_investors' && kindOf(shown) === GRANTS ? 'Given by' : (HEADS[field] ?? labelOf(field));

/** Names of parties take two lines where one is too short. */
const LOOKS: Readonly<Record<string, string>> = { lead_investors: 'names', last_investment_date: 'nowrap' };

function StatusBadge({ status }: { status: unknown }) {
  if (isBlank(status) || status === 'active') return null;
  return (
    <>
      {' '}
      <Badge tone={status === 'closed' ? 'warn' : 'plain'}>{vocabularyLabel(String(status))}</Badge>
    </>
  );
}

const MARKED_FIELDS = ['total_funding_usd', 'amount_usd'];

interface ResultCellProps {
  readonly record: RecordData;
  readonly field: string;
  /** Whether no other column says that an amount has no source. */
  readonly isMarked: boolean;
}

function ResultCell({ record, field, isMarked: isToMark }: ResultCellProps) {
  const ofRound = record.type === 'rounds' ? ROUND_CELLS[field]?.(record) : undefined;
  const stages = field === 'funding_stages' ? stageRange((record[field] ?? []) as readonly string[]) : '';
  const value = field === 'status' ? statusOf(record) : ownValue(record, field);
  const investors = field === 'investors_count' && !isBlank(value) ? orMore(countText(Number(value)), [record]) : '';
  return (
    <>
      {ofRound ?? (stages || investors || <ShortValue of={record.type} field={field} value={value} />)}
      {isToMark && MARKED_FIELDS.includes(field) && unsourcedMark(record) ? (
        <small> {unsourcedMark(record)}</small>
      ) : null}
      {field === 'amount_usd' ? <Valuation round={record} /> : null}
      {field === 'total_funding_usd' && !isBlank(record['token_sales']) ? (
        <p class="business">{String(record['token_sales'])}</p>
      ) : null}
      {field === 'funding_stage' && isStageEarlier(record) ? (
        <small> in {String(record['funding_stage_date'] ?? '–').slice(0, 4)}</small>
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

function SortHead({ parsed, shown, field, head, isNumeric }: SortHeadProps) {
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
