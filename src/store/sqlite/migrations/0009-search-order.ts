const SEARCHED = ['companies', 'people', 'investors', 'events'];

/** Posting lists; the key packs the list and the first document id of a block into one integer. */
const listsTable = (name: string): string => `
DROP TABLE IF EXISTS ${name};
CREATE TABLE ${name} (key INTEGER PRIMARY KEY, count INTEGER NOT NULL, data BLOB NOT NULL) STRICT;`;

export const searchTables = (type: string): string => `
DROP TABLE IF EXISTS ${type}_search_documents;
DROP TABLE IF EXISTS ${type}_search_keys;
CREATE TABLE ${type}_search_documents (
  id INTEGER PRIMARY KEY,
  ordinal INTEGER NOT NULL,
  lists BLOB NOT NULL,
  keys TEXT NOT NULL
) STRICT;
CREATE INDEX ${type}_search_ordinals ON ${type}_search_documents (ordinal);
CREATE TABLE ${type}_search_keys (
  key TEXT NOT NULL,
  kind INTEGER NOT NULL,
  ordinal INTEGER NOT NULL,
  PRIMARY KEY (key, kind, ordinal)
) STRICT, WITHOUT ROWID;
${listsTable(`${type}_search_lists`)}`;

/**
 * Makes the index a function of the records alone: documents are in the order of record ids within a rank step. The index
 * is rebuilt, so earlier steps need not create its tables. Adds the records to index again.
 */
export const searchOrder = `
${SEARCHED.map(searchTables).join('')}
DELETE FROM search_terms;
${listsTable('search_grams')}
DELETE FROM search_sizes;
DELETE FROM search_runs;
DELETE FROM search_merges;
DELETE FROM search_definitions;
CREATE TABLE search_pending (type TEXT NOT NULL, id INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (type, id)) STRICT, WITHOUT ROWID;
`;
