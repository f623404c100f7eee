import * as z from 'zod';
import { entityOf, RECORD_TYPES, type RecordType } from '../../src/contract/entities/index.ts';
import { bareSchema } from '../../src/contract/fields.ts';
import { relations } from '../../src/contract/relations.ts';
import { announcementFaults } from './announcements.ts';

/** The last look at what is written: every line by the contract's own schemas, every slug where it must be. */

export type Line = Readonly<Record<string, unknown>> & { readonly name: string; readonly slug: string };
/** The types of which there are shipped records. */
export const SHIPPED_TYPES = ['companies', 'people', 'investors', 'events', 'rounds'] as const satisfies RecordType[];
export type Lines = Readonly<Record<(typeof SHIPPED_TYPES)[number], readonly Line[]>>;

const SERVER_OWNED = ['type', 'id', 'is_verified', 'created_at', 'updated_at'];
/** Leftovers of a template or a source that no sentence may show. */
const LEFTOVERS = /\b(null|undefined|NaN)\b|\(\s*\)|&[a-z]+;|\s\s|\s[,.;:](?!\w)|\.\.|[^\P{C}]/u;
const SENTENCES = ['tagline', 'headline', 'overview', 'name'];

/** Throws at the first kinds of fault, naming the lines. */
export function checkLines(lines: Lines): void {
  const types = Object.keys(lines) as (keyof Lines)[];
  const faults = [
    ...types.flatMap((type) => lines[type].flatMap((line) => faultsOf(type, line))),
    ...types.flatMap((type) => doubledSlugs(type, lines[type])),
    ...lostReferences(lines),
    ...announcementFaults(lines.rounds.filter((round) => round['stage'] !== 'grant')),
  ];
  if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, 40).join('\n')}`);
}

/** The fields of each type that a file gives, and the schema of them all. */
const SCHEMAS = Object.fromEntries(
  RECORD_TYPES.map((type) => {
    const shape = entityOf(type).record.shape as Readonly<Record<string, z.ZodType>>;
    const fields = Object.entries(shape).filter(([field]) => !SERVER_OWNED.includes(field));
    return [type, { fields, schema: z.object(Object.fromEntries(fields)) }];
  }),
) as Readonly<Record<RecordType, { fields: [string, z.ZodType][]; schema: z.ZodObject }>>;

function faultsOf(type: RecordType, line: Line): string[] {
  const { fields, schema: whole } = SCHEMAS[type];
  const parsed = whole.safeParse(
    Object.fromEntries(fields.map(([field, schema]) => [field, completed(schema, line[field])])),
  );
  const unknown = Object.keys(line).filter((field) => !fields.some(([known]) => known === field));
  return [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)),
    ...unknown.map((field) => `${field}: no field of the record`),
    ...SENTENCES.filter((field) => LEFTOVERS.test(String(line[field] ?? ''))).map(
      (field) => `${field}: ${line[field]}`,
    ),
    ...((line['sources'] as unknown[]).length === 0 ? ['no sources'] : []),
  ].map((fault) => `${type} ${line.slug}: ${fault}`);
}

/** A left-out field is null or an empty list, and a left-out part of a reference or role is null. */
function completed(schema: z.ZodType, value: unknown): unknown {
  if (value === undefined) return schema.safeParse(null).success ? null : [];
  if (Array.isArray(value)) return value.map((item) => withNulls(schema, item));
  return typeof value === 'object' ? withNulls(schema, value) : value;
}

function withNulls(schema: z.ZodType, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const bare = bareSchema(schema);
  const object = bare instanceof z.ZodArray ? bare.element : bare;
  const keys = object instanceof z.ZodObject ? Object.keys(object.shape) : [];
  return { ...Object.fromEntries(keys.map((key) => [key, null])), ...value };
}

function doubledSlugs(type: RecordType, lines: readonly Line[]): string[] {
  const seen = new Set<string>();
  return lines.flatMap(({ slug }) => {
    const isTwice = seen.has(slug);
    seen.add(slug);
    return isTwice ? [`${type} ${slug}: twice`] : [];
  });
}

/** Every slug that a reference gives is the slug of a record of a type that it may have. */
function lostReferences(lines: Lines): string[] {
  return relations.flatMap(({ from, field, to, keys }) => {
    const known = new Set(to.flatMap((type) => lines[type].map((line) => line.slug)));
    return lines[from].flatMap((line) =>
      [line[field] ?? []].flat().flatMap((reference) => {
        const slug = (reference as Record<string, unknown>)[keys.slug];
        return typeof slug !== 'string' || known.has(slug)
          ? []
          : [`${from} ${line.slug}: ${field} names no record ${slug}`];
      }),
    );
  });
}
