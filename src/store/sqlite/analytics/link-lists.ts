import { GROUPS } from '../../../contract/aggregate.ts';
import { RECORD_TYPES, type RecordType } from '../../../contract/entities/index.ts';
import { relations, type Step } from '../../../contract/relations.ts';
import { ensureCapacities, ensureCapacity } from '../ensure-capacity.ts';
import type { ChangeObserver } from './columns.ts';
import { isCurrent, type Links } from './link-graph.ts';
import { fitScratch, type Scratch } from './scratch.ts';

/** The groups by linked records. Paths are links of the record, or links to it and then of the linking record. */
const LINK_GROUPS = RECORD_TYPES.flatMap((type) =>
  Object.entries(GROUPS[type]).flatMap(([group, source]) =>
    source.kind === 'links' ? [{ type, group, paths: source.paths.map((path) => path.map(indexed)) }] : [],
  ),
);
/** By relation, the groups whose lists depend on links to their records. */
const GROUPS_BACK = relations.map((_, relation) =>
  LINK_GROUPS.flatMap(({ paths }, index) =>
    paths.some(([first]) => first?.isBack && first.relation === relation) ? [index] : [],
  ),
);
const GROUPS_OF = RECORD_TYPES.map((type) => LINK_GROUPS.flatMap((each, index) => (each.type === type ? [index] : [])));
const START = 1_024;
/** The pool is compacted when the unused part is larger than this and the rest. */
const UNUSED_MIN = 16_384;

type IndexedStep = ReturnType<typeof indexed>;

function indexed({ relation, direction }: Step) {
  return { relation: relations.indexOf(relation), isBack: direction === 'back' };
}

export const linkGroup = (type: RecordType, group: string): number =>
  LINK_GROUPS.findIndex((each) => each.type === type && each.group === group);

/** Per record of a type, the distinct linked records or names that it is grouped under: its members. */
type LinkLists = ReturnType<typeof createLinkLists>[number];

export const createLinkLists = () =>
  LINK_GROUPS.map(() => ({
    /** By code, index of its list in the pool. */
    column: new Uint32Array(START),
    /** Lists, each preceded by its length; list 0 is empty. */
    pool: new Uint32Array(START),
    length: 1,
    /** Part of the pool that is no longer used. */
    unused: 0,
    /** The number of each code as a member, from 1, and the reverse. */
    numberOf: new Uint32Array(START),
    memberAt: new Uint32Array(START),
    /** Number of members plus one. */
    members: 1,
    /** Codes whose links changed since their list was written, each once. */
    due: new Uint32Array(START),
    dueLength: 0,
    isDue: new Uint8Array(START),
  }));

/** The parts of the columns that lists follow from. */
interface Linked {
  readonly size: number;
  readonly type: Uint8Array;
  readonly isLive: Uint8Array;
  readonly links: Links;
  readonly linkLists: readonly LinkLists[];
}

/** Notes the lists that depend on the links of a record. Call it before and after they change. */
export function noteLinks({ type, links, linkLists }: Linked, code: number): void {
  for (const group of GROUPS_OF[type[code]]) note(linkLists[group], code);
  const end = links.start[code] + links.count[code];
  for (let link = links.start[code]; link < end; link += 1) {
    const target = links.target[link];
    for (const group of GROUPS_BACK[links.relation[link]]) {
      if (RECORD_TYPES[type[target]] === LINK_GROUPS[group].type) note(linkLists[group], target);
    }
  }
}

function note(lists: LinkLists, code: number): void {
  if (lists.isDue[code] === 1) return;
  lists.isDue = ensureCapacity(lists.isDue, code + 1);
  lists.isDue[code] = 1;
  lists.due = ensureCapacity(lists.due, lists.dueLength + 1);
  lists.due[lists.dueLength++] = code;
}

