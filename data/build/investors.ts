import { foldName, slugify } from '../../src/contract/names.ts';
import { FUNDING_STAGES, type FundingStage, type INVESTOR_TYPES } from '../../src/contract/vocabulary.ts';
import { SAME_INVESTORS } from './decisions.ts';
import { type Place, placeFrom } from './places.ts';
import { rawLines } from './raw.ts';
import { FUNDERS, type Grant } from './rounds.ts';

/** Investors: those that announcements of rounds name, and organisations that give grants. */

/** One funding of a company by an investor, from an announced round or a register of grants. */
export interface Investment {
  /** Without a slug if the project has no record. */
  readonly company: { readonly name: string; readonly slug: string | null; readonly tags: readonly string[] };
  readonly date: string | null;
  /** Whether no source states the day. */
  readonly isOfMonth: boolean;
  readonly stage: FundingStage | null;
  readonly amountUsd: number | null;
  /** What a grant was paid in, if not in dollars. */
  readonly paid: Grant['paid'];
  readonly isLead: boolean;
  readonly source: string;
  readonly asOf: string | null;
}

/** An investor before slugs are given. */
export interface Investor {
  readonly key: string;
  readonly name: string;
  readonly aliases: readonly string[];
  readonly type: (typeof INVESTOR_TYPES)[number] | null;
  /** Whether a word of the name says the type. */
  readonly isTypeDerived: boolean;
  /** What the editors state of it. */
  readonly edited: EditedInvestor | null;
}

/** What the editors of this set state of a well-known investor. */
export interface EditedInvestor {
  readonly type: Investor['type'];
  readonly website: string | null;
  readonly place: Place | null;
  readonly founded: number | null;
  /** Of the latest fund, in US dollars. */
  readonly fundSizeUsd: string | null;
  /** The month in which it stopped to invest: of a failed fund, that of its insolvency. */
  readonly closed: string | null;
  readonly asOf: string;
  readonly path: string;
}

interface Known {
  readonly slug: string;
  readonly name: string;
  readonly aliases?: readonly string[];
}

/** Rounds that a firm must be named in to get a record; one that the editors know needs one. */
const ROUNDS_MIN = 2;

/** Words of firms: a name with one is no person. */
const FIRM =
  /\b(capital|ventures?|partners?|fund|funds|vc|holdings|management|group|investments?|equity|advisors|dao|labs|bank|collective|foundation|digital|growth|securities|asset|trust|studios?)\b/i;

/** The investors that get a record, given how many announced rounds name each; names of companies and people of ours are theirs. */
export function investorsFrom(counts: ReadonlyMap<string, number>, isTaken: (name: string) => boolean): Investor[] {
  const merged = new Set(SAME_INVESTORS.map(([name]) => name));
  const known = rawLines<Known>('announced-investors').filter(({ name }) => !merged.has(name));
  const edited = editedInvestors();
  const funders = Object.entries(FUNDERS).map(([key, { name, aliases, type }]) => ({
    key,
    name,
    aliases: aliases ?? [],
    type,
    isTypeDerived: false,
    edited: edited.get(name) ?? null,
  }));
  const names = new Set(
    [...known, ...funders].flatMap(({ name, aliases }) => [name, ...(aliases ?? [])].map(foldName)),
  );
  const more = [...counts]
    .filter(([name, count]) => edited.has(name) || (count >= ROUNDS_MIN && FIRM.test(name)))
    .filter(([name]) => !names.has(foldName(name)) && !isTaken(name))
    .map(([name]) => ({ slug: slugify(name), name }));
  const announced = [...known, ...more.sort((left, right) => (left.slug < right.slug ? -1 : 1))].map((firm: Known) => ({
    key: firm.slug,
    name: firm.name,
    aliases: [
      ...new Set([
        ...(firm.aliases ?? []),
        ...SAME_INVESTORS.flatMap(([name, other]) => (other === firm.name ? [name] : [])),
      ]),
    ].filter((alias) => foldName(alias) !== foldName(firm.name)),
    ...typeOf(firm.name, edited.get(firm.name)?.type ?? null),
    edited: edited.get(firm.name) ?? null,
  }));
  return [...announced, ...funders];
}

const TYPE_WORDS: readonly (readonly [word: RegExp, type: NonNullable<Investor['type']>])[] = [
  [/\b(angels?|angeldao)\b/i, 'angel_group'],
  [/\b(accelerator)\b/i, 'accelerator'],
  [/\bDAO\b/, 'dao'],
  [/\bfoundation\b/i, 'ecosystem_fund'],
  [/\b(ventures?|venture partners?|vc)\b/i, 'venture_capital'],
];

/** The stated type, or one that a word of the name says: "Ventures" is venture capital, "DAO" a DAO; most names say none. */
function typeOf(name: string, stated: Investor['type']): Pick<Investor, 'type' | 'isTypeDerived'> {
  const type = stated ?? TYPE_WORDS.find(([word]) => word.test(name))?.[1] ?? null;
  return { type, isTypeDerived: type !== stated };
}

interface EditedLine {
  readonly name: string;
  readonly type?: NonNullable<Investor['type']>;
  readonly website?: string;
  readonly city?: string;
  readonly country?: string;
  readonly founded?: number;
  readonly fund_size_usd?: string;
  readonly closed?: string;
  readonly as_of: string;
  readonly path: string;
}

const editedInvestors = (): Map<string, EditedInvestor> =>
  new Map(
    rawLines<EditedLine>('editors-investors').map((line) => [
      line.name,
      {
        type: line.type ?? null,
        website: line.website ?? null,
        place: placeFrom(line.city ?? null, line.country ?? null),
        founded: line.founded ?? null,
        fundSizeUsd: line.fund_size_usd ?? null,
        closed: line.closed ?? null,
        asOf: line.as_of,
        path: line.path,
      },
    ]),
  );

const FOCUS_COUNT_MAX = 5;
/** How many funded companies must share a category for it to be called a focus. */
const FOCUS_COMPANIES_MIN = 2;

/** The categories of what the investor funded, the commonest first: a derived value, from two companies on. */
export function focusOf(investments: readonly Investment[]): string[] {
  const companies = new Map(investments.map(({ company }) => [company.slug, company]));
  const counts = new Map<string, number>();
  for (const { tags } of companies.values()) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count >= FOCUS_COMPANIES_MIN)
    .sort((left, right) => right[1] - left[1] || (left[0] < right[0] ? -1 : 1))
    .slice(0, FOCUS_COUNT_MAX)
    .map(([tag]) => tag);
}

/** The stages of the known investments, in the order of the vocabulary. */
export function stagesOf(investments: readonly Investment[]): FundingStage[] {
  const seen = new Set(investments.map(({ stage }) => stage));
  return FUNDING_STAGES.filter((stage) => seen.has(stage));
}
