import type { VNode } from 'preact';
import { type RecordType, recordNoun } from '../../contract/entities/index.ts';
import { labelOf } from '../../contract/field-labels.ts';
import { isSortedBy, SORTED_FIELDS, type SortedField } from '../../contract/sorts.ts';
import { shortMoney } from '../../contract/usd.ts';
import { stageOfCompany, vocabularyLabel } from '../../contract/vocabulary.ts';
import { Badge, countText, Link, RecordLink } from '../components.tsx';
import { usePage } from '../context.ts';
import { dayText, shownValue } from '../day-text.ts';
import { daysOf, placeOf } from '../profile/event-table.tsx';
import { leadsOf } from '../profile/round-table.tsx';
import { RecordTile } from '../profile/tile.tsx';
import { ALL, type FoundType, type ParsedSearch, recordPath, shownColumns } from './parsed-search.ts';
import { countsText } from './round-statistics.ts';
import { inShort, isBlank, Marked, type RecordData, ShortValue, sentenceWith } from './values.tsx';

interface ResultTableProps {
  readonly parsed: ParsedSearch;
  readonly shown: ParsedSearch;
  readonly records: readonly RecordData[];
  readonly words: readonly string[];
}

/** Results as a sortable table. */
export function ResultTable({ parsed, shown, records, words }: ResultTableProps): VNode {
  const known = shownColumns(shown);
  // Columns that were not asked for are only shown if they have a value.
  const columns = shown.columns ? known : known.filter((field) => records.some((record) => !isBlank(record[field])));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section class="table" aria-label="Results" tabIndex={0}>
      <table class="stacks lines">
        <thead>
          <tr>
            {['name', ...columns].map((field) => (
              <SortHead key={field} parsed={parsed} type={shown.type} field={field} />
            ))}
          </tr>
        </thead>
        <tbody>
          {records.map((record) => (
            <tr key={`${record.type} ${record.id}`}>
              <th scope="row">
                <RecordLink type={record.type} slug={record.slug}>
                  <Marked text={record.name} words={words} />
                </RecordLink>
                {shown.type === ALL ? <Badge>{recordNoun(record)}</Badge> : null}
              </th>
              {columns.map((field) => (
                <td
                  key={field}
                  data-label={labelOf(field)}
                  class={isNumber(record[field], field) ? 'number' : undefined}
                >
                  <ShortValue of={record.type} field={field} value={shownValue(record, field)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const isNumber = (value: unknown, field: string): boolean => typeof value === 'number' || field.endsWith('_usd');

/** A column heading, sortable if the type supports it. */
function SortHead({ parsed, type, field }: { parsed: ParsedSearch; type: FoundType; field: string }): VNode {
  const { searchAt } = usePage();
  const sorted = parsed.sort === field ? 'ascending' : parsed.sort === `-${field}` ? 'descending' : undefined;
  const canSort =
    type !== ALL &&
    SORTED_FIELDS.includes(field as SortedField) &&
    isSortedBy(type as RecordType, field as SortedField);
  if (!canSort) return <th scope="col">{labelOf(field)}</th>;
  const next = sorted === 'descending' || (sorted === undefined && field === 'name') ? field : `-${field}`;
  return (
    <th scope="col" aria-sort={sorted}>
      <Link to={recordPath(searchAt, parsed, { sort: next, type })}>
        {labelOf(field)} {sorted === undefined ? '' : sorted === 'ascending' ? '↑' : '↓'}
      </Link>
    </th>
  );
}

const LINE_LENGTH = 200;

const count = (value: unknown): string => countText(Number(value));

/** The figure of a result: the first of these fields that it has. */
const FIGURES: readonly (readonly [
  field: string,
  label: string,
  text: (value: unknown, record: RecordData) => string,
])[] = [
  ['total_funding_usd', 'known funding', (value) => shortMoney(Number(value))],
  ['amount_usd', '', (value, record) => `${isBlank(record['amount_raw']) ? '' : '≈ '}${shortMoney(Number(value))}`],
  ['angel_investments', 'angel investments', count],
];

function figureOf(record: RecordData, grants: number): readonly [value: string, label: string] | undefined {
  if (record.type === 'events') return isBlank(record['start_date']) ? undefined : [daysOf(record), ''];
  const [field, label = '', text] = FIGURES.find(([name]) => !isBlank(record[name])) ?? [];
  if (field !== undefined)
    return [text?.(record[field], record) ?? '', record[field] === 1 ? label.replace(/s$/, '') : label];
  const rounds = Number(record['investments_count'] ?? 0);
  if (rounds + grants === 0) return undefined;
  const [number = '', ...words] = countsText({ rounds, grants }).split(' ');
  return [number, words.join(' ')];
}

interface ResultItemProps {
  readonly record: RecordData;
  /** Grants that an investor gave. */
  readonly grants?: number | undefined;
  readonly words: readonly string[];
  /** Whether results of several types are mixed. */
  readonly hasKind: boolean;
}

const stageText = (record: RecordData): string => {
  const stage = stageOfCompany(record);
  return isBlank(stage) ? '' : vocabularyLabel(String(stage));
};

/** What a result says besides its name and line. */
function factsOf(record: RecordData, line: string): readonly string[] {
  const text = (field: string, write: (value: string) => string): string =>
    isBlank(record[field]) ? '' : write(String(shownValue(record, field)));
  const said = (place: string): boolean => line.includes(place.split(',')[0] ?? place);
  const stage = text('stage', vocabularyLabel);
  return [
    text('event_type', vocabularyLabel),
    said(placeOf(record)) ? '' : placeOf(record),
    text('announced_date', dayText),
    record.name.toLowerCase().includes(stage.toLowerCase()) ? '' : stage,
    leadsOf(record, 'led by '),
    text('year_founded', (year) => `founded ${year}`),
    stageText(record),
    text('last_round_date', (day) => `last round ${dayText(day)}`),
    text('last_investment_date', (day) => `last investment ${dayText(day)}`),
  ].filter(Boolean);
}

/** One result: type, tagline, distinguishing facts, and where it matches if these do not show it. */
export function ResultItem({ record, grants = 0, words, hasKind }: ResultItemProps): VNode {
  const { type, name, slug } = record;
  // The line of an event says its kind, days and place once more.
  const line = type === 'events' ? '' : String(record['tagline'] ?? record['headline'] ?? record['overview'] ?? '');
  const facts = factsOf(record, line);
  const figure = figureOf(record, grants);
  const match = [name, line].some((text) => sentenceWith(text, words) !== undefined)
    ? undefined
    : sentenceWith(String(record['overview'] ?? ''), words);
  return (
    <li>
      <RecordTile record={record} />
      <div>
        <p class="record-name">
          <RecordLink type={type} slug={slug}>
            <Marked text={name} words={words} />
          </RecordLink>{' '}
          {hasKind ? <Badge>{recordNoun(record)}</Badge> : null}
        </p>
        {line === '' ? null : (
          <p class="record-line">
            <Marked text={inShort(line, LINE_LENGTH)} words={words} />
          </p>
        )}
        {facts.length > 0 ? <p class="muted record-facts">{facts.join(' · ')}</p> : null}
        {match === undefined ? null : (
          <p class="muted record-facts">
            <Marked text={match} words={words} />
          </p>
        )}
      </div>
      {figure === undefined ? null : (
        <p class="record-figure">
          <strong>{figure[0]}</strong> <small class="muted">{figure[1]}</small>
        </p>
      )}
    </li>
  );
}
