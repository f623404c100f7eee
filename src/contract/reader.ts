import type * as z from 'zod';
import { type FieldError, ServiceError } from './errors.ts';
import { parseJson } from './json.ts';
import { OTHER_NAMES, similarNames } from './name-similarity.ts';
import { foldName } from './names.ts';

/**
 * Parses untyped input (query strings, tool arguments, environment) with a schema. Text is converted to a number,
 * boolean, list or object only if the schema expects one and the text is exactly that; then zod validates it. Tool
 * arguments are parsed more leniently: see `lenient`.
 */

type Raw = Readonly<Record<string, unknown>>;

const WHOLE_NUMBER = /^-?\d{1,15}$/;
/** The most that text is read as. */
export const WHOLE_NUMBER_MAX = 1e15 - 1;
const TOO_LARGE = /^\s*\d{16,}\s*$/;
const TRUE = new Set(['true', '1', 'yes', 'on']);
const FALSE = new Set(['false', '0', 'no', 'off']);

/** Origin of the input, as error paths name it: `query.limit`, `arguments.limit`. */
export type InputSource = 'query' | 'arguments' | 'settings';

type Reader<Schema extends z.ZodObject> = (raw: Raw) => z.output<Schema>;

/** Compiles a schema to a reader, which throws with every invalid input. Unknown names that are `meaningful` are refused, not ignored. */
export function createReader<Schema extends z.ZodObject>(
  schema: Schema,
  source: InputSource,
  meaningful?: ReadonlySet<string>,
): Reader<Schema> {
  return readerOf(schema, { source, readValue: fromText, meaningful });
}

/** Like `createReader`, for tool arguments: accepts any unambiguous form of a value. */
export function createLenientReader<Schema extends z.ZodObject>(schema: Schema): Reader<Schema> {
  return readerOf(schema, { source: 'arguments', readValue: lenient });
}

interface ReaderOptions {
  readonly source: InputSource;
  readonly readValue: (raw: unknown, schema: SchemaParts | undefined) => unknown;
  readonly meaningful?: ReadonlySet<string> | undefined;
}

function readerOf<Schema extends z.ZodObject>(schema: Schema, options: ReaderOptions): Reader<Schema> {
  const { source, readValue, meaningful } = options;
  const fields = new Map(Object.entries(schema.shape).map(([name, field]) => [name, unwrapped(field as z.ZodType)]));
  const known = [...fields.keys()];
  const isOpen = source === 'query' && schema.def.catchall === undefined;
  const read = isOpen ? schema.strict() : schema;
  return (received) => {
    const input: Record<string, unknown> = {};
    let others = 0;
    for (const [given, raw] of Object.entries(received)) {
      const name = parameterOf(given, received, fields);
      // Foreign parameters are ignored; names with a meaning elsewhere in the API are refused, not dropped.
      const isForeign = isOpen && !fields.has(name) && meaningful?.has(name) !== true;
      if (isForeign && others < OTHERS_MAX && (isLinkMark(name) || similarNames(name, known).length === 0)) {
        others += 1;
        continue;
      }
      const value =
        raw === undefined ? undefined : readValue(OF_MONEY.test(name) ? inDigits(raw) : raw, fields.get(name));
      if (value !== undefined) input[name] = value;
    }
    const parsed = read.safeParse(input);
    if (parsed.success) return parsed.data as z.output<Schema>;
    throw refusal(parsed.error, input, { source, fields });
  };
}

/** With what other sites and programs mark links. */
const LINK_MARKS = /^(utm_\w+|ref|fbclid|gclid)$/;

/** Whether a parameter is such a mark, whatever it resembles. */
export const isLinkMark = (name: string): boolean => LINK_MARKS.test(name);

/** Maximum unknown parameters; more, which no link has, are refused without a comparison with the known ones. */
const OTHERS_MAX = 50;

