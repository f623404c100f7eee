import type { Choice } from '../../contract/choices.ts';
import type { NamedType, RecordType } from '../../contract/entities/index.ts';
import { type FilterName, filterOf, type PartyFilter, unknownFilter } from '../../contract/filters.ts';
import { foldName } from '../../contract/names.ts';
import type { Condition } from '../search/search-index.ts';
import { all, column, type SqlProgram, value } from '../sql/program.ts';

/** Whom a value of a filter means: records that go by it, or a name that no record has. */
export interface PartyTarget {
  /** Folded name, as links that lead nowhere have it. */
  readonly key: string;
  readonly records: readonly { readonly type: NamedType; readonly id: number }[];
}

/** The relations in which a type names the parties of a filter: in its own records, or in its rounds. */
interface Naming {
  readonly own: readonly string[];
  /** Of rounds, the relations in which they name a party and those that lead on to records of the type. */
  readonly ofRounds?: { readonly naming: readonly string[]; readonly to: readonly string[] };
  /** Relations of the parties that name records of the type. */
  readonly back: readonly string[];
}

const NAMINGS: Readonly<Record<string, Naming>> = {
  'rounds company': { own: ['rounds.company'], back: [] },
  'people company': { own: ['people.roles'], back: ['companies.founders', 'companies.team'] },
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
  /** Whether the investors must have led. */
  readonly isLed: boolean;
}

/** The records of a type that have to do with the targets of a filter. */
export function partyCondition(type: RecordType, { name, value: { mode }, targets, isLed }: PartyRequest): Condition {
  const naming = NAMINGS[`${type} ${isLed ? 'lead' : name}`];
  if (naming === undefined) throw new Error(`${type} cannot be filtered by ${name}`);
  const each = targets.map((target) => reached(type, naming, target));
  const inAny = `${type}.id IN (${each.map(({ sql }) => sql).join(' UNION ')})`;
  const parameters = each.flatMap((one) => one.parameters);
  if (mode === 'any') return { sql: inAny, parameters };
  if (mode === 'none') return { sql: `NOT (${inAny})`, parameters };
  return { sql: each.map(({ sql }) => `${type}.id IN (${sql})`).join(' AND '), parameters };
}

/** A SELECT of the numbers of the records that name a target, or that it names. */
function reached(type: RecordType, { own, ofRounds, back }: Naming, target: PartyTarget): Condition {
  const parts = [
    ...own.map((relation) => naming(relation, target)),
    ...(ofRounds?.naming ?? []).map((relation) => throughRounds(type, naming(relation, target), ofRounds?.to ?? [])),
    ...back.flatMap((relation) => namedBy(type, relation, target)),
  ];
  return {
    sql: parts.map(({ sql }) => sql).join(' UNION '),
    parameters: parts.flatMap(({ parameters }) => parameters),
  };
}

function naming(relation: string, { key, records }: PartyTarget): Condition {
  const linked = records.map(
    () => `SELECT from_id FROM links WHERE to_type = ? AND to_id = ? AND relation = '${relation}'`,
  );
  const open = `SELECT from_id FROM links WHERE key = ? AND to_id IS NULL AND relation = '${relation}'`;
  return {
    sql: [...linked, open].join(' UNION '),
    parameters: [...records.flatMap(({ type, id }) => [type, id]), key],
  };
}

/**
 * The records of a type to which relations of some rounds lead. A deleted round keeps its links, but tells nothing. The sign has
 * SQLite begin with the rounds, and not with all that leads to the type; so it has below.
 */
const throughRounds = (type: RecordType, { sql, parameters }: Condition, to: readonly string[]): Condition => ({
  sql: `SELECT links.to_id FROM links JOIN rounds ON rounds.id = links.from_id AND rounds.deleted_at IS NULL
    WHERE links.relation IN ('${to.join("', '")}') AND +links.to_type = '${type}' AND links.from_id IN (${sql})`,
  parameters,
});

function namedBy(type: RecordType, relation: string, { records }: PartyTarget): Condition[] {
  const [from] = relation.split('.');
  return records
    .filter((record) => record.type === from)
    .map(({ id }) => ({
      sql: `SELECT to_id FROM links WHERE relation = '${relation}' AND from_id = ? AND +to_type = '${type}'`,
      parameters: [id],
    }));
}

/** Finds whom the values of a filter mean. Throws `invalid_parameter` for one that is no number, slug or name of anybody. */
export function* resolveTargets(
  name: FilterName,
  { values }: Choice,
  suggest: (types: readonly NamedType[], text: string) => SqlProgram<string[]>,
): SqlProgram<PartyTarget[]> {
  const { parties } = filterOf(name) as PartyFilter;
  const targets: PartyTarget[] = [];
  for (const text of values) {
    const target = yield* targetOf(parties, text);
    if (target.records.length === 0 && !(yield* isNamed(target.key))) {
      const near = yield* suggest(parties, text);
      throw unknownFilter(
        name,
        `${name}: no record or round has one of that name${near.length > 0 ? `; nearest are ${near.join(', ')}` : ''}`,
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
    // A number is of the first type, which the filter is named for.
    const isId = /^\d{1,15}$/.test(text) && type === types[0];
    const found: number[] = isId
      ? yield* column(`SELECT id FROM ${type} WHERE id = ? AND deleted_at IS NULL`, Number(text))
      : [];
    const known = found.length > 0 ? found : yield* bySlugOrName(type, text, key);
    records.push(...known.map((id) => ({ type, id })));
  }
  return { key, records };
}

/** A slug means its record alone; a name means all that bear it. */
function* bySlugOrName(type: NamedType, text: string, key: string): SqlProgram<number[]> {
  const slug = yield* value<number>(`SELECT id FROM ${type} WHERE slug = ? AND deleted_at IS NULL`, text);
  if (slug !== undefined) return [slug];
  return (yield* all<{ id: number }>('SELECT id FROM record_keys WHERE type = ? AND key = ?', type, key)).map(
    ({ id }) => id,
  );
}

function* isNamed(key: string): SqlProgram<boolean> {
  return (yield* value('SELECT 1 FROM links WHERE key = ? AND to_id IS NULL LIMIT 1', key)) !== undefined;
}
