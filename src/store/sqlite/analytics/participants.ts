import { relations } from '../../../contract/relations.ts';
import type { Columns } from './columns.ts';
import { isCurrent } from './link-graph.ts';

/** The participants of rounds and events, as sets of codes: of rounds all parties, of events all parties and speakers. */
export interface Participants {
  of(record: number): ReadonlySet<number>;
  /** Number of speakers of an event; 0 for other records. */
  speakers(record: number): number;
}

const SPEAKER = relations.findIndex(({ name }) => name === 'events.speakers');
const PERSON_EVENT = relations.findIndex(({ name }) => name === 'people.events');
/** Bounds the links read of one record. */
const LINKS_MAX = 4_096;

/** Reads each record once. */
export function createParticipants({ links }: Columns): Participants {
  const known = new Map<number, { readonly all: Set<number>; readonly speakers: Set<number> }>();
  const read = (record: number) => {
    const found = { all: new Set<number>(), speakers: new Set<number>() };
    const end = links.start[record] + Math.min(links.count[record], LINKS_MAX);
    for (let link = links.start[record]; link < end; link += 1) {
      found.all.add(links.target[link]);
      if (links.relation[link] === SPEAKER) found.speakers.add(links.target[link]);
    }
    // Speakers may name the event instead.
    for (let next = links.head[record]; next > 0 && found.all.size < LINKS_MAX; next = links.previous[next - 1]) {
      const link = next - 1;
      if (links.relation[link] !== PERSON_EVENT || !isCurrent(links, link)) continue;
      found.all.add(links.source[link]);
      found.speakers.add(links.source[link]);
    }
    known.set(record, found);
    return found;
  };
  const get = (record: number) => known.get(record) ?? read(record);
  return { of: (record) => get(record).all, speakers: (record) => get(record).speakers.size };
}
