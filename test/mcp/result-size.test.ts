import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonLengthOf, shorten } from '../../src/mcp/result-size.ts';
import { NAMING } from '../../src/mcp/shown-record.ts';
import { anyText } from '../support/from-schema.ts';

const list = fc.record({
  totalResults: fc.nat(),
  note: anyText,
  results: fc.array(fc.record({ slug: anyText, role: anyText })),
  next: fc.record({ type: fc.constant('companies'), id: anyText, include: fc.constant(['rounds']) }),
});
const value = fc.oneof(anyText, fc.array(anyText), fc.integer(), fc.constant(null), fc.boolean(), list, fc.object());
const record = fc
  .tuple(fc.dictionary(fc.string(), value), fc.dictionary(fc.constantFrom('rounds', 'people'), list))
  .map(([fields, related]) => ({ ...fields, related, type: 'companies' as const, id: 1, name: 'Acme', slug: 'acme' }));

test('a record is shortened to any room, or to its name, and never to arguments of another call', () => {
  fc.assert(
    fc.property(record, fc.integer({ min: -500, max: 3_000 }), (given, room) => {
      const shortened = shorten(given, room) as typeof given;
      const isBare = Object.keys(shortened).every((name) => [...NAMING, 'truncated'].includes(name));
      expect(isBare || jsonLengthOf(shortened) <= room).toBe(true);
      for (const [name, { next }] of Object.entries(shortened.related ?? {}))
        expect(next).toEqual(given.related[name as 'rounds']?.next);
    }),
  );
});
