const SEARCHED = ['companies', 'people', 'investors', 'events'];
const INDEXES = [...SEARCHED.map((type) => `${type}_search_terms`), 'search_terms_trigrams'];

/** New terms are merged once per batch, because each merge traverses the index. */
export const searchMerging = INDEXES.map((index) => `ALTER INDEX ${index} SET (fastupdate = on);`).join('\n');
