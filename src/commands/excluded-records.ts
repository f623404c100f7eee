import { factOf } from '../contract/filter-words.ts';
import { type FilterName, unknownFacts } from '../contract/filters.ts';
import type { SearchData } from '../contract/record-responses.ts';
import { shownCount } from './output.ts';

/** The number of records that only an unknown field excludes, in at most one line. */
export function excludedLines(unknown: SearchData['unknown']): string[] {
  const counts = [...unknownFacts(unknown)].map(([names, some]) => {
    const facts = [...new Set(names.map((name) => factOf(name as FilterName)))];
    return [`${facts.join(' and ')} ${facts.length === 1 ? 'is' : 'are'} unknown`, some] as const;
  });
  const [[fact, count] = [], ...rest] = new Map(counts);
  if (fact === undefined || count === undefined) return [];
  const others = count === 1 ? 'other that matches the rest, but' : 'others that match the rest, but';
  const more = rest.map(([other, some]) => `; ${shownCount(some)} whose ${other}`);
  return [`Left out: ${shownCount(count)} ${others} whose ${fact}${more.join('')}.`];
}
