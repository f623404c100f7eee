import type { RecordType } from '../../contract/entities/index.ts';
import { type Facet, facets } from '../../contract/facets.ts';
import { type FilterName, filterOf } from '../../contract/filters.ts';
import { once } from '../../contract/lazy.ts';
import { foldName } from '../../contract/names.ts';
import { GRANT } from '../../contract/vocabulary.ts';
import { JOINING, type Lexicon, type Meaning, type Phrase } from './lexicon.ts';
import { type Token, wordsOf } from './sentence-tokens.ts';

/** Facets looked up for the words of a sentence, in order of preference. */
export const FACETS = ['tag', 'chain', 'country', 'city'] as const;
export type FacetName = (typeof FACETS)[number];

/** Facts from the store about the words of a sentence. */
export interface Knowledge {
  typesWith(filter: FacetName, value: string): readonly RecordType[];
  /** Types of the records and unresolved references with this name; empty if none has it. */
  typesNamed(name: string): readonly RecordType[];
  /** Investors whose names begin with a word, most active first; only for sentences about investors. */
  investorsNamed(word: string): readonly string[];
  /** Events whose names begin with a name that no record has, the latest first; only for sentences about speakers. */
  editionsOf(name: string): readonly string[];
  /** Whether a name is, or begins, that of an investor who gives grants; only for sentences about grants or giving. */
  isGiver(name: string): boolean;
}

/** Keys and names to look up for a sentence. */
export interface KnowledgeRequest {
  readonly values: ReadonlyMap<FacetName, ReadonlySet<string>>;
  readonly names: ReadonlySet<string>;
  /** Whether it mentions funding or leading. */
  readonly isOfFunders: boolean;
  readonly isOfSpeakers: boolean;
  /** Whether the sentence mentions grants or giving; the givers are often named by their project. */
  readonly isOfGrants: boolean;
}

/** Shorter words without a meaning, such as `of`, do not end a name. */
const NAME_END_LENGTH_MIN = 4;

/** Maximum words of a value, and of most names. */
export const WORDS_MAX = 4;
/** The same for a name at the end of a text, or between capitals. */
export const NAME_WORDS_MAX = 8;

const FUNDING: readonly Meaning[] = ['led', 'backed', 'backs', 'investments', 'common', 'coInvestors', 'rounds'];

/** Words for people who speak at events. */
export const SPEAKERS = /speaker|ponente|palestrant|orador|redner|sprecher|referent|intervenant|orateur|演讲|嘉宾/;

/** Verbs of who gives grants; `give me` begins a request. */
export const GIVES = /^(?:gives?|gave|given|giving|award(?:s|ed)?|donate[sd]?|distribute[sd]?|grant(?:ed|ing))$/;

/** Everything to look up before a sentence is parsed. */
export function knowledgeRequestOf(tokens: readonly Token[], lexicon: Lexicon): KnowledgeRequest {
  const values = new Map(FACETS.map((filter) => [filter, new Set<string>()]));
  const names = new Set<string>();
  const isOfGrants = tokens.some(
    ({ text }, index) => closedValue(text)?.[1] === GRANT || (index > 0 && GIVES.test(text)),
  );
  const meanings = runsOf(tokens).map((run) => lexicon.phrase(wordsOf(run))?.meanings);
  const isOfFunders = meanings.some((some) => FUNDING.some((meaning) => some?.has(meaning)));
  const isOfSpeakers = meanings.some((some) => some?.has('speaks')) || tokens.some(({ text }) => SPEAKERS.test(text));
  for (const span of nameSpans(tokens, lexicon)) {
    const text = phraseOf(span);
    const name = foldName(text);
    if (name === '') continue;
    names.add(name);
    if (span.length > WORDS_MAX) continue;
    for (const filter of FACETS) for (const key of keysOf(filter, text)) values.get(filter)?.add(key);
  }
  return { values, names, isOfFunders, isOfSpeakers, isOfGrants };
}

