import { foldName } from './names.ts';

/** Regions of the world by their names in five languages, each with the codes of its countries (ISO 3166). */
const REGIONS: readonly (readonly [string, string])[] = [
  [
    'Europe|Europa|欧洲|European',
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SK SM UA VA',
  ],
  [
    'European Union|EU|Unión Europea|Europäische Union|Union européenne|UE|欧盟',
    'AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK',
  ],
  [
    'Asia|Asien|Asie|亚洲|Asian',
    'AE AF AM AZ BD BH BN BT CN GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  ],
  [
    'Southeast Asia|South East Asia|Sudeste Asiático|Südostasien|Asie du Sud-Est|东南亚',
    'BN ID KH LA MM MY PH SG TH TL VN',
  ],
  [
    'Middle East|Oriente Medio|Naher Osten|Nahen Osten|Moyen-Orient|中东',
    'AE BH CY EG IL IQ IR JO KW LB OM PS QA SA SY TR YE',
  ],
  [
    'Africa|África|Afrika|Afrique|非洲|African',
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  ],
  ['North America|América del Norte|Norteamérica|Nordamerika|Amérique du Nord|北美', 'BM CA GL MX PM US'],
  [
    'Latin America|LatAm|América Latina|Latinoamérica|Lateinamerika|Amérique latine|拉丁美洲|拉美',
    'AR BO BR CL CO CR CU DO EC GT HN HT MX NI PA PE PR PY SV UY VE',
  ],
  [
    'South America|América del Sur|Sudamérica|Südamerika|Amérique du Sud|南美',
    'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
  ],
  [
    'Oceania|Oceanía|Ozeanien|Océanie|大洋洲',
    'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PW SB TK TO TV VU WF WS',
  ],
  ['Nordics|Scandinavia|Escandinavia|Skandinavien|Scandinavie|北欧', 'AX DK FI FO IS NO SE'],
];

/** Codes by folded name. Built on first use. */
let byName: ReadonlyMap<string, readonly string[]> | undefined;

const makeNames = () =>
  new Map(
    REGIONS.flatMap(([names, codes]) => names.split('|').map((name) => [foldName(name), codes.split(' ')] as const)),
  );

/** The country codes of a region by name. Undefined if the name is not a region. */
export function regionOf(text: string): readonly string[] | undefined {
  byName ??= makeNames();
  return byName.get(foldName(text));
}
