import { readFileSync, writeFileSync } from 'node:fs';
import { type CoverageGaps, NO_COVERAGE_GAPS } from '../contract/vocabulary-response.ts';
import type { Store } from '../store/store.ts';
import { fileOf } from './database-url.ts';

/** How long the values of a running service are considered current. */
const CACHE_MS = 10_000;

const fileBeside = (file: string): string => `${file}-uncovered`;

/** Stores beside a database what no record has; a missing or stale note only costs a model tokens. */
export async function storeCoverageGaps({ records }: Store, file: string): Promise<void> {
  try {
    writeFileSync(fileBeside(file), JSON.stringify(await records.coverageGaps()));
  } catch {
    // The disk may be full or the folder read-only; the store reports that where it matters.
  }
}

/** The stored note of a database; nothing for one without a file. */
export function storedCoverageGaps(url: string): CoverageGaps {
  const file = fileOf(url);
  if (file === undefined) return NO_COVERAGE_GAPS;
  try {
    return { ...NO_COVERAGE_GAPS, ...(JSON.parse(readFileSync(fileBeside(file), 'utf8')) as Partial<CoverageGaps>) };
  } catch {
    return NO_COVERAGE_GAPS;
  }
}

/** What no record has: the last known value, refreshed in the background. */
export function watchCoverageGaps({ records }: Store): () => CoverageGaps {
  let known = NO_COVERAGE_GAPS;
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<void> => {
    if (performance.now() - readAt < CACHE_MS) return;
    readAt = performance.now();
    // If the database is unavailable, the previous value remains.
    known = await records.coverageGaps().catch(() => known);
  };
  void read();
  return () => {
    void read();
    return known;
  };
}
