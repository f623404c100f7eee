import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { entityOf, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { SearchedFields } from '../../contract/entity.ts';
import { once } from '../../contract/lazy.ts';
import { EDITORS } from '../../contract/unsourced.ts';
import { unsourcedFieldsOf } from '../../contract/unsourced-texts.ts';
import { FUNDING_STAGES, INVESTORS_LISTED_MAX } from '../../contract/vocabulary.ts';
import { definitionOfFacts } from '../analytics/facts.ts';
import { analyze, stem } from '../search/analyzer.ts';
import { FIELD, isWordTerm, rankBucket } from '../search/matches.ts';
import { searchedDocument } from '../search/searched-document.ts';
import { all, type Dialect, exists, type Runner, run, type SqlProgram, value } from '../sql.ts';
import { computedOf, loadComputed } from './computed-fields.ts';
import { composeDocument, type Document } from './document.ts';
import { facetFields, recountLabels, setFacets } from './facets.ts';
import { createFunding, fundingOf } from './funding.ts';
import { buildIndex, compact, isAbandoned, saveDefinition } from './index-build.ts';
import { createInvestments, investmentsOf, isInvestingType } from './investments.ts';
import type { SearchModel } from './record-index.ts';
import { type ChangedRow, createRecordTables, type RecordTables } from './tables.ts';

/**
 * Derived data per type: computed fields of records, and for searching: facets, posting lists and facts. The database
 * stores a fingerprint of the definition of each, which detects changed definitions.
 */
const PARTS = RECORD_TYPES.flatMap((type) =>
  (['fields', 'facets', 'words', 'facts'] as const).map((kind) => ({ name: `${type} ${kind}`, type, kind })),
);
type Part = (typeof PARTS)[number];
type Fingerprints = Readonly<Record<string, string>>;

/** Of the process that started last, so that two program versions do not undo each other's work without end. */
interface Progress {
  readonly wanted: string;
  readonly type: RecordType | undefined;
  readonly after: number;
}

/** Kinds of derived data in a database: computed fields where records are stored, the others where they are searched. */
export type DerivedKind = Part['kind'];

interface Parts {
  readonly dialect: Dialect;
  readonly runner: Pick<Runner, 'query' | 'transaction' | 'longTransaction' | 'relaxedTransaction'>;
  readonly kinds: readonly DerivedKind[];
  /** The read model, where this database has one. */
  readonly model?: SearchModel;
  /** Called with records whose computed fields changed, in the same transaction. */
  readonly onFields?: (documents: readonly Document[]) => SqlProgram<void>;
}

/** Records per transaction, the same as for imports, to bound the time that other writers wait. */
const BATCH = 400;

/**
 * Rebuilds data derived by older definitions, and completes interrupted imports. Concurrent processes share the work:
 * facets continue after the last transaction of any process, and one process builds the index while the others wait.
 * Costs two row reads if everything is current.
 */
export async function rebuildDerived(engine: Parts): Promise<void> {
  const { runner, dialect, kinds, model } = engine;
  const expected = currentFingerprints(kinds);
  const text = JSON.stringify(expected);
  const isCurrent = async (): Promise<boolean> =>
    (await runner.query(value<string>("SELECT value FROM search_definitions WHERE name = 'current'"))) === text;
  const tables = createRecordTables(dialect);
  const index = model && { runner, fullText: model.fullText };
  if (!(await isCurrent())) {
    const parts = PARTS.filter(({ kind }) => kinds.includes(kind) && kind !== 'words');
    let isBegun = false;
    while (
      await runner.longTransaction('records', rebuildSome({ ...engine, tables, wanted: expected, parts }, isBegun))
    ) {
      isBegun = true;
      await setImmediate();
    }
    if (index && !(await isCurrent())) {
      if (await runner.query(hasRecords()))
        await buildIndex({ ...index, definitions: text, finish: () => noteWords(expected) });
      else await runner.longTransaction('records', noteWords(expected));
    }
  } else if (index && (await isAbandoned(runner))) await buildIndex(index);
  // Another process may be filling the database.
  if (model && (await isCurrent())) await compact({ transaction: runner.longTransaction }, model.index);
}

interface Rebuild extends Omit<Parts, 'runner'> {
  readonly tables: RecordTables;
  readonly wanted: Fingerprints;
  readonly parts: readonly Part[];
}

/** Rebuilds the next batch; false if nothing is left for this process. */
function* rebuildSome(rebuild: Rebuild, isBegun: boolean): SqlProgram<boolean> {
  const { wanted, parts } = rebuild;
  const rows = yield* all<{ name: string; value: string }>('SELECT name, value FROM search_definitions');
  const stored = new Map(rows.map((row) => [row.name, row.value]));
  const text = JSON.stringify(wanted);
  if (stored.get('current') === text) return false;
  const begun = JSON.parse(stored.get('rebuild') ?? 'null') as Progress | null;
  if (isBegun && begun?.wanted !== text) return false;
  const known = JSON.parse(stored.get('current') ?? '{}') as Fingerprints;
  const current = Object.fromEntries(Object.entries(known).filter(([name, print]) => wanted[name] === print));
  let progress: Progress = begun?.wanted === text ? begun : { wanted: text, type: undefined, after: 0 };
  let room = BATCH;
  for (const type of RECORD_TYPES) {
    const missing = parts.filter((part) => part.type === type && current[part.name] === undefined);
    if (missing.length === 0) continue;
    const after = progress.type === type ? progress.after : 0;
    const kinds = missing.map(({ kind }) => kind);
    const ids = yield* rebuildRecords(rebuild, { type, kinds }, { after, limit: room });
    room -= ids.length;
    progress = { wanted: text, type, after: ids.at(-1) ?? after };
    if (room === 0) break;
    for (const { name } of missing) current[name] = wanted[name] as string;
  }
  const isDone = parts.every(({ name }) => current[name] !== undefined);
  const isChanged = parts.some(({ name }) => known[name] !== wanted[name]);
  // PostgreSQL has no labels; the index file beside it has.
  if (isDone && isChanged && parts.some(({ kind }) => kind === 'facets'))
    for (const type of RECORD_TYPES) yield* recountLabels(type);
  yield* keepCurrent(wanted, current);
  yield* isDone
    ? run("DELETE FROM search_definitions WHERE name = 'rebuild'")
    : saveDefinition('rebuild', JSON.stringify(progress));
  return !isDone;
}

/** Records which parts are current; once all are, in canonical order for comparison. */
function keepCurrent(wanted: Fingerprints, current: Fingerprints): SqlProgram<void> {
  const isDone = Object.keys(wanted).every((name) => current[name] !== undefined);
  return saveDefinition('current', JSON.stringify(isDone ? wanted : current));
}

/** Records that the index matches the current definitions. */
function* noteWords(wanted: Fingerprints): SqlProgram<void> {
  const text = yield* value<string>("SELECT value FROM search_definitions WHERE name = 'current'");
  const known = Object.entries(JSON.parse(text ?? '{}') as Fingerprints).filter(
    ([name, print]) => wanted[name] === print,
  );
  const words = PARTS.filter(({ kind }) => kind === 'words').map(({ name }) => [name, wanted[name]]);
  yield* keepCurrent(wanted, Object.fromEntries([...known, ...words]) as Fingerprints);
}

function* hasRecords(): SqlProgram<boolean> {
  for (const type of RECORD_TYPES) if (yield* exists(`SELECT 1 FROM ${type} LIMIT 1`)) return true;
  return false;
}

/** Reads each record once for all parts. Returns the processed ids. */
function* rebuildRecords(
  { dialect, model, tables, onFields }: Rebuild,
  { type, kinds }: { readonly type: RecordType; readonly kinds: readonly DerivedKind[] },
  { after, limit }: { readonly after: number; readonly limit: number },
): SqlProgram<number[]> {
  const rows = yield* tables[type].after(after, limit);
  let documents = rows.map(({ document }) => JSON.parse(document) as Document);
  if (documents.length === 0) return [];
  if (kinds.includes('fields')) {
    const complete = yield* completed(dialect, documents);
    const changed = complete.filter((document, index) => {
      const json = JSON.stringify(document);
      // Engines may normalize JSON.
      return json !== rows[index]?.document && json !== JSON.stringify(documents[index]);
    });
    if (changed.length > 0) yield* tables[type].updateAll(changed.map(toRow));
    if (onFields !== undefined) yield* onFields(changed);
    documents = complete;
  }
  if (kinds.includes('facets')) yield* setFacets(type, documents);
  if (kinds.includes('facts') && model !== undefined) yield* model.analytics.putAll(documents);
  return rows.map(({ id }) => id);
}

/** Records with current computed fields. */
function* completed(dialect: Dialect, documents: readonly Document[]): SqlProgram<Document[]> {
  const readers = { funding: createFunding(dialect, nothingPending), investments: createInvestments(dialect) };
  for (const type of RECORD_TYPES) {
    const ids = documents.flatMap((document) => (document.type === type ? document.id : []));
    yield* loadComputed(readers, type, ids);
  }
  const complete: Document[] = [];
  for (const document of documents) {
    const composed = composeDocument(document.type as RecordType, {}, { name: document.name }, document);
    complete.push(Object.assign(composed, yield* computedOf(readers, document)));
  }
  return complete;
}

function toRow(document: Document): ChangedRow {
  const { id, slug } = document;
  return { id, slug, document: JSON.stringify(document), isRenamed: false };
}

/** A rebuild has no pending writes that its reads depend on. */
function* nothingPending(): SqlProgram<void> {}

/** The fingerprints as JSON, which the build replaces by their value: they cost a tenth of a start. */
declare const DEFINITION_FINGERPRINTS: string | undefined;

/** Hashes of the current definitions. */
export function currentFingerprints(kinds: readonly DerivedKind[]): Fingerprints {
  const all = fingerprints();
  const parts = PARTS.filter(({ kind }) => kinds.includes(kind));
  return Object.fromEntries(parts.map(({ name }) => [name, all[name] as string]));
}

const fingerprints = once(
  (): Fingerprints =>
    typeof DEFINITION_FINGERPRINTS === 'undefined' ? computeFingerprints() : JSON.parse(DEFINITION_FINGERPRINTS),
);

export const computeFingerprints = (): Fingerprints =>
  Object.fromEntries(PARTS.map(({ name, kind, type }) => [name, hashOf(DEFINITION[kind](type))]));

const HASH_LENGTH = 16;
const hashOf = (definition: unknown): string =>
  createHash('sha256').update(JSON.stringify(definition)).digest('hex').slice(0, HASH_LENGTH);

/** Includes the result for a sample, so that changed code changes the fingerprint automatically. */
const DEFINITION: Readonly<Record<Part['kind'], (type: RecordType) => unknown>> = {
  fields: (type) => [
    Object.keys(entityOf(type).record.shape),
    unsourcedFieldsOf(SAMPLE_TEXT),
    type === 'companies' ? fundingOf(SAMPLE_ROUNDS) : [],
    ...(isInvestingType(type) ? [investmentsOf(sampleOf(type, entityOf(type).searched), SAMPLE_INVESTMENTS)] : []),
    ...(type === 'rounds' ? [INVESTORS_LISTED_MAX] : []),
  ],
  facets: facetFields,
  facts: definitionOfFacts,
  words: (type) => {
    const { searched } = entityOf(type);
    const document = searchedDocument(sampleOf(type, searched), SAMPLE_NAMING);
    const { keys, terms } = analyze(document);
    const spellings = [...terms].flatMap(([term, field]) =>
      isWordTerm(term) ? [[term.slice(1), stem(term.slice(1)), field === FIELD.name]] : [],
    );
    return [searched, keys, [...terms], spellings, rankBucket(document.rank)];
  },
};

const SAMPLE_ROUNDS = FUNDING_STAGES.map((stage, index) => ({
  stage,
  amount_usd: `${2 ** index}.00`,
  announced_date: `20${index + 10}-01-01`,
  month_only: ['announced_date'],
  investors: [{ name: stage, type: null, slug: null }],
  lead_investors: [],
  sources: [{ source: EDITORS, as_of: null, fields: ['amount_usd'] }],
}));
const SAMPLE_TEXT = {
  tagline: 'Fund in Bern, with 2 rooms',
  overview: 'It was founded in 2018.',
  location_json: { city: 'Bern' },
  sources: [{ source: EDITORS, as_of: null, fields: ['location_json'] }],
};
const SAMPLE_INVESTMENTS = {
  rounds: 3,
  led: 2,
  unsourcedLed: 1,
  companies: 1,
  first: '2020-01-01',
  last: '2021-01-01',
  month_only: ['first'],
} as const;
const SAMPLE_TEXTS = [
  ...['The São & Söhne', 'real_world assets', '2024-05-06', 'DeFi 2.0 (L2s)', 'Example++', '...'],
  ...['https://x.com/Example', 'Mining'],
];
const SAMPLE_NAMING = 5;

function sampleOf(type: RecordType, { domain, hasComposedNames: _, ...texts }: SearchedFields): Document {
  const reference = { name: 'Example DAO', type: 'companies', id: 1, slug: 'example-dao', title: 'Co-Founder' };
  const fields = Object.values(texts)
    .flat()
    .map((field) => [field, [...SAMPLE_TEXTS, reference]] as const);
  const website = domain === null ? {} : { [domain]: 'https://www.sample.example/about' };
  return {
    type,
    id: 1,
    name: 'Sample',
    slug: 'sample-1',
    amount_usd: '1.00',
    ...Object.fromEntries(fields),
    ...website,
  };
}
