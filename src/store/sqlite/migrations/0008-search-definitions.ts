export const searchDefinitions = `
CREATE TABLE search_definitions (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;
