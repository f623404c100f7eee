import { copyFileSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkLines } from '../../data/build/check.ts';
import { DIFFERENT_INVESTORS, DIFFERENT_PROJECTS, SAME_PROJECTS } from '../../data/build/decisions.ts';
import { sourceIdOf } from '../../data/build/documents.ts';
import { buildFiles } from '../../data/build/files.ts';
import { entryId, rawLines, rawSources } from '../../data/build/raw.ts';
import { STATED_VALUATIONS } from '../../data/build/valuations.ts';
import { entityOf, RECORD_TYPES } from '../../src/contract/entities/index.ts';
import { showThrough } from '../../src/contract/entity.ts';
import { facets } from '../../src/contract/facets.ts';
import { foldName } from '../../src/contract/names.ts';
import { openStore } from '../../src/store/open.ts';
import { PROGRAM, temporaryFolder } from '../support/program.ts';

/** The gate of the shipped data: what it is made of, how right it is, and the faults that it once had. */

const DATA = join(import.meta.dirname, '..', '..', 'data');
const built = buildFiles();
const { lines, precision } = built;
const sources = rawSources();

type Record = { readonly [field: string]: any };
const recordsOf = (type: keyof typeof lines): readonly Record[] => lines[type];
const all = RECORD_TYPES.flatMap((type) => lines[type].map((line) => ({ type, line: line as Record })));
const readings = all.flatMap(({ type, line }) =>
  (line['sources'] as { source: string; fields: string[] }[]).map(({ source, fields }) => ({
    type,
    slug: line['slug'],
    source,
    fields,
  })),
);
const company = (slug: string): Record => recordsOf('companies').find((line) => line['slug'] === slug) ?? {};

describe('the files', () => {
  test.each([...built.files.keys()])('%s is, byte for byte, what the build makes of the raw facts', (name) => {
    expect(readFileSync(join(DATA, name), 'utf8') === built.files.get(name)).toBe(true);
  });

  test('hold what the contract allows', () => {
    expect(() => checkLines(lines)).not.toThrow();
  });

  test('give each city its country, and no country or kind of event as a city', () => {
    const places = all.flatMap(({ line }) => line['location_json'] ?? []);
    expect(places.filter(({ city, country }) => city !== null && country === null)).toEqual([]);
    expect(places.filter(({ city }) => ['Hybrid', 'Kenya', 'Costa Rica'].includes(city))).toEqual([]);
  });

  test('state no count or sum in a text, which another round or a merge would make wrong', () => {
    const counts =
      /(?<![-\w])\d[\d,]* (?:announced |known )?(?:funding |Web3 )?(?:round|grant|project|company|companies)|in all\b|latest/i;
    const texts = (['companies', 'people', 'investors'] as const).flatMap((type) =>
      recordsOf(type).flatMap(({ tagline, headline, overview }) => [tagline, headline, overview]),
    );
    expect(texts.length).toBeGreaterThan(9_000);
    expect(texts.filter((text) => counts.test(text ?? ''))).toEqual([]);
  });

  test('have no heading or team as a person, and nobody twice by another form of the name', () => {
    const names = recordsOf('people').map(({ name }) => name);
    for (const name of ['Contact Name', 'Data Science', 'OVERALL ARCHITECT', 'and', 'Pillar Wallet', '0age 0age'])
      expect([name, names.includes(name)]).toEqual([name, false]);
    const person = (slug: string): Record => recordsOf('people').find((line) => line['slug'] === slug) ?? {};
    expect(person('juan-benet')['aliases']).toEqual(['Juan Batiz-Benet', 'jbenet']);
    expect(person('0age')).toMatchObject({ name: '0age', twitter: 'https://x.com/z0age' });
    expect(person('gerti-prifti')['overview']).toContain('according to the grants repository of the Web3 Foundation');
  });

  test('tell of rounds, funds, projects and events what their own sources do', () => {
    const parties = (slug: string, field: string): string[] =>
      (recordsOf('rounds').find((line) => line['slug'] === slug)?.[field] ?? []).map(({ name }: Record) => name);
    expect(parties('morpho-seed-2022-07-12', 'lead_investors')).toContain('Variant');
    expect(parties('aave-private-token-sale-2020-07-08', 'investors')).toEqual(['ParaFi Capital']);
    const polymarket = recordsOf('rounds').find((line) => line['slug'] === 'polymarket-round-2024-10-01');
    expect(polymarket?.['name']).toBe('Polymarket funding round (raised October 2024, disclosed October 2025)');
    const overviewOf = (type: keyof typeof lines, slug: string): string =>
      recordsOf(type).find((line) => line['slug'] === slug)?.['overview'];
    expect(overviewOf('investors', 'three-arrows-capital')).toContain('It closed in June 2022.');
    expect(overviewOf('investors', 'paradigm')).toContain('has led most of them');
    expect(overviewOf('events', 'devcon-8')).toContain('announced for 3 to 6 November 2026');
    expect(overviewOf('companies', 'vaulta')).toContain('Block.one');
    expect(company('x402')['tags']).toEqual(['Payments']);
    expect(company('defindex-defi-made-easy')['name']).toBe('DeFindex');
    expect(company('david-semakula')).toEqual({});
  });

  test('tell a company the others of its name', () => {
    expect(company('curve')['see_also']).toEqual(['curvescan-io']);
    expect(company('curvescan-io')['see_also']).toEqual(['curve']);
    const slugs = new Set(recordsOf('companies').map(({ slug }) => slug));
    for (const { slug, see_also: others = [] } of recordsOf('companies'))
      for (const other of others) {
        expect([slug, slugs.has(other)]).toEqual([slug, true]);
        expect(company(other)['see_also']).toContain(slug);
      }
  });

  test('say what became of a company, what it was called and where its tokens are', () => {
    expect(company('coinbase')).toMatchObject({ status: 'active', status_as_of: '2026-03-13' });
    expect(company('hiro-systems')['former_names']).toContainEqual({ name: 'Blockstack', as_of: '2026-03-13' });
    // The end of a chain is not that of the company, which raised money and works on another.
    expect(company('nillion')).not.toHaveProperty('status');
    expect(company('cerberus')).toMatchObject({ status: 'closed' });
    const closed = recordsOf('companies').filter(({ status }) => status === 'closed' || status === 'acquired');
    expect(closed.length).toBeGreaterThan(20);
    expect(closed.filter((line) => line['status'] !== line['company_stage'])).toEqual([]);
    expect(company('privy')).toMatchObject({
      status_since: '2025-06',
      acquired_by: { name: 'Stripe', slug: 'stripe' },
    });
    expect(company('crypto-finance')).toMatchObject({ status_since: '2021', acquired_by: { name: 'Deutsche Börse' } });
    expect(company('ftx')).toMatchObject({ status: 'closed', status_since: '2022-11' });
    // When a company was listed is no end of it.
    expect(company('coinbase')).not.toHaveProperty('status_since');
    const ended = recordsOf('companies').filter((line) => line['acquired_by'] ?? line['status_since']);
    expect(ended.length).toBeGreaterThan(50);
    expect(ended.filter((line) => !closed.includes(line))).toEqual([]);
    const contracts = recordsOf('companies').flatMap((line) =>
      (line['token_contracts'] ?? []).map((token: Record) => ({ ...token, of: line })),
    );
    expect(contracts.length).toBeGreaterThan(100);
    expect(contracts.filter(({ of, symbol }) => !of.token_symbols.includes(symbol))).toEqual([]);
  });

  test('are not fewer than what was recorded last, by more than 2 %', () => {
    const recorded = JSON.parse(readFileSync(join(import.meta.dirname, 'counts.json'), 'utf8')) as {
      [what: string]: number;
    };
    const now: { [what: string]: number } = {
      ...Object.fromEntries(RECORD_TYPES.map((type) => [type, lines[type].length])),
      'companies with website and a category or a chain': recordsOf('companies').filter(
        (line) => line['website'] && (line['tags'] ?? line['chains']),
      ).length,
      'companies with website, category and chains': recordsOf('companies').filter(
        (line) => line['website'] && line['tags'] && line['chains'],
      ).length,
      grants: recordsOf('rounds').filter((line) => line['stage'] === 'grant').length,
    };
    expect(Object.keys(now)).toEqual(Object.keys(recorded));
    const fallen = Object.entries(recorded).filter(([what, count]) => (now[what] ?? 0) < count * 0.98);
    expect(fallen).toEqual([]);
  });

  test('keep every slug, or say why its record is gone', () => {
    const dropped = new Set(
      built.files
        .get('slugs/dropped.tsv')
        ?.split('\n')
        .map((row) => row.split('\t').slice(0, 2).join(' ')),
    );
    const shipped = new Set(all.map(({ type, line }) => `${type} ${line['slug']}`));
    const slugs = ['companies', 'people', 'investors', 'events'].flatMap((type) =>
      readFileSync(join(DATA, 'slugs', `${type}.tsv`), 'utf8')
        .trimEnd()
        .split('\n')
        .map((row) => `${type} ${row.split('\t')[0]}`),
    );
    expect(slugs.filter((slug) => shipped.has(slug) === dropped.has(slug))).toEqual([]);
  });
});

