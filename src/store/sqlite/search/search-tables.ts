export function searchTables(type: string) {
  return { documents: `${type}_search_documents`, keys: `${type}_search_keys`, lists: `${type}_search_lists` };
}

/** One vocabulary for all types, so that a typo is resolved once per search. */
export const TERMS_TABLE = 'search_terms';
export const DELETIONS_TABLE = 'search_deletions';
export const GRAMS_TABLE = 'search_grams';
export const SIZES_TABLE = 'search_sizes';
/** Sorted runs not yet merged, and merge progress. */
export const RUNS_TABLE = 'search_runs';
export const MERGES_TABLE = 'search_merges';
/** Row of the sizes with the index epoch. */
export const EPOCH_TYPE = '';