/** The runs of tokens that may be a value or name. Function words neither begin nor end one, but for places and a whole text. */
export function nameSpans(tokens: readonly Token[], lexicon: Lexicon): (readonly Token[])[] {
  const isPlain = (token: Token | undefined): boolean => isPlainWord(lexicon.phrase(token?.text ?? ''));
  // Some names end in a word without a meaning or for money: Jump Crypto, Electric Capital.
  const mayEnd = (token: Token | undefined): boolean => {
    const { text = '' } = token ?? {};
    const meanings = lexicon.phrase(text)?.meanings;
    return (
      !isPlain(token) ||
      text === 'capital' ||
      (meanings?.size === 1 && meanings.has('empty') && text.length >= NAME_END_LENGTH_MIN)
    );
  };
  return runsOf(tokens).filter((run) => {
    const [first, last] = [run[0], run.at(-1)];
    if (run.length === tokens.length) return true;
    // Within a text, capitals begin and end names such as Focus Tree and Chris Were.
    const isCapital = first !== tokens[0] && [first, last].every((token) => /^\p{Lu}/u.test(token?.raw ?? ''));
    if (run.length > WORDS_MAX && !isCapital && last !== tokens.at(-1)) return false;
    const mayBegin = !isPlain(first) || (run.length > 1 && (isCapital || BEGINS_NAME.has(first?.text ?? '')));
    return mayBegin && (run.length === 1 || isCapital || mayEnd(last));
  });
}

/** The runs of at most `NAME_WORDS_MAX` tokens. */
const runsOf = (tokens: readonly Token[]): (readonly Token[])[] =>
  tokens.flatMap((_, from) =>
    Array.from({ length: Math.min(NAME_WORDS_MAX, tokens.length - from) }, (_, more) =>
      tokens.slice(from, from + 1 + more),
    ),
  );

export const isNameIn =
  ({ typesNamed }: Knowledge) =>
  (name: string): boolean =>
    typesNamed(name).length > 0;

/** Function words that names of places begin with: New York, Los Angeles, The Hague. */
export const BEGINS_PLACE: ReadonlySet<string> = new Set(['new', 'the', 'la', 'las', 'le', 'el', 'los', 'sao']);

/** The same for names of records: World Liberty Financial, Web3 Foundation. */
const BEGINS_NAME: ReadonlySet<string> = new Set([...BEGINS_PLACE, 'world', 'web3', 'crypto', 'near']);

/** Whether a name is a place that a record has, or a country. */
export const isPlaceIn =
  ({ typesWith }: Knowledge) =>
  (name: string): boolean =>
    isInVocabulary('country', name) ||
    (['country', 'city'] as const).some((filter) => typesWith(filter, name).length > 0);

const PLAIN: readonly Meaning[] = [...JOINING, 'question', 'empty', 'who', 'versus', 'likeness'];

/** Whether a phrase is a function word in every context. */
export const isPlainWord = (phrase: Phrase | undefined): boolean =>
  phrase !== undefined && PLAIN.some((meaning) => phrase.meanings.has(meaning));

/** The keys of a value; several for a region. */
export function keysOf(filter: FacetName, value: string): readonly string[] {
  const facet: Facet = facets[kindOf(filter)];
  return facet.group?.(value) ?? [facet.key(value)];
}

export const isInVocabulary = (filter: FacetName, value: string): boolean =>
  keysOf(filter, value).every((key) => facets[kindOf(filter)].isKnown(key));

const kindOf = (filter: FacetName) => (filterOf(filter) as { kind: keyof typeof facets }).kind;

export const phraseOf = (tokens: readonly Token[]): string => tokens.map(({ raw }) => raw).join(' ');

