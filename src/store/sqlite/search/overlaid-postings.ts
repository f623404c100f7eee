import { changedBlocks, type PostingsChange } from './postings-change.ts';
import { keyOf, listOfKey } from './postings-codec.ts';
import type { BlockEntry, BlockReader } from './postings-table.ts';
import type { Runs } from './runs.ts';

/** Reads posting lists merged with the changes of the runs. */
export function withRuns(lists: BlockReader, runs: Runs): BlockReader {
  const changed = (entries: BlockEntry[], from: number, end: number): BlockEntry[] => {
    if (runs.count() === 0) return entries;
    const changes = [...runs.between(from, end)];
    return changes.length === 0 ? entries : changedEntries(lists, entries, changes);
  };
  return {
    directory: (from, end) => changed(lists.directory(from, end), from, end),
    directories: (from, count) =>
      lists.directories(from, count).map((entries, index) => changed(entries, from[index], from[index] + count)),
    read: lists.read,
  };
}

function changedEntries(
  lists: BlockReader,
  entries: readonly BlockEntry[],
  changes: readonly [list: number, change: PostingsChange][],
): BlockEntry[] {
  const changed = new Set(changes.map(([list]) => list));
  const others = entries.filter(({ key }) => !changed.has(listOfKey(key)));
  for (const [list, change] of changes) {
    const own = entries.filter(({ key }) => listOfKey(key) === list);
    for (const { entry, blocks } of changedBlocks(lists, own, change)) {
      if (blocks === undefined && entry) others.push(entry);
      for (const { first, count, data } of blocks ?? []) others.push({ key: keyOf(list, first), count, data });
    }
  }
  return others.sort((one, other) => one.key - other.key);
}
