import type { Question } from './eval-data.ts';

/** An engine's answer: `type:slug` in order. */
export type Ask = (question: Pick<Question, 'query' | 'type'>) => Promise<string[]>;

export interface KindScore {
  kind: string;
  questions: number;
  first: number;
  ten: number;
  reciprocal: number;
  precision: number;
}

/** Questions that must find nothing. */
const NO_MATCH = 'no_match';

/** Scores by kind, then over all questions that have an answer. */
export async function scoreKinds(questions: readonly Question[], ask: Ask): Promise<KindScore[]> {
  const kinds = [...new Set(questions.map(({ kind }) => kind))];
  const scored: (Score & { kind: string })[] = [];
  for (const question of questions) scored.push({ kind: question.kind, ...scoreOne(question, await ask(question)) });
  const rows = kinds.map((kind) =>
    mean(
      kind,
      scored.filter((score) => score.kind === kind),
    ),
  );
  return [
    ...rows,
    mean(
      'all',
      scored.filter(({ kind }) => kind !== NO_MATCH),
    ),
  ];
}

interface Score {
  first: number;
  ten: number;
  reciprocal: number;
  precision: number;
}

function scoreOne(question: Question, found: readonly string[]): Score {
  if (question.kind === NO_MATCH) {
    const isEmpty = found.length === 0 ? 1 : 0;
    return { first: isEmpty, ten: isEmpty, reciprocal: isEmpty, precision: isEmpty };
  }
  const expected = new Set(
    question.expected_slugs.map((slug) => (question.type === 'all' ? slug : `${question.type}:${slug}`)),
  );
  const ten = found.slice(0, 10);
  const place = ten.findIndex((slug) => expected.has(slug));
  const right = ten.filter((slug) => expected.has(slug)).length;
  return {
    first: place === 0 ? 1 : 0,
    ten: place >= 0 ? 1 : 0,
    reciprocal: place >= 0 ? 1 / (place + 1) : 0,
    precision: right / Math.min(10, expected.size),
  };
}

function mean(kind: string, scores: readonly Score[]): KindScore {
  const of = (pick: (score: Score) => number) =>
    scores.reduce((sum, score) => sum + pick(score), 0) / Math.max(1, scores.length);
  return {
    kind,
    questions: scores.length,
    first: of((score) => score.first),
    ten: of((score) => score.ten),
    reciprocal: of((score) => score.reciprocal),
    precision: of((score) => score.precision),
  };
}
