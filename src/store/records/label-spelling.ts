import { tagStem } from '../../contract/facets.ts';
import { foldName } from '../../contract/names.ts';
import type { Records } from '../port/records.ts';

/** One spelling for each tag and chain, so that totals by them count it once. */

/** Spells the values of a field as records do. */
export type LabelSpeller = (field: LabelField, value: string) => string;

type LabelField = keyof typeof FIELDS;

/** Fields of labels, with what equal ones have in common. */
const FIELDS = { tags: tagStem, focus: tagStem, chains: foldName } as const;

/**
 * Spells labels like those on record, of several spellings like the most frequent; others stay as written. They need not be of
 * the newest position, and without an index there are none.
 */
export async function readLabelSpeller({ vocabulary }: Pick<Records, 'vocabulary'>): Promise<LabelSpeller> {
  const { tags, chains } = await vocabulary(0).catch(() => ({ tags: [], chains: [] }));
  const known = (labels: readonly { readonly value: string }[], keyOf: (value: string) => string) =>
    new Map(labels.toReversed().map(({ value }) => [keyOf(value), value]));
  const [knownTags, knownChains] = [known(tags, tagStem), known(chains, foldName)];
  return (field, value) => (field === 'chains' ? knownChains : knownTags).get(FIELDS[field](value)) ?? value;
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
export async function withLabelsSpelt(input: unknown, readSpeller: () => Promise<LabelSpeller>): Promise<unknown> {
  if (typeof input !== 'object' || input === null || labelLists(input as Fields).length === 0) return input;
  const changed = labelsSpelt(input as Fields, await readSpeller());
  return { ...input, ...Object.fromEntries(changed.map(({ field, spelt }) => [field, [...new Set(spelt)]])) };
}
