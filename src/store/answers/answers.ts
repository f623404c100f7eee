import { setImmediate } from 'node:timers/promises';
import type { AggregateData } from '../../contract/aggregate.ts';
import { NAMED_TYPES } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import { isSampled } from '../../contract/sample.ts';
import type { AggregateRequest, Answers, NamedRecord } from '../port/answers.ts';
import type { ReadModel, SearchModel } from '../records/record-index.ts';
import { all, type SqlProgram } from '../sql/program.ts';

/** Bounds the records returned for an ambiguous name. */
const NAMED_MAX = 5;

interface ComputedAnswers extends Answers {
  /** Precomputes a part of the most common queries. Returns false if nothing is left. */
  prepare(): Promise<boolean>;
}

export function createAnswers({ read }: ReadModel): ComputedAnswers {
  /** Yields between parts while catching up, as after a start. */
  const withCurrentModel = async <Answer>(
    ask: (model: SearchModel) => SqlProgram<Answer>,
    atLeast: number | undefined,
  ): Promise<Answer> => {
    for (;;) {
      const answer = await read((model) => whenCaughtUp(model, ask), atLeast);
      if (answer !== undefined) return answer;
      await setImmediate();
    }
  };
  return {
    aggregate: (request) => withCurrentModel((model) => aggregate(model, request), request.atLeast),
    connect: (request) => withCurrentModel(({ answers }) => answers.connect(request), request.atLeast),
    prepare: () => withCurrentModel(({ answers }) => answers.prepare(), undefined),
    named: (name, atLeast) => read(() => recordsNamed(name), atLeast),
  };
}

function* aggregate({ index, answers }: SearchModel, request: AggregateRequest): SqlProgram<AggregateData> {
  const { atLeast: _, ...asked } = request;
  const data = yield* answers.aggregate({ ...asked, filters: yield* index.resolve([request.of], request.filters) });
  if (!isSampled(request.of)) return data;
  return { ...data, covered: { ...data.covered, on_record: yield* index.onRecord(request.of, request.filters) } };
}

function* whenCaughtUp<Answer>(
  model: SearchModel,
  ask: (model: SearchModel) => SqlProgram<Answer>,
): SqlProgram<Answer | undefined> {
  return (yield* model.answers.catchUp()) ? yield* ask(model) : undefined;
}

function* recordsNamed(name: string): SqlProgram<NamedRecord[]> {
  const key = foldName(name);
  const found: NamedRecord[] = [];
  if (key === '') return found;
  for (const type of NAMED_TYPES) {
    const sql = `SELECT '${type}' AS type, ${type}.id AS id, slug FROM record_keys JOIN ${type} ON ${type}.id = record_keys.id
      WHERE record_keys.type = ? AND key = ? AND deleted_at IS NULL ORDER BY ${type}.id LIMIT ${NAMED_MAX}`;
    found.push(...(yield* all<NamedRecord>(sql, type, key)));
  }
  return found.slice(0, NAMED_MAX);
}
