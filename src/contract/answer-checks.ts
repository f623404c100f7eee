import { acquiredSentence, closedSentence } from './answer-ends.ts';
import { type AnswerParts, enumerated, linked, type Named, say, strong } from './answer-parts.ts';
import { noteOfRole, raisedText } from './answer-records.ts';
import { isSameName } from './answer-rounds.ts';
import type { AnsweredSearch } from './answer-sentence.ts';
import { type AskedCheck, checksAskedIn, keyOfKind } from './asked-checks.ts';
import type { RecordData } from './entities/index.ts';
import { facets } from './facets.ts';
import { isNamed } from './named-records.ts';
import { foldName } from './names.ts';
import { isOfFounder, organisationOf, type PersonRole } from './person-roles.ts';
import { daysOf, placeOf } from './record-texts.ts';
import { countedRecords, recordsPhrase } from './records-phrase.ts';
import { countsText, isGrant } from './rounds.ts';
import { isOfEditors, UNSOURCED } from './unsourced.ts';
import { markedText } from './unsourced-texts.ts';
import { countText, isBlank } from './value-text.ts';
import { investorsWords } from './vocabulary.ts';

/**
 * Answers whether a fact is so of a named record. `No` only where a field of one value states another; a fact that is not on
 * record may still be so.
 */

type Answer = (record: RecordData, asked: AskedCheck, editions: readonly RecordData[]) => AnswerParts;

const SHOWN = 4;

const markOf = (record: RecordData, field: string): string => (isOfEditors(record, field) ? `, ${UNSOURCED}` : '');

/** That nothing says so, with what is on record of the same kind. */
const unstated = (record: RecordData, others: AnswerParts = []): AnswerParts =>
  others.length === 0
    ? say`No source on record says so of ${linked(record)}.`
    : say`No source on record says so of ${linked(record)}: ${others}.`;

const ANSWERS: Readonly<Record<AskedCheck['of'], Answer>> = {
  investor_type: (investor, { value }) => {
    const kind = investor['investor_type'];
    if (isBlank(kind)) return unstated(investor);
    const isSo = kind === keyOfKind('investor_type', value) || (VC.test(value) && VCS.has(String(kind)));
    // A hedge fund may call itself a VC.
    return say`${isSo ? 'Yes: ' : VC.test(value) ? '' : 'No: '}${linked(investor)} is on record among ${strong(investorsWords(String(kind)))}${markOf(investor, 'investor_type')}.`;
  },
  tag: (company, { value }) => {
    const key = String(keyOfKind('tag', value));
    const keys = facets.tag.group(key) ?? [key];
    const tags = textsIn(company, 'tags');
    const mark = markOf(company, 'tags');
    const found = tags.filter((tag) => keys.includes(facets.tag.key(tag)));
    if (found.length === 0)
      return unstated(
        company,
        tags.length === 0 ? [] : say`its ${tags.length === 1 ? 'tag is' : 'tags are'} ${enumerated(tags)}${mark}`,
      );
    // A stablecoin company is no stablecoin.
    const yes =
      (THINGS.test(key) && !FIRM.test(company.name)) || / (?:company|protocol|platform|project|startup)$/i.test(value)
        ? 'Yes: '
        : '';
    return say`${yes}${linked(company)} is on record under ${enumerated(found.map((tag) => strong(tag)))}${mark}.`;
  },
  chain: (company, { value }) => {
    const key = facets.chain.key(value);
    const chains = textsIn(company, 'chains');
    const mark = markOf(company, 'chains');
    const found = chains.filter((chain) => facets.chain.key(chain) === key);
    return found.length > 0
      ? say`Yes: ${linked(company)} is on ${enumerated(found.map((chain) => strong(chain)))}${mark}.`
      : unstated(company, chains.length === 0 ? [] : say`on record on ${enumerated(chains, SHOWN)}${mark}`);
  },
  angel: (person) => {
    const rounds = Number(person['angel_investments'] ?? 0);
    return rounds === 0
      ? unstated(person)
      : say`Yes: ${linked(person)} took part in ${strong(countsText({ rounds, grants: 0 }))} on record.`;
  },
  public: (company) => {
    const stage = company['company_stage'];
    if (stage === 'public')
      return say`Yes: ${linked(company)} is on record as ${strong('publicly listed')}${markOf(company, 'company_stage')}.`;
    if (stage === 'acquired') return unstated(company, withoutStop(acquiredSentence(company)));
    return unstated(company, stage === 'closed' ? withoutStop(closedSentence(company)) : []);
  },
  funding: (company, { value }) => {
    const raised = raisedText(company);
    const [asked, sum] = [amountIn(value), Number(company['total_funding_usd'] ?? 0)];
    const isSo = /^at least/i.test(value) ? sum >= asked : sum > asked;
    if (raised === '') return unstated(company, say`no amount of its rounds is known`);
    return isSo ? say`Yes: ${linked(company)} ${strong(raised)}.` : unstated(company, say`it ${raised}`);
  },
  role: roleAnswer,
  event: (person, { value }) => {
    const events = (person['events'] ?? []) as readonly Named[];
    const found = events.filter(({ name, slug }) =>
      [name, slug].some((each) => isSameName(each, value) || isEdition(each, value)),
    );
    const mark = markOf(person, 'events');
    if (found.length > 0) return say`Yes: ${linked(person)} is on record as a speaker of ${listed(found)}${mark}.`;
    return unstated(person, events.length === 0 ? [] : say`on record as a speaker of ${listed(events)}${mark}`);
  },
  place: (_, { value }, editions) => placeAnswer(editions, value),
  acquirer: (company, { value }) => {
    const acquirer = company['acquired_by'] as Named | null;
    if (isBlank(acquirer) || acquirer === null) {
      const isAcquired = (company['status'] ?? company['company_stage']) === 'acquired';
      return isAcquired
        ? acquiredSentence(company)
        : say`No source on record states an acquisition of ${linked(company)}.`;
    }
    const isSame = [acquirer.name, acquirer.slug].some((each) => isSameName(each, value));
    return say`${isSame ? 'Yes: ' : isLike(acquirer.name, value) ? '' : 'No: '}${acquiredSentence(company)}`;
  },
};

