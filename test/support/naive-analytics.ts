import { GROUPS, type Measure } from '../../src/contract/aggregate.ts';
import type { RecordType } from '../../src/contract/entities/index.ts';

/** A record of an export. */
export type Exported = Record<string, any> & { readonly type: string; readonly id: number };
export type Export = Readonly<Record<string, readonly Exported[]>>;

type Reference = { name: string; type: string | null; id: number | null };
type Value = string | number;

/** A reference as text: type and id of a record, otherwise its name. */
const keyOf = ({ type, id, name }: Reference): string => (id === null ? name : `${type} ${id}`);
const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

const roleKey = (role: any): string =>
  keyOf({ name: role.organization, type: role.organization_type, id: role.organization_id });

/** The values of a record for a group, computed from exported records only. */
function valuesOf(all: Export, record: Exported, group: string): Value[] {
  const me = `${record.type} ${record.id}`;
  const of = (type: string): readonly Exported[] => all[type] ?? [];
  const naming = (type: string, field: string): Exported[] =>
    of(type).filter((other) => [other[field]].flat().some((each: Reference) => keyOf(each) === me));
  const date: string | null = record['announced_date'] ?? record['start_date'] ?? null;
  const company = record['company'] && of('companies').find(({ id }) => id === record['company'].id);
  const known = (value: unknown): Value[] => [value].flat().filter((each) => each != null) as Value[];
  switch (`${record.type} ${group}`) {
    case 'rounds tag':
      return unique(known(company?.tags));
    case 'rounds chain':
      return unique(known(company?.chains));
    case 'rounds country':
      return known(company?.location_json?.country);
    case 'rounds company':
      return [keyOf(record['company'])];
    case 'rounds lead_investor':
      return unique(record['lead_investors'].map(keyOf));
    case 'rounds investor':
      return unique([...record['lead_investors'], ...record['investors']].map(keyOf));
    case 'companies investor': {
      const rounds = naming('rounds', 'company');
      const investors = rounds.flatMap((round) => [...round['lead_investors'], ...round['investors']]);
      const holding = naming('investors', 'portfolio').map((each) => `${each.type} ${each.id}`);
      return unique([...[...investors, ...record['investors']].map(keyOf), ...holding]);
    }
    case 'people organization':
      return unique(record['roles'].map(roleKey));
    case 'people event': {
      const events = [...naming('events', 'speakers'), ...naming('events', 'organizers')];
      return unique([...events.map((each) => `${each.type} ${each.id}`), ...record['events'].map(keyOf)]);
    }
    case 'events organizer':
      return unique(record['organizers'].map(keyOf));
    case 'events speaker': {
      const speaking = naming('people', 'events').map((each) => `${each.type} ${each.id}`);
      return unique([...record['speakers'].map(keyOf), ...speaking]);
    }
    default:
  }
  if (group === 'year') return date === null ? [] : [Number(date.slice(0, 4))];
  if (group === 'month') return date === null ? [] : [date.slice(0, 7)];
  if (group === 'quarter')
    return date === null ? [] : [`${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`];
  const field = { tag: 'tags', chain: 'chains' }[group] ?? group;
  const place = ['country', 'city'].includes(group) ? record['location_json']?.[group] : record[field];
  return unique(known(place));
}

const MEASURED: Readonly<Record<string, string>> = {
  rounds: 'amount_usd',
  companies: 'total_funding_usd',
  investors: 'investments_count',
};

/** Every group with its measures as text and its number of records, keyed by its values as JSON. */
export function naiveGroups(
  all: Export,
  records: readonly Exported[],
  { groups, measures }: { readonly groups: readonly string[]; readonly measures: readonly Measure[] },
): Map<string, string[]> {
  const members = new Map<string, Exported[]>();
  for (const record of records) {
    const [first = [], second] = groups.map((group) => valuesOrNull(all, record, group));
    for (const one of first) {
      for (const other of second ?? [undefined]) {
        const key = JSON.stringify(second === undefined ? [one] : [one, other]);
        members.set(key, [...(members.get(key) ?? []), record]);
      }
    }
  }
  return new Map([...members].map(([key, some]) => [key, measures.map((measure) => naiveMeasure(some, measure))]));
}

