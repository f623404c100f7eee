import type * as z from 'zod';
import { GRANT } from '../vocabulary.ts';
import { company } from './company.ts';
import { event } from './event.ts';
import { investor } from './investor.ts';
import { person } from './person.ts';
import { round } from './round.ts';

/** Types with names of their own, in the order of lists. A search of all types covers these. */
const namedEntities = [company, person, investor, event] as const;

/** Every record type, each searchable. */
export const entities = [...namedEntities, round] as const;

export type NamedType = (typeof namedEntities)[number]['type'];
export type RecordType = (typeof entities)[number]['type'];
export type EntityOf<Type extends RecordType> = Extract<(typeof entities)[number], { type: Type }>;
export type RecordOf<Type extends RecordType> = z.output<EntityOf<Type>['record']>;

/** A record of any type, complete or reduced, as it is shown: the fields that identify it, and others by name. */
export type RecordData = Readonly<Record<string, unknown>> & {
  readonly type: RecordType;
  readonly id: number;
  readonly name: string;
  readonly slug: string;
};

export const NAMED_TYPES = namedEntities.map((entity) => entity.type) as [NamedType, ...NamedType[]];
export const RECORD_TYPES = entities.map((entity) => entity.type) as [RecordType, ...RecordType[]];

export const isRecordType = (type: unknown): type is RecordType => (RECORD_TYPES as readonly unknown[]).includes(type);

/** Whether records of a type have names of their own, by which they are referenced and matched. */
export const isNamedType = (type: string): type is NamedType => (NAMED_TYPES as readonly string[]).includes(type);

const byType = new Map<string, (typeof entities)[number]>(entities.map((entity) => [entity.type, entity]));

export function entityOf<Type extends RecordType>(type: Type): EntityOf<Type> {
  // A heterogeneous list read by key; the key's own type identifies the member.
  return byType.get(type) as EntityOf<Type>;
}

/** The noun of one record: rounds are funding rounds or grants. */
export const recordNoun = ({ type, stage }: { readonly type: RecordType; readonly stage?: unknown }): string =>
  type === 'rounds' && stage === GRANT ? 'grant' : entityOf(type).noun;

/** The fields of concise records of some types, each once. */
export const conciseFields = (types: readonly RecordType[]): readonly string[] => [
  ...new Set([...types.flatMap((type): readonly string[] => entityOf(type).concise), 'as_of']),
];

/** The type and slug in a text such as `companies/aave`; undefined for any other. */
export function parseRecordPath(text: string): { readonly type: RecordType; readonly slug: string } | undefined {
  const [type, slug = '', ...more] = text.split('/');
  const known = RECORD_TYPES.find((each) => each === type);
  return known === undefined || slug === '' || more.length > 0 ? undefined : { type: known, slug };
}
