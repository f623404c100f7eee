import { cellName } from '../../contract/aggregate-rows.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import { daysOfPeriod, PERIODS } from '../../contract/periods.ts';
import { Link, RecordLink, usePage } from '../components.tsx';
import type { PageQuery } from '../query.ts';
import type { Cell } from './aggregate-figures.tsx';

const FILTERS: Readonly<Record<string, FilterName>> = {
  stage: 'funding_stage',
  tag: 'tag',
  focus: 'tag',
  chain: 'chain',
  country: 'country',
  city: 'city',
  investor_type: 'investor_type',
  event_type: 'event_type',
  status: 'status',
};

interface GroupTextProps {
  readonly of: RecordType;
  readonly group: string;
  readonly cell: Cell;
  readonly given: PageQuery;
}

/** The value of a group, with a link to its record, or to the records that have it. */
export function GroupText({ of, group, cell, given }: GroupTextProps) {
  const { searchAt } = usePage();
  if (cell === null) return <span class="muted">Not known</span>;
  if (typeof cell === 'object') return <RecordLink to={cell} />;
  const text = cellName(cell, group);
  const having = filtersOf(of, group, String(cell));
  if (having === undefined || /[|:]/.test(text)) return <>{text}</>;
  return <Link to={`${searchAt}?${new URLSearchParams({ type: of, ...given, ...having })}`}>{text}</Link>;
}

/** The filters that records with a value of a group pass; undefined if there are none. */
function filtersOf(of: RecordType, group: string, value: string): PageQuery | undefined {
  if (group === 'year_founded') return { founded_from: value, founded_to: value };
  const days = PERIODS.includes(group) ? daysOfPeriod(value) : undefined;
  if (days !== undefined) return of === 'events' ? { starts_after: days.from, starts_before: days.to } : { ...days };
  const filter = FILTERS[group];
  return filter === undefined || !hasFilter(of, filter) ? undefined : { [filter]: value };
}
