import { changedSegments, type PostingChange } from './list-change.ts';
import type { Entry, ListReader } from './lists.ts';
import type { Runs } from './runs.ts';
import { keyOf, listOfKey } from './segments.ts';

/** Posting lists as if all runs were merged. */
export function overlaid(lists: ListReader, runs: Runs): ListReader {
  return {
    directory(from, end) {
      const entries = lists.directory(from, end);
      if (runs.count() === 0) return entries;
      const changes = [...runs.between(from, end)];
      return changes.length === 0 ? entries : changedEntries(lists, entries, changes);
    },
    read: lists.read,
  };
}

function changedEntries(
  lists: ListReader,
  entries: readonly Entry[],
  changes: readonly [list: number, change: PostingChange][],
): Entry[] {
  const changed = new Set(changes.map(([list]) => list));
  const others = entries.filter(({ key }) => !changed.has(listOfKey(key)));
  for (const [list, change] of changes) {
    const own = entries.filter(({ key }) => listOfKey(key) === list);
    for (const { entry, segments } of changedSegments(lists, own, change)) {
      if (segments === undefined && entry) others.push(entry);
      for (const { first, count, data } of segments ?? []) others.push({ key: keyOf(list, first), count, data });
    }
  }
  return others.sort((one, other) => one.key - other.key);
}
