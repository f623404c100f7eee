import type { AggregateData } from '../../contract/aggregate.ts';
import type { RecordType } from '../../contract/entities/index.ts';
import type { Filters } from '../../contract/filters.ts';
import { statedValue } from '../../contract/periods.ts';
import type { Records } from '../../store/port/records.ts';
import { readFirst } from './read-records.ts';

interface Asked {
  readonly of: RecordType;
  readonly filters: Filters;
}

/** Rounds of one day that are read to see whether any states the day. */
const READ_MAX = 100;

/** An aggregate whose first and last date are as sources state them: `2021-03` where none of the rounds states the day. */
export async function withStatedSpan(records: Records, asked: Asked, data: AggregateData): Promise<AggregateData> {
  const { from, to } = data.covered;
  const [first, last] = await Promise.all([from, to].map((day) => statedDate(records, asked, day)));
  return { ...data, covered: { ...data.covered, from: first ?? from, to: last ?? to } };
}

async function statedDate(records: Records, { of, filters }: Asked, day: string | null): Promise<string | undefined> {
  // A date of which only the month is known is the first of it.
  if (of !== 'rounds' || day?.endsWith('-01') !== true) return undefined;
  const { found } = await readFirst(records, READ_MAX, { types: [of], filters: { ...filters, from: day, to: day } });
  const stated = found.map((round) => String(statedValue(round, 'announced_date')));
  return stated.includes(day) ? day : stated[0];
}
