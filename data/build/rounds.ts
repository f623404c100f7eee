import { foldName, slugify } from '../../src/contract/names.ts';
import type { FundingStage } from '../../src/contract/vocabulary.ts';
import { CORRECTED_ROUNDS, DISCLOSED_LATER, GRANTED_AS, NAMESAKES, NO_ROUNDS, SAME_INVESTORS } from './decisions.ts';
import { distinct, type Links, type Reference } from './links.ts';
import { entryId, rawLines, rawSources, type Source } from './raw.ts';
import { editorsOf, type Group, resolveKey } from './resolve.ts';
import { programName } from './round-names.ts';
import { sourceName } from './sources.ts';
import { monthWords } from './text.ts';
import { withStatedValuation } from './valuations.ts';

/** Funding: rounds that a primary announcement states, large ones that the editors know, and grants that open registers list. */

interface ListedRound {
  readonly company: string;
  readonly date: string;
  readonly stage?: FundingStage;
  readonly stage_raw?: string;
  readonly amount_usd?: string;
  readonly valuation_usd?: string;
  readonly leads?: readonly string[];
  /** Where the leads were read, if not in the announcement; where nobody led, they are empty. */
  readonly leadsFrom?: EditedLeads;
  readonly investors?: readonly string[];
  /** None of a round that the editors state. */
  readonly announcement?: string;
}

/** A round that the editors of this set state. */
interface EditedRound extends ListedRound {
  readonly as_of: string;
  readonly path: string;
}

export interface Announced extends ListedRound {
  /** Whether the list gives the first of a month and no source the day. */
  readonly isOfMonth: boolean;
  /** The date in its slug, which stays when the date is corrected. */
  readonly slugDate: string;
  /** The page that announces it, or the editors' file. */
  readonly source: string;
  readonly asOf: string | null;
}

/** Who led a round, as the editors know: its list names none, or another. No leads: none was announced. */
interface EditedLeads {
  readonly announcement: string;
  readonly leads: readonly string[];
  readonly as_of: string;
  readonly path: string;
}

export interface Grant {
  readonly source: string;
  readonly project?: string;
  readonly name?: string;
  readonly amount: number;
  /** Some registers keep no date of a grant. */
  readonly date?: string;
  /** Whether the register dates all grants of the pool on the first of one month. */
  readonly isOfMonth?: boolean;
  /** A number of tokens, which the register converts to the amount. */
  readonly paid?: readonly [tokens: number, symbol: string] | undefined;
  readonly funder: string;
  readonly pool: string;
  readonly url?: string;
  readonly as_of: string;
  readonly path: string;
}

const NO_ROUNDS_AT = new Set(NO_ROUNDS.map(([announcement]) => announcement));

/** The rounds of raw announcements and of the editors, by the key of the company. */
export function announcedRounds(): Map<string, Announced[]> {
  const leads = new Map(rawLines<EditedLeads>('editors-leads').map((line) => [line.announcement, line]));
  const announced = rawLines<ListedRound & { announcement: string }>('announced-rounds')
    .filter(({ announcement }) => !NO_ROUNDS_AT.has(announcement))
    .map(corrected)
    .map(withStatedValuation)
    .map((round) => ({ ...withLeads(round, leads.get(round.announcement)), source: round.announcement, asOf: null }));
  const editors = editorsOf(rawSources());
  const edited = rawLines<EditedRound>('editors-rounds').map(({ as_of: asOf, path, ...round }) => ({
    ...round,
    source: sourceName(editors, path),
    asOf,
  }));
  const rounds = [...announced, ...edited].map((round) => {
    const nameOf = firmNames(round.company, [...(round.leads ?? []), ...(round.investors ?? [])]);
    return {
      ...round,
      ...dayOf(round),
      slugDate: round.date,
      ...(round.leads && { leads: [...new Set(round.leads.map(nameOf))] }),
      ...(round.investors && { investors: [...new Set(round.investors.map(nameOf))] }),
    };
  });
  const byCompany = new Map<string, Announced[]>();
  for (const round of rounds) byCompany.set(round.company, [...(byCompany.get(round.company) ?? []), round]);
  return byCompany;
}

const CORRECTIONS = new Map(CORRECTED_ROUNDS.map(([announcement, change]) => [announcement, change]));

/** The round as its announcement has it, where a reader found that the list has it otherwise. */
function corrected<Round extends ListedRound>(round: Round): Round {
  const {
    leads = round.leads,
    investors = round.investors,
    more = [],
  } = CORRECTIONS.get(round.announcement ?? '') ?? {};
  return { ...round, ...(leads && { leads }), ...(investors && { investors: [...investors, ...more] }) };
}

