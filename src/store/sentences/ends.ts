import type { AskedCheck } from '../../contract/asked-checks.ts';
import { phraseOf } from './knowledge.ts';
import type { ParsedSentence } from './parser.ts';
import { tokensIn } from './rephrased.ts';
import { type Token, wordsOf } from './sentence-tokens.ts';

/** What became of companies: what a company acquired, who acquired it, and when it was acquired or closed. */

/** The whole of a sentence about a company: `acquirer` lists what it acquired, `end` asks what became of it. */
export interface EndAsked {
  readonly of: 'acquirer' | 'end';
  readonly name: string;
  readonly year: string | undefined;
}

const ORDERS = '(?:(?:list|show|show me|give me|find|all|the|which|what) )*';
const COMPANIES = '(?:compan(?:y|ies)|startups?|firms?|projects?)';
const BUY = '(?:acquired?|buy|bought|purchased?|take over|taken over)';
const BOUGHT = '(?:acquired|bought|purchased|taken over)';

const FORMS: readonly (readonly [of: EndAsked['of'], form: RegExp])[] = (
  [
    ['acquirer', `${ORDERS}(?:${COMPANIES}|who|whom|what) (?:did|has|have) (?<name>.+?) (?:ever )?${BUY}`],
    ['acquirer', `${ORDERS}${COMPANIES} (?:that |which )?(?:were |was |are |got )?${BOUGHT} by (?<name>.+?)`],
    ['acquirer', `${ORDERS}(?:acquisitions|takeovers) (?:by|of|from) (?<name>.+?)`],
    ['acquirer', `${ORDERS}(?<name>.+?)(?: s)? (?:acquisitions|takeovers)`],
    ['end', `(?:who|which company) (?:has )?(?:acquired|bought|purchased|took over) (?<name>.+?)`],
    ['end', 'who (?:currently |now )?owns (?<name>.+?)'],
    ['end', `(?:who was|by whom was) (?<name>.+?) ${BOUGHT}(?: by)?`],
    ['end', `when was (?<name>.+?) (?:${BOUGHT}|closed|closed down|shut down)`],
    [
      'end',
      'when did (?<name>.+?) (?:close|close down|shut down|shutdown|collapse|fail|die|go bankrupt|go out of business|cease operations)',
    ],
  ] as const
).map(([of, form]) => [of, new RegExp(`^${form}(?: in (?<year>(?:19|20)\\d\\d))?$`, 'd')]);

/** What a sentence asks of a company, whose name is still to be found; undefined for any other sentence. */
export function endAskedIn(tokens: readonly Token[]): EndAsked | undefined {
  const words = wordsOf(tokens);
  for (const [of, form] of FORMS) {
    const found = form.exec(words);
    const name = found === null ? [] : tokensIn(tokens, found, 'name');
    if (name.length > 0) return { of, name: phraseOf(name), year: found?.groups?.['year'] };
  }
  return undefined;
}

/** The sentence that asks whether something is so of a named record, as its type and name. */
export const sentenceOfCheck = ({ type, name }: AskedCheck): ParsedSentence => ({
  ...sentenceOfEnd({ of: 'end', name, year: undefined }),
  type,
});

/** The sentence that asks so, as filters or a name. */
export function sentenceOfEnd({ of, name, year }: EndAsked): ParsedSentence {
  const inYear = year === undefined ? {} : { status_from: year, status_to: `${year}-12-31` };
  const isList = of === 'acquirer';
  return {
    ...(isList && { type: 'companies' }),
    filters: isList ? { status: 'acquired', acquirer: name, ...inYear } : {},
    text: isList ? '' : name,
    ignored: [],
    soft: new Map(),
    sparse: new Map(),
    isOfFunding: false,
    isOfDeals: false,
    isCertain: isList,
    isAsked: true,
    isComparison: false,
    isWhole: isList ? true : 'if named',
    hasUnknownPlace: false,
  };
}
