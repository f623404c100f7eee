import { facets, tagStem } from '../../contract/facets.ts';
import { foldName } from '../../contract/names.ts';
import type { Vocabulary } from '../../contract/vocabulary-response.ts';
import type { Records } from '../port/records.ts';
import { all, type SqlProgram } from '../sql.ts';
import { LISTED } from '../sqlite/dialect.ts';
import type { ReadModel } from './record-index.ts';
import { facetValues, type ValueRow } from './vocabulary.ts';

/** One spelling for each tag and chain, so that totals by them count it once. */

/** Spells the values of a field as records do. */
export type LabelSpeller = (field: LabelField, value: string) => string;

type LabelField = keyof typeof FIELDS;

/** Fields of labels, with what equal ones have in common. */
const FIELDS = { tags: tagStem, focus: tagStem, chains: foldName } as const;

/** Spells labels like those known, of which the most frequent come first; others stay as written. */
function labelSpeller({ tags, chains }: Pick<Vocabulary, 'tags' | 'chains'>): LabelSpeller {
  const known = (labels: Vocabulary['tags'], keyOf: (value: string) => string) =>
    new Map(labels.toReversed().map(({ value }) => [keyOf(value), value]));
  const [knownTags, knownChains] = [known(tags, tagStem), known(chains, foldName)];
  return (field, value) => (field === 'chains' ? knownChains : knownTags).get(FIELDS[field](value)) ?? value;
}

const AS_WRITTEN: LabelSpeller = (_, value) => value;

/** Spells all labels like those on record. They need not be of the newest position, and without an index there are none. */
export async function readLabelSpeller({ vocabulary }: Pick<Records, 'vocabulary'>): Promise<LabelSpeller> {
  const found = await vocabulary(0).catch(() => undefined);
  return found === undefined ? AS_WRITTEN : labelSpeller(found);
}

/** Spells some labels likewise, of which alone the known spellings are read. */
function* spellerOf(labels: readonly string[]): SqlProgram<LabelSpeller> {
  const keys = labels.flatMap((label) => [facets.tag.key(label), facets.chain.key(label)]);
  const rows = yield* all<ValueRow>(
    `SELECT type, field, value, shown, records FROM label_values WHERE value IN (${LISTED}) AND records > 0`,
    JSON.stringify(keys),
  );
  return labelSpeller({ tags: facetValues(rows, 'tag'), chains: facetValues(rows, 'chain') });
}

type Fields = Readonly<Record<string, unknown>>;

/** The lists of labels among some fields, as written. */
const labelLists = (fields: Fields): readonly { readonly field: LabelField; readonly written: readonly unknown[] }[] =>
  (Object.keys(FIELDS) as LabelField[]).flatMap((field) =>
    Array.isArray(fields[field]) ? [{ field, written: fields[field] }] : [],
  );

/** The lists of labels that a speller changes. */
export const labelsSpelt = (fields: Fields, spell: LabelSpeller) =>
  labelLists(fields)
    .map(({ field, written }) => ({
      ...{ field, written },
      spelt: written.map((label) => (typeof label === 'string' ? spell(field, label) : label)),
    }))
    .filter(({ written, spelt }) => spelt.some((label, index) => label !== written[index]));

/** The body of a change with its labels as other records spell them, which are read only if it has any. */
export async function withLabelsSpelt({ read }: ReadModel, input: unknown): Promise<unknown> {
  if (typeof input !== 'object' || input === null) return input;
  const labels = labelLists(input as Fields).flatMap(({ written }) =>
    written.filter((label) => typeof label === 'string'),
  );
  if (labels.length === 0) return input;
  const changed = labelsSpelt(input as Fields, await read(() => spellerOf(labels), 0).catch(() => AS_WRITTEN));
  return { ...input, ...Object.fromEntries(changed.map(({ field, spelt }) => [field, [...new Set(spelt)]])) };
}
