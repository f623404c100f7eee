export const searchDefinitions =
  'CREATE TABLE IF NOT EXISTS search_definitions (name TEXT COLLATE "C" PRIMARY KEY, value TEXT NOT NULL);';
