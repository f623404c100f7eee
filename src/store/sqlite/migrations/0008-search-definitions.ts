/** Definitions from which the searched data was derived, and the progress of a rebuild. */
export const searchDefinitions = `
CREATE TABLE search_definitions (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
