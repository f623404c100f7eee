import { unknownFacts } from '../contract/filters.ts';
import type { SearchData } from '../contract/record-responses.ts';
import { nameInWords, shownCount } from './output.ts';

/** What a filter of a range is about, where its name in words does not say it. */
const FACTS: Readonly<Record<string, string>> = {
  funding_min: 'amount',
  funding_max: 'amount',
  led: 'lead investor',
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

/** The number of records that only an unknown field excludes, in at most one line. */
export function excludedLines(unknown: SearchData['unknown']): string[] {
  const counts = [...unknownFacts(unknown)].map(([names, some]) => {
    const facts = [...new Set(names.map((name) => FACTS[name] ?? nameInWords(name)))];
    return [`${facts.join(' and ')} ${facts.length === 1 ? 'is' : 'are'} unknown`, some] as const;
  });
  const [[fact, count] = [], ...rest] = new Map(counts);
  if (fact === undefined || count === undefined) return [];
  const others = count === 1 ? 'other that matches the rest, but' : 'others that match the rest, but';
  const more = rest.map(([other, some]) => `; ${shownCount(some)} whose ${other}`);
  return [`Left out: ${shownCount(count)} ${others} whose ${fact}${more.join('')}.`];
}
