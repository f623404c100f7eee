import { type Token, wordsOf } from './sentence-tokens.ts';

/** Who pays, without a name: `VCs`, `venture capital firms`. */
const PAYER =
  /^(?:(?:crypto |web3 |private |institutional )?(?:vcs?|venture capital(?:ists?)?|venture (?:funds?|firms?|investors?)|vc (?:funds?|firms?|investors?)|investors?|(?:investment )?funds))$/;
/** What is paid: `venture capital`, `crypto funding`. */
const MONEY =
  /^(?:crypto |web3 |total |new )?(?:vc|venture|private)?(?: ?(?:capital|investments?|funding|financing|money|cash|dollars))?(?: (?:funding|investments?|money|dollars))?$/;
const PAYS = /^(?:invest(?:ed|ing)?|put|pour(?:ed)?|plowed|ploughed|pump(?:ed)?|channel(?:l?ed)?|inject(?:ed)?)$/;
const GETS = /^(?:get|got|gotten|receive[sd]?|attract(?:ed|s)?|secured?|drawn?|drew|landed?|won|raised)$/;
const FLOWS = /^(?:went|goes|gone|go|going|flow(?:ed|s)?|came|pour(?:ed)?|raised)$/;
const AUXILIARY = /^(?:did|do|does|was|were|is|has|have|had|been|be|being)$/;
const INTO = /^(?:in|into|on|to|by|for|per)$/;
/** Words by which those who pay are asked for, or each of them. */
const OF_PAYERS = /^(?:who|which|whom|whose|each|every|per|average|median)$/;
const LARGEST = /^(?:most|top|largest|biggest)$/;

/**
 * Tokens in which money that nobody in particular pays is what others raise: `how much did VCs invest in gaming in 2021` and `how
 * much venture capital went into gaming` as `how much funding raise in gaming`, `how much did France receive` as `how much did
 * France raise`, `venture capital investment in gaming` as `funding in gaming`.
 */
export function withRaisedMoney(given: readonly Token[]): readonly Token[] {
  // `crypto VC funding`
  const isOfField = (index: number): boolean =>
    /^(?:crypto|web3|blockchain)$/.test(given[index]?.text ?? '') &&
    /^(?:vcs?|venture)$/.test(given[index + 1]?.text ?? '');
  const tokens = given
    .map((token, index) => (isMoreRaised(given, index) ? { ...token, raw: 'funding', text: 'funding' } : token))
    .filter((_, index) => !isOfField(index));
  // `how much did VCs invest per year`, but not `how much did each VC invest`
  const firstPaid = tokens.findIndex(({ text }) => PAYS.test(text));
  const isOfEach = ({ text }: Token, index: number): boolean =>
    OF_PAYERS.test(text) && !(/^(?:each|every|per)$/.test(text) && firstPaid >= 0 && index > firstPaid);
  if (tokens.some((token, index) => isOfEach(token, index) || LARGEST.test(token.text))) return tokens;
  const at = tokens.findIndex(({ text }, index) => text === 'how' && tokens[index + 1]?.text === 'much');
  if (at < 0) return withMoneyFirst(tokens);
  const verb = tokens.findIndex(
    ({ text }, index) => index > at + 1 && (PAYS.test(text) || GETS.test(text) || FLOWS.test(text)),
  );
  if (verb < 0) return tokens;
  const between = tokens.slice(at + 2, verb);
  const auxiliary = between.findIndex(({ text }) => AUXILIARY.test(text));
  const money = auxiliary < 0 ? between : between.slice(0, auxiliary);
  const subject = auxiliary < 0 ? [] : between.slice(auxiliary).filter(({ text }) => !AUXILIARY.test(text));
  if (!MONEY.test(wordsOf(money)) && !PAYER.test(wordsOf(money))) return tokens;
  const isOfPayers = subject.length === 0 || PAYER.test(wordsOf(subject));
  const word = tokens[verb]?.text ?? '';
  const into = tokens[verb + 1];
  const isPaid = isOfPayers && INTO.test(into?.text ?? '') && (PAYS.test(word) || FLOWS.test(word));
  const isReceived = subject.length > 0 && !isOfPayers && GETS.test(word) && word !== 'raised';
  if (!isPaid && !isReceived) return tokens;
  const raise = tokens.slice(verb, verb + 1).map((token) => ({ ...token, text: 'raise' }));
  const after = tokens.slice(verb + (isPaid ? 2 : 1));
  const asked = tokens.slice(0, at + 2);
  if (isReceived) return [...asked, ...between.slice(money.length), ...raise, ...after];
  return [
    ...asked,
    ...raise,
    ...tokens
      .slice(verb + 1, verb + 2)
      .map((token) => (/^(?:by|for|per)$/.test(token.text) ? token : { ...token, text: 'in' })),
    ...after,
  ];
}

/** Whether a word says of what two are compared that it is money: `was more raised in 2021 or 2022`. */
const isMoreRaised = (tokens: readonly Token[], index: number): boolean =>
  /^(?:raised|invested)$/.test(tokens[index]?.text ?? '') &&
  /^(?:more|less)$/.test(tokens[index - 1]?.text ?? '') &&
  tokens.some(({ text }) => /^(?:or|than)$/.test(text));

/** `venture capital investment in gaming`, `total crypto funding to date`: money first, and then what it is of. */
const OPENING =
  /^(?:(?:the )?(?:(?:total|overall|combined|all) (?:amount of )?)?(?:crypto |web3 )?(?:vc|venture|venture capital) (?:investments?|funding|fundraising|money|dollars)|(?:the )?(?:total|overall|combined) (?:amount of )?(?:crypto |web3 |vc |venture )?(?:funding|investments?|financing|amount|money)(?: raised)?|(?:the )?(?:funding|money|capital|amount) raised)$/;
const OPENING_MAX = 7;
const AFTER_OPENING = /^(?:in|into|by|for|from|to|since|\d{4})$/;
/** Of companies, `total raised` is of all years. */
const IN_YEARS = /^total raised in \d{4} and \d{4}$/;

/** `total crypto funding to date`, `venture capital investment in gaming` as `total raise to date`, `total raise in gaming`. */
function withMoneyFirst(tokens: readonly Token[]): readonly Token[] {
  const length = IN_YEARS.test(wordsOf(tokens))
    ? 2
    : Array.from({ length: OPENING_MAX }, (_, less) => OPENING_MAX - less).find((some) =>
        OPENING.test(wordsOf(tokens.slice(0, some))),
      );
  const [next, ...after] = tokens.slice(length);
  const [first] = tokens;
  if (length === undefined || first === undefined || !(next === undefined || AFTER_OPENING.test(next.text)))
    return tokens;
  const into = next?.text === 'into' ? { ...next, text: 'in' } : next;
  return [
    { ...first, raw: 'total', text: 'total' },
    { ...first, raw: 'funding', text: 'raise' },
    ...(into === undefined ? [] : [into, ...after]),
  ];
}
