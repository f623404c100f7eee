import type * as z from 'zod';
import { company } from './company.ts';
import { event } from './event.ts';
import { investor } from './investor.ts';
import { person } from './person.ts';
import { round } from './round.ts';

/** What bears a name that others go by, in the order in which lists show them. A search of all types searches these. */
const namedEntities = [company, person, investor, event] as const;

/** Every kind of record that is kept, each of which can be searched. */
export const entities = [...namedEntities, round] as const;

export type NamedType = (typeof namedEntities)[number]['type'];
export type RecordType = (typeof entities)[number]['type'];
export type EntityOf<Type extends RecordType> = Extract<(typeof entities)[number], { type: Type }>;
export type RecordOf<Type extends RecordType> = z.output<EntityOf<Type>['record']>;

export const NAMED_TYPES = namedEntities.map((entity) => entity.type) as [NamedType, ...NamedType[]];
export const RECORD_TYPES = entities.map((entity) => entity.type) as [RecordType, ...RecordType[]];

const byType = new Map<string, (typeof entities)[number]>(entities.map((entity) => [entity.type, entity]));

/** The definition of a type. */
export function entityOf<Type extends RecordType>(type: Type): EntityOf<Type> {
  // A list of different entities read by key; the key's own type says which one it is.
  return byType.get(type) as EntityOf<Type>;
}