/** Spellings of closed vocabulary values, folded. */
const STAGES: Readonly<Record<string, string>> = {
  pre_seed: 'pre seed|preseed|pre semilla|pre semente|pre amorcage|pre seed runde|种子前',
  seed: 'seed|seeds|seed stage|seed funding|semilla|semente|amorcage|seedrunde|seedrunden|种子轮',
  series_a: 'series a|a rounds|serie a|a轮',
  series_b: 'series b|b round|b rounds|serie b|b轮',
  series_c: 'series c|c round|c rounds|serie c|c轮',
  series_d: 'series d|d round|d rounds|serie d|d轮',
  series_e: 'series e|e round|e rounds|serie e|e轮',
  series_f: 'series f|f round|f rounds|serie f|f轮',
  pre_series_a: 'pre series a|pre a',
  strategic: 'strategic round|strategic rounds|strategic funding|战略融资|战略轮',
  initial_coin_offering: 'ico|icos|initial coin offering|initial coin offerings',
  private_token_sale: 'private token sale|private token sales|private sale|private sales',
  public_token_sale: 'public token sale|public token sales|public sale|public sales|ido|idos|ieo|ieos',
  'initial_coin_offering|public_token_sale|private_token_sale': 'token sale|token sales',
  angel: 'angel round|angel rounds|天使轮',
  grant:
    'grant|grants|was granted|were granted|been granted|subvencion|subvenciones|subvencao|subvencoes|zuschuss|zuschusse|forderung|forderungen|subvention|subventions|资助|赠款',
  convertible_note: 'convertible note|convertible notes',
  'pre_seed|seed|pre_series_a|series_a': 'early stage|early stage rounds',
  'series_c|series_d|series_e|series_f|series_g|series_h':
    'late stage|late stage rounds|later stage|growth round|growth rounds|growth stage',
  'debt_financing|post_ipo_debt': 'debt financing|debt round|debt rounds|loan|loans',
  m_and_a: 'm and a|m & a',
};
const EVENT_TYPES: Readonly<Record<string, string>> = {
  hackathon: 'hackathon|hackathons|hackaton|hackatones|黑客松',
  meetup: 'meetup|meetups',
  workshop: 'workshop|workshops|taller|talleres|oficina|oficinas|atelier|ateliers',
  // A summit is a conference as well.
  'conference|summit':
    'conference|conferences|conferencia|conferencias|congreso|congresos|congresso|congressos|konferenz|konferenzen|kongress|kongresse|congres|会议|大会',
  festival: 'festival|festivals|festivales|festivais',
  summit: 'summit|summits|cumbre|cumbres|cupula|cupulas|gipfel|sommet|sommets|峰会',
};
const INVESTOR_TYPES: Readonly<Record<string, string>> = {
  accelerator:
    'accelerator|accelerators|acelerador|aceleradora|aceleradoras|aceleradores|accelerateur|accelerateurs|加速器',
  incubator: 'incubator|incubators|incubadora|incubadoras|inkubator|incubateur|incubateurs|孵化器',
  hedge_fund:
    'hedge fund|hedge funds|hedgefonds|fondo de cobertura|fondos de cobertura|fonds speculatif|fonds speculatifs|fundo de hedge|fundos de hedge|对冲基金',
  family_office: 'family office|family offices|家族办公室',
  corporate_venture_capital:
    'corporate vc|corporate vcs|corporate venture|corporate ventures|corporate venture capital|corporate venture arm|corporate venture arms|corporate investor|corporate investors',
  exchange_arm:
    'exchange arm|exchange arms|exchange venture arm|exchange venture arms|exchanges venture arms|venture arms of exchanges',
  'corporate_venture_capital|exchange_arm': 'venture arm|venture arms',
  ecosystem_fund: 'ecosystem fund|ecosystem funds',
  syndicate: 'syndicate|syndicates',
  dao: 'dao investor|dao investors|investment dao|investment daos|investor dao|investor daos|dao invests|daos invest|dao that invests|daos that invest|daos investing',
  launchpad: 'launchpad|launchpads',
  market_maker: 'market maker|market makers|做市商',
  micro_vc: 'micro vc|micro vcs|micro fund|micro funds',
  private_equity:
    'private equity firm|private equity firms|private equity fund|private equity funds|private equity investor|private equity investors|pe firm|pe firms|pe fund|pe funds',
};