function valuesOrNull(all: Export, record: Exported, group: string): (Value | null)[] {
  const values = valuesOf(all, record, group);
  return values.length === 0 ? [null] : values;
}

/** Number of records in several groups; undefined for none. */
export function naiveOverlap(all: Export, records: readonly Exported[], groups: readonly string[]): number | undefined {
  const isShared = (record: Exported) => groups.some((group) => valuesOrNull(all, record, group).length > 1);
  return records.filter(isShared).length || undefined;
}

function naiveMeasure(records: readonly Exported[], measure: Measure): string {
  if (measure === 'count') return String(records.length);
  const field = MEASURED[records[0]?.type ?? ''] ?? '';
  const isMoney = field.endsWith('_usd');
  const hundredths = records
    .map((record) => record[field])
    .filter((value) => value != null)
    .map((value) => (isMoney ? BigInt(String(value).replace('.', '')) : BigInt(value) * 100n))
    .sort((one, other) => (one < other ? -1 : Number(one > other)));
  if (hundredths.length === 0) return 'null';
  const sum = hundredths.reduce((total, each) => total + each, 0n);
  const middle = hundredths.length >> 1;
  const lower = hundredths[(hundredths.length - 1) >> 1] ?? 0n;
  const upper = hundredths[middle] ?? 0n;
  const half = (total: bigint, by: bigint): bigint => (2n * total + by) / (2n * by);
  const result: Record<Exclude<Measure, 'count'>, bigint> = {
    sum,
    average: half(sum, BigInt(hundredths.length)),
    median: half(lower + upper, 2n),
    min: hundredths[0] ?? 0n,
    max: hundredths.at(-1) ?? 0n,
  };
  const text = result[measure].toString().padStart(3, '0');
  return isMoney ? `${text.slice(0, -2)}.${text.slice(-2)}` : String(Number(result[measure]) / 100);
}

export const groupsOf = (type: string): string[] => Object.keys(GROUPS[type as RecordType]);

interface NaiveEdge {
  readonly to: string;
  readonly kind: string;
  readonly date: string | null;
  readonly record: string;
  /** Of a round or event, everybody in it, and of an event the number of speakers. */
  readonly members?: readonly string[];
  readonly speakers?: number;
  /** Of a round, whether only the editors state it. */
  readonly isUnsourced?: boolean;
}

/** Connections of each record, keyed by `type id`. */
export function naiveEdges(all: Export): Map<string, NaiveEdge[]> {
  const edges = new Map<string, NaiveEdge[]>();
  const add = (one: string, edge: NaiveEdge): void => {
    const some = edges.get(one) ?? [];
    const same = some.find(({ to, kind, record }) => to === edge.to && kind === edge.kind && record === edge.record);
    const others = some.filter((each) => each !== same);
    const newer = same !== undefined && (same.date ?? '') >= (edge.date ?? '') ? same : edge;
    edges.set(one, [...others, newer]);
  };
  const both = (one: string, other: string, rest: Omit<NaiveEdge, 'to'>): void => {
    if (one === other) return;
    add(one, { to: other, ...rest });
    add(other, { to: one, ...rest });
  };
  const linked = (references: readonly Reference[]): string[] =>
    unique(references.filter(({ id }) => id !== null).map(keyOf));
  const gather = (kind: string, record: Exported, references: readonly Reference[], speakers: number): void => {
    const me = `${record.type} ${record.id}`;
    const members = linked(references);
    const date = record[kind === 'round' ? 'announced_date' : 'start_date'];
    const isUnsourced = record['unsourced'] === true;
    const rest = { kind, date, record: me, members: [me, ...members], speakers, isUnsourced };
    members.forEach((one, place) => {
      both(me, one, rest);
      for (const other of members.slice(place + 1)) both(one, other, rest);
    });
  };
  for (const round of all['rounds'] ?? []) {
    gather('round', round, [round['company'], ...round['lead_investors'], ...round['investors']], 0);
  }
  for (const event of all['events'] ?? []) {
    const speaking = (all['people'] ?? []).filter((person) => linked(person['events']).includes(`events ${event.id}`));
    const references = [...event['organizers'], ...event['speakers'], ...event['sponsors'], ...speaking] as Reference[];
    gather('event', event, references, linked([...event['speakers'], ...speaking]).length);
  }
  const name = (records: readonly Exported[] | undefined, field: string, kind: string): void => {
    for (const record of records ?? []) {
      const me = `${record.type} ${record.id}`;
      for (const other of linked(record[field])) both(me, other, { kind, date: null, record: me });
    }
  };
  name(all['companies'], 'founders', 'founder');
  name(all['investors'], 'founders', 'founder');
  name(all['companies'], 'team', 'role');
  name(all['companies'], 'investors', 'portfolio');
  name(all['investors'], 'portfolio', 'portfolio');
  for (const person of all['people'] ?? []) {
    const me = `${person.type} ${person.id}`;
    for (const role of person['roles'] as any[]) {
      if (role.organization_id !== null) both(me, roleKey(role), { kind: 'role', date: role.start_date, record: me });
    }
  }
  return edges;
}

