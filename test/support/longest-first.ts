import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than others: begun late, one of them would run on alone. */
const LONG = [
  'test/console/look.test.ts',
  'test/service/payments/processes.test.ts',
  'test/commands/killed.test.ts',
  'test/postgres/session.test.ts',
  'test/postgres/outage.test.ts',
  'test/console/sign-in.test.ts',
  'test/commands/workers.test.ts',
];

/** Begins with the files that take longest, of either engine, where an earlier run has not told how long they take. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONG.findIndex((path) => moduleId.endsWith(path));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
