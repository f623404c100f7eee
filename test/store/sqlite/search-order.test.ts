import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RECORD_TYPES, type RecordType } from '../../../src/contract/entities/index.ts';
import { exportText } from '../../../src/store/export/export.ts';
import { openEngine, openStore } from '../../../src/store/open.ts';
import type { Author } from '../../../src/store/port/audit.ts';
import type { RowInput } from '../../../src/store/port/records.ts';
import type { SearchedDocument, SearchIndex } from '../../../src/store/search/search-index.ts';
import { openSqlite, type Sqlite } from '../../../src/store/sqlite/driver.ts';
import { migrations } from '../../../src/store/sqlite/migrations/index.ts';
import { idOfKey, listOfKey } from '../../../src/store/sqlite/search/postings-codec.ts';
import { DELETIONS_TABLE, INFIXES_TABLE } from '../../../src/store/sqlite/search/postings-table.ts';
import { createSearchIndex } from '../../../src/store/sqlite/search/sqlite-search-index.ts';
import type { Store } from '../../../src/store/store.ts';
import { transfer } from '../../../src/store/transfer/transfer.ts';
import { newSqlite } from '../../support/databases.ts';
import { importText } from '../../support/importing.ts';
import { isLong } from '../../support/length.ts';

const AUTHOR: Author = { account: 'operator', keyId: null, requestId: null, address: null };
const WORDS =
  'ocean oecan bridge bridges bridging alpha alphas lending swap a the open sea opensea solana solanas'.split(' ');
const TEXTS = [
  ...WORDS,
  'o',
  'br',
  'alhpa',
  'lendnig',
  'oprn sea',
  'ocean bridge',
  'swap 1',
  'ocean zzz',
  'brigde solnaa',
  '',
];

