const DISTANCE_MAX = 2;
/** Allows one edit per three letters; more distant words are unrelated. */
const LETTERS_PER_MISTAKE = 3;

/** " Did you mean X?" for the closest candidate, or the only one with this word in its name; empty if none is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const part = word.replace(/^-+/, '');
  const whole = candidates.filter((candidate) => candidate.split('-').includes(part));
  if (whole.length === 1) return ` Did you mean ${whole[0]}?`;
  const ranked = candidates.map((candidate) => ({ candidate, distance: editDistance(word, candidate) }));
  const [first] = ranked.sort((left, right) => left.distance - right.distance);
  const distanceMax = Math.min(DISTANCE_MAX, Math.floor(word.length / LETTERS_PER_MISTAKE));
  return first === undefined || first.distance > distanceMax ? '' : ` Did you mean ${first.candidate}?`;
}

/** Damerau-Levenshtein distance: two exchanged neighbours are one edit. */
function editDistance(left: string, right: string): number {
  let previous: number[] = [];
  let row = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= right.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (left[i - 1] === right[j - 1] ? 0 : 1);
      const isExchanged = i > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const exchange = isExchanged ? (previous[j - 2] ?? 0) + 1 : change;
      next.push(Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, change, exchange));
    }
    previous = row;
    row = next;
  }
  return row[right.length] ?? 0;
}
