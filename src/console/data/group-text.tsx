import type { VNode } from 'preact';
import type { RecordType } from '../../contract/entities/index.ts';
import { type FilterName, hasFilter } from '../../contract/filters.ts';
import { daysOfPeriod, PERIODS } from '../../contract/periods.ts';
import { Link, RecordLink, usePage } from '../components.tsx';
import type { PageQuery } from '../query.ts';
import { type Cell, nameOf } from './aggregate-figures.tsx';

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
  readonly given?: PageQuery;
}

/** The value of a group, with a link to its record, or to the records that have it. */
export function GroupText({ of, group, cell, given = {} }: GroupTextProps): VNode {
  const { searchAt } = usePage();
  if (cell === null) return <span class="muted">Not known</span>;
  if (typeof cell === 'object') return <RecordLink to={cell} />;
  const text = nameOf(cell, group);
  const days = PERIODS.includes(group) ? daysOfPeriod(String(cell)) : undefined;
  if (days !== undefined) {
    const period = of === 'events' ? { starts_after: days.from, starts_before: days.to } : days;
    return <Link to={`${searchAt}?${new URLSearchParams({ type: of, ...given, ...period })}`}>{text}</Link>;
  }
  const filter = FILTERS[group];
  if (filter === undefined || !hasFilter(of, filter) || /[|:]/.test(text)) return <>{text}</>;
  return <Link to={`${searchAt}?${new URLSearchParams({ type: of, ...given, [filter]: String(cell) })}`}>{text}</Link>;
}
