import { entityOf, type RecordType } from './entities/index.ts';
import { ServiceError } from './errors.ts';

const SHOWN_LENGTH_MAX = 50;

/**
 * @throws ServiceError `invalid_parameter` for a field that none of the types has, so that a misspelt name is not
 * ignored
 */
export function checkFields(
  types: readonly RecordType[],
  fields: readonly string[] | undefined,
  place: 'query' | 'arguments',
): void {
  const unknown = fields?.find((field) => types.every((type) => !Object.hasOwn(entityOf(type).record.shape, field)));
  if (unknown === undefined) return;
  const message = `fields: ${unknown.slice(0, SHOWN_LENGTH_MAX)} is not a field of ${types.join(', ')}`;
  throw new ServiceError('invalid_parameter', message, { errors: [{ location: `${place}.fields`, message }] });
}
