import type { NamedType } from '../../contract/entities/index.ts';
import type { ComputedList } from '../../contract/relations.ts';
import type { RecordRef } from '../port/analytics.ts';
import type { Page, Window } from '../port/records.ts';
import type { Condition, SortOrder } from '../search/search-index.ts';
import { all, allLists, allTogether, column, first, type SqlProgram, value } from '../sql.ts';
import { LISTED, sqliteDialect } from '../sqlite/dialect.ts';
import { columnOf } from './conditions.ts';
import type { Document } from './document.ts';
import { documentsOf } from './names-like.ts';
import { isNoGrant } from './party-filters.ts';
import { ranksOf } from './pending-indexing.ts';

/** Related lists that are computed instead of following links; every entry has a reason. */
export const computedLists: Readonly<Record<ComputedList, (id: number, window: Window) => SqlProgram<Page>>> = {
  *similar(id, window) {
    return yield* similarCompanies(yield* companiesAlike(id), window);
  },
  coInvestors,
};

const TAKING_PART = `relation IN ('rounds.investors', 'rounds.lead_investors')`;
const INVESTING_TYPES: readonly NamedType[] = ['investors', 'companies', 'people'];
const IS_LIVE = INVESTING_TYPES.map(
  (type) =>
    `(links.to_type = '${type}' AND EXISTS (SELECT 1 FROM ${type} WHERE ${type}.id = links.to_id AND ${type}.deleted_at IS NULL))`,
).join(' OR ');

/** Every co-investor with every shared round. */
const PAIRS = `WITH mine AS (
    SELECT DISTINCT links.from_id AS id FROM links JOIN rounds ON rounds.id = links.from_id AND rounds.deleted_at IS NULL
    WHERE links.to_type = 'investors' AND links.to_id = ? AND ${TAKING_PART}),
  pairs AS (
    SELECT DISTINCT links.to_type AS type, links.to_id AS id, links.from_id AS round FROM mine
    JOIN links ON links.from_id = mine.id
    WHERE ${TAKING_PART} AND NOT (links.to_type = 'investors' AND links.to_id = ?) AND (${IS_LIVE}))`;

interface CoInvestor extends RecordRef {
  readonly count: number;
  /** Date and slug of the latest round. */
  readonly latest: string;
}

/** Investors in the same rounds, by number of shared rounds. */
function* coInvestors(id: number, { offset, limit }: Window): SqlProgram<Page> {
  const date = columnOf('rounds', 'announced_date');
  const rows = yield* all<CoInvestor>(
    `${PAIRS} SELECT type, pairs.id AS id, count(*) AS count, max(coalesce(${date}, '') || ' ' || rounds.slug) AS latest
     FROM pairs JOIN rounds ON rounds.id = pairs.round GROUP BY type, pairs.id
     ORDER BY count DESC, latest DESC, type, id LIMIT ? OFFSET ?`,
    id,
    id,
    limit,
    offset,
  );
  const slugs = rows.map(({ latest }) => latest.slice(latest.indexOf(' ') + 1));
  const rounds = yield* all<{ slug: string; document: string }>(
    `SELECT slug, document FROM rounds WHERE deleted_at IS NULL AND slug IN (${LISTED})`,
    JSON.stringify(slugs),
  );
  const roundOf = new Map(rounds.map((row) => [row.slug, JSON.parse(row.document) as Document]));
  const reasons = rows.map(({ count }, index) => {
    const slug = slugs[index] ?? '';
    const { name = slug, announced_date = null, month_only } = (roundOf.get(slug) ?? {}) as Partial<Document>;
    return { count, latest_round: { type: 'rounds', slug, name, announced_date, month_only: month_only ?? [] } };
  });
  const total = yield* value<number>(
    `${PAIRS} SELECT count(*) FROM (SELECT DISTINCT type, id FROM pairs) AS each_one`,
    id,
    id,
  );
  return { results: yield* documentsWith(rows, reasons), total: total ?? 0 };
}

/** A property that companies can share, and its number of companies. */
interface Trait {
  readonly kind: 'tags' | 'chains' | 'investors';
  readonly shown: string | { readonly type: string; readonly slug: string; readonly name: string };
  readonly companies: readonly number[];
}

