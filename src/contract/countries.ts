import { once } from './lazy.ts';
import { foldName } from './names.ts';

/** ISO 3166-1: each alpha-2 code with its alpha-3 code. */
const CODES =
  'AD AND AE ARE AF AFG AG ATG AI AIA AL ALB AM ARM AO AGO AQ ATA AR ARG AS ASM AT AUT AU AUS AW ABW AX ALA AZ AZE BA BIH BB BRB BD BGD BE BEL ' +
  'BF BFA BG BGR BH BHR BI BDI BJ BEN BL BLM BM BMU BN BRN BO BOL BQ BES BR BRA BS BHS BT BTN BV BVT BW BWA BY BLR BZ BLZ CA CAN CC CCK CD COD ' +
  'CF CAF CG COG CH CHE CI CIV CK COK CL CHL CM CMR CN CHN CO COL CR CRI CU CUB CV CPV CW CUW CX CXR CY CYP CZ CZE DE DEU DJ DJI DK DNK DM DMA ' +
  'DO DOM DZ DZA EC ECU EE EST EG EGY EH ESH ER ERI ES ESP ET ETH FI FIN FJ FJI FK FLK FM FSM FO FRO FR FRA GA GAB GB GBR GD GRD GE GEO GF GUF ' +
  'GG GGY GH GHA GI GIB GL GRL GM GMB GN GIN GP GLP GQ GNQ GR GRC GS SGS GT GTM GU GUM GW GNB GY GUY HK HKG HM HMD HN HND HR HRV HT HTI HU HUN ' +
  'ID IDN IE IRL IL ISR IM IMN IN IND IO IOT IQ IRQ IR IRN IS ISL IT ITA JE JEY JM JAM JO JOR JP JPN KE KEN KG KGZ KH KHM KI KIR KM COM KN KNA ' +
  'KP PRK KR KOR KW KWT KY CYM KZ KAZ LA LAO LB LBN LC LCA LI LIE LK LKA LR LBR LS LSO LT LTU LU LUX LV LVA LY LBY MA MAR MC MCO MD MDA ME MNE ' +
  'MF MAF MG MDG MH MHL MK MKD ML MLI MM MMR MN MNG MO MAC MP MNP MQ MTQ MR MRT MS MSR MT MLT MU MUS MV MDV MW MWI MX MEX MY MYS MZ MOZ NA NAM ' +
  'NC NCL NE NER NF NFK NG NGA NI NIC NL NLD NO NOR NP NPL NR NRU NU NIU NZ NZL OM OMN PA PAN PE PER PF PYF PG PNG PH PHL PK PAK PL POL PM SPM ' +
  'PN PCN PR PRI PS PSE PT PRT PW PLW PY PRY QA QAT RE REU RO ROU RS SRB RU RUS RW RWA SA SAU SB SLB SC SYC SD SDN SE SWE SG SGP SH SHN SI SVN ' +
  'SJ SJM SK SVK SL SLE SM SMR SN SEN SO SOM SR SUR SS SSD ST STP SV SLV SX SXM SY SYR SZ SWZ TC TCA TD TCD TF ATF TG TGO TH THA TJ TJK TK TKL ' +
  'TL TLS TM TKM TN TUN TO TON TR TUR TT TTO TV TUV TW TWN TZ TZA UA UKR UG UGA UM UMI US USA UY URY UZ UZB VA VAT VC VCT VE VEN VG VGB VI VIR ' +
  'VN VNM VU VUT WF WLF WS WSM YE YEM YT MYT ZA ZAF ZM ZMB ZW ZWE';

/** Names and abbreviations missing from CLDR, folded, by code. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  US: 'america unitedstatesofamerica theunitedstates',
  GB: 'uk greatbritain britain england scotland wales',
  AE: 'uae emirates',
  KR: 'korea republicofkorea',
  CZ: 'czechrepublic',
  HK: 'hongkong',
  MO: 'macau macao',
  TR: 'turkey',
  CI: 'ivorycoast',
  NL: 'holland thenetherlands',
  RU: 'russianfederation',
  VN: 'vietnam',
  MM: 'burma myanmar',
  PS: 'palestine',
  CV: 'capeverde',
  SZ: 'swaziland',
  MK: 'macedonia',
  TL: 'easttimor',
  BA: 'bosnia',
  CN: 'prchina mainlandchina peoplesrepublicofchina',
  VG: 'bvi',
  KY: 'caymanislands cayman',
};

/** The ISO 3166-1 alpha-2 code of a country by a code or a name in six languages; undefined for anything else. */
export function countryCode(text: string): string | undefined {
  const name = foldName(NUMERIC_CODE.test(text) ? (new Intl.Locale(`und-${text}`).region ?? '') : text);
  const isOfParts = name.length <= CODE_LENGTH_MAX && !NUMERIC_CODE.test(text) && !ONE_WORD.test(text.trim());
  return isOfParts ? undefined : codes().get(name);
}