/** The round with the leads that the editors state, which stand before those of its list. */
function withLeads(round: ListedRound, leadsFrom: EditedLeads | undefined): ListedRound {
  if (leadsFrom === undefined) return round;
  const investors = [...leadsFrom.leads, ...(round.investors ?? [])];
  return { ...round, leads: leadsFrom.leads, investors, leadsFrom };
}

/** The day in the address of a page: /2025/10/10/, -2025-06-25 or /home/20210217. */
const DAY_OF_ADDRESS = /[/-](20[12]\d)[/-](\d\d?)[/-](\d\d?)(?=[/-]|$)|\/home\/(20[12]\d)(\d\d)(\d\d)/;
/** Lists give the first of a month, day and month exchanged, or a month before or after; what is farther off is a later page. */
const CORRECTED_DAYS_MAX = 45;

/**
 * The day of a round: the one in the address of its announcement, unless that page is of another time than the list's
 * day. The first of a month in a list is the month alone: any later page with a day announced the round.
 */
function dayOf({ date, announcement }: ListedRound): Pick<Announced, 'date' | 'isOfMonth'> {
  const stated = dayOfAddress((announcement ?? '').replace(/[?#].*/, ''));
  const isFirst = announcement !== undefined && date.endsWith('-01');
  if (stated === null) return { date, isOfMonth: isFirst };
  const [listedYear, first, second] = date.split('-');
  const days = (Date.parse(stated) - Date.parse(date)) / 86_400_000;
  const isStated = Math.abs(days) <= CORRECTED_DAYS_MAX || stated === [listedYear, second, first].join('-');
  return isStated || (isFirst && days > 0) ? { date: stated, isOfMonth: false } : { date, isOfMonth: isFirst };
}

/** The day that an address has in it, or, in UTC, the time in the number of a post on X. */
function dayOfAddress(address: string): string | null {
  const post = POST_OF_ADDRESS.exec(address)?.[1];
  if (post !== undefined)
    return new Date(Number(BigInt(post) >> POST_TIME_SHIFT) + POST_TIME_START).toISOString().slice(0, 10);
  const found = DAY_OF_ADDRESS.exec(address)?.filter((part) => part !== undefined);
  if (found === undefined) return null;
  const [year = '', month = '', day = ''] = found.slice(1);
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
}

const POST_OF_ADDRESS = /^https:\/\/(?:www\.)?(?:twitter|x)\.com\/\w+\/status\/(\d{15,})/;
/** The number of a post is its milliseconds since this start, and 22 bits of its own. */
const POST_TIME_SHIFT = 22n;
const POST_TIME_START = 1_288_834_974_657;

const KNOWN_AS = new Map(SAME_INVESTORS.map(([name, other]) => [name, other]));

/** What lists of one round add to a firm's name, or leave out: "Mosaic" and "Mosaic Ventures". */
const FIRM_WORD = / (ventures|capital|partners|fund|group|investments)$/i;

/** The name of each investor of a round: the one of its record, or the longer of two that lists give one firm. */
function firmNames(company: string, names: readonly string[]): (name: string) => string {
  const namesakes = new Map(
    NAMESAKES.flatMap(([name, other, , only = company]) => (only === company ? [[name, other]] : [])),
  );
  const known = (name: string): string => namesakes.get(name) ?? KNOWN_AS.get(name) ?? name;
  const longer = new Map(
    names.map(known).flatMap((name) => (FIRM_WORD.test(name) ? [[foldName(name.replace(FIRM_WORD, '')), name]] : [])),
  );
  return (name) => longer.get(foldName(known(name))) ?? known(name);
}

/** Below this a grant says nothing about a company; above the other it is a mistake. */
const GRANT_USD_MIN = 500;
const GRANT_USD_MAX = 10_000_000_000;

const ENTRY_OF_GRANTEE = new Map(GRANTED_AS.map(([name, entry]) => [name, entry]));

/** Grants by the group that got them; those of projects that no source describes are under null. */
export function grantsByGroup(groups: readonly Group[], today: string): Map<Group | null, Grant[]> {
  const byEntry = new Map<string, Group>();
  for (const group of groups) for (const { entry } of group.members) byEntry.set(entryId(entry), group);
  const byGroup = new Map<Group | null, Grant[]>();
  const grants = rawLines<Grant>('grants');
  const daysOf = new Map<string, Set<string>>();
  for (const { funder, pool, date = '' } of grants)
    daysOf.set(`${funder} ${pool}`, (daysOf.get(`${funder} ${pool}`) ?? new Set()).add(date));
  for (const line of grants) {
    const days = daysOf.get(`${line.funder} ${line.pool}`);
    const grant = { ...line, isOfMonth: days?.size === 1 && line.date?.endsWith('-01') === true };
    if (grant.amount < GRANT_USD_MIN || grant.amount > GRANT_USD_MAX || (grant.date ?? '') > today) continue;
    const group = byEntry.get(ENTRY_OF_GRANTEE.get(grant.name ?? '') ?? resolveKey(grant) ?? '') ?? null;
    const given = byGroup.get(group);
    if (given === undefined) byGroup.set(group, [grant]);
    else given.push(grant);
  }
  return byGroup;
}

/** Organisations that give grants, as they are named in the registers. */
export const FUNDERS: Readonly<
  Record<
    string,
    {
      readonly name: string;
      readonly type: 'ecosystem_fund' | 'dao';
      readonly aliases?: readonly string[];
      readonly website?: string;
    }
  >
> = {
  gitcoin: { name: 'Gitcoin Grants', type: 'dao', aliases: ['Gitcoin'] },
  optimism: { name: 'Optimism Foundation', type: 'ecosystem_fund' },
  stellar: { name: 'Stellar Development Foundation', type: 'ecosystem_fund', aliases: ['Stellar Community Fund'] },
  'octant-golemfoundation': { name: 'Octant', type: 'ecosystem_fund', aliases: ['Golem Foundation'] },
  arbitrumfoundation: { name: 'Arbitrum Foundation', type: 'ecosystem_fund' },
  'dao-drops-dorgtech': { name: 'DAO Drops', type: 'dao' },
  clrfund: { name: 'clr.fund', type: 'dao' },
  'web3-foundation': { name: 'Web3 Foundation', type: 'ecosystem_fund' },
};

const STAGE_WORDS: Readonly<Partial<Record<FundingStage, string>>> = {
  pre_seed: 'pre-seed round',
  seed: 'seed round',
  angel: 'angel round',
  pre_series_a: 'pre-Series A',
  strategic: 'strategic round',
  private_token_sale: 'private token sale',
  public_token_sale: 'public token sale',
  initial_coin_offering: 'ICO',
  convertible_note: 'convertible note',
  post_ipo_debt: 'post-IPO debt round',
  post_ipo_equity: 'post-IPO equity round',
  m_and_a: 'acquisition',
};

const RAW_STAGE_WORDS: Readonly<Record<string, string>> = {
  private_round: 'private round',
  equity_crowdfunding: 'equity crowdfunding round',
};

/** A round's stage in words: "Series B", "seed round", "funding round". */
export function stageWords(stage: FundingStage | null, stageRaw: string | null): string {
  if (stage === null) return RAW_STAGE_WORDS[stageRaw ?? ''] ?? 'funding round';
  const series = /^series_([a-h])$/.exec(stage)?.[1];
  return series === undefined ? (STAGE_WORDS[stage] ?? stage.replaceAll('_', ' ')) : `Series ${series.toUpperCase()}`;
}

interface Recipient {
  readonly name: string;
  /** None of a project that has no record: its grants name it only. */
  readonly slug: string | null;
}

/** An announced round as it is shipped: its source is the page that announces it, or for a lead also the editors. */
export function roundLine(
  round: Announced,
  company: { name: string; slug: string },
  { links, editors }: { links: Links; editors: Source },
) {
  const refer = (name: string): Reference => links.refer(name, ['investors', 'companies', 'people']);
  const leads = distinct((round.leads ?? []).map(refer));
  const investors = distinct((round.investors ?? []).map(refer));
  const stage = round.stage ?? null;
  const isLate = DISCLOSED_LATER.some(([announcement]) => announcement === round.announcement);
  const stated = {
    announced_date: round.date,
    stage,
    stage_raw: round.stage_raw,
    amount_usd: round.amount_usd,
    valuation_usd: round.valuation_usd,
  };
  const fields = Object.entries(stated).flatMap(([field, value]) => (value == null ? [] : [field]));
  return {
    name: `${company.name} ${stageWords(stage, round.stage_raw ?? null)} (${isLate ? `raised ${monthWords(round.slugDate)}, disclosed ${monthWords(round.date)}` : round.date.slice(0, 4)})`,
    slug: `${round.company}-${stage?.replaceAll('_', '-') ?? 'round'}-${round.slugDate}`,
    company: { name: company.name, slug: company.slug },
    announced_date: round.date,
    ...(round.isOfMonth ? { month_only: ['announced_date', 'as_of'] } : {}),
    ...(stage === null ? {} : { stage }),
    ...(round.stage_raw === undefined ? {} : { stage_raw: round.stage_raw }),
    ...(round.amount_usd === undefined ? {} : { amount_usd: round.amount_usd }),
    ...(round.valuation_usd === undefined ? {} : { valuation_usd: round.valuation_usd }),
    ...(leads.length === 0 ? {} : { lead_investors: leads }),
    ...(investors.length === 0 ? {} : { investors }),
    ...(round.announcement === undefined ? {} : { announcement: round.announcement }),
    as_of: round.date,
    sources: [
      {
        source: round.source,
        as_of: round.asOf,
        fields: [
          ...(round.announcement === undefined ? [] : ['announcement']),
          'company',
          ...fields,
          ...(investors.length === 0 ? [] : ['investors']),
          ...(leads.length === 0 || round.leadsFrom !== undefined ? [] : ['lead_investors']),
        ].sort(),
      },
      ...(round.leadsFrom === undefined || leads.length === 0
        ? []
        : [
            {
              source: sourceName(editors, round.leadsFrom.path),
              as_of: round.leadsFrom.as_of,
              fields: ['investors', 'lead_investors'],
            },
          ]),
    ],
  };
}

/** The grants of a company as rounds, newest first; two of one day and funder are told apart by their pool. */
export function grantLines(
  grants: readonly Grant[],
  company: Recipient,
  sources: ReadonlyMap<string, Source>,
  { links, slugs }: { links: Links; slugs: Set<string> },
) {
  return mergedGrants(grants).map((grant) => {
    const funder = FUNDERS[grant.funder]?.name ?? grant.funder;
    const source = sources.get(grant.source);
    if (source === undefined) throw new Error(`${grant.source} is not in data/raw/sources.json`);
    const slug = freeSlug(grantSlug(company.slug ?? slugify(company.name), funder, grant), slugs);
    const giver = links.refer(funder, ['investors']);
    return {
      name: `${company.name} grant from ${funder}${grant.date === undefined ? '' : ` (${grant.date.slice(0, 4)})`}`,
      slug,
      company: { name: company.name, ...(company.slug === null ? {} : { slug: company.slug }) },
      ...(grant.date === undefined ? {} : { announced_date: grant.date }),
      ...(grant.isOfMonth ? { month_only: ['announced_date'] } : {}),
      stage: 'grant' as const,
      stage_raw: programName(grant.pool),
      amount_usd: grant.amount.toFixed(2),
      ...(grant.paid && { amount_raw: tokensText(grant.paid) }),
      investors: [giver],
      ...(isPage(grant.url) ? { announcement: grant.url } : {}),
      as_of: grant.as_of,
      sources: [
        {
          source: sourceName(source, grant.path),
          as_of: grant.as_of,
          fields: [
            ...(grant.paid === undefined ? [] : ['amount_raw']),
            'amount_usd',
            ...(isPage(grant.url) ? ['announcement'] : []),
            ...(grant.date === undefined ? [] : ['announced_date']),
            'company',
            'investors',
            'stage',
            'stage_raw',
          ],
        },
      ],
    };
  });
}

export const isPage = (address: string | undefined): boolean => /^https?:\/\//.test(address ?? '');

/** What one pool gave on one day is one grant, though a register lists it by recipient address. */
export function mergedGrants(grants: readonly Grant[]): Grant[] {
  const merged = new Map<string, Grant>();
  for (const grant of grants) {
    const key = `${grant.funder} ${grant.pool} ${grant.date} ${foldName(grant.name ?? '')}`;
    const known = merged.get(key);
    if (known === undefined) merged.set(key, grant);
    else if (known.amount !== grant.amount)
      merged.set(key, { ...known, amount: known.amount + grant.amount, paid: sumOf(known.paid, grant.paid) });
  }
  return [...merged.values()].sort(
    (left, right) =>
      (right.date ?? '').localeCompare(left.date ?? '') ||
      right.amount - left.amount ||
      (left.pool < right.pool ? -1 : 1),
  );
}

/** None unless both are of one token. */
const sumOf = (paid: Grant['paid'], more: Grant['paid']): Grant['paid'] =>
  paid !== undefined && paid[1] === more?.[1] ? [paid[0] + more[0], paid[1]] : undefined;

const tokensText = ([tokens, symbol]: NonNullable<Grant['paid']>): string =>
  `${tokens.toLocaleString('en-US', { maximumFractionDigits: tokens < 1_000 ? 4 : 0 })} ${symbol}`;

function grantSlug(company: string, funder: string, { date, pool }: Grant): string {
  const base = `${company.slice(0, 50)}-grant-${slugify(funder).slice(0, 24)}${date === undefined ? '' : `-${date}`}-${slugify(pool)}`;
  return base.slice(0, 95).replace(/-+$/, '');
}

function freeSlug(slug: string, taken: Set<string>): string {
  let free = slug;
  for (let count = 2; taken.has(free); count += 1) free = `${slug}-${count}`;
  taken.add(free);
  return free;
}
