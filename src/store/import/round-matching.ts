import { addToGroup } from '../../contract/group-by.ts';
import { foldName } from '../../contract/names.ts';
import { DAY_MS } from '../../contract/periods.ts';
import { shortMoney } from '../../contract/usd.ts';
import { withAnd } from '../../contract/value-text.ts';
import { isSimilar, legalName } from '../matching/resolver.ts';
import type { Store } from '../store.ts';
import { roundName } from './complete-fields.ts';
import { type KnownRecords, readKnown } from './known-records.ts';
import {
  ADDED,
  type Decisions,
  decide,
  type GivenRow,
  LEFT_OUT,
  type MatchedRow,
  type RowMatcher,
} from './proposals.ts';
import { derivedSlug } from './slugs.ts';

type Fields = GivenRow['fields'];

/** What is compared of a round. */
type Deal = ReturnType<typeof dealOf>;

/** The company that a row may be about. */
interface Candidate {
  /** Its slug, or the folded name of a company that only rounds name. */
  readonly key: string;
  readonly isRecord: boolean;
  readonly rule: string;
  readonly score: number;
}

/** Matches rounds: their company as a row of companies is, then the round among those of the company. */
export async function createRoundMatcher(
  { records }: Pick<Store, 'records'>,
  decisions: Decisions,
): Promise<RowMatcher> {
  const companies = await readKnown(records, 'companies');
  const rounds = createRounds();
  for await (const json of records.walk('rounds')) {
    const round = JSON.parse(json) as Fields;
    const { slug, name } = round['company'] as { readonly slug: string | null; readonly name: string };
    rounds.add(slug ?? nameKey(name), dealOf(round, String(round['slug']), false));
  }
  return {
    match: (given) => {
      const { fields, row, line, record } = given;
      const stated = fields['slug'] as string | undefined;
      if ((stated !== undefined && rounds.has(stated)) || fields['company'] === undefined)
        return { written: { input: fields } };
      const { isSure, isPlain, found } = companiesOf(companies, given);
      const deal = dealOf(fields, '', true);
      const likes = likesOf(rounds, { isSure, found }, deal);
      const [best] = likes[0]?.alike ?? [];
      const proposal =
        isPlain && best?.isIdentical
          ? undefined
          : decide(decisions, {
              ...{ row, line, ...(record !== undefined && { record }) },
              name: rowText(fields, deal),
              stated: { name: companyOf(fields).name, website: given.companySite },
              isSure: isSure && (best === undefined || best.isSure),
              options: likes.flatMap(({ company, alike }) => [
                ...alike.map(({ known, rule, detail, score }) => ({
                  ...{ choice: `join:${known.slug}` as const, slug: known.slug, isOfFile: known.isOfFile },
                  ...{ rule, detail: isSure ? detail : `${detail}${ifOf(company)}`, score },
                })),
                ...(company.isRecord && !isPlain ? [addedTo(company)] : []),
              ]),
              unsure: likes.some(({ alike }) => alike.length > 0) ? LEFT_OUT : ADDED,
            });
      const choice = proposal?.choice ?? (best === undefined ? ADDED : `join:${best.known.slug}`);
      if (choice === LEFT_OUT) return { written: undefined, ...(proposal && { proposal }) };
      const chosen = likes.find(
        ({ company, alike }) =>
          choice === `add:${company.key}` || alike.some(({ known }) => choice === `join:${known.slug}`),
      );
      const company = chosen?.company ?? (isPlain ? found[0] : undefined);
      // A row that has the company's slug, as one of an export, keeps the name that its source has.
      const whole =
        company?.isRecord && companyOf(fields).slug !== company.key
          ? { ...fields, company: { slug: company.key, name: companies.nameOf(company.key) } }
          : fields;
      const joined = chosen?.alike.find(({ known }) => choice === `join:${known.slug}`);
      const written = joined === undefined ? added(whole, company, deal) : joinedTo(whole, joined);
      return { ...written, ...(proposal && { proposal }) };
    },
  };

  function added(fields: Fields, company: Candidate | undefined, deal: Deal): MatchedRow {
    const stated = fields['slug'] as string | undefined;
    const slug = stated ?? rounds.freeSlug(derivedSlug('rounds', fields) ?? '');
    const name = roundName(fields);
    // Rows that state slugs are told apart by them.
    if (stated === undefined) rounds.add(company?.key ?? nameKey(companyOf(fields).name ?? ''), { ...deal, slug });
    return {
      written: { input: { ...fields, slug }, ...(name === undefined ? {} : { nameWhenNew: name }) },
      isRepeated: stated === undefined && slug !== derivedSlug('rounds', fields),
    };
  }
}