/** Weight per kind of shared values; the field of business indicates similarity best. */
const WEIGHTS: Readonly<Record<Trait['kind'], number>> = { tags: 4, investors: 1, chains: 0.5 };
/** How much more the first of a company's tags that is no common one weighs: it says what the company is, the others what it is also listed under. */
const MAIN_TAG_WEIGHT = 2;
/** Weight of a doubling of a company's rank, which decides among companies that share as much. */
const RANK_WEIGHT = 0.15;
/** Companies of which rank and tags are read: those that share most facts. */
const RANKED_MAX = 200;
const SIMILAR_MAX = 10;
/** Tags of more than one in this many companies do not indicate similarity by themselves. */
const RARE_SHARE = 20;
/** More common traits do not distinguish companies and are expensive to evaluate. */
const COMPANIES_MAX = 5_000;
const TRAITS_MAX = 40;

/** The companies by a field with one value each, unknown included: counting the records costs more than all else. */
const COUNT_COMPANIES = "SELECT sum(records) FROM label_values WHERE type = 'companies' AND field = 'status'";

/**
 * The companies that share most tags, investors and chains; rare ones weigh more, and chains alone do not count.
 * Those listed are in another order if one is asked for.
 */
export function* similarCompanies(
  { id, traits, all, alike }: CompaniesAlike,
  { offset, limit }: Window,
  { where, order }: LikesAsked = {},
): SqlProgram<Page> {
  const passing = where && new Set(yield* passingOf(alike, where));
  const most = (passing === undefined ? alike : alike.filter((one) => passing.has(one.id))).slice(0, RANKED_MAX);
  const candidates = most.map((one) => one.id);
  const ranked = yield* ranksOf('companies', candidates);
  const ranks = new Map(ranked.map((one) => [one.id, one.rank]));
  const spreads = yield* tagSpreads([id, ...candidates], all);
  const own = spreads.get(id) ?? 1;
  const ordered = most
    .map(({ id: company, tags, others }) => {
      // Cosine similarity of the tags: a company of another business shares a rare tag but has more tags of its own.
      const shared = tags * Math.sqrt(own / (spreads.get(company) ?? own));
      const rank = Math.log2(1 + Math.max(ranks.get(company) ?? 0, 0));
      return { id: company, score: WEIGHTS.tags * shared + others + RANK_WEIGHT * rank };
    })
    .sort(byScore)
    .slice(0, SIMILAR_MAX);
  const ids = ordered.map((one) => one.id);
  const sorted = order === undefined ? ids : yield* sortedBy(order, ids);
  const page = sorted.slice(offset, offset + limit).map((company) => ({ type: 'companies' as const, id: company }));
  const shared = new Map(page.map((company) => [company.id, [] as Trait[]]));
  for (const trait of traits) for (const company of trait.companies) shared.get(company)?.push(trait);
  const reasons = page.map((company) => ({ reasons: reasonsOf(shared.get(company.id) ?? []) }));
  return { results: yield* documentsWith(page, reasons), total: ordered.length };
}

interface LikesAsked {
  /** Condition that they satisfy. */
  readonly where?: Condition | undefined;
  readonly order?: SortOrder | undefined;
}

/** Companies in an order, those without a value last. */
const sortedBy = ({ key, isDescending }: SortOrder, ids: readonly number[]): SqlProgram<number[]> =>
  column<number>(
    `SELECT id FROM companies WHERE id IN (${LISTED}) ORDER BY ${key} IS NULL, ${key} ${isDescending ? 'DESC' : 'ASC'}, id`,
    JSON.stringify(ids),
  );

/** Number of the companies like one that satisfy a condition, if there is one. */
export function* countSimilar({ alike }: CompaniesAlike, where: Condition | undefined): SqlProgram<number> {
  return where === undefined ? 0 : (yield* passingOf(alike, where)).length;
}

/** A company, and those that share enough with it. */
interface CompaniesAlike {
  readonly id: number;
  readonly traits: readonly Trait[];
  /** Number of all companies. */
  readonly all: number;
  /** Those that share most first. */
  readonly alike: readonly Alike[];
}