describe('precision, by what a reader judged', () => {
  test('has enough judgements', () => {
    expect(precision.pairs).toBeGreaterThanOrEqual(300);
    expect(precision.records).toBeGreaterThanOrEqual(200);
  });

  test('of joins is at least 97 %', () => {
    expect(precision.joined.all).toBeGreaterThanOrEqual(200);
    expect(precision.joined.right / precision.joined.all, precision.wrong.join('; ')).toBeGreaterThanOrEqual(0.97);
  });

  test('of fields is at least 95 %', () => {
    expect(precision.fields.right / precision.fields.all, precision.wrong.join('; ')).toBeGreaterThanOrEqual(0.95);
  });
});

describe('sources', () => {
  test('all have a licence and a notice', () => {
    expect([...sources.values()].filter(({ licence, copyright }) => !licence || !copyright)).toEqual([]);
    expect(() => readings.map(({ source, type }) => sourceIdOf(source, type, sources))).not.toThrow();
    expect(built.files.get('THIRD_PARTY_DATA.md')).toContain('Electric Capital');
  });

  test('are those of SOURCES.md, each of which may be shipped', () => {
    const rows = readFileSync(join(DATA, 'SOURCES.md'), 'utf8')
      .split('\n')
      .flatMap((line) => [line.split(' | ')].filter((cells) => cells.length === 7 && cells[3] !== 'Licence'));
    const licences = new Map(
      rows.map(([, where = '', , licence = '']) => [/\]\((?:https:\/\/)?([^)]+)\)/.exec(where)?.[1] ?? where, licence]),
    );
    const open = ['Apache-2.0', 'MIT', 'CC0-1.0', 'CC-BY-4.0', 'by document', 'facts only'];
    expect(new Set(licences.values())).toEqual(new Set(open));
    // A page that announces a round, and no list of rounds, states facts under no licence.
    expect([...licences].filter(([, licence]) => licence === 'facts only')).toEqual([
      ['the pages that the records name', 'facts only'],
    ]);
    const places = new Set(
      readings
        .filter(({ source }) => !/^derived from |^https?:/.test(source))
        .map(({ source }) => source.replace(/@[^@]*:.*$/, '').replace(/^npm /, 'www.npmjs.com/package/')),
    );
    const unlisted = [...places].filter((place) => !licences.has(place.replace('web3-bi editors', 'raw')));
    expect(unlisted).toEqual([]);
    const announcing = readings.filter(({ source }) => source.startsWith('http')).map(({ source }) => source);
    const announced = new Set(recordsOf('rounds').flatMap(({ announcement }) => announcement ?? []));
    expect(announcing.filter((page) => !announced.has(page))).toEqual([]);
  });

  test('are none without an open licence', () => {
    const closed =
      /crypto-vc-investment-database|raising_app|dealfunnel|ev3-team|crypto_report|DefiLlama|explorer-data|web3privacy\/data|index id/i;
    expect(readings.filter(({ source }) => closed.test(source.replace(/:[^/].*$/, '')))).toEqual([]);
    expect([...sources.values()].filter(({ licence }) => /GPL|ODbL|SA|none|unknown/i.test(licence))).toEqual([]);
  });

  test('state every field that a record has', () => {
    const composed = new Set([
      'name',
      'slug',
      'aliases',
      'tagline',
      'headline',
      'overview',
      'sources',
      'as_of',
      'series_slug',
      'edition',
      // How precise a stated date is.
      'month_only',
      // Follows from the names in the set.
      'see_also',
    ]);
    const unstated = all.flatMap(({ type, line }) => {
      const stated = new Set((line['sources'] as { fields: string[] }[]).flatMap(({ fields }) => fields));
      return Object.keys(line)
        .filter((field) => !composed.has(field) && !stated.has(field))
        .map((field) => `${type} ${field}`);
    });
    expect([...new Set(unstated)]).toEqual([]);
  });

  test('lend no eight words in a row', () => {
    const phrases = new Set(SENTENCES_OF_RAW.flatMap(eightWords));
    const shipped = all.flatMap(
      ({ line }) => ['tagline', 'headline', 'overview'].flatMap((field) => line[field] ?? []) as string[],
    );
    expect(shipped.flatMap(eightWords).filter((phrase) => phrases.has(phrase))).toEqual([]);
  });
});

