/** By which definitions what is searched was derived from the records, and how far a rebuild is. */
export const searchDefinitions =
  'CREATE TABLE IF NOT EXISTS search_definitions (name TEXT COLLATE "C" PRIMARY KEY, value TEXT NOT NULL);';