export function* companiesAlike(id: number): SqlProgram<CompaniesAlike> {
  const traits = [...(yield* facetTraits(id)), ...(yield* investorTraits(id))];
  const all = (yield* value<number>(COUNT_COMPANIES)) ?? 1;
  const tallies = tallyOf(traits, all);
  tallies.delete(id);
  const alike = [...tallies]
    .filter(([, tally]) => isEnough(tally))
    .map(([company, { score, tags }]) => ({ id: company, tags, others: score, score: score + WEIGHTS.tags * tags }))
    .sort(byScore);
  return { id, traits, all, alike };
}

/** Companies of which a condition is tested: those that share most facts. */
const TESTED_MAX = 5_000;

const passingOf = (alike: readonly Scored[], where: Condition): SqlProgram<number[]> =>
  column<number>(
    `SELECT id FROM companies WHERE id IN (${LISTED}) AND deleted_at IS NULL AND ${where.sql}`,
    JSON.stringify(alike.slice(0, TESTED_MAX).map((one) => one.id)),
    ...where.parameters,
  );

interface Scored {
  readonly id: number;
  readonly score: number;
}

interface Alike extends Scored, Pick<Tally, 'tags'> {
  readonly others: number;
}

const byScore = (one: Scored, other: Scored): number => other.score - one.score || one.id - other.id;

/** Facts that a company shares with another. */
interface Tally {
  /** The share of the other's tags by rarity. */
  tags: number;
  /** The same of chains and investors, weighted. */
  score: number;
  traits: number;
  /** Whether it shares more than chains. */
  isOfBusiness: boolean;
  hasRareTag: boolean;
}

/** Requires two shared facts or one rare tag; chains count only in addition. */
const isEnough = ({ traits, isOfBusiness, hasRareTag }: Tally): boolean => isOfBusiness && (traits > 1 || hasRareTag);

/** Information content of a value, by how many companies have it. */
const rarityOf = (companies: number, all: number): number => Math.log(1 + all / companies);

/** The rarity of all tags of each company. */
function* tagSpreads(ids: readonly number[], all: number): SqlProgram<Map<number, number>> {
  const rows = yield* allLists<[id: number, records: number]>(
    `SELECT labels.id, records FROM labels JOIN label_values
       ON label_values.type = 'companies' AND label_values.field = 'tags' AND label_values.value = labels.value
     WHERE labels.type = 'companies' AND labels.id IN (${LISTED}) AND labels.field = 'tags'
       AND records <= ?`,
    JSON.stringify(ids),
    COMPANIES_MAX,
  );
  const spreads = new Map<number, number>();
  for (const [id, records] of rows) spreads.set(id, (spreads.get(id) ?? 0) + rarityOf(records, all));
  return spreads;
}

/** Tallies of the companies with some of the traits of a company. */
function tallyOf(traits: readonly Trait[], all: number): Map<number, Tally> {
  const whole = { tags: 0, investors: 0, chains: 0 };
  const isRareTag = ({ kind, companies }: Trait): boolean => kind === 'tags' && companies.length < all / RARE_SHARE;
  const main = traits.find(isRareTag);
  const weightOf = (trait: Trait): number =>
    rarityOf(trait.companies.length, all) * (trait === main ? MAIN_TAG_WEIGHT : 1);
  for (const trait of traits) whole[trait.kind] += weightOf(trait);
  const tallies = new Map<number, Tally>();
  for (const trait of traits) {
    const { kind, companies } = trait;
    const share = weightOf(trait) / whole[kind];
    const [tags, score] = kind === 'tags' ? [share, 0] : [0, WEIGHTS[kind] * share];
    const isOfBusiness = kind !== 'chains';
    const hasRareTag = isRareTag(trait);
    for (const company of companies) {
      const tally = tallies.get(company);
      if (tally === undefined) {
        tallies.set(company, { tags, score, traits: 1, isOfBusiness, hasRareTag });
        continue;
      }
      tally.tags += tags;
      tally.score += score;
      tally.traits += 1;
      tally.isOfBusiness ||= isOfBusiness;
      tally.hasRareTag ||= hasRareTag;
    }
  }
  return tallies;
}

function reasonsOf(traits: readonly Trait[]): Record<Trait['kind'], unknown[]> {
  const rarest = traits.toSorted((one, other) => one.companies.length - other.companies.length);
  const of = (kind: Trait['kind']) => rarest.filter((trait) => trait.kind === kind).map(({ shown }) => shown);
  return { tags: of('tags'), chains: of('chains'), investors: of('investors') };
}

