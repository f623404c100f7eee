import type { RecordType } from '../../contract/entities/index.ts';
import type { SortedField } from '../../contract/sorts.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import { ranksFounders } from './asked-fact.ts';
import { anyMeans, type Chunk, isContent, means, textOf } from './chunks.ts';
import { mentionsGrants } from './grants.ts';
import { phraseOf } from './knowledge.ts';
import {
  asksForCoInvestors,
  asksForValuation,
  countsNouns,
  isOfAmount,
  leads,
  leaveUnstated,
  nounOf,
  ORDERS,
  type ParseState,
} from './parse-state.ts';
import { orderOfValuation } from './valuations.ts';

/** Sorts by type, in request form. */
const SORTS: Readonly<
  Partial<Record<RecordType, Partial<Record<(typeof ORDERS)[number], SortedField | `-${SortedField}`>>>>
> = {
  companies: {
    largest: '-total_funding_usd',
    latest: '-last_round_date',
    smallest: 'total_funding_usd',
    oldest: 'year_founded',
  },
  rounds: { largest: '-amount_usd', latest: '-announced_date', smallest: 'amount_usd', oldest: 'announced_date' },
  investors: {
    largest: '-investments_count',
    latest: '-updated_at',
    smallest: 'investments_count',
    oldest: 'year_founded',
  },
  people: { largest: '-angel_investments', latest: '-updated_at' },
  events: { latest: '-start_date', oldest: 'start_date' },
};

/** Words for the size of records, by which they are ordered. */
const SIZES = [
  [/^(?:big|large|huge|grosse|grandes?|gros(?:ses)?)$/, 'largest'],
  [/^(?:small|tiny|kleine|pequen[ao]s|petites?)$/, 'smallest'],
] as const;

/** The order that a size before a noun stands for: `big seed rounds`, but not `how big are seed rounds`. */
function orderOfSize({ chunks, type }: ParseState, chunk: Chunk): (typeof ORDERS)[number] | undefined {
  const next = chunks[chunks.indexOf(chunk) + 1];
  const isBeforeNoun = next && (nounOf(next) === type || next.closed !== undefined || isContent(next));
  return isBeforeNoun ? SIZES.find(([words]) => words.test(chunk.tokens[0]?.text ?? ''))?.[1] : undefined;
}

/** Sorts expressed by a single word. */
function specialSort({ type, chunks }: ParseState, chunk: Chunk): string | undefined {
  const index = chunks.indexOf(chunk);
  const before = chunks[index - 1];
  // `last 5 deals`, `last seed round`
  const after = chunks
    .slice(index + 1)
    .find(({ amount, closed }) => (amount === undefined || amount.isMoney) && closed?.[0] !== 'funding_stage');
  if (means(chunk, 'lastUpdated')) return '-updated_at';
  if ((type === 'companies' || type === 'investors') && means(chunk, 'youngest')) return '-year_founded';
  if (type === 'companies' && means(chunk, 'employees') && means(before, 'by', 'per', 'largest', 'smallest'))
    return anyMeans(chunks, 'smallest') ? 'total_employees' : '-total_employees';
  if (type !== 'rounds') return undefined;
  const isLast =
    means(chunk, 'lastRound') ||
    asksForValuation(chunks, chunk) ||
    (means(chunk, 'last') && after !== undefined && (nounOf(after) === 'rounds' || means(after, 'investments')));
  return isLast ? '-announced_date' : undefined;
}

/** Whether companies are ordered by a number of others, which no sort is by: `companies with the most investors`. */
function isOfOthers(state: ParseState, chunk: Chunk): boolean {
  const { chunks, type, groups } = state;
  const next = chunks[chunks.indexOf(chunk) + 1];
  const noun = next && nounOf(next);
  if (type !== 'companies' || noun === undefined || noun === type || groups.length > 0) return false;
  if (noun === 'rounds' && !means(chunk, 'latest', 'oldest')) state.groups.push('company');
  else state.unstated.push(phraseOf([...chunk.tokens, ...(next?.tokens ?? [])]));
  state.isPartial = true;
  return true;
}

/** Names an order that no sort is by: of acquisitions by their price, or of founders by their companies. Whether it is one. */
function isUnordered({ chunks, type, unstated }: ParseState, chunk: Chunk): boolean {
  const next = chunks[chunks.indexOf(chunk) + 1];
  const isOfDeals = next?.closed?.[1] === 'acquired' && nounOf(next) === 'companies';
  const founding = ranksFounders({ type, chunks }) ? chunks.find((each) => means(each, 'founds')) : undefined;
  if (!isOfDeals && founding === undefined) return false;
  const words = isOfDeals ? [chunk, next] : [founding, chunk];
  unstated.push(phraseOf(words.flatMap((each) => each?.tokens ?? [])));
  return true;
}

/** Names an order of investors by when they first took part, which is none of theirs: `earliest investor in Acme`. Whether it is one. */
function isOfFirstRounds(state: ParseState, chunk: Chunk): boolean {
  const { type, chunks } = state;
  const isOfDeeds = /^first (?:invest|back|fund)/.test(textOf([chunk])) || chunks.some(({ isName }) => isName);
  if (type !== 'investors' || !isOfDeeds) return false;
  leaveUnstated(state, [chunk]);
  return true;
}

