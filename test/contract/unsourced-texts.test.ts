import { expect, test } from 'vitest';
import { markedText, unsourcedFieldsOf } from '../../src/contract/unsourced-texts.ts';

const EDITORS = 'web3-bi editors@0.1.0:data/raw/editors.ndjson';
const marked = (text: string, facts: Readonly<Record<string, unknown>>): string =>
  markedText(
    { overview: text, ...facts, sources: [{ source: EDITORS, as_of: '2025', fields: Object.keys(facts) }] },
    'overview',
    ' †',
  );

test.each([
  ['a year', 'It was founded in 2018. More.', { year_founded: 2018 }, 'It was founded in 2018 †. More.'],
  ['no year of a date', 'It raised $1M in June 2018.', { year_founded: 2018 }, 'It raised $1M in June 2018.'],
  [
    'a place',
    'In Bern, Switzerland; a DAO',
    { location_json: { city: 'Bern', country: 'Switzerland' } },
    'In Bern, Switzerland †; a DAO',
  ],
  [
    'a tag with its noun',
    'It is a layer-1 network. On Optimism.',
    { tags: ['Layer 1'] },
    'It is a layer-1 network †. On Optimism.',
  ],
  [
    'no part of a name',
    'Grants from Optimism Foundation.',
    { chains: ['Optimism'] },
    'Grants from Optimism Foundation.',
  ],
  ['a name beside a longer one', 'On Base and Base Camp.', { chains: ['Base'] }, 'On Base † and Base Camp.'],
  ['no part of a word', 'A database.', { chains: ['Base'] }, 'A database.'],
  [
    'a kind',
    'Venture capital firm, since 2014',
    { investor_type: 'venture_capital' },
    'Venture capital firm †, since 2014',
  ],
  ['days', 'In Bern, 2 to 3 October 2023.', { start_date: '2023-10-02' }, 'In Bern, 2 to 3 October 2023 †.'],
  ['names of records', 'Companies: Aave and Lido.', { portfolio: [{ name: 'Aave' }] }, 'Companies: Aave † and Lido.'],
  ['no name of its own', 'Aave lends.', { name: 'Aave' }, 'Aave lends.'],
  ['a text of theirs', 'It is large.', { overview: 'It is large.' }, 'It is large †.'],
])('a text has a mark behind %s', (_, text, facts, expected) => {
  expect(marked(text, facts)).toBe(expected);
});

test('a text of sourced facts has none, whatever else the editors state', () => {
  const sources = [
    { source: EDITORS, as_of: '2025', fields: ['year_founded', 'website'] },
    { source: 'https://example.com', as_of: '2025', fields: ['year_founded'] },
  ];
  expect(markedText({ overview: 'Founded in 2018.', year_founded: 2018, sources }, 'overview', ' †')).toBe(
    'Founded in 2018.',
  );
});

test('a role is marked if the source of its day is of the editors', () => {
  const person = {
    headline: 'Co-founder of Telling; CTO of Silent',
    roles: [
      { organization: 'Telling', as_of: '2025-01-01' },
      { organization: 'Silent', as_of: '2024-01-01' },
    ],
    sources: [
      { source: EDITORS, as_of: '2025-01-01', fields: ['roles'] },
      { source: 'https://example.com', as_of: '2024-01-01', fields: ['roles'] },
    ],
  };
  expect(markedText(person, 'headline', ' †')).toBe('Co-founder of Telling †; CTO of Silent');
  expect(unsourcedFieldsOf(person)).toEqual(['headline']);
});
