import type { Source } from '../../search/evidence.ts';
import { type Field, rarity } from '../../search/layers.ts';
import { roundScore } from '../../search/matches.ts';
import type { TermCounts } from './counts.ts';
import type { MatchRequest } from './matching.ts';

/** A document that matches, with the field of each of its terms that were asked for. */
export interface Candidate {
  readonly ordinal: number;
  readonly fields: ReadonlyMap<string, Field>;
}

/** What is raised in the course of scoring; as exact as single floats are, like in every engine. */
interface Standing {
  readonly weights: Float32Array;
  bonus: number;
  scale: number;
}

/** Scores of candidates: the worth of their words by rarity, and the layer of what they are called. */
export function scoreCandidates(candidates: readonly Candidate[], request: MatchRequest): number[] {
  const { evidence, documents } = request;
  const rarities = evidence.words.map((word) => rarity(documents, word.countTyped || word.count));
  const sum = rarities.reduce((total, value) => total + value, 0) || 1;
  const called = calledByOrdinal(request);
  return candidates.map((candidate) => {
    const standing = standingOf(candidate, request, called.get(candidate.ordinal) ?? []);
    const { weights, bonus } = standing;
    const isWhole = weights.length > 0 && weights.every((weight) => weight > 0);
    const scale = isWhole || bonus > 0 ? 1 : standing.scale;
    const score = weights.reduce((total, weight, word) => total + weight * (rarities[word] ?? 0), 0);
    return roundScore(bonus + (scale * score) / sum);
  });
}

type CalledAs = MatchRequest['called'];

function calledByOrdinal({ called }: MatchRequest): Map<number, CalledAs> {
  const byOrdinal = new Map<number, CalledAs>();
  for (const each of called) byOrdinal.set(each.ordinal, [...(byOrdinal.get(each.ordinal) ?? []), each]);
  return byOrdinal;
}

function standingOf({ fields }: Candidate, { evidence, termOf }: MatchRequest, called: CalledAs): Standing {
  const weights = new Float32Array(evidence.words.length);
  const raise = (from: number, to: number, value: number): void => {
    for (let word = from; word <= to; word += 1) if ((weights[word] ?? 0) < Math.fround(value)) weights[word] = value;
  };
  const worthOf = (source: Source<TermCounts>): number => {
    const field = fields.get(termOf(source.lists.term));
    return field === undefined || field >= source.fields ? 0 : (source.weights[field] ?? 0);
  };
  for (const source of [...evidence.words.flatMap(({ sources }) => sources), ...evidence.keywords])
    raise(source.from, source.to, worthOf(source));
  let scale = 0;
  let bonus = 0;
  for (const { from, to, weight, scale: scaled, bonus: added } of called) {
    scale = Math.max(scale, Math.fround(scaled));
    bonus = Math.max(bonus, Math.fround(added));
    raise(from, to, weight);
  }
  if (evidence.start !== undefined) bonus = Math.max(bonus, Math.fround(worthOf(evidence.start)));
  return { weights, bonus, scale };
}
