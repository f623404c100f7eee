import type { SearchData } from '../contract/record-responses.ts';
import { nameInWords, shownCount } from './output.ts';

/** What a filter of a range is about, where its name in words does not say it. */
const FACTS: Readonly<Record<string, string>> = {
  funding_min: 'amount',
  funding_max: 'amount',
  from: 'date',
  to: 'date',
  last_round_after: 'date of the last round',
  last_round_before: 'date of the last round',
  founded_from: 'year founded',
  founded_to: 'year founded',
  employees_min: 'number of employees',
  employees_max: 'number of employees',
  starts_after: 'start date',
  starts_before: 'start date',
  updated_since: 'age of the source',
  stale: 'age of the source',
};

/** The number of records excluded because a filtered field is unknown, in at most one line. */
export function excludedLines(unknown: SearchData['unknown']): string[] {
  const counts = Object.entries(unknown).map(
    ([name, count]) => `the ${FACTS[name] ?? nameInWords(name)} is unknown: ${shownCount(count)}`,
  );
  return counts.length === 0 ? [] : [`Left out because ${[...new Set(counts)].join('; because ')}.`];
}
