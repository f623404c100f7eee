import { entityOf, type RecordType } from './entities/index.ts';
import { invalidAt } from './errors.ts';
import { similarNames } from './name-similarity.ts';

const SHOWN_LENGTH_MAX = 50;

/** Throws `invalid_parameter` for a field that none of the types has, so that a misspelt name is not ignored. */
export function checkFields(
  types: readonly RecordType[],
  fields: readonly string[] | undefined,
  source: 'query' | 'arguments',
): void {
  const [unknown] = unknownFields(types, fields);
  if (unknown === undefined) return;
  throw invalidAt(
    `${source}.fields`,
    `fields: ${unknown.slice(0, SHOWN_LENGTH_MAX)} is not a field of ${types.join(', ')}; ${insteadOf(unknown, types)}`,
  );
}

/** The names that are fields of none of the types. */
export const unknownFields = (types: readonly RecordType[], fields: readonly string[] = []): string[] =>
  fields.filter((field) => types.every((type) => !Object.hasOwn(entityOf(type).record.shape, field)));

/** Fields that an unknown name may mean; for a single type, all fields. */
export function insteadOf(unknown: string, types: readonly RecordType[]): string {
  const known = [...new Set(types.flatMap((type) => Object.keys(entityOf(type).record.shape)))];
  const near = similarNames(unknown, known);
  if (types.length > 1)
    return near.length === 0 ? 'name one type to have its fields listed' : `the nearest are ${near.join(', ')}`;
  const hint = near.length === 0 ? '' : `did you mean ${near.join(' or ')}? `;
  return `${hint}they have ${known.join(', ')}`;
}