const NUMERIC_CODE = /^\d{3}$/;
const CODE_LENGTH_MAX = 3;
/** A word or an abbreviation, also in brackets: `UK`, `U.S.`, but not `at a`, whose letters are those of a code. */
const ONE_WORD = /^\p{P}*(?:\p{L}+|\p{L}(?:[.\s]{1,2}\p{L})+)\p{P}*$/u;

/** Alpha-2 code by folded name or code. By precedence: of two countries with the same name, the later one has it. */
const codes = once((): ReadonlyMap<string, string> => {
  const listed = CODES.split(' ');
  const namesOf = Object.entries(OTHER_NAMES).map(([code, names]) => [code, names.split(' ')] as const);
  return new Map(
    [
      ...['zh', 'pt', 'fr', 'de', 'es'].flatMap(namesIn),
      ...namesOf.flatMap(([code, names]) => names.map((name) => [code, name] as const)),
      ...listed.map((name, index) => [listed[index - (index % 2)] ?? '', name] as const),
      ...namesIn('en'),
    ].map(([code, name]) => [foldName(name), code]),
  );
});

const namesIn = (language: string): (readonly [string, string])[] => {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'code' });
  return CODES.split(' ').flatMap((code, index) => (index % 2 === 0 ? [[code, names.of(code) ?? code] as const] : []));
};

/** Usual names, where the one of CLDR is not. */
const USUAL_NAMES: Readonly<Record<string, string>> = { HK: 'Hong Kong', MO: 'Macao', MM: 'Myanmar', TR: 'Turkey' };

const englishNames = once(
  (): ReadonlyMap<string, string> => new Map([...namesIn('en'), ...Object.entries(USUAL_NAMES)]),
);

/** A country by its English name; unchanged if it is not a known one. */
export const englishCountry = (text: string): string => englishNames().get(countryCode(text) ?? '') ?? text;

export const countryNames = (language: string): readonly string[] => namesIn(language).map(([, name]) => name);

/** Regions of the world by their names in six languages, each with the codes of its countries (ISO 3166). */
const REGIONS: readonly (readonly [string, string])[] = [
  [
    'Europe|Europa|欧洲|European',
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SK SM UA VA',
  ],
  [
    'European Union|EU|Unión Europea|União Europeia|Europäische Union|Union européenne|UE|欧盟',
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK',
  ],
  [
    'Asia|Asien|Asie|Ásia|亚洲|Asian',
    'AE AF AM AZ BD BH BN BT CN GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  ],
  [
    'Southeast Asia|South East Asia|Southeast Asian|South East Asian|Sudeste Asiático|Südostasien|Asie du Sud-Est|东南亚',
    'BN ID KH LA MM MY PH SG TH TL VN',
  ],
  [
    'Middle East|Oriente Medio|Oriente Médio|Naher Osten|Nahen Osten|Moyen-Orient|中东',
    'AE BH CY EG IL IQ IR JO KW LB OM PS QA SA SY TR YE',
  ],
  [
    'Africa|África|Afrika|Afrique|非洲|African',
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  ],
  [
    'North America|América del Norte|Norteamérica|América do Norte|Nordamerika|Amérique du Nord|北美',
    'BM CA GL MX PM US',
  ],
  [
    'Latin America|LatAm|América Latina|Latinoamérica|Lateinamerika|Amérique latine|拉丁美洲|拉美',
    'AR BO BR CL CO CR CU DO EC GT HN HT MX NI PA PE PR PY SV UY VE',
  ],
  [
    'South America|América del Sur|Sudamérica|América do Sul|Südamerika|Amérique du Sud|南美',
    'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
  ],
  [
    'Oceania|Oceanía|Ozeanien|Océanie|大洋洲',
    'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PW SB TK TO TV VU WF WS',
  ],
  [
    'Nordics|Nordic|Scandinavia|Scandinavian|Escandinavia|Escandinávia|Skandinavien|Scandinavie|北欧',
    'AX DK FI FO IS NO SE',
  ],
  ['Benelux', 'BE LU NL'],
  ['DACH|DACH region', 'AT CH DE LI'],
  ['MENA', 'AE BH DZ EG IL IQ IR JO KW LB LY MA OM PS QA SA SY TN TR YE'],
  [
    'Eastern Europe|Eastern European|Europa del Este|Europa Oriental|Leste Europeu|Osteuropa|Europe de l’Est|东欧',
    'BG BY CZ HU MD PL RO RU SK UA',
  ],
];

const regions = once(
  (): ReadonlyMap<string, { readonly name: string; readonly codes: readonly string[] }> =>
    new Map(
      REGIONS.flatMap(([names, codes]) => {
        const [name = '', ...others] = names.split('|');
        return [name, ...others].map((each) => [foldName(each), { name, codes: codes.split(' ') }] as const);
      }),
    ),
);

/** A region by its English name; undefined for any other text. */
export const englishRegion = (text: string): string | undefined => regions().get(foldName(text))?.name;

/** The country codes of a region by name. Undefined if the name is not a region. */
export const regionOf = (text: string): readonly string[] | undefined => regions().get(foldName(text))?.codes;