/** The parameter of a name: its own, or the one it is an alias of. */
function parameterOf(given: string, received: Raw, fields: ReadonlyMap<string, unknown>): string {
  const meant = OTHER_NAMES[given];
  const isOther = meant !== undefined && !fields.has(given) && fields.has(meant) && received[meant] === undefined;
  return isOther ? meant : given;
}

interface ReaderContext {
  readonly source: InputSource;
  readonly fields: ReadonlyMap<string, SchemaParts>;
}

/** Converts a zod error to a ServiceError whose message is complete without the list of fields. */
function refusal(error: z.ZodError, input: Raw, { source, fields }: ReaderContext): ServiceError {
  const known = [...fields.keys()];
  const faults = error.issues.slice(0, FAULTS_MAX).map((issue) => {
    const fault = listFault(issue, input, { source, fields }) ?? explain(issue, input, source);
    if (issue.code !== 'unrecognized_keys' || issue.path.length > 0) return fault;
    const suggestions = [...new Set(issue.keys.slice(0, NAMES_SHOWN_MAX).flatMap((key) => similarNames(key, known)))];
    const hint = suggestions.length > 0 ? `; did you mean ${suggestions.join(' or ')}?` : '';
    // Tools have too many parameters to list, and a model already has the schema.
    const all = source === 'query' && hint === '' && known.length > 0 ? `; known are ${known.join(', ')}` : '';
    return { ...fault, message: `${fault.message}${hint}${all}` };
  });
  const isMissing = error.issues.every(
    (issue) =>
      issue.path.length === 1 && input[String(issue.path[0])] === undefined && issue.code !== 'unrecognized_keys',
  );
  const message = faults.map((fault) => fault.message).join('; ');
  return new ServiceError(isMissing ? 'missing_parameter' : 'invalid_parameter', message, { errors: faults });
}

/** A list that is missing or of another type, with its values; undefined for any other fault. */
function listFault(issue: z.core.$ZodIssue, input: Raw, { source, fields }: ReaderContext): FieldError | undefined {
  const [name, ...others] = issue.path.map(String);
  const { element, checks = [] } = (name !== undefined && others.length === 0 && fields.get(name)) || {};
  const entries = element && unwrapped(element).entries;
  if (issue.code !== 'invalid_type' || name === undefined || entries === undefined) return undefined;
  const verb = input[name] === undefined ? 'is required:' : 'must be';
  const values = Object.values(entries).join(', ');
  const most = checks.some(({ _zod }) => _zod.def.maximum === 2) ? 'two' : 'several';
  return { location: `${source}.${name}`, message: `${name} ${verb} one or ${most} of ${values}` };
}

/** Faults and unknown names that an error describes; the input may have thousands. */
const FAULTS_MAX = 50;
const NAMES_SHOWN_MAX = 10;
const FIELD_NAME = /^\w{1,50}$/;

/** Describes a zod issue with the allowed values. Never repeats the input, which may contain secrets or markup. */
export function explain(issue: z.core.$ZodIssue, input: Raw, source: string): FieldError {
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys
      .slice(0, NAMES_SHOWN_MAX)
      .map((key) => (FIELD_NAME.test(key) ? key : 'a name that is no field'));
    const path = issue.path.map(String);
    // For an unknown key of a nested object, the first one locates the fault.
    const location = path.length === 0 ? [source] : [source, ...path, names[0]];
    return { location: location.join('.'), message: `${[...path, names.join(', ')].join('.')}: not known here` };
  }
  const place = issue.path.map(String).join('.');
  // In a query, a list is one value.
  const name = source === 'query' ? place.replace(/\.\d+$/, '') : place;
  const received = issue.path.length === 1 ? input[String(issue.path[0])] : (itemAt(issue.path, input) ?? issue);
  // In a body, a key occurs once, unlike in a query.
  const isRepeated = /^invalid_(?:type|value)$/.test(issue.code) && Array.isArray(received) && source !== 'body';
  if (OF_NUMBER.test(String(issue.code === 'invalid_type' && issue.expected)) && TOO_LARGE.test(String(received)))
    return { location: `${source}.${place}`, message: `${name} must be at most ${WHOLE_NUMBER_MAX}` };
  const form = OF_MONEY.test(name) ? allowed(issue).replace(TYPES['int'] ?? '', AMOUNT) : allowed(issue);
  const expected = `${ofType(form, input['type'] ?? input['of'])}${isRepeated ? ', given once' : ''}`;
  const hint =
    issue.code === 'invalid_value' && typeof received === 'string'
      ? suggestedValue(received, issue.values, new Set(expected.split(/[^\w-]+/)))
      : '';
  const message = received === undefined ? `${name} is required: ${expected}` : `${name} must be ${hint}${expected}`;
  return { location: place === '' ? source : `${source}.${place}`, message };
}

