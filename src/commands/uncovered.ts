import { readFileSync, writeFileSync } from 'node:fs';
import type { FilterName } from '../contract/filters.ts';
import type { Store } from '../store/store.ts';
import { fileOf } from './database-url.ts';

/** How long the values of a running service are considered current. */
const CACHE_MS = 10_000;

const fileBeside = (file: string): string => `${file}-uncovered`;

/** Stores beside a database which filters no record can satisfy; a missing or stale note only costs a model tokens. */
export async function storeUncoveredFilters({ records }: Store, file: string): Promise<void> {
  try {
    writeFileSync(fileBeside(file), JSON.stringify(await records.uncovered()));
  } catch {
    // The disk may be full or the folder read-only; the store reports that where it matters.
  }
}

/** The stored note of a database; empty for one without a file. */
export function storedUncoveredFilters(url: string): readonly FilterName[] {
  const file = fileOf(url);
  try {
    return file === undefined ? [] : (JSON.parse(readFileSync(fileBeside(file), 'utf8')) as FilterName[]);
  } catch {
    return [];
  }
}

/** Filters that no record can satisfy: the last known value, refreshed in the background. */
export function watchUncoveredFilters({ records }: Store): () => readonly FilterName[] {
  let known: readonly FilterName[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<void> => {
    if (performance.now() - readAt < CACHE_MS) return;
    readAt = performance.now();
    // If the database is unavailable, the previous value remains.
    known = await records.uncovered().catch(() => known);
  };
  void read();
  return () => {
    void read();
    return known;
  };
}
