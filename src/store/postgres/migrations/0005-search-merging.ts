const SEARCHED = ['companies', 'people', 'investors', 'events'];
const INDEXES = [...SEARCHED.map((type) => `${type}_search_terms`), 'search_terms_trigrams'];

/** New terms are gathered and merged once a batch, by whoever writes it; one by one, each costs a walk of the index. */
export const searchMerging = INDEXES.map((index) => `ALTER INDEX ${index} SET (fastupdate = on);`).join('\n');
