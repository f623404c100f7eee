import { cellName } from '../../contract/aggregate-rows.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import { daysOfPeriod, PERIODS } from '../../contract/periods.ts';
import { RecordLink } from '../components.tsx';
import type { PageQuery } from '../query.ts';
import type { Cell } from './aggregate-figures.tsx';
import { filterBy, ValueLink } from './values.tsx';

/** The value of a group, with a link to its record, or to the records that have it. */
export function GroupText({ of, group, cell, given }: { of: RecordType; group: string; cell: Cell; given: PageQuery }) {
  if (cell === null) return <span class="muted">Not known</span>;
  if (typeof cell === 'object') return <RecordLink to={cell} />;
  return (
    <ValueLink of={of} given={given} having={filtersOf(of, group, String(cell))}>
      {cellName(cell, group)}
    </ValueLink>
  );
}

/** The filters that records with a value of a group pass; undefined if there are none. */
function filtersOf(of: RecordType, group: string, value: string): PageQuery | undefined {
  if (group === 'year_founded') return { founded_from: value, founded_to: value };
  const days = PERIODS.includes(group) ? daysOfPeriod(value) : undefined;
  if (days !== undefined) return of === 'events' ? { starts_after: days.from, starts_before: days.to } : { ...days };
  const filter = filterBy(of, group);
  return filter && { [filter]: value };
}