/** Names that companies raised for the first time, which no filter is about: `raised their first round in 2022`. Whether they did. */
function isOfFirstRaise(state: ParseState, chunk: Chunk): boolean {
  const isFirst = state.type === 'companies' && /^first (?:funding )?round$/.test(textOf([chunk]).toLowerCase());
  if (isFirst) leaveUnstated(state, [chunk]);
  return isFirst;
}

/** Words for the number of records, not for amounts: `which stage is most common`. */
const FREQUENT = /\b(?:common(?:ly)?|frequent(?:ly)?|often)$/;

/** Whether rounds of a stage are counted: `which month had the most Series A`, but not `the most Series A funding`. */
const countsStage = ({ type, chunks }: ParseState, after: readonly Chunk[]): boolean =>
  type === 'rounds' &&
  after.some(({ closed }) => closed?.[0] === 'funding_stage' && closed[1] !== GRANT) &&
  !chunks.some((each) => means(each, 'funding', 'raised') || isOfAmount(each));

/** What a sentence counts by a word: `rounds` of `by number of rounds`. */
function countedNoun(chunks: readonly Chunk[]) {
  const counted = chunks
    .slice(chunks.findIndex(countsNouns))
    .find((each) => nounOf(each) ?? means(each, 'investments'));
  return counted && anyMeans(chunks, 'per') && chunks.some(countsNouns) ? (nounOf(counted) ?? 'rounds') : undefined;
}

/** Counts the rounds of each company where they are to be ordered by that: `top companies by number of rounds`. */
function countsRounds({ type, chunks, groups }: ParseState): boolean {
  const isOfRounds = type === 'companies' && countedNoun(chunks) === 'rounds';
  if (isOfRounds && groups.length === 0) groups.push('company');
  return isOfRounds;
}

/** Meanings by which people are ranked. */
const FUNDING = ['angels', 'backs', 'deals', 'investments', 'rounds'] as const;

/** The sort that a word asks for, in request form; undefined if it asks for none. */
export function sortFor(state: ParseState, chunk: Chunk): string | undefined {
  const {
    types: [type, ...others],
    chunks,
  } = state;
  // The most frequent ones are the largest groups.
  if (asksForCoInvestors(state)) return undefined;
  const isByNumber = means(chunk, 'per') && countsNouns(chunks[chunks.indexOf(chunk) + 1]) && countedNoun(chunks);
  const order =
    ORDERS.find((each) => means(chunk, each)) ??
    orderOfSize(state, chunk) ??
    (isByNumber === 'rounds' ? 'largest' : undefined);
  const ofValuation = orderOfValuation(state, chunk);
  if (ofValuation !== undefined) return ofValuation;
  // `highest valuation` of investors
  if (order !== undefined && means(chunks[chunks.indexOf(chunk) + 1], 'unstated', 'condition', 'valued')) {
    state.isPartial = true;
    return undefined;
  }
  if (order === 'oldest' && (isOfFirstRounds(state, chunk) || isOfFirstRaise(state, chunk))) return undefined;
  if (order !== undefined && isUnordered(state, chunk)) {
    state.isPartial = true;
    return undefined;
  }
  const special = specialSort(state, chunk);
  if (special !== undefined) return special;
  const isLedAsked = anyMeans(chunks, 'led');
  const isOfNoFunding = type === 'people' && !anyMeans(chunks, ...FUNDING);
  const all = type === undefined || others.length > 0 ? undefined : SORTS[type];
  const sorts = isOfNoFunding ? { ...all, largest: undefined } : all;
  // `countries with the most rounds` are ordered by their number.
  const after = chunks.slice(chunks.indexOf(chunk) + 1);
  const before = chunks[chunks.indexOf(chunk) - 1];
  const isOfDeals =
    FREQUENT.test(textOf([chunk])) ||
    countsStage(state, after) ||
    after.some((each) => nounOf(each) === type) ||
    means(chunk, 'deals') ||
    means(before, 'backs', 'led');
  if (state.groups.length > 0 && (order === 'largest' || order === 'smallest') && isOfDeals) return undefined;
  const isLeast = anyMeans(chunks, 'smallest');
  if (type === 'investors' && leads(chunk)) return isLeast ? 'lead_count' : '-lead_count';
  if (type === 'people' && means(chunk, 'angels')) return '-angel_investments';
  if (type === 'investors' && isLedAsked && order === 'largest') return '-lead_count';
  if (type === 'investors' && isLedAsked && order === 'smallest') return 'lead_count';
  const sort = order && sorts?.[order];
  const amounts = chunks.filter((each) => isOfAmount(each) || textOf([each]) === 'by size');
  // Investors have no amounts.
  if (
    type === 'investors' &&
    state.unstated.length === 0 &&
    amounts.length > 0 &&
    sort?.endsWith('investments_count') &&
    !mentionsGrants(chunks)
  )
    leaveUnstated(state, amounts);
  if (order !== undefined && sort === undefined) state.isPartial = true;
  if (sort !== undefined && (countsRounds(state) || isOfOthers(state, chunk))) return undefined;
  return sort;
}
