const SEARCHED = ['companies', 'people', 'investors', 'events'];
const UNORDERED = 5;

/** Keys independent of word order are separate from names, so that searches by name prefix do not read them. */
export const search = SEARCHED.map(
  (type) => `
UPDATE ${type}_search_keys SET key = '~' || key WHERE kind = ${UNORDERED};`,
).join('');
