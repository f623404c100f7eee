import type { RecordInput } from '../../src/contract/input.ts';
import type { RowInput } from '../../src/store/port/records.ts';

type Given = Partial<Record<string, unknown>> & { name?: string };

const row =
  (type: RowInput['type'], usual: string) =>
  (given: Given = {}): RowInput => ({
    type,
    input: { name: usual, ...given } as RecordInput,
  });

/** Builders of valid records; a test states only what it is about. */
export const aCompany = row('companies', 'Acme');
export const aPerson = row('people', 'Ada Example');
export const anInvestor = row('investors', 'Example Capital');
export const anEvent = row('events', 'ExampleCon 2025');
export const aRound = (given: Given = {}): RowInput => row('rounds', 'Acme Seed')({ company: 'Acme', ...given });
