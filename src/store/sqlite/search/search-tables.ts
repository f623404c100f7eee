/** Names of the search tables of one entity type. */
export interface SearchTables {
  documents: string;
  keys: string;
  lists: string;
}

export function searchTables(type: string): SearchTables {
  return { documents: `${type}_search_documents`, keys: `${type}_search_keys`, lists: `${type}_search_lists` };
}

/** One vocabulary for every type, so that a typo is resolved once for a search of all types. */
export const TERMS_TABLE = 'search_terms';
export const DELETIONS_TABLE = 'search_deletions';
export const GRAMS_TABLE = 'search_grams';
export const SIZES_TABLE = 'search_sizes';
/** Changes of lists that wait to be merged into them, and how far a merge is. */
export const RUNS_TABLE = 'search_runs';
export const MERGES_TABLE = 'search_merges';
/** The row of the sizes that holds the number of the last batch. */
export const EPOCH_TYPE = '';
