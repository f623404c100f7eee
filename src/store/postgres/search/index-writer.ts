import type { RecordType } from '../../../contract/entities/index.ts';
import { type Features, featuresOf } from '../../search/features.ts';
import { keptKey } from '../../search/identities.ts';
import { type Field, importanceStep } from '../../search/layers.ts';
import { nextOrdinal, parseSizes, type Sizes, type SizesRow, stepOf } from '../../search/places.ts';
import type { SearchedDocument } from '../../search/search-index.ts';
import { all, first, run, type Steps } from '../../sql/steps.ts';
import { termsOf, vectorOf } from './lexemes.ts';
import { termIds } from './vocabulary-writer.ts';

/** Documents whose terms are gathered at once. */
const DOCUMENTS_MAX = 2_000;

/** Puts documents in place of what was kept of them, and takes others away. */
export function* changeWords(
  type: RecordType,
  documents: readonly SearchedDocument[],
  removed: readonly number[],
): Steps<void> {
  for (let start = 0; start < documents.length; start += DOCUMENTS_MAX)
    yield* changeSome(type, documents.slice(start, start + DOCUMENTS_MAX), []);
  // Before anybody else sees them: what is gathered is gone through by every search.
  if (documents.length > 0) yield* run(`SELECT ${MERGED.map((index) => `gin_clean_pending_list('${index(type)}')`)}`);
  if (removed.length > 0) yield* changeSome(type, [], removed);
}

/** Indexes in which new terms are gathered. */
const MERGED = [(type: RecordType) => `${type}_search_terms`, () => 'search_terms_trigrams'];

/** A document as it is kept. */
interface Kept {
  readonly ordinal: number;
  readonly id: number;
  readonly terms: ReadonlyMap<string, Field>;
}

function* changeSome(
  type: RecordType,
  documents: readonly SearchedDocument[],
  removed: readonly number[],
): Steps<void> {
  const features = documents.map(featuresOf);
  const old = yield* keptOf(type, [...removed, ...documents.map(({ id }) => id)]);
  const sizes = yield* sizesOf(type);
  const made = documents.map((document, index) => {
    const step = importanceStep(document.rank);
    const before = old.get(document.id);
    const isPlaced = before !== undefined && stepOf(before.ordinal) === step;
    const ordinal = isPlaced ? before.ordinal : nextOrdinal(sizes, step);
    return { ordinal, id: document.id, ...(features[index] as Features) };
  });
  const ids = yield* termIds(
    features,
    [...old.values()].flatMap(({ terms }) => [...terms.keys()]),
  );
  yield* countTerms(type, { added: made, removed: [...old.values()] }, ids);
  yield* forget(type, [...old.values()]);
  yield* keep(type, made);
  const count = sizes.documents + made.length - old.size;
  yield* run(KEEP_SIZES, type, count, sizes.steps.join(' '));
}

const KEEP_SIZES = `INSERT INTO search_sizes (type, documents, steps) VALUES (?, ?, ?)
  ON CONFLICT (type) DO UPDATE SET documents = excluded.documents, steps = excluded.steps`;

function* keptOf(type: RecordType, ids: readonly number[]): Steps<Map<number, Kept>> {
  const sql = `SELECT ordinal, id, CAST(terms AS TEXT) AS terms FROM ${type}_search WHERE id = ANY (CAST(? AS BIGINT[]))`;
  const rows = yield* all<{ ordinal: number; id: number; terms: string }>(sql, `{${ids.join()}}`);
  return new Map(rows.map(({ ordinal, id, terms }) => [id, { ordinal, id, terms: termsOf(terms) }]));
}

function* sizesOf(type: RecordType): Steps<Sizes> {
  return parseSizes(yield* first<SizesRow>('SELECT documents, steps FROM search_sizes WHERE type = ?', type));
}

interface Change {
  readonly added: readonly { terms: ReadonlyMap<string, Field> }[];
  readonly removed: readonly { terms: ReadonlyMap<string, Field> }[];
}

/** How many documents have a term in a field, which decides how a search goes on. */
function* countTerms(type: RecordType, { added, removed }: Change, ids: ReadonlyMap<string, number>): Steps<void> {
  const counts = new Map<string, number>();
  const count = (some: Change['added'], by: number): void => {
    for (const { terms } of some) {
      for (const [term, field] of terms) {
        const key = `${ids.get(term)} ${field}`;
        counts.set(key, (counts.get(key) ?? 0) + by);
      }
    }
  };
  count(added, 1);
  count(removed, -1);
  const changes = [...counts].filter(([, by]) => by !== 0).map(([key, by]) => [...key.split(' ').map(Number), by]);
  if (changes.length === 0) return;
  yield* run(
    `INSERT INTO ${type}_search_counts AS counts (term, field, documents)
     SELECT * FROM unnest(CAST(? AS BIGINT[]), CAST(? AS SMALLINT[]), CAST(? AS BIGINT[]))
     ON CONFLICT (term, field) DO UPDATE SET documents = counts.documents + excluded.documents`,
    ...[0, 1, 2].map((column) => `{${changes.map((change) => change[column]).join()}}`),
  );
}

function* forget(type: RecordType, old: readonly Kept[]): Steps<void> {
  if (old.length === 0) return;
  const ordinals = `{${old.map(({ ordinal }) => ordinal).join()}}`;
  yield* run(`DELETE FROM ${type}_search_keys WHERE ordinal = ANY (CAST(? AS BIGINT[]))`, ordinals);
  yield* run(`DELETE FROM ${type}_search WHERE ordinal = ANY (CAST(? AS BIGINT[]))`, ordinals);
}

type Made = Features & { readonly ordinal: number; readonly id: number };

function* keep(type: RecordType, made: readonly Made[]): Steps<void> {
  if (made.length === 0) return;
  yield* run(
    `INSERT INTO ${type}_search (ordinal, id, terms) SELECT ordinal, id, CAST(terms AS TSVECTOR)
     FROM json_to_recordset(CAST(? AS JSON)) AS made (ordinal BIGINT, id BIGINT, terms TEXT)`,
    JSON.stringify(made.map(({ ordinal, id, terms }) => ({ ordinal, id, terms: vectorOf(terms) }))),
  );
  yield* run(
    `INSERT INTO ${type}_search_keys (key, kind, ordinal) SELECT key, kind, ordinal
     FROM json_to_recordset(CAST(? AS JSON)) AS made (key TEXT, kind SMALLINT, ordinal BIGINT)`,
    JSON.stringify(
      made.flatMap(({ ordinal, keys }) => keys.map(({ key, kind }) => ({ key: keptKey(kind, key), kind, ordinal }))),
    ),
  );
}