/** The rounds of the companies that are like that of a row; without one, those of others on its terms. */
function likesOf(
  rounds: ReturnType<typeof createRounds>,
  { isSure, found }: Pick<ReturnType<typeof companiesOf>, 'isSure' | 'found'>,
  deal: Deal,
) {
  const likes = found.map((company) => ({ company, alike: rounds.like(company.key, deal) }));
  if (!isSure || likes.some(({ alike }) => alike.length > 0)) return likes;
  return found.map((company) => ({ company, alike: rounds.onSameTerms(deal) }));
}

const joinedTo = (fields: Fields, { known, isSame }: LikeDeal): MatchedRow => {
  const name = roundName(fields);
  return {
    written: {
      input: { ...fields, slug: known.slug },
      joined: isSame ? 'changes' : 'fills',
      ...(name === undefined ? {} : { nameWhenNew: name }),
    },
  };
};

const companyOf = (fields: Fields) =>
  (fields['company'] ?? {}) as { readonly slug?: string; readonly id?: number; readonly name?: string };

const addedTo = ({ key, rule, score }: Candidate) => ({ choice: `add:${key}` as const, slug: key, rule, score });

/** The condition that a round is of an uncertain company. */
const ifOf = ({ isRecord, key, rule }: Candidate): string => (isRecord ? `, if the company is ${key} (${rule})` : '');

const nameKey = (name: string): string => `name ${legalName(name)}`;

const rowText = (fields: Fields, { day, amount }: Deal): string =>
  [fields['name'] ?? roundName(fields), day, amount === null ? null : shortMoney(amount)]
    .filter((part) => part != null)
    .join(', ');

/** The companies that a row may be about. A plain one needs no choice: it is named as its record is. */
function companiesOf(companies: KnownRecords, { fields, companySite }: GivenRow) {
  const { slug, id, name = '' } = companyOf(fields);
  const own = slug ?? companies.slugOf(id);
  if (own !== undefined)
    return { isSure: true, isPlain: true, found: [{ key: own, isRecord: companies.has(own), rule: '', score: 100 }] };
  const { isSure, options } = companies.like({ name, website: companySite });
  const found = options.map(({ ref, rule, score }): Candidate => ({ key: ref, isRecord: true, rule, score }));
  const [first] = found;
  const unlinked: Candidate = { key: nameKey(name), isRecord: false, rule: '', score: 0 };
  if (first === undefined) return { isSure: true, isPlain: true, found: [unlinked] };
  if (!isSure) return { isSure, isPlain: false, found: [...found, unlinked] };
  const isOfName = foldName(companies.nameOf(first.key)) === foldName(name);
  const isPlain = isOfName || (first.rule === 'name' && legalName(name) === foldName(name));
  return { isSure, isPlain, found: [first] };
}

const dealOf = (round: Fields, slug: string, isOfFile: boolean) => {
  const { stage = null, amount_usd: amount = null, announced_date: day = null, month_only: months = [] } = round;
  return {
    slug,
    /** Its name. */
    company: companyOf(round).name ?? '',
    stage,
    amount: amount === null || Number.isNaN(Number(amount)) ? null : Number(amount),
    day: typeof day === 'string' ? day : null,
    isOfMonth: (months as readonly string[]).includes('announced_date'),
    isOfFile,
  };
};

/** A round that a row may be about. */
interface LikeDeal {
  readonly known: Deal;
  readonly isIdentical: boolean;
  /** Whether company, stage and day are equal, so that the row changes the round; otherwise it fills what that lacks. */
  readonly isSame: boolean;
  readonly isSure: boolean;
  readonly rule: string;
  readonly detail: string;
  readonly score: number;
}

const LIKE_MAX = 3;

