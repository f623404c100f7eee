import type { NamedType, RecordType } from '../../contract/entities/index.ts';
import { noSuchValue } from '../../contract/errors.ts';
import {
  type Choice,
  type FilterName,
  filterOf,
  type PartyFilter,
  partiesOf,
  partyFilterOf,
  typesWithValues,
  valuePathIn,
  valuesOf,
} from '../../contract/filters.ts';
import { foldName } from '../../contract/names.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import type { Condition, SearchIndex } from '../search/search-index.ts';
import { column, exists, type SqlProgram, value } from '../sql.ts';
import { idsWithName } from './name-buffer.ts';
import { namesLike } from './names-like.ts';

/** The target of a filter value: matching records, or an unresolved name. */
export interface PartyTarget {
  /** Folded name, as in unresolved links. */
  readonly key: string;
  readonly records: readonly { readonly type: NamedType; readonly id: number }[];
}

/** Relations through which a type references the parties of a filter: in its own records, or in its rounds. */
interface Naming {
  readonly own: readonly string[];
  /** For rounds: the relations that reference a party, and those that lead from the round to records of the type. */
  readonly ofRounds?: { readonly naming: readonly string[]; readonly to: readonly string[] };
  /** Relations of the parties that reference records of the type. */
  readonly back: readonly string[];
}

const NAMINGS: Readonly<Record<string, Naming>> = {
  'rounds company': { own: ['rounds.company'], back: [] },
  'people company': { own: ['people.roles'], back: ['companies.founders', 'companies.team', 'investors.founders'] },
  'people event': { own: ['people.events'], back: ['events.speakers'] },
  'companies founder': { own: ['companies.founders'], back: [] },
  'companies acquirer': { own: ['companies.acquired_by'], back: [] },
  'investors founder': { own: ['investors.founders'], back: [] },
  'rounds investor': { own: ['rounds.investors', 'rounds.lead_investors'], back: [] },
  'rounds lead': { own: ['rounds.lead_investors'], back: [] },
  'companies investor': {
    own: ['companies.investors'],
    ofRounds: { naming: ['rounds.investors', 'rounds.lead_investors'], to: ['rounds.company'] },
    back: ['investors.portfolio'],
  },
  'companies lead': { own: [], ofRounds: { naming: ['rounds.lead_investors'], to: ['rounds.company'] }, back: [] },
  'investors company': {
    own: ['investors.portfolio'],
    ofRounds: { naming: ['rounds.company'], to: ['rounds.investors', 'rounds.lead_investors'] },
    back: ['companies.investors'],
  },
};

interface PartyRequest {
  readonly name: FilterName;
  readonly value: Choice;
  readonly targets: readonly PartyTarget[];
  readonly isLed: boolean;
  /** Whether grants count as rounds. */
  readonly hasGrants: boolean;
}

/** Whether a round, given as an SQL expression of its id, is not a grant. */
export const isNoGrant = (id: string): string =>
  `NOT EXISTS (SELECT 1 FROM labels WHERE labels.type = 'rounds' AND labels.field = 'stage' AND labels.value = '${GRANT}' AND labels.id = ${id})`;

/**
 * Whether an investor, as SQL expressions of two ids, gave a company no grant: then its portfolio is evidence that it
 * invested, and otherwise only a funding round is.
 */
export const isNoGrantee = (investor: string, company: string): string =>
  `NOT EXISTS (SELECT 1 FROM links AS granted JOIN links AS giver ON giver.from_id = granted.from_id
      AND giver.relation IN ('rounds.investors', 'rounds.lead_investors')
      AND giver.to_type = 'investors' AND giver.to_id = ${investor}
    WHERE granted.relation = 'rounds.company' AND granted.to_type = 'companies' AND granted.to_id = ${company}
      AND NOT (${isNoGrant('granted.from_id')}))`;

