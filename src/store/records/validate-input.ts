import type * as z from 'zod';
import { entityOf, type RecordType } from '../../contract/entities/index.ts';
import { withArticle } from '../../contract/entity.ts';
import { type FieldError, ServiceError } from '../../contract/errors.ts';
import { changeBodies, inputOf, neededOf, otherNames, type RecordInput } from '../../contract/input.ts';
import { similarNames } from '../../contract/name-similarity.ts';
import { explain } from '../../contract/reader.ts';
import { blankInput, type Document } from './document.ts';

type Fields = Record<string, unknown>;

/**
 * The fields of a body under their canonical names, not yet validated. Throws `invalid_parameter` for a body that is
 * not an object, for unknown or read-only fields, and for text that databases reject; then with every other fault too.
 * @param bodies by type, the schema of the body
 */
export function checkBody(type: RecordType, body: unknown, bodies = changeBodies): Fields {
  if (!isPlainObject(body)) throw refusal([{ location: 'body', message: 'body must be a JSON object' }]);
  const faults = [...foreignFields(type, body), ...unstorable(body)];
  const fields = { ...body };
  for (const [other, name] of Object.entries(otherNames(type))) {
    if (fields[other] === undefined) continue;
    if (fields[name] !== undefined && fields[name] !== fields[other]) {
      faults.push({
        location: `body.${other}`,
        message: `${other} and ${name} contradict each other; give one of them`,
      });
    }
    fields[name] = fields[other];
    delete fields[other];
  }
  if (faults.length > 0) throw refusal([...faults, ...invalidFields(body, bodies.get(type))]);
  return type === 'companies' ? withYear(fields) : fields;
}

/** The known fields with invalid values, and those that are missing. */
function invalidFields(body: Fields, schema: z.ZodObject | undefined): FieldError[] {
  const issues = schema?.safeParse(body).error?.issues ?? [];
  const invalid = issues.filter(({ code, path }) => code !== 'unrecognized_keys' || path.length > 0);
  return invalid.slice(0, NAMED_MAX).map((issue) => explain(issue, body, 'body'));
}

/** Derives the year from the date of foundation. */
function withYear(fields: Fields): Fields {
  const { founded_date: day, year_founded: year } = fields;
  return typeof day === 'string' && year === undefined ? { ...fields, year_founded: Number(day.slice(0, 4)) } : fields;
}

const isPlainObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refusal = (errors: readonly FieldError[]): ServiceError =>
  new ServiceError('invalid_parameter', errors.map(({ message }) => message).join('; '), { errors });

const NAMED_MAX = 10;

function foreignFields(type: RecordType, body: Fields): FieldError[] {
  const { shape } = inputOf(type);
  const { record, noun } = entityOf(type);
  return Object.keys(body)
    .filter((name) => !Object.hasOwn(shape, name) && !Object.hasOwn(otherNames(type), name))
    .slice(0, NAMED_MAX)
    .map((name) => {
      const isOurs = Object.hasOwn(record.shape, name) || name === 'deleted_at';
      const shown = /^\w{1,50}$/.test(name) ? name : 'a name that is no field name';
      const message = isOurs
        ? `${shown} is set by the server; leave it out`
        : `${shown} is not a field of ${withArticle(noun)}; ${remedyOf(shown, Object.keys(shape))}`;
      return { location: `body.${shown}`, message };
    });
}

function remedyOf(name: string, fields: readonly string[]): string {
  const [meant] = similarNames(name, fields);
  return meant === undefined ? 'leave it out' : `did you mean ${meant}?`;
}

/** Texts with NUL or a lone surrogate, which PostgreSQL rejects. Iterative, because a body may be nested deeply. */
export function unstorable(body: Fields): FieldError[] {
  const rest: { value: unknown; field: string }[] = Object.entries(body).map(([field, value]) => ({ field, value }));
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { value, field } = next;
    if (typeof value === 'string' && value.includes('\0'))
      return [{ location: `body.${field}`, message: `${field} has a NUL character in it; leave it out` }];
    if (typeof value === 'string' && !value.isWellFormed())
      return [{ location: `body.${field}`, message: `${field} has half a character in it; leave it out` }];
    if (typeof value !== 'object' || value === null) continue;
    for (const inner of Object.values(value)) rest.push({ field, value: inner });
  }
  return [];
}

/** The fields that a JSON merge patch (RFC 7396) sets; null sets the value for unknown. */
export function mergePatch(type: RecordType, earlier: Document, patch: Fields): Fields {
  const blank = blankInput(type);
  const entries = Object.entries(patch).map(([field, value]) => {
    if (value === null) return [field, blank[field] ?? null];
    const kept = earlier[field];
    return [field, isPlainObject(value) && isPlainObject(kept) ? { ...kept, ...value } : value];
  });
  return Object.fromEntries(entries);
}

/** Validates input. Throws `invalid_parameter` with every invalid field; of a new record also with those that it lacks. */
export function checkInput(type: RecordType, input: unknown, of: 'any' | 'new record' = 'any'): RecordInput {
  const parsed = inputOf(type).safeParse(input);
  if (parsed.success) return parsed.data as RecordInput;
  const fields = (input ?? {}) as Fields;
  const faults = parsed.error.issues.map((issue) => explain(issue, fields, 'body'));
  throw refusal([...faults, ...(of === 'any' ? [] : missingFields(type, fields))]);
}

/** Throws `missing_parameter` if a new record lacks a required field, such as the company of a round. */
export function checkNew(type: RecordType, input: RecordInput): void {
  const errors = missingFields(type, input);
  if (errors.length > 0)
    throw new ServiceError('missing_parameter', errors.map(({ message }) => message).join('; '), { errors });
}

const missingFields = (type: RecordType, input: Fields): FieldError[] =>
  neededOf(type)
    .filter((name) => input[name] === undefined)
    .map((name) => ({ location: `body.${name}`, message: `${name} is required` }));