/** Whether a fact is so of the record that a question names; undefined for other questions, and of namesakes. */
export function checkSentence({
  query,
  understood,
  results,
  total,
  isApproximate,
}: AnsweredSearch): AnswerParts | undefined {
  const { type, text = '', filters = {} } = understood ?? {};
  const asked = checksAskedIn(query).find((each) => each.name === text && each.type === (type ?? results[0]?.type));
  if (asked === undefined || isApproximate) return undefined;
  const named = results.filter((record) => record.type === asked.type && isNamed(record, text, ['name', 'alias']));
  const isOfAll = Object.keys(filters).length === 0;
  // Of the only one of a first name there: `did Ada work at Acme`.
  const isOfFirstName = named.length === 0 && total === 1 && asked.type === 'people';
  const [record, ...others] = isOfFirstName
    ? results.filter((person) => isLike(person.name, text))
    : isOfAll
      ? named
      : [];
  if (record === undefined || (others.length > 0 && asked.of !== 'place')) return undefined;
  // Editions that are not shown might be elsewhere.
  if (others.length > 0 && results.length < total && results.at(-1) === others.at(-1)) return undefined;
  return ANSWERS[asked.of](record, asked, named);
}

/** Whether there are records of a kind, where that is asked: `are there hedge funds in Spain`, `has any company raised $1B`. */
export function existenceSentence({
  query,
  type,
  text,
  given,
  results,
  total,
}: AnsweredSearch): AnswerParts | undefined {
  const isAsked = /^\s*(?:(?:are|is) there|(?:has|have|did) any)\b/i.test(query);
  if (!isAsked || type === 'all' || text !== '' || Object.keys(given).length === 0) return undefined;
  const grants = results.filter(isGrant).length;
  if (grants > 0 && grants < results.length) return undefined;
  const phrase = recordsPhrase(type, given);
  if (total === 0) return say`No ${phrase.before}${type}${phrase.after} on record${phrase.scope}.`;
  return say`Yes: ${strong(countedRecords(total, type, phrase, grants > 0))} on record${phrase.scope}.`;
}

const VC = /^(?:crypto |web3 )?(?:vc|venture)/i;
const VCS: ReadonlySet<string> = new Set(['venture_capital', 'micro_vc', 'corporate_venture_capital', 'exchange_arm']);

/** Tags of what a company is, rather than what it is about. */
const THINGS = /^(?:(?:de)?centralizedexchange|exchange|layer[12]|oracle|nftmarketplace)$/;

/** Names of who develops something. */
const FIRM = /\b(?:labs|foundation|inc|ltd|ventures|technologies)\.?$/i;

const textsIn = (record: RecordData, field: string): readonly string[] => (record[field] ?? []) as readonly string[];

const listed = (records: readonly Named[]) =>
  enumerated(
    records.map((record) => linked(record)),
    SHOWN,
  );

/** Whether a name is that of an edition: `Devcon 6` of `Devcon`. */
const isEdition = (name: unknown, series: string): boolean =>
  new RegExp(`^${foldName(series)}(?:week)?(?:\\d+|[ivx]+)$`).test(foldName(String(name ?? '')));

/** Whether a name begins with another one: `Acme Labs`, `Acme`. */
const isLike = (one: string, other: string): boolean =>
  [one, other].every((name) => foldName(name) !== '') &&
  (foldName(one).startsWith(foldName(other)) || foldName(other).startsWith(foldName(one)));

