import { editDistancesTo } from '../store/search/typos.ts';

const DISTANCE_MAX = 2;
/** Allows one edit per three letters; more distant words are unrelated. */
const LETTERS_PER_MISTAKE = 3;
/** Shorter words begin like too many others, and so do words with more typos. */
const BEGINNING_MIN = 4;
const BEGINNING_TYPOS_MAX = 1;
const BEGINNING_WITH_TYPOS_MIN = 6;

/** " Did you mean X?" for the nearest candidate; empty if there is none. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  if (/^grants?$/.test(word) && candidates.includes('rounds')) return ' Grants are rounds of --funding-stage grant.';
  const meant = nearestTo(word, candidates);
  return meant === undefined ? '' : ` Did you mean ${meant}?`;
}

/** The nearest candidate, or the only one with this word or beginning; undefined if there is none. */
export function nearestTo(word: string, candidates: readonly string[]): string | undefined {
  const part = word.replace(/^-+/, '');
  const whole = candidates.filter((candidate) => candidate.split('-').includes(part));
  if (whole.length === 1) return whole[0];
  const distanceTo = editDistancesTo(word, Math.min(DISTANCE_MAX, Math.floor(word.length / LETTERS_PER_MISTAKE)));
  const ranked = candidates.map((candidate) => {
    const { whole: distance, beginning } = distanceTo(candidate);
    return { candidate, distance, beginning, isOtherLetter: Number(candidate[0] !== word[0]) };
  });
  const near = ranked
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.distance - other.distance || one.isOtherLetter - other.isOtherLetter);
  const typosMax = part.length < BEGINNING_WITH_TYPOS_MIN ? 0 : BEGINNING_TYPOS_MAX;
  const begun = ranked
    .filter(({ beginning }) => part.length >= BEGINNING_MIN && beginning <= typosMax)
    .sort((one, other) => one.beginning - other.beginning);
  return [...near, ...begun][0]?.candidate;
}
