import type { RecordType } from '../../src/contract/entities/index.ts';
import type { Line, Lines } from './check.ts';
import type { SourceLine } from './sources.ts';

/** The documents about the data: every source with what was read there, and the table of counts. */

/** Licences of the repositories, where they state one; facts only were taken from each. */
const LICENCES: Readonly<Record<string, string>> = {
  'opensource-observer/oss-directory': 'Apache-2.0',
  'cosmos/chain-registry': 'CC-BY-4.0',
  'akshaybhalotia/yc_company_scraper': "MIT (repository; the texts are the companies')",
  'web3privacy/explorer-data': 'data ODbL-1.0, code MIT',
  'ev3-team/adapters': 'GPL-3.0',
  'KevinNafziger/dealfunnel': 'none stated',
  'jaimindp/raising_app': 'none stated',
  'snobistisch/crypto-vc-investment-database': 'MIT for the code; the facts come from crypto-fundraising.info',
  'efdevcon/api': 'MIT',
  'prgblockweek/prague-blockchain-week': 'CC0-1.0',
  'ethereum/ethereum-org-website': 'MIT',
};

interface Use {
  facts: number;
  documents: Set<string>;
  newest: string | null;
}

/** SOURCES.md: repositories by commit, other documents, and the sites of announcements. */
export function sourcesDocument(lines: Lines): string {
  const uses = {
    repositories: new Map<string, Use>(),
    documents: new Map<string, Use>(),
    sites: new Map<string, Use>(),
  };
  const all = Object.values(lines).flat();
  for (const line of all.flatMap((record: Line) => record['sources'] as SourceLine[])) {
    const repository = /^github\.com\/([^@]+@[0-9a-f]+):(.+)$/.exec(line.source);
    if (repository) addUse(uses.repositories, repository[1] ?? '', repository[2] ?? '', line);
    else if (/^https?:/.test(line.source)) addUse(uses.sites, siteOf(line.source), line.source, line);
    else addUse(uses.documents, line.source, line.source, line);
  }
  return [
    '# Sources',
    '',
    'Written by `data/build.ts`: do not edit. Facts only were taken from these sources: names, dates, amounts, places,',
    'addresses and labels. No sentence was copied. Every record also carries its own `sources`, with the fields that each states;',
    'a fact is counted here once for each record and field that it supports.',
    '',
    '## Repositories',
    '',
    '| Repository | Commit | Newest date | Files | Facts | Licence |',
    '|---|---|---|---:|---:|---|',
    ...byFacts(uses.repositories).map(([key, use]) => repositoryRow(key, use)),
    '',
    '## Other documents',
    '',
    'Some files were read through a public code index that gives their text without the repository. Unless the document is',
    'known by its name, their facts are used only where a second source says the same.',
    '',
    '| Document | Newest date | Facts |',
    '|---|---|---:|',
    ...byFacts(uses.documents).map(
      ([key, use]) => `| ${key.replaceAll('|', '/')} | ${use.newest ?? ''} | ${use.facts} |`,
    ),
    '',
    '## Announcements',
    '',
    'Pages that the lists of funding rounds, or the facts, name as the primary source. The address of each page stands in the',
    'records that use it.',
    '',
    '| Site | Pages | Facts |',
    '|---|---:|---:|',
    ...byFacts(uses.sites).map(([key, use]) => `| ${key} | ${use.documents.size} | ${use.facts} |`),
    '',
  ].join('\n');
}

function addUse(uses: Map<string, Use>, key: string, document: string, line: SourceLine): void {
  const use = uses.get(key) ?? { facts: 0, documents: new Set<string>(), newest: null };
  use.facts += line.fields.length;
  use.documents.add(document);
  if (line.as_of !== null && (use.newest === null || line.as_of > use.newest)) use.newest = line.as_of;
  uses.set(key, use);
}

function byFacts(uses: ReadonlyMap<string, Use>): [string, Use][] {
  return [...uses].sort((left, right) => right[1].facts - left[1].facts || (left[0] < right[0] ? -1 : 1));
}

function repositoryRow(key: string, use: Use): string {
  const [repository = '', commit = ''] = key.split('@');
  const licence = LICENCES[repository] ?? 'not known';
  return `| [${repository}](https://github.com/${repository}) | \`${commit}\` | ${use.newest ?? ''} | ${use.documents.size} | ${use.facts} | ${licence} |`;
}

function siteOf(address: string): string {
  const host = new URL(address).host.replace(/^www\./, '');
  return host === 'twitter.com' ? 'x.com' : host;
}

const SHOWN_FIELDS: Readonly<Record<RecordType, readonly string[]>> = {
  companies: ['website', 'tags', 'chains', 'year_founded', 'founders', 'location_json'],
  investors: ['website', 'location_json', 'portfolio'],
  people: ['roles', 'angel_investments', 'twitter'],
  events: ['start_date', 'location_json', 'organizers', 'speakers'],
  rounds: ['stage', 'amount_usd', 'lead_investors', 'announcement'],
};

/** The README's table: how many records, and how many of them have a field. */
export function countsTable(lines: Lines): string {
  const rows = (Object.keys(SHOWN_FIELDS) as RecordType[]).map((type) => {
    const shown = SHOWN_FIELDS[type].map(
      (field) => `${lines[type].filter((line) => field in line).length} \`${field}\``,
    );
    return `| \`${type}.ndjson\` | ${lines[type].length} | ${shown.join(', ')} |`;
  });
  const series = new Set(lines.events.map((line) => line['series_slug'])).size;
  return [
    '| File | Records | Of these with |',
    '|---|---:|---|',
    ...rows,
    '',
    `The events are editions of ${series} series.`,
  ].join('\n');
}
