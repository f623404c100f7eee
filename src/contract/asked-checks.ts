import type { NamedType } from './entities/index.ts';
import { facets } from './facets.ts';
import { once } from './lazy.ts';

/** Questions whether a fact of one named record is so: `is Acme a DEX`, `did Ada found Acme`, `was Acme bought by Bolt`. */

/** What is asked of the record, and its value as the question words it. */
export interface AskedCheck {
  readonly of:
    | 'investor_type'
    | 'tag'
    | 'chain'
    | 'angel'
    | 'public'
    | 'funding'
    | 'role'
    | 'event'
    | 'place'
    | 'acquirer';
  /** The type and the name of the record that states it. */
  readonly type: NamedType;
  readonly name: string;
  readonly value: string;
  /** The organisation of a role. */
  readonly organization: string;
  /** Whether it is asked of today, rather than of any time. */
  readonly isNow: boolean;
}

const IS = '(?:is|are|was|were)';
const DID = '(?:did|does|do|has|have)';
const TITLE =
  '(?:former |ex-|current )?(?:(?:co-?)?founder|ceo|cto|cfo|coo|president|chair(?:man|woman)?|(?:general |managing )?partner)';
const MONEY = '(?:\\$\\d[\\d.,]*|\\$?\\d[\\d.,]* ?(?:k|m|mn|b|bn|thousand|million|billion))(?: dollars| usd)?';

const FORMS: readonly (readonly [of: AskedCheck['of'], type: NamedType, form: string])[] = [
  ['angel', 'people', `${IS} (?<name>.+?) an? (?<value>angel)(?: investor)?`],
  ['public', 'companies', `${IS} (?<name>.+?) (?:now )?(?<value>public|listed|publicly (?:listed|traded))`],
  ['public', 'companies', `${IS} (?<name>.+?) a (?<value>(?:publicly )?listed|public|publicly traded) company`],
  ['investor_type', 'investors', `${IS} (?<name>.+?) an? (?<value>.+)`],
  ['tag', 'companies', `${IS} (?<name>.+?) an? (?<value>.+)`],
  ['chain', 'companies', `${IS} (?<name>.+?) (?:(?:live|available|deployed|built|running|launched) )?on (?<value>.+)`],
  [
    'chain',
    'companies',
    `${DID} (?<name>.+?) (?:run|work|exist|support|(?:go|gone|been) live|launch(?:ed)?|deploy(?:ed)?)(?: on)? (?<value>.+)`,
  ],
  [
    'funding',
    'companies',
    `${DID} (?<name>.+?) (?:ever )?raised? (?<value>(?:more than|over|above|at least) ${MONEY})(?: (?:in total|so far|in funding|of funding))?`,
  ],
  ['role', 'people', `${DID} (?<name>.+?) (?<value>(?:co-?)?found|create|start)(?:ed)? (?<organization>.+)`],
  [
    'role',
    'people',
    `${IS} (?<name>.+?) (?:(?:the|an?|one of the) )?(?<value>${TITLE})s? (?:of|at) (?<organization>.+)`,
  ],
  ['role', 'people', `${DID} (?<name>.+?) (?:ever |still )?(?<value>work)(?:ed|s)? (?:at|for) (?<organization>.+)`],
  ['role', 'people', `${IS} (?<name>.+?) (?:still )?(?:(?<value>working) )?at (?<organization>.+)`],
  ['event', 'people', `(?:${DID}|will) (?<name>.+?) (?:ever )?(?:speak|spoke|spoken|talk|present) at (?<value>.+)`],
  ['event', 'people', `${IS} (?<name>.+?) a speaker at (?<value>.+)`],
  ['place', 'events', `(?:${IS}|will) (?<name>.+?) (?:be )?(?:(?:held|hosted|taking place) )?in (?<value>.+)`],
  ['place', 'events', `(?:did|does|will) (?<name>.+?) (?:take|took) place in (?<value>.+)`],
  [
    'acquirer',
    'companies',
    `(?:is|was|has|were) (?<name>.+?) (?:been )?(?:(?:acquired|bought|purchased|taken over|owned) by|sold to) (?<value>.+)`,
  ],
  ['acquirer', 'companies', `(?:did|has) (?<value>.+?) (?:acquired?|buy|bought|purchased?|take over) (?<name>.+)`],
];

const forms = once(() => FORMS.map(([of, type, form]) => ({ of, type, form: new RegExp(`^${form}$`, 'i') })));

/** Whether a text begins as such a question does; cheap. */
export const mayCheck = (text: string): boolean => /^\s*(?:is|are|was|were|did|does|do|has|have|will) \S/i.test(text);

/** Words by which a value has a further condition, or is any. */
const OPEN = /\b(?:in|before|after|since|until|during|and|or|not|with)\b|^(?:an?|any|some|his|her|their|its)\b/i;

const NOW = /^(?:is|are|does|do)\b/i;

/** Words beside a kind: `a crypto hedge fund`, `a lending protocol`. */
const BESIDE =
  /^(?:crypto|web3|blockchain) | (?:firm|fund|investor|company|startup|protocol|platform|project|provider|network|chain|blockchain|app)$/gi;

/** The key of a kind of investor or a tag in words; undefined if it is not of the usual ones. */
export const keyOfKind = (kind: 'investor_type' | 'tag', value: string): string | undefined =>
  [value, value.replace(BESIDE, '')].map((words) => facets[kind].key(words)).find((key) => facets[kind].isKnown(key));

/** How a question may be read so; the first of which a record has the type and the name. */
export function checksAskedIn(query: string): readonly AskedCheck[] {
  if (!mayCheck(query)) return [];
  const text = query
    .trim()
    .replace(/\s*[?!.]+$/, '')
    .replace(/\s+/g, ' ');
  return forms().flatMap(({ of, type, form }) => {
    const { name = '', value = '', organization = '' } = form.exec(text)?.groups ?? {};
    const isUnknown = (of === 'investor_type' || of === 'tag') && keyOfKind(of, value) === undefined;
    return name === '' || isUnknown || OPEN.test(value) || OPEN.test(organization)
      ? []
      : { of, type, name, value, organization, isNow: NOW.test(text) && !/^(?:former |ex-)/i.test(value) };
  });
}