const withoutStop = (sentence: AnswerParts): AnswerParts => [
  ...sentence.slice(0, -1),
  ...sentence.slice(-1).map((part) => (typeof part === 'string' ? part.replace(/\.$/, '') : part)),
];

const SCALES: Readonly<Record<string, number>> = { k: 1e3, t: 1e3, m: 1e6, b: 1e9 };

/** The dollars of an amount in words: `more than $1.5 billion`. */
function amountIn(value: string): number {
  const [, digits = '', scale = ''] = /([\d.,]+) ?([ktmb]?)/i.exec(value) ?? [];
  return Number(digits.replaceAll(',', '')) * (SCALES[scale.toLowerCase()] ?? 1);
}

/** Whether a role is at the organisation of a name, or of an abbreviation that its slug has: `a16z`. */
function isAt({ organization, organization_slug: slug }: PersonRole, name: string): boolean {
  const word = foldName(name);
  const isShort = (slug ?? '').split('-').includes(word) && !foldName(organization ?? '').includes(word);
  return isShort || [organization, slug].some((each) => isSameName(each, name));
}

function roleAnswer(person: RecordData, { value, organization, isNow }: AskedCheck): AnswerParts {
  const roles = (person['roles'] ?? []) as readonly PersonRole[];
  const at = roles.filter((role) => isAt(role, organization));
  const title = value.replace(/^(?:former |ex-|current )/i, '').toLowerCase();
  const isSo = (role: PersonRole): boolean => {
    if (/^(?:(?:co-?)?found|create$|start$)/.test(title)) return isOfFounder(role);
    if (title === 'work' || title === 'working' || title === '')
      return !/^(?:advisor|board)$/.test(role.role_type ?? '');
    if (/\b(?:vice|deputy|advisor|assistant|to)\b/i.test(role.title ?? '')) return false;
    return ` ${(role.title ?? '').toLowerCase()} `
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .includes(` ${title.replaceAll('-', ' ')} `);
  };
  const written = (role: PersonRole): AnswerParts => {
    const note = noteOfRole(role, person);
    const as = strong(role.title ?? role.role_type ?? 'founder');
    return say`${as} of ${linked(organisationOf(role))}${note === '' ? '' : ` (${note})`}`;
  };
  const shown = (some: readonly PersonRole[]) => enumerated(some.map(written), SHOWN).flat();
  const found = at.filter(isSo);
  const areFormer = found.every((role) => role.is_current === false || /^(?:former|ex)\b/i.test(role.title ?? ''));
  if (found.length > 0)
    return say`${isNow && areFormer ? '' : 'Yes: '}${linked(person)} is on record as ${shown(found)}.`;
  // `Acme Labs` may be `Acme`, or another firm.
  const near = roles.filter((role) => isSo(role) && isLike(role.organization ?? '', organization));
  if (near.length === 0 && roles.length === 0 && !isBlank(person['headline']))
    return say`${linked(person)}: ${markedText(person, 'headline', ` (${UNSOURCED})`)}.`;
  return near.length > 0
    ? say`${linked(person)} is on record as ${shown(near)}.`
    : unstated(person, roles.length === 0 ? [] : say`on record as ${shown(roles)}`);
}

/** Whether an event, or some editions of it, are in a place. */
function placeAnswer(editions: readonly RecordData[], value: string): AnswerParts {
  const [city, country] = [facets.city.key(value), facets.country.key(value)];
  const placeIn = (event: RecordData) => (event['location_json'] ?? {}) as Readonly<Record<string, string | null>>;
  const isThere = (event: RecordData): boolean =>
    facets.city.key(placeIn(event)['city'] ?? '').startsWith(city) ||
    facets.country.key(placeIn(event)['country'] ?? '') === country;
  const isKnown = (event: RecordData): boolean =>
    !isBlank(placeIn(event)[facets.country.isKnown(country) ? 'country' : 'city']);
  const isOne = editions.length === 1;
  const shown = (some: readonly RecordData[]): AnswerParts => {
    const written = (event: RecordData): AnswerParts => {
      const [place, rest] = [strong(placeOf(event)), `, ${daysOf(event)}${markOf(event, 'location_json')}`];
      return isOne ? say`${linked(event)} in ${place}${rest}` : say`${linked(event)} (${place}${rest})`;
    };
    return enumerated(some.map(written), SHOWN).flat();
  };
  const there = editions.filter(isThere);
  const known = editions.filter(isKnown);
  const [first] = editions;
  if (there.length > 0) {
    const of = isOne ? '' : `, ${countText(there.length)} of ${countText(editions.length)} editions on record`;
    return say`Yes${of}: ${shown(there)}.`;
  }
  if (known.length === 0 && first !== undefined)
    return say`No source on record states of ${linked(first)} where it is.`;
  return say`No${isOne ? '' : ` edition on record is there, of ${countText(known.length)} whose place is known`}: ${shown(known)}.`;
}