/** The only texts of the raw facts that can be sentences: names of applications and projects. */
const SENTENCES_OF_RAW = [
  'grants',
  'w3f-grants',
  'w3f-open-grants',
  'w3f-general-grants',
  'essential-cardano',
  'web3privacy-list',
].flatMap((file) => rawLines<{ name?: string }>(file).flatMap(({ name }) => name ?? []));

function eightWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.slice(0, Math.max(0, words.length - 7)).map((_, index) => words.slice(index, index + 8).join(' '));
}

describe('the privacy pack', () => {
  const packed = Object.entries(built.pack).flatMap(([type, records]) =>
    records.map((line) => ({ type, line: line as Record })),
  );

  test('holds what the contract allows, under share-alike sources alone', () => {
    expect(() =>
      checkLines({
        ...lines,
        ...Object.fromEntries(
          Object.entries(built.pack).map(([type, records]) => [type, [...recordsOf(type as never), ...records]]),
        ),
      } as never),
    ).not.toThrow();
    const places = packed.flatMap(({ line }) =>
      line['sources'].map(({ source }: { source: string }) => source.split('@')[0]),
    );
    expect(new Set(places)).toEqual(new Set(['github.com/web3privacy/explorer-data', 'github.com/web3privacy/data']));
  });

  test('has no company that the set has, by its site', () => {
    const hosts = new Set(
      recordsOf('companies').flatMap((line) =>
        line['website'] ? [new URL(line['website']).host.replace('www.', '')] : [],
      ),
    );
    const own = built.pack.companies.map((line) =>
      new URL(String((line as Record)['website'])).host.replace('www.', ''),
    );
    expect(own.length).toBeGreaterThan(300);
    expect(own.filter((host) => hosts.has(host))).toEqual([]);
  });
});

describe('the company records of the specification (sections 2.2 and 2.4)', () => {
  const FIELDS = [
    ...[
      'id',
      'name',
      'slug',
      'logo',
      'overview',
      'total_employees',
      'year_founded',
      'website',
      'tags',
      'location_json',
    ],
    ...[
      'tagline',
      'company_stage',
      'funding_stage',
      'total_funding_usd',
      'founded_date',
      'employee_count',
      'is_verified',
    ],
  ];

  test('have every field, each known for some records once the set is in a database', async () => {
    const folder = temporaryFolder();
    const file = join(folder.path, 'shipped.db');
    copyFileSync(join(dirname(PROGRAM), 'shipped.db'), file);
    const store = await openStore(`sqlite:${file}`);
    try {
      const known = new Map(FIELDS.map((field) => [field, 0]));
      const paid = entityOf('companies').paid;
      for await (const json of store.records.walk('companies')) {
        const record = JSON.parse(json) as Record;
        const shown: Record = { ...record, ...(paid === null ? {} : showThrough(paid, record)) };
        for (const field of FIELDS) {
          const value = shown[field];
          if (value !== null && value !== undefined && value.length !== 0)
            known.set(field, (known.get(field) ?? 0) + 1);
        }
      }
      expect([...known].filter(([, count]) => count === 0)).toEqual([]);
      // Stated by their own node software alone.
      expect([...known].filter(([, count]) => count < 50).map(([field]) => field)).toEqual(['founded_date']);
    } finally {
      await store.close();
      folder.remove();
    }
  });

  test('of people, investors and events have what the specification describes', () => {
    const has = (type: 'people' | 'investors' | 'events', field: string): number =>
      recordsOf(type).filter((line) => line[field] !== undefined).length;
    // Roles, companies and experience; fund, portfolio and focus; details, dates and places.
    const counts = [
      ...[has('people', 'roles'), has('people', 'overview')],
      ...[has('investors', 'fund_size_usd'), has('investors', 'portfolio'), has('investors', 'focus')],
      ...[has('events', 'start_date'), has('events', 'location_json')],
    ];
    expect(counts.filter((count) => count < 30)).toEqual([]);
  });
});