const aWord = fc.constantFrom(...WORDS);
const aText = fc.array(aWord, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const aType = fc.constantFrom(...RECORD_TYPES);
const place = fc.nat(39);
const given = fc.record({
  ...{ words: aText, overview: aText, names: fc.array(place, { maxLength: 4 }), count: fc.nat(9) },
  as_of: fc.constantFrom('2019-05-06', null),
});

const aStep = fc.oneof(
  fc.record({ do: fc.constant('import' as const), type: aType, rows: fc.array(given, { maxLength: 8 }) }),
  fc.record({ do: fc.constant('create' as const), type: aType, given }),
  fc.record({ do: fc.constant('change' as const), place, given }),
  fc.record({ do: fc.constantFrom('delete' as const, 'restore' as const), place }),
  fc.record({ do: fc.constant('ship' as const), type: aType, rows: fc.array(given, { maxLength: 4 }) }),
  fc.record({ do: fc.constant('drop' as const) }),
  fc.record({ do: fc.constant('compact' as const) }),
);
type Step = typeof aStep extends fc.Arbitrary<infer Value> ? Value : never;
type Given = typeof given extends fc.Arbitrary<infer Value> ? Value : never;

/** A record of a history. Its name is unique, because links to a shared name depend on the order of changes. */
interface Made {
  readonly type: RecordType;
  readonly slug: string;
}

/** Takes a history, and records what it makes. */
class History {
  readonly #records: Made[] = [];
  #names = 0;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async take(step: Step): Promise<void> {
    const { records } = this.#store;
    if (step.do === 'compact') await this.#store.compactIndex();
    else if (step.do === 'drop') await records.dropShipped(AUTHOR);
    else if (step.do === 'import') {
      const outcomes = await records.upsertMany(
        step.rows.map((each) => this.#rowOf(step.type, each)),
        AUTHOR,
      );
      expect(outcomes.map(({ change }) => change)).toEqual(step.rows.map(() => 'created'));
    } else if (step.do === 'ship') {
      const rows = step.rows.map((each) => this.#rowOf(step.type, each));
      await records.addShipped(() => rows, { author: AUTHOR });
    } else if (step.do === 'create') {
      const { type, input } = this.#rowOf(step.type, step.given);
      await records.change({ action: 'create', type, input, author: AUTHOR });
    } else await this.#change(step);
  }

  /** Changes a record, unless it is deleted or not. A count below the rounds on record is changed to what is advised. */
  async #change(step: Extract<Step, { place: number }>): Promise<void> {
    const { records } = this.#store;
    const made = this.#records[step.place % Math.max(1, this.#records.length)];
    if (made === undefined) return;
    const target = { type: made.type, target: made.slug, author: AUTHOR };
    const input = step.do === 'change' ? this.#fields(made.type, step.given) : {};
    const change = (counts: object) =>
      step.do === 'change'
        ? records.change({ action: 'merge', ...target, input: { ...input, ...counts } })
        : records.change({ action: step.do, ...target });
    const changed = change({}).catch((error: Error) => {
      const [, field = '', least] = /^(\w+) follows the known rounds.* state (\d+) or more/.exec(error.message) ?? [];
      if (least === undefined) throw error;
      return change({ [field]: Number(least) });
    });
    await changed.catch((error: unknown) =>
      expect(error).toMatchObject({ code: expect.stringMatching(/^not_(found|deleted)$/) }),
    );
  }

  #rowOf(type: RecordType, each: Given): RowInput {
    const slug = `record-${this.#names}`;
    const row = { type, input: { slug, ...this.#fields(type, each) } } as RowInput;
    this.#records.push({ type, slug });
    return row;
  }

  /** Fields of a record, which names others by their slugs, also those that come later. */
  #fields(type: RecordType, { words, overview, names, count, as_of }: Given): object {
    const common = { name: `${words} n${this.#names++}`, overview, as_of };
    const references = names.map((number) => ({ name: `record-${number}` }));
    if (type === 'companies') return { ...common, founders: references };
    if (type === 'investors') return { ...common, portfolio: references, investments_count: count };
    if (type === 'people') return { ...common, angel_investments: count };
    if (type === 'events') return { ...common, speakers: references };
    return { name: common.name, as_of, company: references[0] ?? 'record-0', investors: references };
  }
}

/** Every answer, page by page. */
async function answersOf({ records }: Store): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const types of [RECORD_TYPES, ...RECORD_TYPES.map((type) => [type])]) {
    for (const text of TEXTS) {
      for (let offset = 0; offset < 12; offset += 4) {
        const { results, totals } = await records.search({ types, text, window: { offset, limit: 4 } });
        answers.push([text, types, totals, results.map((json) => (JSON.parse(json) as { slug: string }).slug)]);
      }
    }
  }
  return answers;
}

async function rebuilt(url: string): Promise<Store> {
  const target = await newSqlite();
  const engines = { source: await openEngine(url), target: await openEngine(target.url) };
  await transfer({ ...engines, onProgress: () => undefined });
  await engines.source.close();
  await engines.target.close();
  return openStore(target.url);
}

async function importedAgain(store: Store): Promise<Store> {
  const copy = await openStore('sqlite::memory:');
  for (const type of RECORD_TYPES) {
    const pieces: string[] = [];
    for await (const piece of exportText(store.records, { type, format: 'ndjson' }, () => {})) pieces.push(piece);
    await importText(copy, type, pieces.join(''), { format: 'ndjson' });
  }
  return copy;
}

/** A hundred histories take minutes on a busy machine. */
const LONG = { timeout: 600_000 };

