import { likenessTo } from '../store/search/typos.ts';

const DISTANCE_MAX = 2;
/** Allows one edit per three letters; more distant words are unrelated. */
const LETTERS_PER_MISTAKE = 3;

/** " Did you mean X?" for the closest candidate, or the only one with this word in its name; empty if none is close. */
export function didYouMean(word: string, candidates: readonly string[]): string {
  const part = word.replace(/^-+/, '');
  const whole = candidates.filter((candidate) => candidate.split('-').includes(part));
  if (whole.length === 1) return ` Did you mean ${whole[0]}?`;
  const distanceTo = likenessTo(word, Math.min(DISTANCE_MAX, Math.floor(word.length / LETTERS_PER_MISTAKE)));
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distanceTo(candidate).whole }))
    .filter(({ distance }) => distance < Number.POSITIVE_INFINITY);
  const [first] = ranked.sort((left, right) => left.distance - right.distance);
  return first === undefined ? '' : ` Did you mean ${first.candidate}?`;
}
