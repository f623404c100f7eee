import { setImmediate } from 'node:timers/promises';
import { NAMED_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { Filters } from '../../contract/filters.ts';
import { foldName } from '../../contract/names.ts';
import type { Engine } from '../engine.ts';
import type { Answers, NamedPlace } from '../port/answers.ts';
import type { ResolvedFilters } from '../records/conditions.ts';
import { all, type Steps } from '../sql/steps.ts';
import type { AnswerIndex } from './answer-index.ts';

/** Records of one name that are told: enough to say that it is not clear which is meant. */
const NAMED_MAX = 5;

/** Looks up what the values of filters mean; throws `invalid_parameter` for one that means nothing. */
type ResolveFilters = (types: readonly RecordType[], given: Filters) => Steps<ResolvedFilters>;

/** Aggregates and connections over an engine's index of facts. */
export function createAnswers(
  { answers, reader }: Pick<Engine, 'answers' | 'reader'>,
  resolve: ResolveFilters,
): Answers {
  /** Others have their turn while much is taken in, as after a start. */
  const upToDate = async <Answer>(ask: (index: AnswerIndex) => Steps<Answer>): Promise<Answer> => {
    for (;;) {
      const answer = await reader.read(whenCaughtUp(answers, ask));
      if (answer !== undefined) return answer;
      await setImmediate();
    }
  };
  return {
    aggregate: (request) =>
      upToDate(function* aggregate(index) {
        return yield* index.aggregate({ ...request, filters: yield* resolve([request.of], request.filters) });
      }),
    connect: (request) => upToDate((index) => index.connect(request)),
    named: (name) => reader.read(recordsNamed(name)),
  };
}

function* whenCaughtUp<Answer>(
  index: AnswerIndex,
  ask: (index: AnswerIndex) => Steps<Answer>,
): Steps<Answer | undefined> {
  return (yield* index.catchUp()) ? yield* ask(index) : undefined;
}

function* recordsNamed(name: string): Steps<NamedPlace[]> {
  const key = foldName(name);
  const found: NamedPlace[] = [];
  if (key === '') return found;
  for (const type of NAMED_TYPES) {
    const sql = `SELECT '${type}' AS type, ${type}.id AS id, slug FROM record_keys JOIN ${type} ON ${type}.id = record_keys.id
      WHERE record_keys.type = ? AND key = ? AND deleted_at IS NULL ORDER BY ${type}.id LIMIT ${NAMED_MAX}`;
    found.push(...(yield* all<NamedPlace>(sql, type, key)));
  }
  return found.slice(0, NAMED_MAX);
}