const OF_NUMBER = /^(?:int|number)$/;
const OF_MONEY = /^(?:funding|valuation)_m(?:in|ax)$/;
const AMOUNT = 'a whole number of US dollars, such as 1000000 or 1M';

/** An amount in digits alone, of one with its thousands apart or an exponent: `$1,000,000`, `1e9`; any other value as it is. */
function inDigits(raw: unknown): unknown {
  const text = typeof raw === 'string' ? raw.trim() : '';
  if (/^\$?\d{1,3}(?:,\d{3}){1,4}$/.test(text)) return text.replaceAll(/[$,]/g, '');
  return /^\d(?:\.\d{1,9})?e\d{1,2}$/i.test(text) ? String(Math.round(Number(text))) : raw;
}

const itemAt = ([name, index]: readonly PropertyKey[], input: Raw): unknown =>
  Array.isArray(input[String(name)]) ? (input[String(name)] as unknown[])[Number(index)] : undefined;

/** Of values that are listed by type, as `name; companies: year_founded; rounds: amount_usd`, those of one type. */
function ofType(values: string, type: unknown): string {
  const parts = values.replace(/^one of /, '').split('; ');
  const typeOf = (part: string): string | undefined => /^(\w+): /.exec(part)?.[1];
  if (typeof type !== 'string' || !parts.some((part) => typeOf(part) === type)) return values;
  const own = parts.filter((part) => [undefined, type].includes(typeOf(part)));
  return `one of ${own.map((part) => part.replace(`${type}: `, '')).join(', ')}`;
}

/** Above this many values, the nearest one comes first. */
const VALUES_READ = 8;

/** `-amount_usd, or ` for `-amount`, where many values are allowed; empty if none is near. */
function suggestedValue(raw: string, values: readonly unknown[], shown: ReadonlySet<string>): string {
  if (values.length <= VALUES_READ) return '';
  const [, sign = '', name = ''] = /^(-?)(.*)$/.exec(raw) ?? [];
  const [suggestion] = similarNames(
    name,
    values.map(String).filter((value) => shown.has(value) && !value.startsWith('-')),
  );
  return suggestion === undefined || !values.includes(sign + suggestion) ? '' : `${sign}${suggestion}, or `;
}

/** Formats by an example, where their name is not enough. */
const FORMATS: Readonly<Record<string, string>> = {
  date: 'date, as 2024-01-31',
  datetime: 'datetime, as 2024-01-31T12:00:00Z',
};

const TYPES: Readonly<Record<string, string>> = {
  int: 'a whole number',
  number: 'a whole number',
  string: 'text',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function allowed(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_value':
      if (!issue.message.startsWith('Invalid')) return issue.message;
      return issue.values.length === 1 ? String(issue.values[0]) : `one of ${issue.values.map(String).join(', ')}`;
    case 'too_big':
      return issue.message.startsWith('Too big')
        ? `at most ${issue.maximum}${unit(issue.origin, issue.maximum)}`
        : issue.message;
    case 'too_small':
      return `at least ${issue.minimum}${unit(issue.origin, issue.minimum)}`;
    case 'invalid_type':
      if (!issue.message.startsWith('Invalid')) return issue.message;
      return TYPES[issue.expected] ?? `a value of type ${issue.expected}`;
    case 'invalid_format':
      return issue.message.startsWith('Invalid') ? `a valid ${FORMATS[issue.format] ?? issue.format}` : issue.message;
    case 'custom':
      return issue.message;
    case 'invalid_union':
      return issue.message.startsWith('Invalid') ? 'a text or a whole number' : issue.message;
    default:
      return 'of another form';
  }
}