describe('fields that few sources state', () => {
  const known = (field: string): number => recordsOf('companies').filter((line) => line[field] !== undefined).length;
  const SHIPPED = [
    'logo',
    'tagline',
    'overview',
    'website',
    'tags',
    'location_json',
    'total_employees',
    'company_stage',
  ];

  test.each(SHIPPED)('%s is known for some companies', (field) => {
    expect(known(field)).toBeGreaterThan(50);
  });

  test('year_founded is known where a source says it', () => {
    expect(company('coinbase')['year_founded']).toBe(2012);
    expect(known('year_founded')).toBeGreaterThan(5);
  });

  test('founders are people whose role says so, and the standards of a person are in the order of their numbers', () => {
    const person = (slug: string): Record => recordsOf('people').find((line) => line['slug'] === slug) ?? {};
    expect(person('vitalik-buterin')['roles']).toContainEqual(
      expect.objectContaining({ organization_slug: 'ethereum', title: 'Co-founder', is_current: null }),
    );
    expect(person('gavin-wood')['roles'].map(({ organization }: Record) => organization)).toContain('Polkadot');
    expect(company('ethereum')['founders'].map(({ slug }: Record) => slug)).toContain('vitalik-buterin');
    expect(known('founders')).toBeGreaterThan(250);
    // A speaker's profile says what he was at the last conference that it lists, and not on the day of its copy.
    const spoken = person('stani-kulechov')['roles'].find(({ organization_slug: slug }: Record) => slug === 'aave');
    expect(spoken).toMatchObject({ as_of: '2022-10-14' });
    expect(recordsOf('people').filter((line) => line['roles'] !== undefined).length).toBeGreaterThan(1100);
    const names = recordsOf('people').flatMap(({ name, aliases = [] }) => [
      ...new Set([name, ...aliases].map(foldName)),
    ]);
    const edited = rawLines<{ source: string; name: string }>('person-roles').filter(
      ({ source }) => source === 'editors',
    );
    const twice = edited.filter(({ name }) => names.filter((other) => other === foldName(name)).length !== 1);
    expect(twice.map(({ name }) => name)).toEqual([]);
    expect(person('vitalik-buterin')['overview']).toContain('EIP-2, EIP-7, EIP-86, EIP-100');
  });

  test('people have the names that the editors know them by, each of one person and with its source', () => {
    const person = (slug: string): Record => recordsOf('people').find((line) => line['slug'] === slug) as Record;
    for (const [slug, alias] of [
      ['changpeng-zhao', 'CZ'],
      ['sam-bankman-fried', 'SBF'],
      ['joseph-lubin', 'Joe Lubin'],
    ] as const) {
      expect(person(slug)['aliases']).toEqual([alias]);
      const stating = (person(slug)['sources'] as { source: string; fields: string[] }[]).filter(({ fields }) =>
        fields.includes('aliases'),
      );
      expect(stating.map(({ source }) => source)).toEqual([
        expect.stringMatching(/^web3-bi editors@.*person-roles\.ndjson$/),
      ]);
      const namesakes = ['people', 'companies', 'investors'].flatMap((type) =>
        recordsOf(type as 'people').filter((line) =>
          [line['name'], ...(line['aliases'] ?? []), ...(line['token_symbols'] ?? [])].includes(alias),
        ),
      );
      expect(namesakes).toHaveLength(1);
    }
  });

  test('focus of an investor is derived where no source states it, and says so', () => {
    const focused = recordsOf('investors').filter((line) => line['focus'] !== undefined);
    expect(focused.length).toBeGreaterThan(100);
    const sourcesOfFocus = focused.flatMap((line) =>
      (line['sources'] as { source: string; fields: string[] }[]).filter(({ fields }) => fields.includes('focus')),
    );
    expect(new Set(sourcesOfFocus.map(({ source }) => source))).toEqual(
      new Set(['derived from the categories of the companies that it funded']),
    );
  });

  test('site and logo of an investor that is a company too are those that sources state of the company', () => {
    const { website, logo, sources } = company('protocol-labs');
    const investor = recordsOf('investors').find(({ slug }) => slug === 'protocol-labs');
    expect(investor).toMatchObject({ website, logo });
    const stating = (sources as { fields: string[] }[]).filter(({ fields }) => fields.includes('logo'));
    expect(investor?.['sources']).toEqual(
      expect.arrayContaining(stating.map((entry) => expect.objectContaining({ ...entry, fields: expect.anything() }))),
    );
    const sized = recordsOf('investors').filter((line) => line['fund_size_usd'] !== undefined);
    expect(sized.length).toBeGreaterThan(10);
    const sizing = sized.map((line) =>
      (line['sources'] as { source: string; fields: string[] }[]).find(({ fields }) =>
        fields.includes('fund_size_usd'),
      ),
    );
    expect(new Set(sizing.map((stated) => stated?.source))).toEqual(
      new Set(['web3-bi editors@0.1.0:data/raw/editors-investors.ndjson']),
    );
  });
});