export interface NaivePath {
  readonly nodes: readonly string[];
  readonly edges: readonly NaiveEdge[];
}

const WEAKNESS: Readonly<Record<string, number>> = { role: 0, founder: 0, round: 1, portfolio: 2, event: 3 };
const isGathering = (record: string): boolean => /^(rounds|events) /.test(record);

/** Every path between two records by exhaustive search, unordered among equals. */
export function naivePaths(
  edges: ReadonlyMap<string, readonly NaiveEdge[]>,
  { from, to, hopsMax, kinds }: { from: string; to: string; hopsMax: number; kinds: readonly string[] },
): NaivePath[] {
  const found: NaivePath[] = [];
  const go = (nodes: readonly string[], used: readonly NaiveEdge[]): void => {
    const last = nodes.at(-1) ?? '';
    if (last === to) {
      if (!used.some((edge, place) => isDetour(nodes, edge, place))) found.push({ nodes, edges: used });
      return;
    }
    if (used.length === hopsMax) return;
    for (const edge of edges.get(last) ?? []) {
      const isAgain = isGathering(edge.record) && used.some(({ record }) => record === edge.record);
      // A round or an event is on a path only as one of its ends.
      const isBetween = isGathering(edge.to) && edge.to !== to;
      if (isAgain || isBetween || nodes.includes(edge.to) || !kinds.includes(edge.kind)) continue;
      go([...nodes, edge.to], [...used, edge]);
    }
  };
  go([from], []);
  return found;
}

/** Whether the round or event of an edge connects a third node of the path, too. */
const isDetour = (nodes: readonly string[], { members = [] }: NaiveEdge, place: number): boolean =>
  nodes.some((node, at) => at !== place && at !== place + 1 && members.includes(node));

/** The guaranteed sort key of paths: hops, kind, unsourced rounds on the way, speakers, date. */
export function rankOf({ edges }: NaivePath): number[] {
  const weak = edges.map(({ kind }) => WEAKNESS[kind] ?? 0);
  const dated = edges.filter(({ kind, date }) => date != null || !['role', 'founder'].includes(kind));
  const dates = dated.map(({ date }) => Number((date ?? '0').replaceAll('-', '')));
  const unsourced = edges.length === 1 ? 0 : edges.filter((edge) => edge.isUnsourced === true).length;
  const speakers = edges.reduce((sum, edge) => sum + (edge.speakers ?? 0), 0);
  return [
    edges.length,
    Math.max(...weak),
    weak.reduce((sum, each) => sum + each, 0),
    unsourced,
    speakers,
    -Math.min(99_999_999, ...dates),
  ];
}
