/** By which definitions what is searched was derived from the records, and how far a rebuild is. */
export const searchDefinitions = `
CREATE TABLE search_definitions (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
