import { ensureCapacities } from '../ensure-capacity.ts';

const START = 1_024;
/** Replaced links are removed when they outnumber the others and this minimum. */
const PAST_MIN = 65_536;

/** Links between codes, in both directions. A record's links are contiguous; replaced links are skipped. */
export type Links = ReturnType<typeof createLinks>;

export const createLinks = () => ({
  /** First link of a code, and number of links. */
  start: new Uint32Array(START),
  count: new Uint32Array(START),
  /** Last link to a code plus one; 0 if none. */
  head: new Uint32Array(START),
  target: new Uint32Array(START),
  source: new Uint32Array(START),
  relation: new Uint8Array(START),
  /** Previous link to the same target plus one. */
  previous: new Uint32Array(START),
  /** Dates of dated links, as YYYYMMDD. */
  dates: new Map<number, number>(),
  /** Number of links, including replaced ones. */
  length: 0,
  live: 0,
});

const BY_CODE = ['start', 'count', 'head'] as const;
const BY_LINK = ['target', 'source', 'relation', 'previous'] as const;

export const makeRoomForCodes = (links: Links, codes: number): void => ensureCapacities(links, BY_CODE, codes);

export interface NewLink {
  readonly relation: number;
  readonly target: number;
  readonly date: number;
}

export function setLinks(links: Links, code: number, added: readonly NewLink[]): void {
  links.live += added.length - links.count[code];
  ensureCapacities(links, BY_LINK, links.length + added.length);
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

export function isCurrent(links: Links, link: number): boolean {
  const source = links.source[link];
  const index = link - links.start[source];
  return index >= 0 && index < links.count[source];
}

export function compactLinks(links: Links, codes: number): void {
  const past = links.length - links.live;
  if (past < PAST_MIN || past < links.live) return;
  const before = { ...links };
  Object.assign(links, createLinks());
  makeRoomForCodes(links, codes);
  for (let code = 0; code < codes; code += 1) {
    const start = before.start[code];
    const added = Array.from({ length: before.count[code] }, (_, index): NewLink => {
      const link = start + index;
      return { relation: before.relation[link], target: before.target[link], date: before.dates.get(link) ?? 0 };
    });
    if (added.length > 0) setLinks(links, code, added);
  }
}
