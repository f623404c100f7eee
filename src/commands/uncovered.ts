import { readFileSync, writeFileSync } from 'node:fs';
import { NOTHING_UNCOVERED, type Uncovered } from '../contract/vocabulary-response.ts';
import type { Store } from '../store/store.ts';
import { fileOf } from './database-url.ts';

/** How long the values of a running service are considered current. */
const CACHE_MS = 10_000;

const fileBeside = (file: string): string => `${file}-uncovered`;

/** Stores beside a database what no record has; a missing or stale note only costs a model tokens. */
export async function storeUncovered({ records }: Store, file: string): Promise<void> {
  try {
    writeFileSync(fileBeside(file), JSON.stringify(await records.uncovered()));
  } catch {
    // The disk may be full or the folder read-only; the store reports that where it matters.
  }
}

/** The stored note of a database; nothing for one without a file. */
export function storedUncovered(url: string): Uncovered {
  const file = fileOf(url);
  if (file === undefined) return NOTHING_UNCOVERED;
  try {
    return { ...NOTHING_UNCOVERED, ...(JSON.parse(readFileSync(fileBeside(file), 'utf8')) as Partial<Uncovered>) };
  } catch {
    return NOTHING_UNCOVERED;
  }
}

/** What no record has: the last known value, refreshed in the background. */
export function watchUncovered({ records }: Store): () => Uncovered {
  let known = NOTHING_UNCOVERED;
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