/** Tags and chains of a company, the tags in its order. */
function* facetTraits(id: number): SqlProgram<Trait[]> {
  const rows = yield* all<{ field: 'tags' | 'chains'; value: string; shown: string }>(
    `SELECT labels.field AS field, labels.value AS value, shown FROM labels JOIN label_values
       ON label_values.type = 'companies' AND label_values.field = labels.field AND label_values.value = labels.value
     WHERE labels.type = 'companies' AND labels.id = ? AND labels.field IN ('tags', 'chains')
       AND records <= ? ORDER BY records, value LIMIT ?`,
    id,
    COMPANIES_MAX,
    TRAITS_MAX,
  );
  const companies = yield* allTogether<Ids>(
    rows.map(({ field, value: key }) => ({
      sql: "SELECT json_group_array(id) AS ids FROM labels WHERE type = 'companies' AND field = ? AND value = ?",
      parameters: [field, key],
    })),
  );
  const document = yield* value<string>('SELECT document FROM companies WHERE id = ?', id);
  const { tags = [] } = JSON.parse(document ?? '{}') as { tags?: readonly string[] };
  return rows
    .map(({ field, shown }, index) => ({ kind: field, shown, companies: idsOf(companies[index]) }))
    .toSorted((one, other) => tags.indexOf(one.shown) - tags.indexOf(other.shown));
}

/** Investors of a company's rounds, with the other companies they funded; grants do not count. */
function* investorTraits(id: number): SqlProgram<Trait[]> {
  const investors = yield* all<RecordRef>(
    `SELECT DISTINCT links.to_type AS type, links.to_id AS id FROM links WHERE ${TAKING_PART} AND links.to_id IS NOT NULL
       AND (${IS_LIVE}) AND links.from_id IN (${ROUNDS_OF}) AND ${isNoGrant('links.from_id')} ORDER BY type, id LIMIT ?`,
    id,
    TRAITS_MAX,
  );
  const companies = yield* allTogether<Ids>(
    investors.map(({ type, id: investor }) => ({
      sql: `SELECT json_group_array(id) AS ids FROM (SELECT DISTINCT funded.to_id AS id FROM links JOIN links AS funded
          ON funded.relation = 'rounds.company' AND funded.from_id = links.from_id AND funded.to_id IS NOT NULL
        WHERE links.to_type = ? AND links.to_id = ? AND links.${TAKING_PART}
          AND EXISTS (SELECT 1 FROM rounds WHERE rounds.id = links.from_id AND deleted_at IS NULL)
          AND ${isNoGrant('links.from_id')}
          AND EXISTS (SELECT 1 FROM companies WHERE companies.id = funded.to_id AND deleted_at IS NULL) LIMIT ?) AS funds`,
      parameters: [type, investor, COMPANIES_MAX],
    })),
  );
  const traits: Trait[] = [];
  for (const [index, { type, id: investor }] of investors.entries()) {
    const name = sqliteDialect.field(type, 'name', 'text');
    const named = yield* first<{ slug: string; name: string }>(
      `SELECT slug, ${name} AS name FROM ${type} WHERE id = ?`,
      investor,
    );
    const shown = { type, slug: named?.slug ?? '', name: named?.name ?? '' };
    traits.push({ kind: 'investors', shown, companies: idsOf(companies[index]) });
  }
  return traits;
}

const ROUNDS_OF = `SELECT from_id FROM links AS own JOIN rounds ON rounds.id = own.from_id AND rounds.deleted_at IS NULL
  WHERE own.to_type = 'companies' AND own.to_id = ? AND own.relation = 'rounds.company'`;

/** Ids as one JSON text, which costs less than a row each. */
interface Ids {
  readonly ids: string;
}

const idsOf = ([row]: readonly Ids[] = []): number[] => (row === undefined ? [] : (JSON.parse(row.ids) as number[]));

function* documentsWith(refs: readonly RecordRef[], reasons: readonly object[]): SqlProgram<string[]> {
  const documents = yield* documentsOf(refs);
  return documents.map((document, index) => `${document.slice(0, -1)},${JSON.stringify(reasons[index]).slice(1)}`);
}
