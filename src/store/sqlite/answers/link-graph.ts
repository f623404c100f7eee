import { roomFor } from './value-lists.ts';

/** Who names whom, by codes, both ways. A record's links stand together; what was a link of it before is passed over. */
export interface Links {
  /** First link of a code, and how many follow it. */
  start: Uint32Array;
  count: Uint32Array;
  /** The last link that leads to a code, plus one; 0 when none does. */
  head: Uint32Array;
  target: Uint32Array;
  source: Uint32Array;
  relation: Uint8Array;
  /** The link to the same target before this one, plus one. */
  previous: Uint32Array;
  /** Dates of the links that have one, as YYYYMMDD. */
  dates: Map<number, number>;
  /** Links written, the past ones too. */
  length: number;
  live: number;
}

const START = 1_024;
/** Past links are cleared away when they are as many as the others, and more than this. */
const PAST_MIN = 65_536;

export const createLinks = (): Links => ({
  start: new Uint32Array(START),
  count: new Uint32Array(START),
  head: new Uint32Array(START),
  target: new Uint32Array(START),
  source: new Uint32Array(START),
  relation: new Uint8Array(START),
  previous: new Uint32Array(START),
  dates: new Map(),
  length: 0,
  live: 0,
});

export function makeRoomForCodes(links: Links, codes: number): void {
  links.start = roomFor(links.start, codes);
  links.count = roomFor(links.count, codes);
  links.head = roomFor(links.head, codes);
}

/** One link to be written. */
export interface NewLink {
  readonly relation: number;
  readonly target: number;
  readonly date: number;
}

/** Writes the links of a code in place of those that it had. */
export function setLinks(links: Links, code: number, added: readonly NewLink[]): void {
  links.live += added.length - links.count[code];
  const end = links.length + added.length;
  links.target = roomFor(links.target, end);
  links.source = roomFor(links.source, end);
  links.relation = roomFor(links.relation, end);
  links.previous = roomFor(links.previous, end);
  links.start[code] = links.length;
  links.count[code] = added.length;
  for (const { relation, target, date } of added) {
    const link = links.length++;
    links.relation[link] = relation;
    links.source[link] = code;
    links.target[link] = target;
    links.previous[link] = links.head[target];
    links.head[target] = link + 1;
    if (date > 0) links.dates.set(link, date);
  }
}

/** Whether a link is still one of its source. */
export function isCurrent(links: Links, link: number): boolean {
  const source = links.source[link];
  const place = link - links.start[source];
  return place >= 0 && place < links.count[source];
}

/** Writes the links that are left one after the other, when too many past ones stand between them. */
export function compactLinks(links: Links, codes: number): void {
  const past = links.length - links.live;
  if (past < PAST_MIN || past < links.live) return;
  const before = { ...links };
  Object.assign(links, createLinks());
  makeRoomForCodes(links, codes);
  for (let code = 0; code < codes; code += 1) {
    const start = before.start[code];
    const added = Array.from({ length: before.count[code] }, (_, place): NewLink => {
      const link = start + place;
      return { relation: before.relation[link], target: before.target[link], date: before.dates.get(link) ?? 0 };
    });
    if (added.length > 0) setLinks(links, code, added);
  }
}