/** Writes the lists that are due, or some of them. Returns whether none is left. */
export function refreshLinkLists(
  columns: Linked,
  scratch: Scratch,
  {
    follower,
    count = Number.POSITIVE_INFINITY,
  }: { readonly follower: ChangeObserver; readonly count?: number | undefined },
): boolean {
  fitScratch(scratch, columns.size);
  let left = count;
  const written = columns.linkLists.map((lists) => {
    ensureCapacities(lists, ['column', 'numberOf'], columns.size);
    const start = Math.max(0, lists.dueLength - left);
    const codes = lists.due.slice(start, lists.dueLength);
    left -= codes.length;
    lists.dueLength = start;
    return codes;
  });
  const codes = Uint32Array.from(new Set(written.flatMap((some) => [...some])));
  const apply = (): void => {
    for (const [group, some] of written.entries())
      for (const code of some) writeList(columns, scratch, { group, code });
  };
  if (codes.length > 0) follower.change({ codes, apply });
  for (const [group, lists] of columns.linkLists.entries()) {
    if (lists.unused >= UNUSED_MIN && lists.unused >= lists.length / 2) compact(lists, LINK_GROUPS[group], follower);
  }
  return columns.linkLists.every(({ dueLength }) => dueLength === 0);
}

/** Writes the list anew if it differs, because changes that are followed later refer to the one before. */
function writeList(columns: Linked, scratch: Scratch, { group, code }: { group: number; code: number }): void {
  const { links, isLive, linkLists } = columns;
  const lists = linkLists[group];
  const { members } = scratch;
  scratch.turn += 1;
  const { turn } = scratch;
  const start = lists.length;
  const before = lists.column[code];
  let end = start + 1;
  let isSame = true;
  const add = (target: number): void => {
    if (members[target] === turn) return;
    members[target] = turn;
    if (end >= lists.pool.length) lists.pool = ensureCapacity(lists.pool, end + 1);
    const number = numberOfMember(lists, target);
    isSame &&= lists.pool[before + end - start] === number;
    lists.pool[end++] = number;
  };
  lists.isDue[code] = 0;
  lists.pool = ensureCapacity(lists.pool, end);
  if (isLive[code] === 1) for (const path of LINK_GROUPS[group].paths) walk(links, code, path, add);
  const count = end - start - 1;
  if (isSame && lists.pool[before] === count) return;
  // List 0 is shared and stays empty.
  if (before > 0) lists.unused += lists.pool[before] + 1;
  lists.pool[start] = count;
  lists.column[code] = count === 0 ? 0 : start;
  if (count > 0) lists.length = end;
}

function numberOfMember(lists: LinkLists, code: number): number {
  const known = lists.numberOf[code];
  if (known > 0) return known;
  const number = lists.members++;
  lists.memberAt = ensureCapacity(lists.memberAt, lists.members);
  lists.memberAt[number] = code;
  lists.numberOf[code] = number;
  return number;
}

/** Calls `reach` with the end of each path of one or two steps. */
function walk(links: Links, code: number, [first, second]: readonly IndexedStep[], reach: (to: number) => void): void {
  if (first === undefined) return;
  step(links, code, first, second === undefined ? reach : (next) => step(links, next, second, reach));
}

function step(links: Links, code: number, { relation, isBack }: IndexedStep, reach: (to: number) => void): void {
  if (isBack) {
    for (let next = links.head[code]; next > 0; next = links.previous[next - 1]) {
      const link = next - 1;
      if (links.relation[link] === relation && isCurrent(links, link)) reach(links.source[link]);
    }
    return;
  }
  const end = links.start[code] + links.count[code];
  for (let link = links.start[code]; link < end; link += 1) {
    if (links.relation[link] === relation) reach(links.target[link]);
  }
}

function compact(lists: LinkLists, { type, group }: (typeof LINK_GROUPS)[number], follower: ChangeObserver): void {
  const { pool, column } = lists;
  const compacted = new Uint32Array(pool.length);
  let length = 1;
  const move = (list: number): number => {
    if (list === 0) return 0;
    const moved = length;
    for (let entry = list; entry <= list + pool[list]; entry += 1) compacted[length++] = pool[entry];
    return moved;
  };
  for (let code = 0; code < column.length; code += 1) column[code] = move(column[code]);
  follower.moveLists({ of: type, group }, move);
  lists.pool = compacted;
  lists.length = length;
  lists.unused = 0;
}
