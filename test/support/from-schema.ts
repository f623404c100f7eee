import fc from 'fast-check';
import { ofAnyCharacters } from './any-characters.ts';

const DEPTH_MAX = 3;

/** Texts: plain, arbitrary characters, long ones, and inputs known to break programs. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 30 }),
  ofAnyCharacters(30),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.string({ minLength: 150, maxLength: 400 }),
  fc.constantFrom(
    '',
    ' ',
    '0',
    '-1',
    '1e9',
    '1.5',
    'NaN',
    'null',
    'true',
    'undefined',
    '99999999999999999999',
    'a\u0000b',
    '\ud800',
    '__proto__',
    'constructor',
    'toString',
    '../../etc/passwd',
    "' OR 1=1--",
    '"; DROP TABLE companies; --',
    '%',
    '_',
    '*',
    '{{7*7}}',
    '<script>alert(1)</script>',
    'javascript:alert(1)',
    'http://169.254.169.254/',
    '2025-02-30',
    '2024-02-29',
    '0000-00-00',
  ),
);

/** Values that a JSON schema allows, mostly: formats and patterns are not always satisfied. */
export function fromSchema(resolve: (node: any) => any, node: any, depth = 0): fc.Arbitrary<unknown> {
  const schema = resolve(node);
  const within = (inner: any) => fromSchema(resolve, inner, depth + 1);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map(within));
  const types = [schema.type].flat();
  return fc.oneof(...types.map((type) => ofType(type, { ...schema, isDeep: depth >= DEPTH_MAX }, within)));
}

function ofType(type: string | undefined, schema: any, within: (node: any) => fc.Arbitrary<unknown>) {
  switch (type) {
    case 'string':
      return textOf(schema);
    case 'integer':
    case 'number':
      return fc.integer({
        min: Math.max(schema.minimum ?? -1_000, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 1_000_000, 2 ** 31 - 1),
      });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(within(schema.items ?? {}), { maxLength: schema.isDeep ? 0 : 3 });
    case 'object':
      return objectOf(schema, within);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function textOf({ format, pattern, minLength = 0, maxLength = 60 }: any): fc.Arbitrary<string> {
  if (format === 'date')
    return fc
      .date({ noInvalidDate: true, min: new Date('1600-01-01'), max: new Date('2200-01-01') })
      .map((day) => day.toISOString().slice(0, 10));
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date('1600-01-01'), max: new Date('2200-01-01') })
      .map((day) => day.toISOString());
  if (pattern !== undefined)
    return fc.oneof(fc.constantFrom('acme', 'example-capital', '12.00', '0.01', 'https://example.com'), anyText);
  const shortest = Math.min(minLength, 20);
  return fc.string({ unit: 'grapheme', minLength: shortest, maxLength: Math.max(shortest, Math.min(maxLength, 60)) });
}

function objectOf({ properties = {}, required = [], isDeep }: any, within: (node: any) => fc.Arbitrary<unknown>) {
  const names = Object.keys(properties).filter((name) => !isDeep || required.includes(name));
  const fields = Object.fromEntries(names.map((name) => [name, within(properties[name])]));
  return fc.record(fields, { requiredKeys: required.filter((name: string) => names.includes(name)) });
}
