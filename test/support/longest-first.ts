import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Slow files, which start first in their project so that none runs alone at the end. */
const LONG = [
  'test/postgres/index.test.ts',
  'test/service/payments/processes.test.ts',
  'test/postgres/session.test.ts',
  'test/postgres/outage.test.ts',
  'test/postgres/followers.test.ts',
  'test/console/look.test.ts',
  'test/package/package.test.ts',
  'test/commands/killed.test.ts',
  'test/commands/commands.test.ts',
  'test/console/sign-in.test.ts',
  'test/commands/workers.test.ts',
  'test/commands/import.test.ts',
  'test/commands/ready-made.test.ts',
  'test/store/sync.test.ts',
  'test/store/sqlite/analytics.test.ts',
  'test/store/sqlite/index-build.test.ts',
  'test/service/payments/matrix.test.ts',
  'test/service/sqlite/locks.test.ts',
];

/**
 * Orders files by the duration of an earlier run; without one, known slow files come first. Files of a project stay together,
 * because a worker ends where the next file is one of another, and what it has loaded is loaded again.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const place = LONG.findIndex((path) => moduleId.endsWith(path));
      return projects.indexOf(project) * (LONG.length + 1) + (place < 0 ? LONG.length : place);
    };
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}