export function partyCondition(
  type: RecordType,
  { name, value: { mode, values, without = [] }, targets, isLed, hasGrants }: PartyRequest,
): Condition {
  const naming = NAMINGS[`${type} ${isLed ? 'lead' : name}`];
  if (naming === undefined) throw new Error(`${type} cannot be filtered by ${name}`);
  const each = targets.map((target) => reached(type, { naming, hasGrants }, target));
  const [wanted, excluded] = [each.slice(0, values.length), each.slice(values.length)];
  const inAny = (some: readonly Condition[]) => `${type}.id IN (${some.map(({ sql }) => sql).join(' UNION ')})`;
  const isOf = {
    any: inAny(wanted),
    all: wanted.map((one) => inAny([one])).join(' AND '),
    none: `NOT (${inAny(wanted)})`,
    except: `NOT (${inAny(wanted)})`,
  }[mode];
  const isOther = without.length === 0 ? '' : ` AND NOT (${inAny(excluded)})`;
  // Links to a deleted record remain.
  return {
    sql: `${isOf}${isOther} AND ${type}.deleted_at IS NULL`,
    parameters: each.flatMap((one) => one.parameters),
  };
}

/** Values of parties: their filter and its keys. */
export interface PartyKind {
  readonly name: FilterName;
  readonly keys: readonly string[];
}

/**
 * Records with a party that has a value of each of these kinds, as its own record states: of rounds those that such an investor
 * joined, or led.
 */
export function partyKindCondition(
  type: RecordType,
  isLed: boolean,
  kinds: readonly [PartyKind, ...PartyKind[]],
): Condition {
  const [{ name }] = kinds;
  const { own = [] } = NAMINGS[`${type} ${isLed ? 'lead' : partyFilterOf(type, name)}`] ?? {};
  const parties = typesWithValues(type, name).filter((party) =>
    kinds.every((kind) => valuePathIn(party, kind.name) !== undefined),
  );
  const each = parties.map((party) => ({
    sql: `SELECT from_id FROM links WHERE relation IN ('${own.join("', '")}') AND to_type = '${party}' ${kinds
      .map(({ keys }) => `AND to_id IN (${withLabels(party, keys)})`)
      .join(' ')}`,
    parameters: kinds.flatMap((kind) => [valuePathIn(party, kind.name) ?? '', ...kind.keys]),
  }));
  return {
    sql: `(${type}.id IN (${each.map(({ sql }) => sql).join(' UNION ')}) AND ${type}.deleted_at IS NULL)`,
    parameters: each.flatMap(({ parameters }) => parameters),
  };
}

/** A SELECT of the ids of records with one of some values of a field, both of them parameters. */
const withLabels = (type: RecordType, keys: readonly string[]): string =>
  `SELECT id FROM labels WHERE type = '${type}' AND field = ? AND value IN (${keys.map(() => '?').join()})`;

