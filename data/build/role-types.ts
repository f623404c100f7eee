import type { ROLE_TYPES } from '../../src/contract/vocabulary.ts';

type RoleType = (typeof ROLE_TYPES)[number];

/** What the words of a title say of its kind; the first that fits. */
const WORDS: readonly (readonly [words: RegExp, type: RoleType])[] = [
  [/\b(co-?)?founders?\b|\bfounding partner\b/i, 'founder'],
  [/\bC[A-Z]{1,2}O\b|\b(chief|president|(executive|managing) director|general manager)\b/i, 'executive'],
  [/\b(board|chair(man|woman|person)?)\b/i, 'board'],
  [/\badvis[eo]r\b/i, 'advisor'],
  [/\b(partner|investor)\b/i, 'investor'],
  [
    /\b(team|member|engineer(ing)?|developer|research(er)?|scientist|cryptograph\w+|designer|manager|lead|head|analyst)\b/i,
    'employee',
  ],
];

/** The kind of a role by its title; undefined if its words are of none. */
export const roleTypeOf = (title: string): RoleType | undefined => WORDS.find(([words]) => words.test(title))?.[1];
