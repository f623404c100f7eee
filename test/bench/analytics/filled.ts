import { RECORD_TYPES, type RecordType } from '../../../src/contract/entities/index.ts';
import { encodeFacts, factsOf } from '../../../src/store/analytics/facts.ts';
import { composeDocument, type Document } from '../../../src/store/records/document.ts';
import { countedFacets, facetsOf } from '../../../src/store/records/facets.ts';
import { openSqlite, type Sqlite } from '../../../src/store/sqlite/driver.ts';
import { createRandom, type Random } from '../search/random.ts';

/** Of a thousand records, how many are of each type. */
const SHARES: Readonly<Record<RecordType, number>> = {
  companies: 400,
  rounds: 380,
  investors: 100,
  people: 100,
  events: 20,
};
const MOMENT = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' };
const BATCH = 5_000;
const YEARS = 10;
const COUNTRIES = 60;
const TAGS = 80;
const CHAINS = 20;
const STAGES = ['pre_seed', 'seed', 'series_a', 'series_b', 'strategic', 'grant'];

export type Counts = Readonly<Record<RecordType, number>>;

export const countsOf = (records: number): Counts =>
  Object.fromEntries(RECORD_TYPES.map((type) => [type, Math.ceil((records * SHARES[type]) / 1_000)])) as Counts;

/** Fills an empty database with records, their labels and facts, and nothing that is only searched by words. */
export function fillDatabase(file: string, counts: Counts): void {
  const database = openSqlite(file);
  database.pragma('synchronous = OFF');
  for (const type of RECORD_TYPES) {
    const insertSome = database.transaction((first: number, last: number) => {
      for (let id = first; id <= last; id += 1) insert(database, documentOf(type, id, counts));
    });
    for (let id = 1; id <= counts[type]; id += BATCH) insertSome(id, Math.min(counts[type], id + BATCH - 1));
  }
  countLabels(database);
  database.close();
}

function countLabels(database: Sqlite): void {
  const count = database.prepare(`INSERT INTO label_values (type, field, value, shown, records) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (type, field, value) DO UPDATE SET records = label_values.records + excluded.records`);
  const labels = database.prepare<[], { type: string; field: string; value: string; records: number }>(
    'SELECT type, field, value, count(*) AS records FROM labels GROUP BY type, field, value',
  );
  for (const { type, field, value: key, records } of labels.all())
    for (const { field: of, value } of countedFacets({ field, value: key, shown: key }))
      count.run(type, of, value, value, records);
}

const statements = new WeakMap<Sqlite, ReturnType<typeof prepare>>();

function prepare(database: Sqlite) {
  const insertInto = (type: RecordType) =>
    database.prepare<[number, string, string]>(`INSERT INTO ${type} (id, slug, version, document) VALUES (?, ?, 1, ?)`);
  return {
    records: new Map<string, ReturnType<typeof insertInto>>(RECORD_TYPES.map((type) => [type, insertInto(type)])),
    label: database.prepare('INSERT INTO labels (type, field, value, id) VALUES (?, ?, ?, ?)'),
    facts: database.prepare('INSERT INTO record_facts (type, id, facts) VALUES (?, ?, ?)'),
  };
}

function insert(database: Sqlite, document: Document): void {
  const known = statements.get(database) ?? prepare(database);
  statements.set(database, known);
  const { type, id, slug } = document;
  known.records.get(type)?.run(id, slug, JSON.stringify(document));
  for (const { field, value } of facetsOf(document)) known.label.run(type, field, value, id);
  known.facts.run(type, id, encodeFacts(factsOf(document)));
}

/** Some are named far more often than others, as in life. */
const skewed = (random: Random, count: number): number => 1 + Math.floor(count * random.next() ** 3);

function documentOf(type: RecordType, id: number, counts: Counts): Document {
  const random = createRandom(id * 31 + RECORD_TYPES.indexOf(type));
  const reference = (of: RecordType, n: number) => ({ name: `${of} ${n}`, type: of, id: n, slug: `${of}-${n}` });
  const some = (of: RecordType, most: number) =>
    Array.from({ length: random.below(most + 1) }, () => reference(of, skewed(random, counts[of])));
  const date = `${2015 + random.below(YEARS)}-${String(1 + random.below(12)).padStart(2, '0')}-15`;
  const labels = (count: number, name: string, most: number) => [
    ...new Set(Array.from({ length: random.below(most + 1) }, () => `${name} ${skewed(random, count)}`)),
  ];
  const location_json = { city: null, country: `Country ${skewed(random, COUNTRIES)}` };
  const identity = { id, slug: `${type}-${id}`, ...MOMENT };
  const organization = () => reference('companies', skewed(random, counts.companies));
  const own: Record<RecordType, () => object> = {
    companies: () => ({
      location_json,
      tags: labels(TAGS, 'Tag', 4),
      chains: labels(CHAINS, 'Chain', 3),
      year_founded: 2008 + random.below(18),
      funding_stage: random.pick(STAGES),
      total_funding_usd: `${random.below(500_000_000)}.00`,
    }),
    rounds: () => ({
      company: reference('companies', skewed(random, counts.companies)),
      announced_date: date,
      stage: random.pick(STAGES),
      amount_usd: random.below(10) === 0 ? null : `${random.below(100_000_000)}.00`,
      lead_investors: some('investors', 1),
      investors: some('investors', 6),
    }),
    investors: () => ({ location_json, focus: labels(TAGS, 'Tag', 3), investments_count: random.below(500) }),
    people: () => ({
      location_json,
      roles: Array.from({ length: random.below(3) }, organization).map((each) => ({
        organization: each.name,
        organization_type: each.type,
        organization_id: each.id,
        organization_slug: each.slug,
      })),
    }),
    events: () => ({ location_json, start_date: date, speakers: some('people', 20), sponsors: some('companies', 5) }),
  };
  return composeDocument(type, identity, { name: `${type} ${id}`, ...own[type]() } as never, undefined);
}