/** A SELECT of the ids of records that reference a target or are referenced by it. */
function reached(
  type: RecordType,
  { naming: { own, ofRounds, back }, hasGrants }: { readonly naming: Naming; readonly hasGrants: boolean },
  target: PartyTarget,
): Condition {
  const evidence = (relation: string): string => (hasGrants ? '' : evidenceOf(relation));
  const parts = [
    ...own.map((relation) => naming(relation, target, evidence(relation))),
    ...(ofRounds?.naming ?? []).map((relation) =>
      throughRounds(type, hasGrants, { named: naming(relation, target), to: ofRounds?.to ?? [] }),
    ),
    ...back.flatMap((relation) => namedBy(type, { relation, evidence: evidence(relation) }, target)),
  ];
  return {
    sql: parts.map(({ sql }) => sql).join(' UNION '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

/** Excludes links that only prove a grant, not an investment; empty for other relations. */
const evidenceOf = (relation: string): string =>
  relation === 'investors.portfolio' ? ` AND ${isNoGrantee('links.from_id', 'links.to_id')}` : '';

function naming(relation: string, { key, records }: PartyTarget, evidence = ''): Condition {
  const linked = records.map(
    () => `SELECT from_id FROM links WHERE to_type = ? AND to_id = ? AND relation = '${relation}'${evidence}`,
  );
  const open = `SELECT from_id FROM links WHERE key = ? AND to_id IS NULL AND relation = '${relation}'`;
  return {
    sql: [...linked, open].join(' UNION '),
    parameters: [...records.flatMap(({ type, id }) => [type, id]), key],
  };
}

/**
 * Records of a type referenced by rounds. Deleted rounds keep their links and are excluded. The unary + makes SQLite
 * start from the rounds rather than from all links to the type; likewise below.
 */
const throughRounds = (
  type: RecordType,
  hasGrants: boolean,
  { named, to }: { readonly named: Condition; readonly to: readonly string[] },
): Condition => ({
  sql: `SELECT links.to_id FROM links JOIN rounds ON rounds.id = links.from_id AND rounds.deleted_at IS NULL
    WHERE links.relation IN ('${to.join("', '")}') AND +links.to_type = '${type}' AND links.from_id IN (${named.sql})
      ${hasGrants ? '' : `AND ${isNoGrant('rounds.id')}`}`,
  parameters: named.parameters,
});

function namedBy(
  type: RecordType,
  { relation, evidence }: { readonly relation: string; readonly evidence: string },
  { records }: PartyTarget,
): Condition[] {
  const [from] = relation.split('.');
  return records
    .filter((record) => record.type === from)
    .map(({ id }) => ({
      sql: `SELECT to_id FROM links WHERE relation = '${relation}' AND from_id = ? AND +to_type = '${type}'${evidence}`,
      parameters: [id],
    }));
}

/** Resolves the values of a filter. Throws `invalid_parameter`, with suggestions, for one that matches no id, slug or name. */
export function* resolveTargets(
  fullText: SearchIndex,
  {
    name,
    types,
    choice,
  }: { readonly name: FilterName; readonly types: readonly RecordType[]; readonly choice: Choice },
): SqlProgram<PartyTarget[]> {
  const parties = partiesOf(filterOf(name) as PartyFilter, types);
  const targets: PartyTarget[] = [];
  for (const text of valuesOf(choice)) {
    const target = yield* targetOf(parties, text);
    if (target.records.length === 0 && !(yield* isNamed(target.key))) {
      const near = yield* namesLike(fullText, parties, text);
      throw noSuchValue(
        name,
        `${name}: no record or round has one of that name${near.length > 0 ? `; similar names are ${near.join(', ')}` : ''}`,
        { given: text, values: near },
      );
    }
    targets.push(target);
  }
  return targets;
}

function* targetOf(types: readonly NamedType[], text: string): SqlProgram<PartyTarget> {
  const key = foldName(text) || text;
  const records: { type: NamedType; id: number }[] = [];
  for (const type of types) {
    // Ids are of the first type, after which the filter is named.
    const isId = /^\d{1,15}$/.test(text) && type === types[0];
    const found: number[] = isId
      ? yield* column(`SELECT id FROM ${type} WHERE id = ? AND deleted_at IS NULL`, Number(text))
      : [];
    const known = found.length > 0 ? found : yield* bySlugOrName(type, text, key);
    records.push(...known.map((id) => ({ type, id })));
  }
  return { key, records };
}

const COMPANY_ROUNDS_MAX = 1_024;

/** The rounds of the companies with a name; of most of them the first. */
export function* roundsOfCompany(name: string): SqlProgram<number[]> {
  const key = foldName(name);
  const records = (yield* idsWithName('companies', key)).map((id) => ({ type: 'companies', id }) as const);
  const { sql, parameters } = naming('rounds.company', { key, records });
  return yield* column(
    `SELECT from_id FROM (${sql}) AS own ORDER BY from_id LIMIT ${COMPANY_ROUNDS_MAX}`,
    ...(parameters as string[]),
  );
}

/** A slug matches its record only; a name matches every record of that name. */
function* bySlugOrName(type: NamedType, text: string, key: string): SqlProgram<number[]> {
  const slug = yield* value<number>(`SELECT id FROM ${type} WHERE slug = ? AND deleted_at IS NULL`, text);
  if (slug !== undefined) return [slug];
  return yield* idsWithName(type, key);
}

const isNamed = (key: string): SqlProgram<boolean> =>
  exists('SELECT 1 FROM links WHERE key = ? AND to_id IS NULL LIMIT 1', key);
