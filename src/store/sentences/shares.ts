import { GROUPS, groupNamed } from '../../contract/aggregate.ts';
import type { FilterName } from '../../contract/filters.ts';
import type { ParseRequest } from './parse-state.ts';
import type { ParsedSentence } from './parser.ts';
import { tokensIn } from './rephrased.ts';
import { type Token, wordsOf } from './sentence-tokens.ts';

const SHARE = '(?:market )?(?:share|percentage|percent|per cent|proportion|fraction|part)';
const WERE = '(?:is|are|was|were|went to|goes to|go to|came from|comes from|involved|involve|belong to|belongs to)';

/** Questions for a share, with the words for the whole and for the part. */
const QUESTIONS: readonly RegExp[] = [
  new RegExp(`^(?:what|which) ${SHARE} of (?:all )?(?<whole>.+?) ${WERE} (?<part>.+)$`, 'd'),
  new RegExp(`^how (?:much|many) of (?:all )?(?<whole>.+?) ${WERE} (?<part>.+)$`, 'd'),
  new RegExp(
    `^(?:what|which) ${SHARE} of (?:all )?(?<whole>.+?) (?:did|does|do) (?<part>.+?) (?:get|receive|attract|raise|take|make up|account for)$`,
    'd',
  ),
  new RegExp(`^(?:what (?:is|was) )?(?:the )?(?<part>.+?)(?: s)? ${SHARE} of (?:all |total )?(?<whole>.+)$`, 'd'),
];

const PREPOSITION = /^(?:in|on|from|led|backed|with|by)$/;
const COMPANIES = /^(?:companies|startups|projects|firms)$/;
const MONEY = /^(?:funding|money|capital|investment|amount|dollars|raised)$/;

/**
 * A question for the share that one value has of what a sentence is of: `what share of rounds in 2021 were DeFi`. Undefined for
 * another question, and where the part is not the whole with one value more of a group.
 */
export function readShare(
  request: ParseRequest,
  parse: (request: ParseRequest) => ParsedSentence | undefined,
): ParsedSentence | undefined {
  const parts = partsOf(request.tokens);
  if (parts === undefined) return undefined;
  const whole = parse({ ...request, tokens: parts.whole });
  const part = parse({ ...request, tokens: parts.both });
  if (whole === undefined || part === undefined || !isRead(whole) || !isRead(part) || part.type !== whole.type)
    return undefined;
  const added = (Object.keys(part.filters) as FilterName[]).filter((name) => whole.filters[name] === undefined);
  const isSame = (Object.keys(whole.filters) as FilterName[]).every(
    (name) => part.filters[name] === whole.filters[name],
  );
  const isOfLeads = added.includes('led') && part.filters.led === true;
  const [name, ...others] = isOfLeads ? added.filter((each) => each !== 'led') : added;
  const group = name && part.type && (isOfLeads ? 'lead_investor' : groupNamed(part.type, name));
  const isGroup = part.type !== undefined && group !== undefined && Object.hasOwn(GROUPS[part.type], group);
  if (!isSame || others.length > 0 || !isGroup || group === undefined) return undefined;
  const ignored = parts.isOfMoney ? ['funding'] : [];
  return { ...part, group_by: [group], share: true, ignored };
}

const isRead = ({ type, text, unstated, group_by: groups }: ParsedSentence): boolean =>
  type !== undefined && text === '' && unstated === undefined && groups === undefined;

interface Parts {
  readonly whole: readonly Token[];
  /** The whole and its part. */
  readonly both: readonly Token[];
  readonly isOfMoney: boolean;
}

function partsOf(tokens: readonly Token[]): Parts | undefined {
  const words = wordsOf(tokens);
  const found = QUESTIONS.map((question) => question.exec(words)).find((match) => match !== null);
  if (found === undefined || found === null) return undefined;
  const [whole, named] = (['whole', 'part'] as const).map((name) => tokensIn(tokens, found, name)) as [
    readonly Token[],
    readonly Token[],
  ];
  const isOfMoney = whole.some(({ text }) => MONEY.test(text));
  // `what share of funding went to US companies`
  const part = isOfMoney ? named.filter(({ text }) => !COMPANIES.test(text)) : named;
  const isBehind = PREPOSITION.test(part[0]?.text ?? '');
  // `what percentage of funding went to DeFi`
  const of =
    whole.length === 1 ? whole.map((token) => (MONEY.test(token.text) ? { ...token, text: 'rounds' } : token)) : whole;
  return {
    whole: of,
    both: isBehind ? [...of, ...part] : [...part, ...of],
    isOfMoney,
  };
}