/** The rounds of each company. */
function createRounds() {
  const slugs = new Set<string>();
  const ofCompany = new Map<string, Deal[]>();
  const ofTerms = new Map<string, Deal[]>();
  return {
    has: (slug: string): boolean => slugs.has(slug),
    add: (company: string, deal: Deal): void => {
      slugs.add(deal.slug);
      addToGroup(ofCompany, company, deal);
      const terms = termsOf(deal);
      if (terms !== undefined) addToGroup(ofTerms, terms, deal);
    },
    /** Rounds of other companies, which may have a name that no record knows; of the file, those of a similar name. */
    onSameTerms: (deal: Deal): LikeDeal[] =>
      (ofTerms.get(termsOf(deal) ?? '') ?? [])
        .filter(({ isOfFile, company }) => !isOfFile || isSimilar(company, deal.company))
        .slice(0, LIKE_MAX)
        .map((known) => ({
          ...{ known, isIdentical: false, isSame: false, isSure: false, score: 50 },
          rule: deal.stage === null ? 'same amount' : 'same stage and amount',
          detail: `same day, ${known.isOfFile ? 'a company of similar name' : 'another company'}`,
        })),
    /** The likeliest first. */
    like: (company: string, deal: Deal): LikeDeal[] =>
      (ofCompany.get(company) ?? [])
        .flatMap((known) => compared(known, deal) ?? [])
        .sort((one, other) => other.score - one.score)
        .slice(0, LIKE_MAX),
    freeSlug: (slug: string): string => {
      let free = slug;
      for (let number = 2; slugs.has(free); number += 1) free = `${slug}-${number}`;
      return free;
    },
  };
}

/** Day, stage and amount, which two rounds hardly share by chance; grants do, and have none. */
const termsOf = ({ day, isOfMonth, stage, amount }: Deal): string | undefined =>
  day === null || isOfMonth || amount === null || stage === 'grant' ? undefined : `${day} ${stage} ${amount}`;

/** Sources give one round the date of its announcement, of an article or of a filing. */
const SURE_DAYS_MAX = 7;
const LIKE_DAYS_MAX = 92;

/** How a known round is like that of a row, of the same company; undefined if it is another. */
function compared(known: Deal, row: Deal): LikeDeal | undefined {
  const days = daysApart(known, row);
  const isOneStage = known.stage === row.stage;
  const isOneAmount = known.amount === row.amount;
  const isOpenStage = known.stage === null || row.stage === null;
  const isOpenAmount = known.amount === null || row.amount === null;
  const isSame = isOneStage && days === 0 && known.isOfMonth === row.isOfMonth;
  const fits = (isOneStage || isOpenStage) && (isOneAmount || isOpenAmount) && !(isOpenStage && isOpenAmount);
  const isNear = days !== null && days <= SURE_DAYS_MAX;
  // On one day, a company may announce several rounds of an unknown stage.
  const isSure =
    (isSame && (isOneAmount || !isOpenStage)) || (isNear && (fits || (isOneStage && !isOpenStage && isOpenAmount)));
  const isLike =
    isNear || (((isOneStage && !isOpenStage) || (isOneAmount && !isOpenAmount)) && (days ?? 0) <= LIKE_DAYS_MAX);
  // Rows of one file are told apart by what they state differently.
  const isUndated = days === null && (isOneStage || isOpenStage);
  const isApart = known.isOfFile && !((isSure || isUndated) && (isOneAmount || isOpenAmount));
  if (!isLike || isApart) return undefined;
  const parts = [
    'company',
    ...(isOneStage && !isOpenStage ? ['stage'] : []),
    ...(isOneAmount && !isOpenAmount ? ['amount'] : []),
  ];
  const isIdentical = isSame && isOneAmount && !known.isOfFile;
  const score = isIdentical
    ? 100
    : isSure
      ? isOneAmount
        ? 95
        : 90
      : 40 + 10 * parts.length - (days ?? 50) / LIKE_DAYS_MAX;
  const rule = `same ${withAnd(parts)}${isOneAmount || isOpenAmount ? '' : ', another amount'}`;
  return { known, isIdentical, isSame, isSure, score, rule, detail: apartText(known, row, days) };
}

function apartText(one: Deal, other: Deal, days: number | null): string {
  if (one.day === null || other.day === null) return 'without a date';
  if (days === 0) return one.isOfMonth || other.isOfMonth ? 'same month' : 'same day';
  return days === 1 ? '1 day apart' : `${days} days apart`;
}

/** Null with one date alone. Of a month, any of its days may be meant. */
function daysApart(one: Deal, other: Deal): number | null {
  if (one.day === null || other.day === null) return one.day === other.day ? 0 : null;
  const length = one.isOfMonth || other.isOfMonth ? 'YYYY-MM'.length : undefined;
  const [first, second] = [one.day, other.day].map((day) => Date.parse(day.slice(0, length))) as [number, number];
  return Math.round(Math.abs(first - second) / DAY_MS);
}
