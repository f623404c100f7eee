import { type Token, wordsOf } from './sentence-tokens.ts';

const MORE = '(?:older|younger|bigger|larger|smaller)';
const FIRST = '(?:founded|started|created|launched)';
const INVESTORS = '(?:.+ )?(?:investors?|vcs?|funds?|firms?)';
const INVESTED = '(?:co )?invest(?:ed|s)?';

/**
 * Questions in words that no rule reads, and the same in words that one does. `$name` is what the question has in that group; other
 * words are in place of those left out.
 */
const REPHRASED: readonly (readonly [question: RegExp, phrase: string])[] = [
  [new RegExp(`^(?:is|are|was|were) (?<a>.+?) ${MORE} than (?<b>.+)$`, 'd'), '$a vs $b'],
  [new RegExp(`^(?:is|was|were) (?<a>.+?) ${FIRST} (?:before|after) (?!\\d)(?<b>.+)$`, 'd'), '$a vs $b'],
  [
    new RegExp(
      `^(?:which|who)(?: one| company| investor| fund| exchange)? (?:is|was|were) (?:the )?(?:${MORE}|oldest|biggest|${FIRST} (?:first|earlier|later)) (?<a>.+?) or (?<b>.+)$`,
      'd',
    ),
    '$a vs $b',
  ],
  [
    new RegExp(
      `^(?:how often|how many times|in how many rounds) (?:has|have|had|did|do|does) (?<a>.+?) ${INVESTED}(?: together)? (?:with|alongside) (?<b>.+)$`,
      'd',
    ),
    'how often did $a and $b invest together',
  ],
  [
    /^(?:is|was|are|were) (?<a>.+?) (?:still )?(?:the |a |an )?(?:(?:co )?founder|ceo|cto|cfo|coo|president|employee|partner) (?:of|at) .+$/d,
    'who is $a',
  ],
  [/^(?:is|was) (?<a>.+?) an? (?:investor|backer) (?:in|of) (?<b>.+)$/d, 'did $a invest in $b'],
  [/^(?:is|was) (?<b>.+?) (?:in|among|part of) (?:the )?(?<a>.+?)(?: s)? portfolio$/d, 'did $a invest in $b'],
  [/^(?:is|was) (?<b>.+?) (?:in|part of) the portfolio of (?<a>.+)$/d, 'did $a invest in $b'],
  [
    /^(?:does|did) (?<a>.+?) (?:own|have|hold) (?:a |any )?(?:stake|equity|shares?) (?:in|of) (?<b>.+)$/d,
    'did $a invest in $b',
  ],
  [
    /^(?:did|has) (?<a>.+?) (?:do|done|did|closed?|completed?|finish|finished|announced?|get|got|secured?|land|landed) (?:an? |its |the |any )?(?<b>(?:round|(?:pre seed|seed|series [a-h]|strategic)(?: round)?)(?: .+)?)$/d,
    'did $a raise a $b',
  ],
  [/^(?:did|has) (?<a>.+?) raised? (?:any|some)thing(?<b> .+)?$/d, 'did $a raise money $b'],
  [
    /^who (?:are|were) (?<a>.+?) s (?:biggest|largest|main|major|top|key|known|current|existing) (?:investors|backers|shareholders)$/d,
    'who invested in $a',
  ],
  [
    /^how many (?<n>rounds|deals|investments) (?:did|has) (?<a>.+?) (?:do|done|did)(?<b> .+)?$/d,
    'how many $n did $a make $b',
  ],
  [/^(?:what is|whats|what s) (?:the )?(?:native )?token (?:of|for) (?<a>.+)$/d, 'token symbol of $a'],
  [/^(?:what|which) (?:native )?tokens? (?:does|do|has) (?<a>.+?)(?: have| use| issue)?$/d, 'token symbol of $a'],
  [
    /^(?:does|do|has) (?<a>.+?) (?:have|has|issue|issued|launch|launched) (?:a |its own |any )?(?:native )?tokens?$/d,
    'token symbol of $a',
  ],
  [
    /^(?:on )?(?:what|which) (?:block)?chains? (?:is|does) (?<a>.+?) (?:on|run on|runs on|built on|deployed on|live on|live|deployed|support|use)$/d,
    'tell me about $a',
  ],
  [
    /^(?:who (?:was|were|is|are) |which were )?(?:the )?(?:first|earliest) (?:investors?|backers?) (?:in|of|behind) (?<a>.+)$/d,
    'first round of $a',
  ],
  [
    /^(?:who (?:was|were|are) )?(?:the )?(?<b>(?:pre )?seed|series [a-h]) (?:investors|backers) (?:of|in|behind) (?<a>.+)$/d,
    '$a $b round investors',
  ],
  [
    /^when (?:did|has) (?!.*\b(?:companies|startups|projects)\b)(?<a>.+?) (?:raised?|get|got|receive) (?:its |any )?(?:money|funding|funds|capital)$/d,
    'rounds of $a',
  ],
  [/^(?<a>.+? (?:vs|versus|compared (?:to|with)|and|or)) the (?<b>(?:first|second) half.*)$/d, '$a $b'],
  [
    new RegExp(
      `^(?<a>${INVESTORS})(?: (?:who|that|which))? (?:(?:have|has|did) not|havent|hasnt|didnt) (?:invest(?:ed)?|made (?:any |an )?(?:investments?|deals?))(?: in anything)? since (?<b>.+)$`,
      'd',
    ),
    '$a whose last round was before $b',
  ],
  [
    new RegExp(
      `^(?<a>${INVESTORS}) (?:with|without) (?:no |any )?(?:deals?|investments?|rounds?) since (?<b>.+)$`,
      'd',
    ),
    '$a whose last round was before $b',
  ],
  [
    new RegExp(
      `^(?<a>${INVESTORS})(?: (?:who|that|which))? (?:last invested|whose last investment was) (?<b>.*(?:\\d|ago|year|quarter|month|week).*)$`,
      'd',
    ),
    '$a whose last round was $b',
  ],
  // Grants are a part of some portfolios.
  [
    new RegExp(`^(?:who|which (?<a>${INVESTORS})) ha(?:s|ve) the (?:largest|biggest) portfolios?(?<b> .+)?$`, 'd'),
    'investors by number of portfolio companies $b',
  ],
  [
    /^(?:(?:what|which)(?: \w+)? )?ha(?:s|ve) more (?<n>companies|startups|projects|events) (?<a>.+?) or (?<b>.+)$/d,
    'how many $n in $a vs $b',
  ],
  [/^(?:vc|venture capital) (?:investors|backers) (?:of|in|behind) (?<a>.+)$/d, 'which vcs backed $a'],
  [
    /^(?<a>.*\b)(?:vc|venture capital) (?:deals?|rounds?|deal (?:count|flow|activity))(?<b>\b.*)$/d,
    '$a rounds $b with vcs',
  ],
  [/^(?<a>how many )deals (?<b>with (?:vcs?|venture)\b.*)$/d, '$a rounds $b'],
  [/^(?!who|which|what)(?<a>.+?) (?<b>(?:pre )?seed|series [a-h]|strategic) leads$/d, '$b rounds led by $a'],
  [/^(?<a>.*\bmost )popular(?<b> (?:sectors?|stages?|categor\w+|chains?|countr\w+)\b.*)$/d, '$a common $b'],
  [
    /^(?:what is )?(?:the )?(?:total|combined|overall) (?:known )?(?:funding|amount|money|capital)?(?: ?raised)? ?(?:of|by|for) (?<a>.+?)(?: s)? portfolio(?: companies)?$/d,
    'portfolio companies of $a with the most funding',
  ],
  [/^(?<a>.+? (?:vs|versus|or) .+?) (?:last|latest|most recent) (?:round|investment|deal)s?$/d, '$a'],
  [
    /^(?:did|has) (?<a>.+?) (?:acquired?|b(?:uy|ought)|purchased?|take over) (?:any|some|other|another|a|more)\b(?: other)?(?: (?:compan(?:y|ies)|startups?|projects?|firms?))?(?<b> .+)?$/d,
    'companies acquired by $a $b',
  ],
  [/^did (?<a>.+?) (?:acquire|buy|purchase|take over) (?<b>.+)$/d, 'who acquired $b'],
  [
    /^(?:(?:in )?(?:what|which) year (?:did|was)|how long ago (?:was|did)) (?!most|many|all|any)(?<a>.+?) (?:start|started|founded|launch|launched|begin|created|established)$/d,
    'when was $a founded',
  ],
  [
    /^(?:in )?(?:what|which) year did (?<a>.+?) (?:close|shut down|shutdown|collapse|fail|go bankrupt)$/d,
    'when did $a close',
  ],
  [/^when (?:did|does|will) (?<a>.+?) (?:take place|happen|begin|end)$/d, 'when is $a'],
  [/^when (?:does|will) (?<a>.+?) start$/d, 'when is $a'],
  [/^compare (?<a>(?:(?! in ).)+?) (?:and|with|to) (?<b>(?:(?! in ).)+?)(?<c> (?:in|on) .+)$/d, '$a vs $b $c'],
  [
    /^(?:(?:were|are) there )?more (?<a>\S+(?: \S+)?) or (?<b>\S+(?: \S+)?) (?<n>rounds|deals|funding)(?<c> .+)?$/d,
    '$a vs $b $n $c',
  ],
  [/^(?:compare )?(?<a>.+?) (?:vs|versus) (?<b>.+?)(?: s)? valuations?$/d, 'valuation of $a and $b'],
  [/^(?:which|who)(?: company)? has (?:more|the most) employees (?<a>.+?) or (?<b>.+)$/d, '$a vs $b employees'],
  [
    /^who (?:has )?(?:acquired|bought) (?:any|a|some) (?:company|companies|startups?|projects?)(?<b> .+)?$/d,
    'acquired companies $b',
  ],
  [/^how much (?:do|does|did) (?:crypto )?vcs invest on average(?<b> .+)?$/d, 'average round $b with vcs'],
  // A ticker is no name: `contract address of UNI`.
  [
    /^(?<n>(?:contract|token) address(?:es)?|contract|website|homepage|twitter|github) (?:of|for) (?<a>\S+)$/d,
    'what is the $n of $a',
  ],
  [/^(?<a>\S+) (?:token )?contract address(?:es)?$/d, 'what is the contract address of $a'],
  // No ranking is of acquirers, whom the list of those acquired names.
  [
    /^(?:(?:who|which company) (?:has )?(?:acquired|bought) the most(?: (?:companies|startups|projects))?|(?:the )?(?:most acquisitive|top acquiring) (?:crypto |web3 )?companies|(?:top|biggest|largest|most active) (?:crypto |web3 )?acquirers?)(?<b> .+)?$/d,
    'acquired companies $b',
  ],
  [/^(?:(?:the )?(?:recent|latest) )?(?:news|updates) (?:on|about|from) (?<a>.+)$/d, '$a'],
  [
    /^how much (?:money )?(?:did|has) (?<a>.+?) (?:grant|granted|give(?:n)? (?:out )?in grants)(?<b> (?:to|in|for|since|on) .+)?$/d,
    'total grants by $a $b',
  ],
  [/^cuanto (?:capital de riesgo |dinero |capital )?se (?:invirtio|invirtieron)(?<r> .+)?$/d, 'how much raise $r'],
  [/^quanto (?:capital de risco |dinheiro |capital )?(?:foi investido|se investiu)(?<r> .+)?$/d, 'how much raise $r'],
  [
    /^(?:wie viel|wieviel) (?:wagniskapital|risikokapital|geld|kapital) (?:wurde|floss|ging)(?<r> .+?)?(?: investiert| gesteckt)?$/d,
    'how much raise $r',
  ],
  [
    /^combien (?:de capital risque |de argent )?(?:(?:les )?(?:vcs?|investisseurs|fonds) ont(?: ils)?|a ete) (?:investi|mis)(?<r> .+)?$/d,
    'how much raise $r',
  ],
  [/^(?:was macht|que hace|que fait|o que faz|ce est quoi) (?<a>.+)$/d, 'what does $a do'],
  [/^(?<a>.+?) by (?:lead count|(?:number|count) of leads|leads|rounds led)$/d, '$a that led the most rounds'],
  [/^(?<a>.*) by blockchain (?<b>(?:\w+ )?(?:companies|startups|projects|firms)\b.*)$/d, '$a by $b'],
  // People have neither sector nor place of their companies, which name their founders.
  [
    /^(?:who (?:are|is) |list |find )?(?:all )?(?:the )?(?:co )?founders (?:of|from|at|behind) (?:all )?(?<a>(?:.+ )?(?:companies|startups|projects|protocols)(?: .+)?)$/d,
    '$a',
  ],
  [/^(?:crypto |web3 )?(?:co )?founders (?:(?:based|located|living) )?in (?!common)(?<a>.+)$/d, 'companies in $a'],
  [/^when did (?<a>.+?) (?:start|launch)$/d, 'when was $a founded'],
  [
    /^was (?!(?:any|an?|some) |.*\b(?:company|startup|project|by)\b)(?<a>.+?) (?:founded|started|created|established|launched) (?:in|before|after|since) \d{4}$/d,
    'when was $a founded',
  ],
  [/^is (?<a>.+?) (?:worth|valued at) (?:more|less|over|above|under|below|at least) .+$/d, 'valuation of $a'],
  [/^(?:did|has) (?<a>.+?) raised? at (?:a |its )?valuation .+$/d, 'valuation of $a'],
  [/^(?<v>was|is|has) (?<a>.+?) (?:been )?(?:bought|purchased|taken over|sold)$/d, '$v $a acquired'],
  [/^is (?<a>.+?) (?:dead|gone)$/d, 'is $a closed'],
  [
    /^(?<n>top|biggest|largest)(?<a>(?!.* (?:m a|m&a|merger|acquisition))(?: \d+)? .+?) deals?(?<b> .+)?$/d,
    '$n $a rounds $b',
  ],
  [/^(?<a>.*\b)?deal ?makers?(?<b> .+)?$/d, '$a investors $b'],
  [
    /^(?:(?:which|what|find|show|list) )?(?:other )?(?:crypto |web3 )?(?<n>investors?|vcs?|funds?|vc firms?|vc funds?) (?:(?:are|is) )?(?:like|similar to|comparable to) (?<a>.+)$/d,
    'co investors of $a',
  ],
  [/^similar (?:crypto )?(?:investors?|vcs?|funds?|vc firms?|vc funds?) to (?<a>.+)$/d, 'co investors of $a'],
  [
    /^(?:the )?(?<n>latest|last|most recent|newest) (?<a>(?!round|investment|deal|of|in|by)\S.*?) (?:deal|investment)$/d,
    'latest $a round',
  ],
  [
    /^(?:which|what) (?:crypto |web3 )?(?:sectors?|categor(?:y|ies)|narratives?|tags?) (?:are|is) (?:hot|hottest|trending|booming)(?: right now| now| today| currently)?$/d,
    'top sectors in the last two years',
  ],
  [
    /^(?:(?:which|what) )?(?:are |is )?(?:the )?(?:hot|hottest|trending) (?:crypto |web3 )?(?:sectors?|categor(?:y|ies)|narratives?|tags?)(?: right now| now| today| currently)?$/d,
    'top sectors in the last two years',
  ],
  [
    /^(?<a>sectors|categories|tags|countries|regions|stages|chains|cities)(?: ranked)? by (?:(?:total|known) )?(?:funding|money|capital)(?: raised)?(?<b> .+)?$/d,
    'funding by $a $b',
  ],
  [
    /^(?:the )?(?:last|latest|most recent) (?:rounds?|investments?|deals?) (?:of|by|from) (?<a>.+?) (?:vs|versus|or) (?<b>.+)$/d,
    '$a vs $b',
  ],
  [/^how often (?:does|did|has) (?<a>.+?) (?<b>lead|led)(?<c> .+)?$/d, 'how many rounds did $a $b $c'],
  [/^(?<a>.+?) with (?<b>.+?) as (?:an |its |their |the )?(?:investor|backer)s?$/d, '$a backed by $b'],
  [/^anteil (?:der|von|an) (?<a>.+)$/d, 'share of $a'],
  [
    /^(?:wie viel|wieviel)(?: geld| kapital)? (?:haben|investierten) (?:die )?(?:vcs?|investoren|fonds|risikokapitalgeber) (?<r>.+?)(?: investiert| gesteckt)?$/d,
    'how much raise $r',
  ],
  [/^wie alt ist (?<a>.+)$/d, 'how old is $a'],
  [/^wer hat (?<a>.+) (?:gekauft|ubernommen)$/d, 'who acquired $a'],
  [/^(?:quien (?:compro|adquirio)|qui a (?:rachete|acquis)|quem comprou) (?<a>.+)$/d, 'who acquired $a'],
  [/^wann (?:wurde|hat) (?<a>.+) (?:geschlossen|zugemacht)$/d, 'when did $a close'],
  [/^(?:cuando cerro|quando fechou|quand a ferme) (?<a>.+)$/d, 'when did $a close'],
  [/^(?:firmen|unternehmen|startups|projekte|protokolle) wie (?<a>.+)$/d, 'companies like $a'],
  [
    /^(?:empresas|proyectos|startups|empresas parecidas|projetos) como (?:a |o |el |la )?(?<a>.+)$/d,
    'companies like $a',
  ],
  [/^(?:entreprises|societes|startups|projets) comme (?<a>.+)$/d, 'companies like $a'],
];

/** The tokens in a group of a pattern that matched their words. */
export function tokensIn(tokens: readonly Token[], { indices }: RegExpExecArray, group: string): readonly Token[] {
  const [from, to] = indices?.groups?.[group] ?? [0, 0];
  let start = 0;
  return tokens.filter(({ text }) => {
    const own = start;
    start += text.length + 1;
    return from <= own && own < to;
  });
}

/** Tokens of a question in the words of one that is read; the same array for any other. */
export function rephrased(tokens: readonly Token[]): readonly Token[] {
  const words = wordsOf(tokens);
  const [first] = tokens;
  const [found, phrase = ''] =
    REPHRASED.map(([question, to]) => [question.exec(words), to] as const).find(([match]) => match !== null) ?? [];
  if (found == null || first === undefined) return tokens;
  return phrase
    .split(' ')
    .flatMap((word) =>
      word.startsWith('$') ? tokensIn(tokens, found, word.slice(1)) : { ...first, raw: word, text: word },
    );
}