const STATUSES: Readonly<Record<string, string>> = {
  acquired:
    'acquired|ubernommen|compradas|rachete|acquisition|acquisitions|mergers and acquisitions|adquirida|adquiridas|adquisicion|adquisiciones|aquisicao|aquisicoes|ubernommene|ubernommenen|ubernahme|ubernahmen|rachetees|被收购|收购|并购',
  closed:
    'cerraron en|cerro en|fecharam em|encerraram em|cerrada|cerradas|quebradas|fechada|fechadas|encerradas|falidas|geschlossen|geschlossene|geschlossenen|eingestellte|insolvente|fermees|ont ferme|a ferme|disparues|en faillite|关闭|已关闭|倒闭|已倒闭|破产|shut down|shutdown|closed down|defunct|dead|out of business|went bankrupt|bankrupt|insolvent|failed|collapsed|inactive|inactivas|inativas|inaktive|inaktiven|inactives',
};
const SOURCED: Readonly<Record<string, string>> = {
  true: 'sourced|with source|with sources|with a source|that have a source',
  false:
    'unsourced|not sourced|without source|without sources|without a source|without any source|with no source|with no sources|no source',
};
/** Stems of adjectives of countries in English, Spanish, German, French and Portuguese. */
const NATIONAL: Readonly<Record<string, string>> = {
  Argentina: 'argentin|argentine|argentinian|argentinisch',
  Australia: 'australian|australisch|australien',
  Austria: 'austrian|austriac|osterreichisch|autrichien',
  Bangladesh: 'bangladeshi',
  Belgium: 'belgian|belg|belgisch|belge',
  Brazil: 'brazilian|brasilen|brasileir|brasilianisch|bresilien',
  Bulgaria: 'bulgarian|bulgar|bulgarisch|bulgare',
  Canada: 'canadian|canadens|canadiense|kanadisch|canadien',
  Chile: 'chilean|chilen|chilenisch|chilien',
  China: 'chinese|chin|chinesisch|chinois',
  Colombia: 'colombian|kolumbianisch|colombien',
  Croatia: 'croatian|croat|kroatisch|croate',
  Cyprus: 'cypriot|chipriot|cipriot|zypriotisch|chypriot',
  'Czech Republic': 'czech|chec|tschechisch|tcheque',
  Denmark: 'danish|danes|dinamarques|danisch|danois',
  Egypt: 'egyptian|egipci|agyptisch|egyptien',
  Estonia: 'estonian|estoni|estnisch|estonien',
  Finland: 'finnish|finlandes|finnisch|finlandais',
  France: 'french|frances|franzosisch|francais',
  Germany: 'german|aleman|alema|alemaes|deutsch|allemand',
  Ghana: 'ghanaian',
  Greece: 'greek|grieg|greg|griechisch|grec',
  Hungary: 'hungarian|hungar|ungarisch|hongrois',
  Iceland: 'icelandic|islandes|islandisch|islandais',
  India: 'indian|indisch|indien',
  Indonesia: 'indonesian|indonesi|indonesisch|indonesien',
  Ireland: 'irish|irlandes|irisch|irlandais',
  Israel: 'israeli|israelisch|israelien',
  Italy: 'italian|italienisch|italien',
  Japan: 'japanese|japones|japanisch|japonais',
  Kenya: 'kenyan|kenianisch',
  Latvia: 'latvian|leton|lettisch|letton',
  Lithuania: 'lithuanian|lituan|litauisch|lituanien',
  Luxembourg: 'luxembourgish|luxemburgues|luxemburgisch|luxembourgeois',
  Malaysia: 'malaysian|malasi|malaysisch|malaisien',
  Malta: 'maltese|maltes|maltesisch|maltais',
  Mexico: 'mexican|mexikanisch|mexicain',
  Netherlands: 'dutch|holandes|neerlandes|niederlandisch|neerlandais',
  'New Zealand': 'new zealand|neozelandes|neuseelandisch|neo zelandais',
  Nigeria: 'nigerian|nigerianisch',
  Norway: 'norwegian|norueg|norwegisch|norvegien',
  Pakistan: 'pakistani|pakistanisch|pakistanais',
  Peru: 'peruvian|peruan|peruanisch|peruvien',
  Philippines: 'filipino|philippine|filipin|philippinisch|philippin',
  Poland: 'polish|polac|polnisch|polonais',
  Portugal: 'portuguese|portugues|portugiesisch|portugais',
  Romania: 'romanian|ruman|romen|rumanisch|roumain',
  Russia: 'russian|rus|russisch|russ',
  'Saudi Arabia': 'saudi|saudisch|saoudien',
  Serbia: 'serbian|serbi|serbisch|serbe',
  Singapore: 'singaporean|singapurian|singapurense|singapurisch|singapourien',
  Slovakia: 'slovak|eslovac|slowakisch|slovaque',
  Slovenia: 'slovenian|esloven|slowenisch|slovene',
  'South Africa': 'south african|sudafrican|sudafrikanisch|sud africain',
  'South Korea': 'korean|south korean|corean|sudkoreanisch|coreen|sud coreen',
  Spain: 'spanish|espanol|spanisch|espagnol',
  Sweden: 'swedish|suec|schwedisch|suedois',
  Switzerland: 'swiss|suiz|suic|schweizer|schweizerisch|suisse',
  Taiwan: 'taiwanese|taiwanes|taiwanisch|taiwanais',
  Thailand: 'thai|tailandes|thailandisch|thailandais',
  Turkey: 'turkish|turc|turkisch|turqu',
  Ukraine: 'ukrainian|ucranian|ukrainisch|ukrainien',
  'United Arab Emirates': 'emirati',
  'United Kingdom': 'british|britanic|britisch|britannique',
  'United States': 'american|estadounidense|estadunidense|norte american|amerikanisch|us amerikanisch|americain',
  Vietnam: 'vietnamese|vietnamit|vietnamesisch|vietnamien',
};
/** Endings of gender, number and case. */
const ENDINGS = ['', 's', 'o', 'a', 'os', 'as', 'e', 'es', 'en', 'er', 'em', 'ne', 'nes'];

