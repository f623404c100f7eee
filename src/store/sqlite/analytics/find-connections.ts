import { CONNECTION_KINDS } from '../../../contract/connections.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { relations } from '../../../contract/relations.ts';
import { isoDateOf } from '../../analytics/facts.ts';
import type { ConnectionsRequest, RecordRef } from '../../port/analytics.ts';
import type { Path } from './best-paths.ts';
import { type Columns, codeOf } from './columns.ts';
import type { Edge } from './edges.ts';
import { KIND_OF_RELATION } from './neighbours.ts';
import { createParticipants, type Participants } from './participants.ts';
import { findPaths } from './paths.ts';
import type { Scratch } from './scratch.ts';

export interface ConnectionsDraft {
  readonly paths: readonly PathDraft[];
  readonly complete: boolean;
  /** The ends without any connection of the kinds. */
  readonly isolated: readonly RecordRef[];
}

/** Finds paths between two existing records. */
export function findConnections(columns: Columns, scratch: Scratch, request: ConnectionsRequest): ConnectionsDraft {
  const { from, to, hopsMax, limit, kinds } = request;
  const participants = createParticipants(columns);
  const { paths, isCut, isolated } = findPaths(columns, scratch, {
    from: codeOf(columns, from.type, from.id),
    to: codeOf(columns, to.type, to.id),
    hopsMax,
    limit,
    kinds: new Set(kinds.map((kind) => CONNECTION_KINDS.indexOf(kind))),
    participants,
  });
  return {
    paths: paths.map((path) => draftOf(columns, path, participants)),
    complete: !isCut,
    isolated: isolated.map((code) => refOf(columns, code)),
  };
}

const refOf = ({ type, id }: Columns, code: number): RecordRef => ({
  type: RECORD_TYPES[type[code]] as RecordType,
  id: id[code],
});

/** A path before the names of its records are read. */
export type PathDraft = ReturnType<typeof draftOf>;

function draftOf(columns: Columns, { nodes, edges }: Path, participants: Participants) {
  return {
    nodes: nodes.map((code) => refOf(columns, code)),
    edges: edges.map(({ kind, date, record }, index) => ({
      kind: CONNECTION_KINDS[kind],
      label:
        labelOf(columns, { kind, record }, [nodes[index], nodes[index + 1]]) + crowdOf(participants.speakers(record)),
      date: date === 0 ? null : isoDateOf(date),
      record: refOf(columns, record),
    })),
  };
}

/** The number of speakers of an event, if there are more than these two. */
const crowdOf = (speakers: number): string => (speakers > 2 ? ` (${speakers} speakers)` : '');

/** Role name per relation, by its index. */
const PARTS: readonly string[] = relations.map(({ name, field }) => {
  const parts: Readonly<Record<string, string>> = {
    'people.roles': 'role',
    'people.events': 'speaker',
    'companies.team': 'team',
    'companies.investors': 'investor',
    'investors.portfolio': 'portfolio',
  };
  return parts[name] ?? field.replaceAll('_', ' ').replace(/s$/, '');
});

/** Label of an edge: the roles of both ends in a round or event, or the role stated by one of them. */
function labelOf(columns: Columns, { kind, record }: Pick<Edge, 'kind' | 'record'>, ends: readonly number[]): string {
  const parts = ends.filter((end) => end !== record).map((end) => partOf(columns, { kind, record }, end));
  return parts.filter((part) => part !== '').join(', ');
}

function partOf({ links }: Columns, { kind, record }: Pick<Edge, 'kind' | 'record'>, end: number): string {
  const last = links.start[record] + links.count[record];
  for (let link = links.start[record]; link < last; link += 1) {
    const relation = links.relation[link];
    if (links.target[link] === end && KIND_OF_RELATION[relation] === kind) return PARTS[relation];
  }
  // Speakers reference the event.
  const first = links.start[end] + links.count[end];
  for (let link = links.start[end]; link < first; link += 1) {
    const relation = links.relation[link];
    if (links.target[link] === record && KIND_OF_RELATION[relation] === kind) return PARTS[relation];
  }
  return '';
}
