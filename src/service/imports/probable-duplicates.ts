import { isNamedType, type RecordType } from '../../contract/entities/index.ts';
import { createMatcher, type Fields, type Matcher } from '../../store/matching/matcher.ts';
import { reasonOf } from '../../store/matching/reasons.ts';
import type { Records, RowInput } from '../../store/port/records.ts';
import { matchedFields } from '../../store/records/duplicates.ts';

export const DUPLICATES_MAX = 20;
/** In a larger database, comparing a file with all records takes too long for a preview. */
const COMPARED_MAX = 200_000;

/** A new row that may be about an existing record. */
interface ProbableDuplicate {
  readonly name: string;
  readonly record: { readonly slug: string; readonly name: string };
  readonly reason: string;
}

/** Compares the rows of a preview that would be new records with the existing ones. */
export function createDuplicateCheck(records: Records, type: RecordType) {
  const found: ProbableDuplicate[] = [];
  let matcher: Promise<Matcher<string> | undefined> | undefined;
  return {
    found,
    compare: async (rows: readonly RowInput[]): Promise<void> => {
      if (!isNamedType(type) || rows.length === 0) return;
      matcher ??= loadMatcher(records, type);
      const known = await matcher;
      if (known === undefined) return;
      for (const { input } of rows) {
        if (found.length >= DUPLICATES_MAX) return;
        const match = known.join(input) ?? known.possibleMatches(input)[0];
        const record = match && (await records.get(type, match.ref));
        if (match === undefined || record === undefined) continue;
        const fields = matchedFields(record.json);
        const reason = reasonOf(match.rule, type, [fields, input as Fields]);
        found.push({
          name: String(input['name']),
          record: { slug: record.slug, name: String(fields['name']) },
          reason,
        });
      }
    },
  };
}

/** Undefined in a database with too many records. */
async function loadMatcher(records: Records, type: RecordType): Promise<Matcher<string> | undefined> {
  const { total } = await records.search({ types: [type], text: '', window: { offset: 0, limit: 0 } });
  if (!isNamedType(type) || total > COMPARED_MAX) return undefined;
  const matcher = createMatcher<string>(type);
  for await (const json of records.walk(type)) {
    const fields = matchedFields(json);
    matcher.count(fields);
    matcher.add(String(fields['slug']), fields);
  }
  return matcher;
}
