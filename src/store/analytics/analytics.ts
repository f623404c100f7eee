import { setImmediate } from 'node:timers/promises';
import type { AggregateData } from '../../contract/aggregate.ts';
import { NAMED_TYPES } from '../../contract/entities/index.ts';
import { foldName } from '../../contract/names.ts';
import { isOfGrants, isSampled } from '../../contract/sample-notes.ts';
import type { AggregateRequest, Analytics, NamedRecord } from '../port/analytics.ts';
import type { ReadModel, SearchModel } from '../records/record-index.ts';
import { all, type SqlProgram } from '../sql.ts';

/** Bounds the records returned for an ambiguous name. */
const NAMED_MAX = 5;

export function createAnalytics({ read }: ReadModel): Analytics & { prepare(): Promise<boolean> } {
  /** Yields between parts while catching up, as after a start. */
  const withCurrentModel = async <Result>(
    ask: (model: SearchModel) => SqlProgram<Result>,
    atLeast: number | undefined,
  ): Promise<Result> => {
    for (;;) {
      const result = await read((model) => whenCaughtUp(model, ask), atLeast);
      if (result !== undefined) return result;
      await setImmediate();
    }
  };
  return {
    aggregate: (request) => withCurrentModel((model) => aggregate(model, request), request.atLeast),
    connect: (request) => withCurrentModel(({ analytics }) => analytics.connect(request), request.atLeast),
    prepare: () => withCurrentModel(({ analytics }) => analytics.prepare(), undefined),
    named: (name, atLeast) => read(() => recordsNamed(name), atLeast),
  };
}

function* aggregate({ index, analytics }: SearchModel, request: AggregateRequest): SqlProgram<AggregateData> {
  const { atLeast: _, ...asked } = request;
  const data = yield* analytics.aggregate({ ...asked, filters: yield* index.resolve([request.of], request.filters) });
  if (!isSampled(request.of) || isOfGrants(request.filters)) return data;
  return { ...data, covered: { ...data.covered, on_record: yield* index.onRecord(request.of, request.filters) } };
}

function* whenCaughtUp<Result>(
  model: SearchModel,
  ask: (model: SearchModel) => SqlProgram<Result>,
): SqlProgram<Result | undefined> {
  return (yield* model.analytics.catchUp()) ? yield* ask(model) : undefined;
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