test(
  'an index that followed any changes answers as one that is built anew, and as one of an export that is imported',
  LONG,
  async () => {
    const histories = fc.array(aStep, { minLength: 5, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(histories, async (steps) => {
        const { url } = await newSqlite();
        const store = await openStore(url);
        const history = new History(store);
        for (const step of steps) await history.take(step);
        // As every import does when its last rows are kept.
        await store.compactIndex();
        const followed = await answersOf(store);
        const others = [await rebuilt(url), await importedAgain(store)];
        for (const other of others) expect(await answersOf(other)).toEqual(followed);
        for (const each of [store, ...others]) await each.close();
      }),
      { numRuns: isLong ? 100 : 3, endOnFailure: true },
    );
  },
);

/** A row of the table of terms. */
type Spelt = Readonly<Record<'id' | 'spelling', number>> & { readonly term: string; readonly stem: string | null };

describe('an index of as many documents as its limits are about', () => {
  const newDatabase = (): Sqlite => {
    const database = openSqlite(':memory:');
    for (const step of migrations) database.exec(step);
    return database;
  };
  const newIndex = (): SearchIndex => createSearchIndex(newDatabase(), ['companies']);
  /** All that typed words are understood by. */
  const termsOf = (database: Sqlite): unknown[] => {
    const terms = database.prepare<[], Spelt>('SELECT id, term, spelling, stem FROM search_terms ORDER BY term').all();
    const termOf = new Map(terms.map(({ id, term }) => [id, term]));
    const wordsIn = (table: string): string[] => {
      const rows = database.prepare<[], Uint8Array>(`SELECT keys FROM ${table} ORDER BY key`).pluck().all();
      const keys = rows.flatMap((data) => [...new Float64Array(Uint8Array.from(data).buffer)]);
      expect(keys.every((key, place) => place === 0 || keys[place - 1] < key)).toBe(true);
      return keys.map((key) => `${listOfKey(key)} ${termOf.get(idOfKey(key))}`).sort();
    };
    const spelt = terms.map(({ term, spelling, stem }) => [term, spelling, stem]);
    return [spelt, wordsIn(DELETIONS_TABLE), wordsIn(INFIXES_TABLE)];
  };
  const documentOf = (id: number, version: number, rank: number): SearchedDocument => ({
    ...{
      id,
      names: [`tok${(id * 7 + version) % 500}en bridg${version % 3 ? 'es' : 'ing'}`],
      slug: `s-${id}`,
      tickers: [],
    },
    ...{
      domain: null,
      handles: [],
      keywords: ['defi'],
      headline: '',
      overview: `common word${id % 90} ${version}`,
      related: [],
      rank,
    },
  });
  const asked = [
    'tok',
    'token',
    'tokxen',
    'tok12en',
    'tok9n',
    'toke12n',
    'bridge',
    'ridg',
    '9en',
    'ok12',
    'common',
    'common bridges',
    'word1',
    'wrod12',
    '',
  ];
  const answersOfIndex = (index: SearchIndex): unknown[] =>
    asked.flatMap((text) =>
      [0, 10, 200].map((offset) => {
        const { epoch: _, ...answer } = index.find({ types: ['companies'], text, offset, limit: 10 });
        return [text, answer];
      }),
    );
  const change = fc.record({
    ids: fc.uniqueArray(fc.integer({ min: 1, max: 600 }), { minLength: 1, maxLength: 120 }),
    version: fc.nat(5),
    rank: fc.nat(6),
    kind: fc.constantFrom(
      'put' as const,
      'put' as const,
      'put' as const,
      'rerank' as const,
      'remove' as const,
      'build' as const,
    ),
    isLater: fc.boolean(),
  });

  test('what a limit cuts off, and the order of equals, depend on the documents alone', () => {
    fc.assert(
      fc.property(fc.array(change, { minLength: 8, maxLength: 25 }), (changes) => {
        const database = newDatabase();
        const followed = createSearchIndex(database, ['companies']);
        const kept = new Map<number, SearchedDocument>();
        const inOrder = () => [...kept.values()].toSorted((one, other) => one.id - other.id);
        /** What changed while an index is built; undefined when none is. */
        let meanwhile: Set<number> | undefined;
        const finishBuild = () => {
          if (meanwhile === undefined) return;
          while (followed.build.write());
          followed.build.finish();
          followed.putMany(
            'companies',
            inOrder().filter(({ id }) => meanwhile?.has(id)),
          );
          followed.remove(
            'companies',
            [...meanwhile].filter((id) => !kept.has(id)),
          );
          meanwhile = undefined;
        };
        /** Documents of the same text whose rank was left for later. */
        const unranked = new Set<number>();
        for (const { ids, version, rank, kind, isLater } of changes) {
          const merging = isLater ? 'later' : 'now';
          if (kind === 'build') {
            finishBuild();
            // Every third record has changed, which only the new index includes; the others keep their words.
            for (const [id, document] of kept) {
              const words = id % 3 === 0 ? documentOf(id, version, rank) : document;
              kept.set(id, { ...words, rank: rank * (id % 7) });
            }
            followed.build.begin(['companies']);
            followed.build.add(
              'companies',
              inOrder().map(({ id, rank: moved, ...words }) =>
                id % 3 ? { id, rank: moved } : { id, rank: moved, ...words },
              ),
            );
            meanwhile = new Set();
            continue;
          }
          for (const id of ids) meanwhile?.add(id);
          const known = ids.filter((id) => kept.has(id));
          if (kind === 'remove') followed.remove('companies', known);
          if (kind === 'rerank')
            followed.rerank(
              'companies',
              known.map((id) => ({ id, rank: rank * id })),
              merging,
            );
          const documents = ids.map((id) => documentOf(id, version, rank * (id % 5)));
          if (kind === 'put') for (const id of followed.putMany('companies', documents, merging)) unranked.add(id);
          for (const document of documents) {
            if (kind === 'remove') kept.delete(document.id);
            else if (kind === 'put') kept.set(document.id, document);
            else if (kept.has(document.id)) {
              kept.set(document.id, { ...(kept.get(document.id) as SearchedDocument), rank: rank * document.id });
            }
          }
        }
        finishBuild();
        followed.rerank(
          'companies',
          inOrder().filter(({ id }) => unranked.has(id)),
        );
        const other = newDatabase();
        const fresh = createSearchIndex(other, ['companies']);
        fresh.putMany('companies', inOrder());
        expect(answersOfIndex(followed)).toEqual(answersOfIndex(fresh));
        expect(termsOf(database)).toEqual(termsOf(other));
      }),
      { numRuns: isLong ? 200 : 4, endOnFailure: true },
    );
  });

  test('a change forgets few of the words that a large removal left, and the steps after it the others', () => {
    const database = newDatabase();
    const index = createSearchIndex(database, ['companies']);
    const ids = Array.from({ length: 100 }, (_, place) => place + 1);
    const wordsOf = (id: number): string =>
      ids
        .slice(0, 20)
        .map((place) => `own${id}of${place}`)
        .join(' ');
    const documents = ids.map((id) => ({ ...documentOf(id, 0, 0), overview: wordsOf(id) }));
    index.putMany('companies', documents);
    index.remove('companies', ids, 'deferred');
    const terms = database.prepare<[], number>('SELECT count(*) FROM search_terms').pluck();
    const left = terms.get() ?? 0;
    index.putMany('companies', [documentOf(101, 0, 0)]);
    expect(terms.get()).toBeGreaterThan(left - 150);
    while (index.compact());
    const other = newDatabase();
    createSearchIndex(other, ['companies']).putMany('companies', [documentOf(101, 0, 0)]);
    expect(termsOf(database)).toEqual(termsOf(other));
  });

  test('documents of one importance stand in the order of their numbers, in whatever order they come and go', () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 2_000 }), { minLength: 200, maxLength: 400 });
    fc.assert(
      fc.property(ids, fc.integer({ min: 1, max: 40 }), (all, size) => {
        const index = newIndex();
        for (let start = 0; start < all.length; start += size) {
          const some = all.slice(start, start + size);
          index.putMany(
            'companies',
            some.map((id) => documentOf(id, 0, 0)),
          );
          if (start % 3 === 0) index.remove('companies', [some[0] ?? 0]);
        }
        const { hits } = index.find({ types: ['companies'], text: '', offset: 0, limit: 400 });
        const listed = hits.map(({ id }) => id);
        expect(listed).toEqual(listed.toSorted((one, other) => one - other));
      }),
      { numRuns: isLong ? 200 : 3, endOnFailure: true },
    );
  });
});
