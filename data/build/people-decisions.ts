/** What a reader decided by hand about people, each with its reason: who is nobody, and which names are one person. */

/**
 * Words of forms and of roles: a name of nothing else is a line that nobody filled in, or a heading.
 */
export const FORM_WORDS = new Set(
  `a address and applicant architect architecture backend blockchain business company contact contracts data
  department design development email engineering entity first frontend full head hiring last leader legal marketing
  name of operations overall owner person product project registered research role science security smart software
  solution solutions structure support tba tbd technical technology the website your`.split(/\s+/),
);

/** Names in documents that are no persons: teams, firms and their accounts. */
export const NOT_PEOPLE = new Set([
  'cozyfinance',
  'defiwonderland',
  'easyinnova',
  'eosclassic',
  'ethereummagicians',
  'houdininft',
  'ipfsunion',
  'lexclinic',
  'orchiddev',
  'pillarwallet',
  'streamnft',
  'startfundinc',
  'dobbylabs',
  'honorlabs',
  'derivstudio',
  'contactemail',
  'polkadotecosystemcollaborators',
  'productmanager',
  'teamlead',
]);

/** People who asked to be left out: SHA-256 of the folded name or account, which every build honours. */
export const REMOVED_PEOPLE = new Set<string>([]);

/** Full names that more than one person of a context bears. */
export const DIFFERENT_PEOPLE = new Set<string>(['yangliu', 'weiwu']);

/** Full names, folded, whose bearers in sources without a common chain are one well-known person. */
export const SAME_PEOPLE = new Set(
  `vitalikbuterin danrobinson georgioskonstantopoulos josephpoon vladzamfir emingunsirer elaineshi tarunchitra sreeramkannan
  benediktbunz harrykalodner ianmiers mustafaalbassam jerrybrito johnlight elibensasson benfisch sebastianfaust
  andrewmiller osukesudo daejunpark everetthildenbrandt michaelyuan hungyingtai conorsvensson thibautsardan
  patrickventuzelo hyungsukkang willemolding marinpetrunic martintriay julienniset christianreitwiessner
  gavinwood meltemdemirors ryanselkis illiapolosukhin vasiliyshapovalov danielivanov afrischoedon antoineherzog
  aleksandrkrupenkin belmagutlic chriscassano davidsneider albertocuestacanada skeletorspaceman fernandoparis
  gajindersingh georgehuang kaylin shawnzheng aaronchen lixinliu glebnaumenko jackboyuanxu jonstephens johnburnham
  francescorisitano shuheihiya stanlyjohnson marekolszewski manuelaraoz nicolasbacca sergiolerner`.split(/\s+/),
);

/** Accounts that are of the person who has the other one: [account, other account, reason]. */
export const SAME_ACCOUNTS: readonly (readonly [account: string, other: string, reason: string])[] = [
  ['github:0xskeletor-spaceman', 'github:skeletor-spaceman', 'one made-up name, and documents of one standard'],
];

/** Accounts under which documents have one person by two names: [account, reason]. */
export const RENAMED_ACCOUNTS: readonly (readonly [account: string, reason: string])[] = [
  ['github:jamesavechives', 'both names sign documents of one standard'],
];

/**
 * People whom sources have under two names or accounts: [key, the other's key, reason]. The first joins the second, whose
 * slug stays, and its name becomes an alias.
 */
