import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { countryCode } from '../../src/contract/countries.ts';
import { endpoints } from '../../src/contract/endpoints.ts';
import { company } from '../../src/contract/entities/company.ts';
import { entities } from '../../src/contract/entities/index.ts';
import { showThrough } from '../../src/contract/entity.ts';
import { foldName, slugify, webDomain } from '../../src/contract/names.ts';
import { NETWORKS } from '../../src/contract/networks.ts';
import { createReader } from '../../src/contract/reader.ts';
import { relations } from '../../src/contract/relations.ts';
import { backersOf } from '../../src/contract/rounds.ts';
import { vocabularyLabel } from '../../src/contract/vocabulary.ts';

test.each([
  ['(US)', 'US'],
  ['U. K.', 'GB'],
  ['840', 'US'],
  ['Österreich', 'AT'],
  ['at a', undefined],
  ['> in', undefined],
])('the country of “%s” is %s', (text, code) => {
  expect(countryCode(text)).toBe(code);
});

describe('entities', () => {
  test('describe every field', () => {
    const silent = entities.flatMap((entity) =>
      Object.entries(entity.record.shape)
        .filter(([, schema]) => !(schema as z.ZodType).meta()?.description)
        .map(([name]) => `${entity.type}.${name}`),
    );
    expect(silent).toEqual([]);
  });

  test('show a company as the specification has it for x402', () => {
    expect(Object.keys(company.paid?.schema.shape ?? {})).toEqual([
      'id',
      'name',
      'slug',
      'logo',
      'tagline',
      'overview',
      'website',
      'company_stage',
      'funding_stage',
      'total_funding_usd',
      'founded_date',
      'employee_count',
      'is_verified',
    ]);
    const shown =
      company.paid &&
      showThrough(company.paid, {
        id: 1,
        name: 'Acme',
        slug: 'acme',
        total_employees: 7,
        secret: 'x',
        is_verified: false,
      });
    expect(shown).toMatchObject({ id: 1, employee_count: 7, overview: null });
    expect(shown).not.toHaveProperty('secret');
  });

  test('name only fields they have, in search, in short answers and in relations', () => {
    const missing = entities.flatMap((entity) => {
      const { hasComposedNames: _, ...searched } = entity.searched;
      const named = [
        ...Object.values(searched).flat(),
        ...entity.concise,
        ...relations.filter((relation) => relation.from === entity.type).map((relation) => relation.field),
      ];
      return named
        .filter((field) => field !== null && !Object.hasOwn(entity.record.shape, field))
        .map((field) => `${entity.type}.${field}`);
    });
    expect(missing).toEqual([]);
  });
});

describe('endpoints', () => {
  test('have unique names and paths', () => {
    expect(new Set(endpoints.map((endpoint) => endpoint.name)).size).toBe(endpoints.length);
    expect(new Set(endpoints.map((endpoint) => `${endpoint.method} ${endpoint.path}`)).size).toBe(endpoints.length);
  });
});

describe('networks', () => {
  test('have the token contracts and signing domains of the real chains', () => {
    expect(NETWORKS).toMatchObject({
      'eip155:84532': {
        chainId: 84532,
        token: {
          address: '0x036CbD53842c5426634e7929541eC2318f3dCF7e',
          decimals: 6,
          domain: { name: 'USDC', version: '2' },
        },
      },
      'eip155:8453': {
        chainId: 8453,
        token: {
          address: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
          decimals: 6,
          domain: { name: 'USD Coin', version: '2' },
        },
      },
    });
  });
});

describe('names', () => {
  test.each(['OpenSea', 'open sea', 'OPEN-SEA', 'Open  Sea!', 'ópensea'])('fold %s alike', (name) =>
    expect(foldName(name)).toBe('opensea'),
  );

  test.each([
    ['Café del Mar', 'cafe-del-mar'],
    ['0x', '0x'],
    ['1inch', '1inch'],
    ['123', ''],
    ['日本', ''],
    [' -A--b- ', 'a-b'],
  ])('make of %s the slug %s', (name, slug) => expect(slugify(name)).toBe(slug));

  test.each([
    ['https://www.opensea.io/path?x=1', 'opensea.io'],
    ['OpenSea.io', 'opensea.io'],
    ['http://sub.example.co.uk', 'sub.example.co.uk'],
    ['open sea', null],
    ['opensea', null],
    ['', null],
  ])('see in %s the domain %s', (text, domain) => expect(webDomain(text)).toBe(domain));
});

describe('a reader', () => {
  const read = createReader(
    z.strictObject({
      count: z.int().min(1).default(1),
      on: z.boolean().optional(),
      list: z.array(z.string()).optional(),
      nested: z.object({ a: z.int() }).optional(),
      text: z.string().optional(),
    }),
    'arguments',
  );

  test('takes text for what the schema asks for', () => {
    expect(read({ count: '5', on: 'YES', list: 'a, b', nested: '{"a":1}', text: '5' })).toEqual({
      count: 5,
      on: true,
      list: ['a', 'b'],
      nested: { a: 1 },
      text: '5',
    });
    expect(read({ list: '["a,b"]' })).toEqual({ count: 1, list: ['a,b'] });
  });

  test.each([
    [{ count: '5.5' }, 'count must be a whole number'],
    [{ count: '' }, 'count must be a whole number'],
    [{ count: 0 }, 'count must be at least 1'],
    [{ nested: '{' }, 'nested must be an object'],
    [{ cuont: 1 }, 'cuont: not known here; did you mean count?'],
    [{ keywords: 'x' }, 'keywords: not known here'],
  ])('refuses %j', (raw, message) => expect(() => read(raw)).toThrow(message));
});

test('words of a vocabulary are written as people write them', () => {
  const words = ['series_b', 'pre_seed', 'm_and_a', 'post_ipo_debt', 'micro_vc', 'fund_of_funds', 'dao'];
  expect(words.map(vocabularyLabel)).toEqual([
    'Series B',
    'Pre-Seed',
    'M&A',
    'Post IPO Debt',
    'Micro VC',
    'Fund of Funds',
    'DAO',
  ]);
});

test('who is written in two ways in the rounds of a company is one backer', () => {
  const known = (name: string) => ({ name, type: 'investors', slug: 'example-capital' });
  const rounds = [
    { lead_investors: [known('Example Capital')], investors: [known('Example'), { name: 'Nobody' }] },
    { lead_investors: [], investors: [known('ExCap'), { name: 'Nobody' }] },
  ];
  expect(backersOf(rounds)).toEqual([
    { investor: known('Example Capital'), led: 1, joined: 2 },
    { investor: { name: 'Nobody' }, led: 0, joined: 2 },
  ]);
});