/** Codes of countries that are words without their preposition, and adjectives of regions. */
const COUNTRIES: Readonly<Record<string, string>> = {
  'Latin America': 'latin american',
  'North America': 'north american',
  'South America': 'south american',
  'United Arab Emirates': 'uae|the uae|in uae|in the uae',
  'United Kingdom': 'uk|the uk|in uk|in the uk|uk based',
  'United States': 'usa|the usa|the us|in us|in usa|in the us|in the usa|us based|usa based',
};

/** The same of cities. */
const OF_CITIES: Readonly<Record<string, string>> = {
  Barcelona: 'barcelones',
  Berlin: 'berliner|berlines',
  Lisbon: 'lisboet|lisbonnais',
  London: 'londoner|londonien|londinens',
  Madrid: 'madrilen',
  Munich: 'munchner|munchener|munichois',
  Paris: 'parisian|parisien|parisin|pariser',
  Vienna: 'viennese|viennois|wiener',
  Zurich: 'zurcher|zurichois',
};

const inflected = (stems: string): string[] =>
  stems.split('|').flatMap((stem) => ENDINGS.map((ending) => stem + ending));

const closedVocabulary = once((): ReadonlyMap<string, readonly [FilterName, string]> => {
  const inflectedOf = (stems: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(stems).map(([name, some]) => [name, inflected(some).join('|')]));
  const all = [
    ['funding_stage', STAGES],
    ['event_type', EVENT_TYPES],
    ['investor_type', INVESTOR_TYPES],
    ['status', STATUSES],
    ['sourced', SOURCED],
    ['verified', { true: 'verified', false: 'unverified|not verified' }],
    ['country', COUNTRIES],
    ['country', inflectedOf(NATIONAL)],
    ['city', inflectedOf(OF_CITIES)],
  ] as const;
  return new Map(
    all.flatMap(([filter, values]) =>
      Object.entries(values).flatMap(([value, spellings]) =>
        spellings.split('|').map((spelling) => [spelling, [filter, value]] as const),
      ),
    ),
  );
});

/** The folded words of the closed vocabulary of a filter. */
export const closedWords = (filter: FilterName): string[] =>
  [...closedVocabulary()].filter(([, [of]]) => of === filter).map(([words]) => words);

/** The closed vocabulary value of some folded words. */
export const closedValue = (words: string): readonly [FilterName, string] | undefined =>
  closedVocabulary().get(words.replace(/ (?=\p{Script=Han})/gu, '').replace(/轮融资$/, '轮'));
