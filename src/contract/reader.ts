import type * as z from 'zod';
import { type Fault, ServiceError } from './errors.ts';

/**
 * Reads untyped input (query strings, arguments of a model, environment) against a schema. Text becomes a number, a
 * boolean, a list or an object only where the schema asks for one and the text is exactly that; then zod decides.
 */

type Raw = Readonly<Record<string, unknown>>;

const WHOLE_NUMBER = /^-?\d{1,15}$/;
const TRUE = new Set(['true', '1', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'no', 'off']);

/** Where the input came from, as faults name it: `query.limit`, `arguments.limit`. */
export type Place = 'query' | 'arguments' | 'settings';

/**
 * Makes the reader of a schema once, so that nothing is looked up per call.
 * The reader gives the parsed value or throws `invalid_parameter` or `missing_parameter` with every fault.
 */
export function createReader<Schema extends z.ZodObject>(schema: Schema, place: Place): (raw: Raw) => z.output<Schema> {
  const kinds = new Map(Object.entries(schema.shape).map(([name, field]) => [name, kindOf(field as z.ZodType)]));
  return (raw) => {
    const input: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(raw)) {
      if (value !== undefined) input[name] = fromText(value, kinds.get(name));
    }
    const parsed = schema.safeParse(input);
    if (parsed.success) return parsed.data;
    throw refusal(parsed.error, input, place);
  };
}

/** The faults of a zod error as one refusal whose message is complete in itself. */
function refusal(error: z.ZodError, input: Raw, place: Place): ServiceError {
  const faults = error.issues.map((issue) => explain(issue, input, place));
  const isMissing = error.issues.every(
    (issue) =>
      issue.path.length === 1 && input[String(issue.path[0])] === undefined && issue.code !== 'unrecognized_keys',
  );
  const message = faults.map((fault) => fault.message).join('; ');
  return new ServiceError(isMissing ? 'missing_parameter' : 'invalid_parameter', message, { errors: faults });
}

/** One zod issue in words that say what is allowed. The value itself is never repeated. */
export function explain(issue: z.core.$ZodIssue, input: Raw, place: string): Fault {
  if (issue.code === 'unrecognized_keys') {
    return { location: place, message: `${issue.keys.join(', ')}: not known here` };
  }
  const name = issue.path.map(String).join('.');
  const given = issue.path.length === 1 ? input[String(issue.path[0])] : issue;
  const message = given === undefined ? `${name} is required: ${allowed(issue)}` : `${name} must be ${allowed(issue)}`;
  return { location: name === '' ? place : `${place}.${name}`, message };
}

function allowed(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return `at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`;
    case 'too_small':
      return `at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case 'invalid_type':
      return issue.expected === 'int' || issue.expected === 'number'
        ? 'a whole number, given once'
        : `a value of type ${issue.expected}, given once`;
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? `a valid ${issue.format}` : issue.message;
    case 'custom':
      return issue.message;
    case 'invalid_union':
      return 'a text or a whole number';
    default:
      return 'of another form';
  }
}

function unit(origin: string, amount: number | bigint): string {
  const ending = amount === 1 ? '' : 's';
  if (origin === 'string') return ` character${ending}`;
  return origin === 'array' || origin === 'set' ? ` item${ending}` : '';
}

type Kind = 'number' | 'boolean' | 'array' | 'object' | 'other';

function kindOf(field: z.ZodType): Kind {
  const definition = (field as z.core.$ZodType as { _zod: { def: { type: string; innerType?: z.ZodType } } })._zod.def;
  if (definition.innerType !== undefined) return kindOf(definition.innerType);
  const { type } = definition;
  return type === 'number' || type === 'boolean' || type === 'array' || type === 'object' ? type : 'other';
}

function fromText(value: unknown, kind: Kind | undefined): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  switch (kind) {
    case 'number':
      return WHOLE_NUMBER.test(text) ? Number(text) : value;
    case 'boolean':
      if (TRUE.has(text.toLowerCase())) return true;
      return FALSE.has(text.toLowerCase()) ? false : value;
    case 'array':
      return text.startsWith('[') ? fromJson(text) : text.split(',').map((item) => item.trim());
    case 'object':
      return fromJson(text);
    default:
      return value;
  }
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
