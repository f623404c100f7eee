import { type FilterName, type Filters, kindsGiven } from '../../contract/filters.ts';
import type { SearchPage } from '../port/records.ts';
import type { SqlProgram } from '../sql.ts';

/**
 * How many records match without each of several filters, by filter, the most first; undefined if none does. Both bounds of a field
 * count as one filter, named by the first, and so does an investor with the role in the round. The record that is asked about,
 * such as a company, is kept.
 */
export function* countWithoutEach(
  given: Filters,
  countUnder: (filters: Filters) => SqlProgram<number>,
): SqlProgram<SearchPage['withoutFilters']> {
  const names = (Object.keys(given) as FilterName[]).filter((name) => !isExcept(given[name]));
  const partOf = (name: FilterName): string => filterAbout(name, given);
  const parts = names.filter((name, index) => names.findIndex((each) => partOf(each) === partOf(name)) === index);
  if (parts.length < 2) return undefined;
  const counts: [FilterName, number][] = [];
  for (const name of parts.filter((each) => !SUBJECTS.has(each))) {
    const others = Object.entries(given).filter(([each]) => partOf(each as FilterName) !== partOf(name));
    const records = yield* countUnder(Object.fromEntries(others));
    if (records > 0) counts.push([name, records]);
  }
  return counts.length === 0 ? undefined : Object.fromEntries(counts.sort(([, one], [, other]) => other - one));
}

const SUBJECTS: ReadonlySet<FilterName> = new Set(['company', 'event', 'founder']);

/** Whether a filter only leaves values out: without it, there would be just these. */
const isExcept = (value: unknown): boolean => (value as { readonly mode?: string }).mode === 'except';

/** What a filter is a bound or a role of. */
const filterAbout = (name: FilterName, given: Filters): string =>
  name === 'led'
    ? ((given.investor === undefined ? kindsGiven(given)[0] : undefined) ?? 'investor')
    : name.replace(/(?:^|_)(?:from|to|min|max)$/, '');
