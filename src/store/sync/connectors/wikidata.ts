import * as z from 'zod';
import { defineConnector, githubOf, pagesByOffset, twitterOf } from '../connector.ts';

const PAGE_ROWS = 500;
const ENDPOINT = 'https://query.wikidata.org/sparql';

const INDUSTRIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ Q20514253: 'Blockchain', Q13479982: 'Cryptocurrency' }),
);

/** Organisations of those industries, in a stable order. */
const queryFrom = (offset: number): string => `SELECT ?item ?itemLabel
  (SAMPLE(?site) AS ?website) (SAMPLE(?x) AS ?twitter) (SAMPLE(?gh) AS ?github) (MIN(?from) AS ?inception)
  (MIN(?branch) AS ?industry) (MAX(?staff) AS ?employees) (SAMPLE(?countryLabel) AS ?country) (MAX(?changed) AS ?modified)
  (SAMPLE(?image) AS ?logo) (MAX(?until) AS ?dissolved)
WHERE {
  VALUES ?branch { ${Object.keys(INDUSTRIES)
    .map((id) => `wd:${id}`)
    .join(' ')} }
  ?item wdt:P452 ?branch; schema:dateModified ?changed.
  OPTIONAL { ?item wdt:P856 ?site } OPTIONAL { ?item wdt:P2002 ?x } OPTIONAL { ?item wdt:P2037 ?gh }
  OPTIONAL { ?item wdt:P154 ?image } OPTIONAL { ?item wdt:P576 ?until }
  OPTIONAL { ?item wdt:P571 ?from } OPTIONAL { ?item wdt:P1128 ?staff }
  OPTIONAL { ?item wdt:P17 ?land. ?land rdfs:label ?countryLabel FILTER(LANG(?countryLabel) = "en") }
  ?item rdfs:label ?itemLabel FILTER(LANG(?itemLabel) = "en")
} GROUP BY ?item ?itemLabel ORDER BY ?item LIMIT ${PAGE_ROWS} OFFSET ${offset}`;

const cell = z.object({ value: z.string() });

/** Companies of Wikidata: sites, accounts, logo, years of foundation and end, head count and country. */
export const wikidata = defineConnector({
  source: 'wikidata',
  origin: 'https://www.wikidata.org/',
  title: 'Wikidata',
  licence: 'CC0-1.0',
  terms: 'https://www.wikidata.org/wiki/Wikidata:Licensing',
  trust: 'curated',
  isRestricted: false,
  hosts: ['query.wikidata.org'],
  rate: { perSecond: 0.2 },
  needsContact: true,
  entry: z.object({
    item: cell,
    itemLabel: cell,
    modified: cell,
    industry: cell,
    website: cell.optional(),
    twitter: cell.optional(),
    github: cell.optional(),
    inception: cell.optional(),
    employees: cell.optional(),
    country: cell.optional(),
    logo: cell.optional(),
    dissolved: cell.optional(),
  }),
  pages: pagesByOffset({
    size: PAGE_ROWS,
    max: 50_000,
    urlFrom: (offset) => `${ENDPOINT}?${new URLSearchParams({ query: queryFrom(offset), format: 'json' })}`,
    path: ['results', 'bindings'],
  }),
  claims: ({ item, itemLabel, modified, industry, website, twitter, github, ...more }) => {
    const { inception, employees, country, logo, dissolved } = more;
    const key = idOf(item.value);
    const url = `https://www.wikidata.org/wiki/${key}`;
    const staff = Number(employees?.value);
    const year = Number(inception?.value.slice(0, 4));
    const fields = {
      name: itemLabel.value,
      website: website?.value,
      tags: [INDUSTRIES.get(idOf(industry.value))],
      twitter: twitterOf(twitter?.value),
      github: githubOf(github?.value),
      year_founded: Number.isInteger(year) && year > 0 ? year : undefined,
      total_employees: Number.isInteger(staff) && staff > 0 ? staff : undefined,
      location_json: country && { city: null, country: country.value },
      logo: logo?.value.replace(/^http:/, 'https:'),
      ...(dissolved && {
        status: 'closed',
        status_as_of: dissolved.value.slice(0, 10),
        status_source: url,
        // A date of which only the month or year is known has the first day of it.
        status_since: dissolved.value.slice(0, 10).replace(/(?:-01)?-01$/, ''),
      }),
    };
    return [{ type: 'companies', key, fields, as_of: modified.value.slice(0, 10), url }];
  },
});

/** The id at the end of an entity URI. */
const idOf = (address: string): string => address.slice(address.lastIndexOf('/') + 1);
