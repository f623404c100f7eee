const SEARCHED = ['companies', 'people', 'investors', 'events'];

/** Posting lists; the key packs the list and the first document id of a block into one integer. */
const listsTable = (name: string): string => `
DROP TABLE ${name};
CREATE TABLE ${name} (key INTEGER PRIMARY KEY, count INTEGER NOT NULL, data BLOB NOT NULL) STRICT;`;

const typeTables = (type: string): string => `
DROP TABLE ${type}_search_documents;
CREATE TABLE ${type}_search_documents (
  id INTEGER PRIMARY KEY,
  ordinal INTEGER NOT NULL,
  lists BLOB NOT NULL,
  keys TEXT NOT NULL
) STRICT;
CREATE INDEX ${type}_search_ordinals ON ${type}_search_documents (ordinal);
DELETE FROM ${type}_search_keys;
${listsTable(`${type}_search_lists`)}`;

/**
 * Makes the index a function of the records alone: documents are in the order of record ids within a rank step, and
 * deletions are stored by word, so that limits cut by text. The index is rebuilt. Adds the records to index again.
 */
export const searchOrder = `
${SEARCHED.map(typeTables).join('')}
DELETE FROM search_terms;
DROP TABLE search_deletions;
CREATE TABLE search_deletions (code INTEGER NOT NULL, word TEXT NOT NULL, PRIMARY KEY (code, word)) STRICT, WITHOUT ROWID;
${listsTable('search_grams')}
DELETE FROM search_sizes;
DELETE FROM search_runs;
DELETE FROM search_merges;
DELETE FROM search_definitions;
CREATE TABLE search_pending (type TEXT NOT NULL, id INTEGER NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (type, id)) STRICT, WITHOUT ROWID;
`;
