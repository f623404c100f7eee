import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { attempt } from '../contract/attempt.ts';
import { type CoverageGaps, NO_COVERAGE_GAPS } from '../contract/vocabulary-response.ts';
import type { Store } from '../store/store.ts';
import type { Settings } from './config.ts';
import { fileOf } from './database-url.ts';
import { prebuiltDatabase } from './package.ts';

/** How long the values of a running service are considered current. */
const CACHE_MS = 10_000;

/** The note of a database file. */
export const gapsFileOf = (file: string): string => `${file}-uncovered`;

/** Stores beside a database what no record has; a missing or stale note only costs a model tokens. */
export async function storeCoverageGaps({ records }: Store, file: string): Promise<void> {
  try {
    writeFileSync(gapsFileOf(file), JSON.stringify(await records.coverageGaps()), { mode: 0o600 });
  } catch {
    // The disk may be full or the folder read-only; the store reports that where it matters.
  }
}

/** The stored note of a database, or of the shipped one that it will begin as; nothing for one without a file. */
export function storedCoverageGaps({ database_url, data }: Pick<Settings, 'database_url' | 'data'>): CoverageGaps {
  const file = fileOf(database_url);
  if (file === undefined) return NO_COVERAGE_GAPS;
  const source = data === 'shipped' && !existsSync(file) ? prebuiltDatabase() : file;
  const stored = attempt(() => JSON.parse(readFileSync(gapsFileOf(source), 'utf8')) as Partial<CoverageGaps>);
  return { ...NO_COVERAGE_GAPS, ...stored };
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
