import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow files, which start first so that none runs alone at the end. */
const LONG = [
  'test/console/look.test.ts',
  'test/service/payments/processes.test.ts',
  'test/commands/killed.test.ts',
  'test/postgres/index.test.ts',
  'test/package/package.test.ts',
  'test/postgres/session.test.ts',
  'test/commands/commands.test.ts',
  'test/postgres/outage.test.ts',
  'test/console/sign-in.test.ts',
  'test/commands/workers.test.ts',
];

/** Orders files by the duration of an earlier run; without one, known slow files come first. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => {
      const place = LONG.findIndex((path) => moduleId.endsWith(path));
      return place < 0 ? LONG.length : place;
    };
    return (await super.sort(files)).toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
