/** Sorted runs of changes to posting lists, and the progress of their merge. */
export const searchRuns = `
CREATE TABLE search_runs (id INTEGER PRIMARY KEY, target TEXT NOT NULL, stamp INTEGER NOT NULL, data BLOB NOT NULL) STRICT;
CREATE INDEX search_runs_target ON search_runs (target);
CREATE TABLE search_merges (target TEXT PRIMARY KEY, last_run INTEGER NOT NULL, next_list INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;
