import { foldName } from '../../contract/names.ts';

/**
 * Entity resolution of people. Accounts decide first; a full name decides only within one chain, event or organisation
 * and without contradicting accounts.
 */

/** Identifying traits of a person; accounts in lower case. */
export interface PersonTraits {
  readonly names: readonly string[];
  readonly githubs: ReadonlySet<string>;
  readonly handles: ReadonlySet<string>;
  /** Chains, events and organisations of the person, such as `event devcon-5`. */
  readonly contexts: ReadonlySet<string>;
}

/** Whether two entries of one account share a word of the name; otherwise the account may be a team's. */
export function namesAgree(known: readonly string[], names: readonly string[]): boolean {
  return names.some((name) => {
    const own = nameWords(name);
    return known.some((other) => {
      const words = nameWords(other);
      return own.some((word) => words.includes(word)) || own.length === 1 || words.length === 1;
    });
  });
}

/** Significant words of a person's name, folded. */
export const nameWords = (name: string): string[] =>
  name
    .split(/[\s.'’-]+/)
    .map(foldName)
    .filter((word) => word.length > 1);

/** Whether the accounts of two entries with one full name do not contradict each other. */
export function accountsAgree(known: PersonTraits, other: PersonTraits): boolean {
  const githubs = [...other.githubs];
  const handles = [...other.handles];
  const isOtherGithub =
    githubs.length > 0 &&
    known.githubs.size > 0 &&
    !githubs.some((github) => [...known.githubs].some((own) => isLikeHandle(own, github)));
  const isOtherHandle =
    handles.length > 0 && known.handles.size > 0 && !handles.some((handle) => known.handles.has(handle));
  return !isOtherGithub && !isOtherHandle;
}

export const sharesContext = (known: PersonTraits, other: PersonTraits): boolean =>
  [...other.contexts].some((context) => known.contexts.has(context));

/** Two accounts of one person mostly share a prefix: raulk and raulkr. */
function isLikeHandle(left: string, right: string): boolean {
  const parts = Array.from({ length: Math.max(0, left.length - 3) }, (_, index) => left.slice(index, index + 4));
  return left === right || parts.some((part) => right.includes(part));
}