function unit(origin: string, amount: number | bigint): string {
  const ending = amount === 1 ? '' : 's';
  if (origin === 'string') return ` character${ending}`;
  return origin === 'array' || origin === 'set' ? ` item${ending}` : '';
}

/** The used parts of a zod schema, without wrappers such as optional. */
interface SchemaParts {
  readonly type: string;
  readonly element?: z.ZodType;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly maximum?: number } } }[];
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly entries?: Readonly<Record<string, unknown>>;
}

function unwrapped(field: z.ZodType): SchemaParts {
  const definition = (field as z.core.$ZodType as { _zod: { def: SchemaParts & { innerType?: z.ZodType } } })._zod.def;
  return definition.innerType === undefined ? definition : unwrapped(definition.innerType);
}

function fromText(value: unknown, schema: SchemaParts | undefined): unknown {
  if (typeof value !== 'string') return value;
  const text = value.trim();
  switch (schema?.type) {
    case 'number':
      return WHOLE_NUMBER.test(text) ? Number(text) : (abbreviated(text) ?? value);
    case 'boolean':
      if (TRUE.has(text.toLowerCase())) return true;
      return FALSE.has(text.toLowerCase()) ? false : value;
    case 'array':
      return text.startsWith('[') ? fromJson(text) : listOf(text, schema);
    case 'object':
      return fromJson(text);
    default:
      return value;
  }
}

/** A number abbreviated as in answers: `10M`, `$1.5B`. */
function abbreviated(text: string): number | undefined {
  const [, digits, unit = ''] = /^\$?(\d{1,9}(?:\.\d{1,9})?)([kmb])$/i.exec(text) ?? [];
  return digits === undefined ? undefined : Math.round(Number(digits) * (UNITS[unit.toLowerCase()] ?? 1));
}

const UNITS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6, b: 1e9 };

function listOf(text: string, { element }: SchemaParts): unknown[] {
  const isOfObjects = element !== undefined && unwrapped(element).type === 'object';
  return isOfObjects ? [text] : text.split(/[,|]/).map((item) => item.trim());
}

/** Accepts what models commonly send, at every depth: null for an absent value, JSON as text, one item for a list, other spellings. */
function lenient(raw: unknown, schema: SchemaParts | undefined): unknown {
  if (raw === null || (raw === '' && schema?.type !== 'string')) return undefined;
  if (schema === undefined) return raw;
  if (schema.type === 'string') return typeof raw === 'number' || typeof raw === 'boolean' ? String(raw) : raw;
  const value = fromText(raw, schema);
  const { element, shape, entries } = schema;
  if (entries !== undefined && typeof value === 'string') return spelledAs(value, Object.values(entries).map(String));
  if (element !== undefined) {
    const inner = unwrapped(element);
    return (Array.isArray(value) ? value : [value]).map((item) => lenient(item, inner));
  }
  if (shape === undefined || value === null || typeof value !== 'object') return value;
  const fields = Object.entries(value).map(([name, item]) => {
    const field = shape[name];
    return [name, lenient(item, field && unwrapped(field))] as const;
  });
  return Object.fromEntries(fields.filter(([, item]) => item !== undefined));
}

/** Maps `Series A` to series_a. Keeps a leading sign, as of a sort. */
function spelledAs(raw: string, values: readonly string[]): string {
  const spelling = (text: string): string => (text.trim().startsWith('-') ? '-' : '') + foldName(text);
  const spelt = spelling(raw);
  return values.find((value) => spelling(value) === spelt) ?? raw;
}

function fromJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
