import { CONNECTION_KINDS, type ConnectionKind, WEAKNESS } from '../../../contract/connections.ts';
import { relations } from '../../../contract/relations.ts';
import { type Columns, typeIndex } from './columns.ts';
import { isCurrent } from './link-graph.ts';
import type { Scratch } from './scratch.ts';

/** Called with an edge: kind (index in `CONNECTION_KINDS`), date (YYYYMMDD, or 0) and the record that proves it. */
type OnEdge = (to: number, kind: number, date: number, record: number) => void;

/** Kind of connection per relation, by index; -1 for one that is none. */
export const KIND_OF_RELATION: readonly number[] = relations.map(({ from, field }) => {
  const kinds: Readonly<Record<string, ConnectionKind>> = {
    roles: 'role',
    team: 'role',
    founders: 'founder',
    portfolio: 'portfolio',
    events: 'event',
  };
  if (from === 'rounds') return CONNECTION_KINDS.indexOf('round');
  if (from === 'events') return CONNECTION_KINDS.indexOf('event');
  if (field === 'acquired_by') return -1;
  // A company's own list of investors is equivalent to a portfolio.
  return CONNECTION_KINDS.indexOf(kinds[field] ?? 'portfolio');
});
const PERSON_EVENT = relations.findIndex(({ name }) => name === 'people.events');
const ROUNDS = typeIndex('rounds');
const EVENTS = typeIndex('events');
const ROUND = CONNECTION_KINDS.indexOf('round');
const EVENT = CONNECTION_KINDS.indexOf('event');

/** Rounds and events connect all their participants. */
export const isGathering = (type: number): boolean => type === ROUNDS || type === EVENTS;

interface Exploring {
  /** Allowed kinds, by index. */
  readonly kinds: ReadonlySet<number>;
  /** Both ends; rounds and events are nodes only as ends. */
  readonly ends: readonly number[];
}

/** Kinds of edges that are enumerated together. */
interface Pass {
  readonly kinds: ReadonlySet<number>;
  /** By relation, whether its edges are among them. */
  readonly counts: readonly boolean[];
}

interface Telling {
  readonly pass: Pass;
  readonly onEdge: OnEdge;
  readonly wanted: Uint32Array | undefined;
}

function passesOf(kinds: ReadonlySet<number>): Pass[] {
  // Few links are roles, so they need no pass before the rounds.
  const weakness = (kind: number): number => Math.max(WEAKNESS[CONNECTION_KINDS[kind]], WEAKNESS.round);
  const steps = [...new Set([...kinds].map(weakness))].sort((one, other) => one - other);
  return steps.map((step) => {
    const some = new Set([...kinds].filter((kind) => weakness(kind) === step));
    return { kinds: some, counts: KIND_OF_RELATION.map((kind) => some.has(kind)) };
  });
}

export type Explorer = ReturnType<typeof createExplorer>;

export function createExplorer(columns: Columns, scratch: Scratch, { kinds, ends }: Exploring) {
  const { links, type, date, isLive } = columns;
  const { gatherings, members } = scratch;
  let left = 1;
  let wasCut = false;
  const isSpent = (): boolean => left <= 0;

  const gather = (code: number, record: number, { pass: { kinds: allowed }, onEdge, wanted }: Telling): void => {
    const kind = type[record] === ROUNDS ? ROUND : EVENT;
    if (!allowed.has(kind) || isLive[record] === 0) return;
    const day = date[record];
    scratch.turn += 1;
    const { turn } = scratch;
    members[code] = turn;
    const tell = (to: number): void => {
      left -= 1;
      // One random memory access rejects most nodes.
      if (wanted !== undefined && wanted[to] === 0) return;
      if (members[to] === turn) return;
      members[to] = turn;
      onEdge(to, kind, day, record);
    };
    if (record !== code && ends.includes(record)) tell(record);
    const end = links.start[record] + links.count[record];
    for (let link = links.start[record]; link < end && left > 0; link += 1) tell(links.target[link]);
    if (kind === ROUND) return;
    for (let next = links.head[record]; next > 0 && left > 0; next = links.previous[next - 1]) {
      const link = next - 1;
      if (links.relation[link] === PERSON_EVENT && isCurrent(links, link)) tell(links.source[link]);
    }
  };

  const along = (code: number, link: number, { pass: { counts }, onEdge, wanted }: Telling): void => {
    const other = links.source[link] === code ? links.target[link] : links.source[link];
    left -= 1;
    const relation = links.relation[link];
    if (!counts[relation] || other === code || (wanted !== undefined && wanted[other] === 0)) return;
    const record = links.source[link];
    onEdge(other, KIND_OF_RELATION[relation], links.dates.size === 0 ? 0 : (links.dates.get(link) ?? 0), record);
  };

  return {
    /** The allowed kinds by strength, the strongest first, so that a bound cuts the weakest. */
    passes: passesOf(kinds),
    /**
     * Enumerates the edges of a record in one pass, including to unresolved names: participants of rounds and events once each, and
     * every entry of the record's own lists, so that duplicate entries are adjacent.
     * @param wanted by code, non-zero for nodes to report; all if absent
     */
    visit(pass: Pass, code: number, onEdge: OnEdge, wanted?: Uint32Array) {
      const telling = { pass, onEdge, wanted };
      if (isGathering(type[code])) return gather(code, code, telling);
      scratch.turn += 1;
      const marked = scratch.turn;
      const once = (record: number): void => {
        if (gatherings[record] === marked) return;
        gatherings[record] = marked;
        gather(code, record, telling);
      };
      const end = links.start[code] + links.count[code];
      for (let link = links.start[code]; link < end && left > 0; link += 1) {
        if (links.relation[link] === PERSON_EVENT) once(links.target[link]);
        else along(code, link, telling);
      }
      for (let next = links.head[code]; next > 0 && left > 0; next = links.previous[next - 1]) {
        const link = next - 1;
        if (!isCurrent(links, link)) continue;
        if (isGathering(type[links.source[link]])) once(links.source[link]);
        else along(code, link, telling);
      }
    },
    /** Sets the maximum number of edges examined from now on. */
    allow(visits: number): void {
      wasCut ||= isSpent();
      left = visits;
    },
    /** Whether the bound set last was reached, so that edges are missing. */
    isSpent,
    /** Whether any bound was reached. */
    isCut: (): boolean => wasCut || isSpent(),
  };
}
