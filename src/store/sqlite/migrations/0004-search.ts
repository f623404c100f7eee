const SEARCHED = ['companies', 'people', 'investors', 'events'];
const UNORDERED = 5;

/** Keys of words in another order stand apart from names, so that names with one beginning are found without them. */
export const search = SEARCHED.map(
  (type) => `
UPDATE ${type}_search_keys SET key = '~' || key WHERE kind = ${UNORDERED};`,
).join('');