export const MERGED_PEOPLE: readonly (readonly [key: string, into: string, reason: string])[] = [
  ['devcon:0age', 'github:0age', 'its profile has the name twice'],
  ['x:z0age', 'github:0age', 'z0age is the account of 0age, who led protocol development at OpenSea'],
  ['x:lightclients', 'github:lightclient', 'the account of the author'],
  ['github:maurelian', 'x:maurelian_', 'one made-up name'],
  ['github:0xjoxess', 'github:joxess', 'one made-up name, and standards of one team'],
  ['github:weiwu-zhang', 'x:zhangweiwu', 'the account has the full name'],
  ['x:auryn_macmillan', 'github:auryn-macmillan', 'the account has the full name'],
  ['x:phildaian', 'devcon:phildaian', 'Phil is short for Philip'],
  ['x:crisgarner', 'github:crisgarner', 'one account on both sites'],
  ['x:hesterbruikman', 'devcon:hesterbruikman', 'the account has the full name'],
  ['x:kaanuzdogan', 'github:kuzdogan', 'the account has the full name'],
  ['devcon:leonardoalt', 'x:leonardoalt', 'the account has the full name'],
  ['x:protolambda', 'github:protolambda', 'one account on both sites'],
  ['x:timdaub', 'github:timdaub', 'one account on both sites'],
  ['github:chiro-hiro', 'w3f-grants:chirohiro', 'the account has the full name'],
  ['x:naimashhab', 'github:ashhanai', 'the account has the full name'],
  ['github:divide-by-0', 'x:yush_g', 'Yush G is the name of the account'],
  ['github:zac-williamson', 'editors:zacwilliamson', 'the account has the short name'],
  ['devcon:gregorycolvin', 'github:gcolvin', 'Greg is short for Gregory'],
  ['devcon:gregmarkou', 'github:gregthegreek', 'Greg is short for Gregory'],
  ['github:nagydani', 'devcon:danielnagy', 'with and without the initial'],
  ['devcon:juanbatizbenet', 'devcon:juanbenet', 'his full name'],
  ['github:jbenet', 'devcon:juanbenet', 'his account'],
  ['devcon:piotrekviggithjaniuk', 'devcon:piotrjaniuk', 'his nickname stands in the name'],
  ['w3f-grants:alexsandrkrrupenkin', 'devcon:aleksandrkrupenkin', 'misspelt'],
  ['x:alegw', 'devcon:alejandromachado', 'Ale is short for Alejandro'],
  ['editors:alexandrvlasov', 'github:shamatar', 'the founder of Matter Labs signs as Alex'],
  ['devcon:eleazargalano', 'x:egalano', 'E.G. are his initials'],
  ['x:theinstagibbs', 'bips:gregorysanders', 'Greg is short for Gregory'],
  ['devcon:jayntibhaikanani', 'editors:jayntikanani', 'his full name'],
  ['github:sergiodemianlerner', 'devcon:sergiolerner', 'with and without the middle name'],
  ['github:bbondy', 'editors:brianbondy', 'with and without the initial'],
  ['bips:gregmaxwell', 'editors:gregorymaxwell', 'Greg is short for Gregory'],
  ['devcon:matthewspoke', 'devcon:mattspoke', 'Matt is short for Matthew'],
  ['devcon:mathewspoke', 'devcon:mattspoke', 'Matt is short for Matthew, misspelt'],
  ['devcon:mattslipper', 'github:mslipper', 'Matt is short for Matthew'],
  ['devcon:matttan', 'devcon:matthewtan', 'Matt is short for Matthew; both spoke on Etherscan'],
  ['devcon:dimitrykhoklov', 'devcon:dimitrykhokhlov', 'misspelt'],
  ['devcon:luciusmeredith', 'devcon:luciusgregmeredith', 'with and without the middle name'],
  ['devcon:ronaldresnick', 'devcon:ronresnick', 'Ron is short for Ronald'],
  ['w3f-grants:maxgravit', 'w3f-grants:maxgravitt', 'misspelt'],
  ['devcon:sebastianbuergel', 'w3f-general-grants:sebastianburgel', 'another spelling of ü'],
  ['w3f-grants:brigittepinewiski', 'w3f-grants:brigittepiniewski', 'misspelt in one team'],
  ['w3f-grants:christianvesselinov', 'w3f-grants:christianveselinov', 'misspelt'],
  ['w3f-grants:diegotorres', 'w3f-grants:diegotorresborda', 'with and without the second name in one team'],
  ['w3f-grants:jacksonharris', 'w3f-grants:jacksonharrisiii', 'one application has both'],
  ['w3f-grants:leonardogarciacustodio', 'w3f-grants:leonardocustodio', 'one application has both'],
  ['w3f-grants:michealhuntington', 'w3f-grants:michaelhuntington', 'one application has both'],
  ['w3f-grants:micheallee', 'w3f-grants:michaellee', 'one application has both'],
  ['w3f-grants:orrinvincentcampbell', 'w3f-grants:orrincampbell', 'one application has both'],
  ['w3f-grants:sergejsakacszegoo', 'w3f-grants:sergejsakac', 'one application has both'],
  ['editors:sidneypowell', 'editors:sidpowell', 'Sid is short for Sidney'],
  ['x:nopara73', 'bitcointranscripts:adamficsor', 'misspelt'],
  ['w3f-grants:kimhoon', 'w3f-grants:hoonkim', 'one application has both orders'],
  ['w3f-grants:muhammadjibrilba', 'w3f-grants:muhammadjibrilbashirabba', 'B.A are the initials, in one team'],
  ['devcon:chaalsneville', 'devcon:charlesnevile', 'Chaals is what he is called'],
  ['devcon:makatoinoue', 'github:makoto', 'misspelt'],
  ['devcon:guilaumeballet', 'github:gballet', 'misspelt'],
  ['devcon:christophergoes', 'devcon:chrisgoes', 'Chris is short for Christopher'],
  ['devcon:jamespitts', 'devcon:jamiepitts', 'Jamie is short for James'],
  ['devcon:chriskaczor', 'devcon:kriskaczor', 'Kris is short for Krzysztof'],
  ['devcon:petekim', 'github:petejkim', 'the account has the short name'],
  ['x:mike_connor', 'github:iammichaelconnor', 'Mike is short for Michael'],
  ['w3f-grants:georgispasov', 'github:perseverance', 'George is the English form of Georgi; both are of LimeChain'],
  ['github:terencechain', 'x:terencechain', 'one account on both sites'],
  ['x:_hrkrshnn', 'github:hrkrshnn', 'one account on both sites'],
  ['github:wemeetagain', 'x:caymannan', 'the name that nobody else has, in standards of one team'],
  ['x:asn_d6', 'github:asn-d6', 'one account on both sites'],
  ['devcon:aaronkumavis', 'devcon:aarondavis', 'kumavis is his account'],
  ['x:kumavis_', 'devcon:aarondavis', 'kumavis is his account'],
  ['devcon:wendeldavis', 'devcon:wendelldavis', 'misspelt at one event'],
];
