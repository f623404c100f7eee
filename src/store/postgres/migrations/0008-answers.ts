const TYPES = ['companies', 'people', 'investors', 'events', 'rounds'];
const TEXT = 'TEXT COLLATE "C"';

/** Fields that records are filtered by a bound on, or sorted by, besides those of the first version. */
const SORTED: readonly (readonly [string, string])[] = [
  ['rounds', 'name'],
  ['rounds', 'updated_at'],
  ['rounds', 'announced_date'],
  ['rounds', 'amount_usd'],
  ['companies', 'last_round_date'],
  ['investors', 'lead_count'],
  ['people', 'angel_investments'],
  ...TYPES.map((type) => [type, 'as_of'] as const),
];

function sortedColumn(field: string): string {
  const value = `document ->> '${field}'`;
  if (field === 'name') return `lower((${value}) COLLATE "C")`;
  if (field.endsWith('_usd')) return `CAST(${value} AS DOUBLE PRECISION)`;
  return /_at$|_date$|^as_of$/.test(field) ? `(${value}) COLLATE "C"` : `CAST(${value} AS BIGINT)`;
}

const sortIndexes = ([type, field]: readonly [string, string]): string => `
CREATE INDEX ${type}_${field} ON ${type} ((${sortedColumn(field)}), id);
CREATE INDEX ${type}_${field}_desc ON ${type} ((${sortedColumn(field)}) DESC NULLS LAST, id);`;

/** Rounds are searched as other records are, and the values of fields are counted. Labels are made anew under other keys. */
export const answers = `
CREATE TABLE rounds_search (ordinal BIGINT PRIMARY KEY, id BIGINT NOT NULL UNIQUE, terms TSVECTOR NOT NULL);
CREATE INDEX rounds_search_terms ON rounds_search USING gin (terms) WITH (fastupdate = off);
CREATE TABLE rounds_search_keys (key ${TEXT}, kind SMALLINT, ordinal BIGINT, PRIMARY KEY (key, kind, ordinal));
CREATE INDEX rounds_search_keys_ordinal ON rounds_search_keys (ordinal);
CREATE TABLE rounds_search_counts (term BIGINT, field SMALLINT, documents BIGINT NOT NULL, PRIMARY KEY (term, field));
DELETE FROM labels;
CREATE TABLE label_values (
  type ${TEXT},
  field ${TEXT},
  value ${TEXT},
  shown ${TEXT} NOT NULL,
  records BIGINT NOT NULL,
  PRIMARY KEY (type, field, value)
);
${SORTED.map(sortIndexes).join('')}
`;