describe('faults that there were once', () => {
  test('receipts and pairs of a token do not become names of the firm, nor close it', () => {
    expect(company('uniswap')).toMatchObject({ name: 'Uniswap', website: 'https://uniswap.org/' });
    expect((company('uniswap')['aliases'] ?? []).length).toBeLessThan(6);
    expect(company('uniswap')['company_stage']).toBeUndefined();
  });

  test('an address of a token list is no website', () => {
    const lists = /trustwallet|ethereum-lists\/tokens|spl-token-registry|ethereum-optimism.github.io/;
    expect(readings.filter(({ source, fields }) => lists.test(source) && fields.includes('website'))).toEqual([]);
  });

  test('a tag and a country have one spelling each, and a country is one', () => {
    const keysOf = (kind: 'tag' | 'country', values: readonly (string | null)[]): string[] =>
      [...new Set(values)].flatMap((value) => (value === null ? [] : [facets[kind].key(value)]));
    const tags = keysOf(
      'tag',
      recordsOf('companies').flatMap((line) => line['tags'] ?? []),
    );
    const places = all.flatMap(({ line }) => (line['location_json'] === undefined ? [] : [line['location_json']]));
    const countries = keysOf(
      'country',
      places.map(({ country }) => country),
    );
    for (const keys of [tags, countries]) expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
    expect(countries.filter((key) => !facets.country.isKnown(key))).toEqual([]);
  });

  test('a round has the lead that the address of its announcement names', () => {
    const announced = recordsOf('rounds').filter(({ announcement, stage }) => announcement && stage !== 'grant');
    const led = announced.filter(({ announcement }) => /-(co-)?led-(by|round)|-leads?-/i.test(announcement));
    expect(led.length).toBeGreaterThan(60);
    expect(led.filter((line) => line['lead_investors'] === undefined).map((line) => line['slug'])).toEqual([]);
  });

  test('a lead that no list names is stated by the editors, and takes part in the round', () => {
    const edited = recordsOf('rounds').filter(({ sources }) =>
      sources.some(({ source }: { source: string }) => source.includes('editors-leads')),
    );
    expect(edited.length).toBeGreaterThan(80);
    for (const { lead_investors: leads, investors } of edited) expect(investors).toEqual(expect.arrayContaining(leads));
    const opensea = edited.find(({ slug }) => slug === 'opensea-series-c-2022-01-04');
    expect(opensea?.['lead_investors'].map(({ name }: { name: string }) => name)).toEqual(['Paradigm', 'Coatue']);
  });

  test('a round has the leads that were announced, and none where none was', () => {
    const leadsOf = (slug: string): string[] =>
      (recordsOf('rounds').find((line) => line['slug'] === slug)?.['lead_investors'] ?? []).map(
        ({ name }: { name: string }) => name,
      );
    expect(leadsOf('paxos-series-d-2021-04-29')).toEqual(['Oak HC/FT']);
    expect(leadsOf('dapper-labs-strategic-2021-03-31')).toEqual(['Coatue']);
    expect(leadsOf('berachain-series-b-2024-03-01')).toEqual(['Framework Ventures', 'Brevan Howard Digital']);
    for (const slug of ['circle-round-2021-05-28', 'bakkt-series-a-2018-12-31', 'ftx-round-2021-10-21'])
      expect(leadsOf(slug), slug).toEqual([]);
  });

  test('an investor who is a namesake is nobody of the set', () => {
    const investors = recordsOf('rounds').flatMap((round) => round['investors'] ?? []);
    const namesakes = investors.filter(({ name }: Record) => / \(investor\)$/.test(name));
    expect(namesakes.map(({ name }: Record) => name)).toContain('Bill Lee (investor)');
    expect(namesakes.filter(({ slug }: Record) => slug !== undefined)).toEqual([]);
  });

  test('the network that followed Terra does not date it', () => {
    expect(company('terra')).toMatchObject({ name: 'Terra', founders: [{ name: 'Do Kwon', slug: 'do-kwon' }] });
    expect(company('terra')).not.toHaveProperty('year_founded');
  });

  test('a house that lists call by several names has one record of each fund', () => {
    const named = (part: string): string[] =>
      recordsOf('investors').flatMap(({ name }) => (name.includes(part) ? [name] : []));
    expect(named('Fidelity')).toEqual(['Fidelity Investments']);
    expect(named('SoftBank').toSorted()).toEqual(['SoftBank', 'SoftBank Vision Fund 2']);
    expect(named('Binance Labs')).toEqual([]);
    const yzi = recordsOf('investors').find(({ slug }) => slug === 'yzi-labs');
    expect(yzi?.['aliases']).toEqual(['Binance Labs']);
  });

  test('transcripts are told of a person of whom nothing else is known', () => {
    const overviewOf = (slug: string): string =>
      recordsOf('people').find((line) => line['slug'] === slug)?.['overview'] ?? '';
    expect(overviewOf('balaji-srinivasan')).not.toContain('transcripts');
    const told = recordsOf('people').filter(({ overview = '' }) => overview.includes('transcripts'));
    expect(told.filter(({ roles }) => roles !== undefined)).toEqual([]);
  });

  test('events have the speakers of the transcripts that are theirs, by sources of the event', () => {
    const expo = recordsOf('events').find(({ slug }) => slug === 'mit-bitcoin-expo-2016');
    expect(expo?.['speakers'].length).toBeGreaterThan(5);
    const stating = expo?.['sources'].filter(({ fields }: { fields: string[] }) => fields.includes('speakers'));
    expect(stating.length).toBeGreaterThan(0);
    for (const { source } of stating) expect(source).toContain(':mit-bitcoin-expo/mit-bitcoin-expo-2016/');
  });

  test('events of a calendar of all software say by a word of their name that they are of this field', () => {
    const ofAll = recordsOf('events').filter(({ sources }) =>
      sources.every(({ source }: { source: string }) => source.includes('tech-conferences/')),
    );
    const names = ofAll.map(({ name }) => name as string);
    expect(names).toContain('ETHDubai 2022');
    for (const name of ['VueConfTO 2019', 'Ruby Conference Thailand 2019', 'World Ethical Data Forum 2018'])
      expect(names).not.toContain(name);
    expect(names.filter((name) => !/blockchain|bitcoin|web 3|^ETH/i.test(name))).toEqual([]);
  });

  test('every role has its kind, and a former one is not held now', () => {
    const roles = recordsOf('people').flatMap((line) => line['roles'] ?? []);
    expect(roles.filter(({ role_type: kind }: { role_type?: string }) => kind === undefined)).toEqual([]);
    const kindsOf = (title: string): string[] =>
      roles.flatMap((role: { title: string; role_type: string }) => (role.title === title ? [role.role_type] : []));
    expect(kindsOf('CTO')).toContain('executive');
    expect(kindsOf('Founder and CEO')).toContain('founder');
    expect(roles.find(({ title }: { title: string }) => title === 'Former CTO')?.is_current).toBe(false);
  });

  test('an edition that is known by its number is found by its year', () => {
    expect(recordsOf('events').find(({ slug }) => slug === 'ethcc-6')?.['aliases']).toContain('EthCC 2023');
  });

  test('a company is first on the chains that the editors name', () => {
    expect(company('alchemy')['chains'].slice(0, 2)).toEqual(['Ethereum', 'Solana']);
    expect(company('kraken')['chains']).toContain('Ink');
  });

  test('no team is named by a heading or an address of its application', () => {
    const teams = recordsOf('people').flatMap((line) => line['roles'] ?? []);
    const names = teams.map(({ organization }: { organization: string }) => organization);
    expect(names.filter((name: string) => /^https?:|^(project|polkadot) (description|overview)$/i.test(name))).toEqual(
      [],
    );
    expect(names).toContain('Shard-Labs');
  });

  test('a grant has the name of its programme in words, and a round a name of its own', () => {
    const rounds = recordsOf('rounds');
    const programs = new Set(rounds.flatMap((line) => (line['stage'] === 'grant' ? [line['stage_raw']] : [])));
    expect(programs).toContain('Retro Funding S8 Onchain Builders');
    expect([...programs].filter((name) => /^[a-z]|_/.test(name))).toEqual([]);
    const names = rounds.map(({ name }) => name);
    const shared = rounds.filter(({ name }, index) => names.indexOf(name) !== index);
    expect(shared.filter(({ stage }) => stage !== 'grant')).toEqual([]);
    // What a register lists of one project on one day, twice the same size.
    expect(shared.length).toBeLessThan(20);
  });

  test('a round is dated as the address of its announcement is', () => {
    const dates = new Map(recordsOf('rounds').map(({ slug, announced_date: date }) => [slug, date]));
    expect(dates.get('kalshi-series-a-2021-02-01')).toBe('2021-02-17');
    expect(dates.get('kalshi-series-c-2025-06-01')).toBe('2025-06-25');
    expect(dates.get('rarible-seed-2021-03-02')).toBe('2021-02-03');
    // A post on X has its time in its number.
    expect(dates.get('rain-series-b-2025-08-01')).toBe('2025-08-28');
    expect(dates.get('shardeum-strategic-2023-06-08')).toBe('2023-07-08');
    // The address is of a later page.
    expect(dates.get('tezos-initial-coin-offering-2017-07-14')).toBe('2017-07-14');
  });

  test('a round of which only the month is known says so, and one announced later has that day', () => {
    const rounds = recordsOf('rounds');
    const raised = rounds.filter(({ stage }) => stage !== 'grant');
    const confirmed = raised.filter((line) => line['announced_date']?.endsWith('-01') && !line['month_only']);
    expect(confirmed.flatMap(({ slug, announcement }) => (announcement === undefined ? [] : [slug])).sort()).toEqual([
      'conflux-strategic-2023-03-01',
      'fleek-series-a-2022-12-01',
      'morpho-strategic-2024-08-01',
      'openeden-strategic-2025-12-01',
      'securitize-round-2024-05-01',
      'solv-protocol-round-2023-08-01',
    ]);
    const layerZero = raised.find(({ slug }) => slug === 'layerzero-seed-2021-04-01');
    expect([layerZero?.['announced_date'], layerZero?.['month_only']]).toEqual(['2021-09-16', undefined]);
    expect(rounds.filter((line) => line['month_only'] && line.name.includes(line['announced_date']))).toEqual([]);
    const investors = new Map(recordsOf('investors').map((line) => [line.slug, line]));
    expect(investors.get('arbitrum-foundation')?.['month_only']).toEqual([
      'first_investment_date',
      'last_investment_date',
    ]);
  });

  test('a listed, acquired or closed company is not told by its latest round', () => {
    expect(company('coinbase')).toMatchObject({ company_stage: 'public', status: 'active' });
    expect(company('coinbase')['overview']).toContain('publicly listed on Nasdaq as COIN since April 2021');
    expect(company('circle')['overview']).toContain('on the New York Stock Exchange as CRCL since June 2025');
    expect(company('bridge')).toMatchObject({ company_stage: 'acquired', status: 'acquired' });
    expect(company('bridge')['overview']).toContain('acquired by Stripe in February 2025');
    // A listing has no ticker of a token.
    expect(company('coinbase')['token_symbols']).toBeUndefined();
  });

  test('a grant that was paid in tokens states them', () => {
    const grants = recordsOf('rounds').filter(({ stage }) => stage === 'grant');
    const units = grants.flatMap((line) => (line['amount_raw'] ? [line['amount_raw'].replace(/^[\d.,]+ /, '')] : []));
    expect(new Set(units)).toEqual(new Set(['OP', 'ARB', 'ETH', 'XLM']));
    const tokens = ['Optimism Foundation', 'Arbitrum Foundation', 'Octant'];
    expect(grants.filter((line) => tokens.includes(line['investors'][0].name) && !line['amount_raw'])).toEqual([]);
  });

  test('one investor is not named twice in a round, and grants are no funding rounds', () => {
    const firm = (name: string): string => foldName(name.replace(/\b(capital|ventures?|partners|fund|lp)\b/gi, ''));
    const twice = recordsOf('rounds').filter((line) => {
      const names = ((line['investors'] ?? []) as { name: string }[]).map(({ name }) => firm(name));
      return new Set(names).size < names.length;
    });
    expect(twice.map((line) => line['slug'])).toEqual([]);
    const giver = recordsOf('investors').find(({ slug }) => slug === 'octant');
    expect(giver).toMatchObject({
      investments_count: 0,
      tagline: expect.stringMatching(/^Grant giver, with known grants since 20\d\d: /),
    });
  });

  test('a host of everybody is no website', () => {
    const shared = new Set([
      'github.com',
      'medium.com',
      'x.com',
      'twitter.com',
      't.me',
      'bit.ly',
      't.co',
      'linktr.ee',
      'docs.google.com',
      'opensea.io',
    ]);
    const hosts = recordsOf('companies').flatMap((line) =>
      line['website'] && line['slug'] !== 'opensea' ? [new URL(line['website']).host.replace('www.', '')] : [],
    );
    expect(hosts.filter((host) => shared.has(host))).toEqual([]);
  });

  test('no two companies have one domain, or one account on X', () => {
    for (const field of ['website', 'twitter']) {
      const values = recordsOf('companies').flatMap((line) => line[field]?.toLowerCase() ?? []);
      expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
    }
  });

  test('what a reader found to be one project is one, and what he found to be two is two', () => {
    const groupOf = new Map<string, unknown>();
    for (const group of built.groups) for (const { entry } of group.members) groupOf.set(entryId(entry), group);
    const entries = built.groups.flatMap(({ members }) => members.map(({ entry }) => entry));
    const same = [
      ...SAME_PROJECTS.map(([entry, other]) => [entry, other]),
      ...entries.flatMap((entry) => (entry.same_as === null ? [] : [[entryId(entry), entry.same_as]])),
      ...entries.flatMap((entry) => entry.describes.map((other) => [other, entryId(entry)])),
    ] as [string, string][];
    expect(same.length).toBeGreaterThan(2000);
    expect(
      same.filter(([left, right]) => groupOf.get(left) === undefined || groupOf.get(left) !== groupOf.get(right)),
    ).toEqual([]);
    expect(DIFFERENT_PROJECTS.filter(([left, right]) => groupOf.get(left) === groupOf.get(right))).toEqual([]);
    expect(company('arcium')).toMatchObject({ name: 'Arcium', website: 'https://arcium.com/' });
    expect(company('nomina')['aliases']).toContain('Omni Network');
  });

  test('an investor has one record, and each of two with like names has its own', () => {
    const names = recordsOf('investors').flatMap(({ name, aliases = [] }) => [name, ...aliases]);
    const folded = names.map((name) => foldName(name));
    expect(names.filter((_, index) => folded.indexOf(folded[index] ?? '') !== index)).toEqual([]);
    const apart = DIFFERENT_INVESTORS.flatMap((pair) => pair.slice(0, 2));
    expect(apart.filter((name) => !recordsOf('investors').some((line) => line['name'] === name))).toEqual([]);
  });

  test('a company has its own name and site, and not those of an application, a registry of chains or an explorer', () => {
    const names = recordsOf('companies').map(({ name }) => name);
    expect(
      names.filter((name) => /( x | on | to | - )Stellar$|integration$|\b(Mainnet|Subnet|Prenet)\b/i.test(name)),
    ).toEqual([]);
    expect(company('quarkchain-mainnet-root')).toMatchObject({ name: 'QuarkChain', chains: ['QuarkChain'] });
    const hosts = recordsOf('companies').flatMap(({ website }) => (website ? [new URL(website).host] : []));
    expect(hosts.filter((host) => /^(docs|wiki|blog|explorer|scan|bridge)\.[^.]+\./.test(host))).toEqual([]);
    expect(company('celo')).toMatchObject({ website: 'https://celo.org/' });
    // The editors' site is the company's, although chains of its customers give it too.
    expect(company('conduit')).toMatchObject({ website: 'https://conduit.xyz/' });
  });

  test('the tokens that everybody knows are those of their issuers', () => {
    const known = {
      bitcoin: 'BTC',
      ethereum: 'ETH',
      solana: 'SOL',
      tether: 'USDT',
      circle: 'USDC',
      arbitrum: 'ARB',
      sui: 'SUI',
    };
    for (const [slug, ticker] of Object.entries(known)) expect(company(slug)['token_symbols'], slug).toContain(ticker);
    const issuers = recordsOf('companies').filter((line) => (line['token_symbols'] ?? []).includes('USDC'));
    expect(issuers.map(({ slug }) => slug)).toEqual(['circle']);
  });

  test('a city has one spelling, and an event the one that its name has in it', () => {
    const cities = all.flatMap(({ line }) => line['location_json']?.city ?? []);
    expect(
      cities.filter((city) => ['NYC', 'New York City', 'Bogota', 'Montréal', 'Campus USP'].includes(city)),
    ).toEqual([]);
    const event = (slug: string): Record => recordsOf('events').find((line) => line['slug'] === slug) ?? {};
    expect(event('scaling-bitcoin-tokyo-2018')['location_json']).toEqual({ city: 'Tokyo', country: 'Japan' });
    expect(event('ethlisbon-2021')['location_json']).toEqual({ city: 'Lisbon', country: 'Portugal' });
  });

  test('a day that a calendar writes without its zero is that day', () => {
    expect(recordsOf('events').find(({ slug }) => slug === 'eth-belgrade-2023')).toMatchObject({
      start_date: '2023-06-02',
      end_date: '2023-06-04',
    });
    expect(recordsOf('events').length).toBeGreaterThanOrEqual(420);
  });

  test('a tag that a list gives to all its entries is not what a company is called by', () => {
    expect(company('email-wallet')['tagline']).toMatch(/^Crypto wallet company/);
    expect(company('qubes-os')['tagline']).toMatch(/^Privacy project/);
  });

  test('two accounts or two names of one person make one record', () => {
    const bearers = (name: string): readonly Record[] =>
      recordsOf('people').filter((line) => [line['name'], ...(line['aliases'] ?? [])].includes(name));
    expect(bearers('Skeletor Spaceman')).toHaveLength(1);
    expect(bearers('Cheng Qian')).toEqual(bearers('James Savechives'));
    expect(bearers('Cheng Qian')).toHaveLength(1);
    const accounts = recordsOf('people').flatMap((line) => line['github']?.toLowerCase() ?? []);
    expect(accounts.filter((account, index) => accounts.indexOf(account) !== index)).toEqual([]);
  });

  test('an account is of the firm itself, and not of what it makes, its archive or its forum', () => {
    expect(company('nuts-finance')).not.toHaveProperty('twitter');
    expect(company('tether')).toMatchObject({ twitter: 'https://x.com/Tether_to' });
    expect(company('compound')).toMatchObject({ twitter: 'https://x.com/compoundfinance' });
    expect(company('coinbase')).toMatchObject({ twitter: 'https://x.com/coinbase' });
    expect(company('stellar')).toMatchObject({ github: 'https://github.com/stellar' });
    const archives = recordsOf('companies').filter((line) => /deprecated|-archive/i.test(line['github'] ?? ''));
    expect(archives.map(({ slug }) => slug)).toEqual([]);
  });

  test('a listing at DefiLlama makes neither an exchange nor a network DeFi', () => {
    for (const slug of ['binance', 'coinbase', 'bybit', 'base', 'offchain-labs', 'bitget'])
      expect([slug, company(slug)['tags']]).not.toEqual([slug, expect.arrayContaining(['DeFi'])]);
    for (const slug of ['aave', 'hyperliquid', 'paradex'])
      expect([slug, company(slug)['tags']]).toEqual([slug, expect.arrayContaining(['DeFi'])]);
  });

  test('a person has a role of a team once', () => {
    const twice = recordsOf('people').filter(({ roles = [] }) => {
      const keys = roles.map((role: Record) => `${role['organization_slug'] ?? role['organization']} ${role['title']}`);
      return new Set(keys).size < keys.length;
    });
    expect(twice.map(({ slug }) => slug)).toEqual([]);
  });

  test('a test network is neither a chain nor another name', () => {
    const labels = recordsOf('companies').flatMap((line) => [...(line['chains'] ?? []), ...(line['aliases'] ?? [])]);
    const names = recordsOf('companies').map(({ name }) => name);
    const isTest = (label: string): boolean =>
      /\b(bArtio|Dev-?net|Holesky|Fuji Subnet|Previewnet|Testnet)\b/i.test(label);
    expect([...labels, ...names].filter(isTest)).toEqual([]);
    expect(company('berachain')).toMatchObject({ token_symbols: ['BERA'] });
  });

  test('another name of a company is neither a legal form alone nor an address', () => {
    const names = recordsOf('companies').flatMap(({ aliases = [] }) => aliases as readonly string[]);
    expect(names.filter((name) => /^(?:(?:Inc|LLC|Ltd)\.?|https?:.*)$/i.test(name))).toEqual([]);
    expect(company('cointracker')['aliases']).toEqual(['Nino Finance']);
  });

  test('a firm that only the editors know is of this field by a category, chain or token', () => {
    const general = new Set(['AI', 'Compute']);
    const onlyEdited = recordsOf('companies').filter((line) =>
      line['sources'].every(({ source }: { source: string }) => source.startsWith('web3-bi editors@')),
    );
    const isGeneral = ({ tags = [] }: Record): boolean => tags.every((tag: string) => general.has(tag));
    const others = onlyEdited.filter((line) => isGeneral(line) && !line['chains'] && !line['token_symbols']);
    expect(others.map(({ slug }) => slug)).toEqual([]);
  });

  test('a company that is over needs no site, if the editors know that it is', () => {
    for (const slug of ['terraform-labs', 'quadrigacx']) {
      expect(company(slug)).toMatchObject({ status: 'closed' });
      expect(company(slug)['website']).toBeUndefined();
    }
  });

  test('two firms of one name stay two', () => {
    const names = ['Wasabi', 'Loop', 'Union'];
    for (const name of names)
      expect(recordsOf('companies').filter((line) => line['name'] === name).length, name).toBeGreaterThan(1);
  });

  test('the host of an e-mail address is nobody’s account', () => {
    const hosts = /\/(gmail|protonmail|proton|outlook|pm|ethereum|consensys|iohk|starkware|near|hedera)$/;
    expect(
      recordsOf('people')
        .filter((line) => hosts.test(line['github'] ?? ''))
        .map((line) => line['slug']),
    ).toEqual([]);
    expect(
      all.filter(({ line }) =>
        /[\w.]+@[\w-]+\.[a-z]{2,}/.test(JSON.stringify({ ...line, sources: [], announcement: '' })),
      ),
    ).toEqual([]);
  });

  test('a date that a calendar corrected is the corrected one', () => {
    const editions = recordsOf('events').filter((line) => line['series_slug'] === 'ethcc');
    const years = editions.map((line) => line['start_date']?.slice(0, 4));
    expect(years.filter((year, index) => years.indexOf(year) !== index)).toEqual([]);
    expect(recordsOf('events').filter((line) => line['start_date'] > line['end_date'])).toEqual([]);
  });

  test('derived values stand only where nothing is stated', () => {
    const both = recordsOf('companies').filter((line) => {
      const tagged = (line['sources'] as { source: string; fields: string[] }[]).filter(({ fields }) =>
        fields.includes('tags'),
      );
      const derived = tagged.filter(({ source }) => source.includes('(derived'));
      return derived.length > 0 && derived.length < tagged.length;
    });
    expect(both.map((line) => line['slug'])).toEqual([]);
  });

  test('money is positive, of the past, and a grant is no small change', () => {
    const rounds = recordsOf('rounds');
    expect(
      rounds.filter((line) => Number(line['amount_usd'] ?? 1) <= 0 || line['announced_date'] > '2026-11-22'),
    ).toEqual([]);
    expect(rounds.filter((line) => line['stage'] === 'grant' && Number(line['amount_usd']) < 500)).toEqual([]);
  });

  test('have the valuation that the address of an announcement states, with the announcement as its source', () => {
    for (const [announcement, valuation] of STATED_VALUATIONS) {
      const round = recordsOf('rounds').find((line) => line['announcement'] === announcement);
      expect([announcement, round?.['valuation_usd']]).toEqual([announcement, valuation.toFixed(2)]);
      expect(round?.['sources'][0]).toMatchObject({
        source: announcement,
        fields: expect.arrayContaining(['valuation_usd']),
      });
      expect(valuation).toBeGreaterThan(Number(round?.['amount_usd'] ?? 0));
      // Some addresses have no decimal point.
      const digits = String(valuation).replace(/0+$/, '');
      expect(announcement.replaceAll(/(?<=\d)[-.](?=\d)/g, '')).toMatch(new RegExp(`${digits}0*-?(b|m|0|$)`));
    }
  });

  test('a round names its announcement, or is the editors’ and not one that an announcement states too', () => {
    const raised = recordsOf('rounds').filter(({ stage }) => stage !== 'grant');
    const edited = raised.filter(({ announcement }) => !announcement);
    const sourcesOfEdited = edited.flatMap((line) => line['sources'].map(({ source }: Record) => source));
    expect(new Set(sourcesOfEdited)).toEqual(new Set(['web3-bi editors@0.1.0:data/raw/editors-rounds.ndjson']));
    expect(edited.length).toBe(rawLines('editors-rounds').length);
    const daysApart = (left: Record, right: Record): number =>
      Math.abs(Date.parse(left['announced_date']) - Date.parse(right['announced_date'])) / 86_400_000;
    const again = edited.filter((line) =>
      raised.some(
        (other) =>
          other['announcement'] &&
          other['company'].slug === line['company'].slug &&
          daysApart(other, line) < 45 &&
          // Polymarket told of two earlier rounds on the day of a larger one.
          other['announcement'] !== 'https://x.com/shayne_coplan/status/1975567505834840503',
      ),
    );
    expect(again.map(({ slug }) => slug)).toEqual([]);
    const valued = edited.filter((line) => line['valuation_usd'] !== undefined);
    expect(valued.length).toBeGreaterThan(15);
    expect(valued.filter((line) => Number(line['valuation_usd']) <= Number(line['amount_usd'] ?? 0))).toEqual([]);
  });
});
