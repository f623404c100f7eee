/** Counts of what was merged and left out, for the summary. */
export interface Tally {
  count(what: string): void;
  leaveOut(kind: string, reason: string): void;
  lines(): string[];
}

/** Makes an empty tally. */
export function createTally(): Tally {
  const counts = new Map<string, number>();
  const count = (what: string) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  return {
    count,
    leaveOut: (kind, reason) => count(`${kind} left out: ${reason}`),
    lines: () =>
      [...counts].sort(([left], [right]) => (left < right ? -1 : 1)).map(([what, times]) => `${times} ${what}`),
  };
}
