import { readFileSync, writeFileSync } from 'node:fs';
import type { FilterName } from '../contract/filters.ts';
import type { Store } from '../store/store.ts';
import { fileOf } from './database-url.ts';

/** As long as what was read of a running service counts as new. */
const NEW_MS = 10_000;

const noteOf = (file: string): string => `${file}-uncovered`;

/**
 * Notes beside a database file which filters no record can satisfy, so that a start that only lists tools need not open it. A note
 * that cannot be written, or is out of date, costs a model some words.
 */
export async function noteUncovered({ records }: Store, file: string): Promise<void> {
  try {
    writeFileSync(noteOf(file), JSON.stringify(await records.uncovered()));
  } catch {
    // The disk may be full, or the folder closed to us; the store itself says so where it matters.
  }
}

/** What is noted of a database; nothing of one that has no file. */
export function notedUncovered(url: string): readonly FilterName[] {
  const file = fileOf(url);
  try {
    return file === undefined ? [] : (JSON.parse(readFileSync(noteOf(file), 'utf8')) as FilterName[]);
  } catch {
    return [];
  }
}

/** Which filters no record of a service can satisfy: what was last read, and read anew behind an answer. */
export function followUncovered({ records }: Store): () => readonly FilterName[] {
  let known: readonly FilterName[] = [];
  let readAt = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<void> => {
    if (performance.now() - readAt < NEW_MS) return;
    readAt = performance.now();
    // Where the database is away, what was read before stands.
    known = await records.uncovered().catch(() => known);
  };
  void read();
  return () => {
    void read();
    return known;
  };
}
