const SEARCHED = ['companies', 'people', 'investors', 'events'];

/**
 * Terms of names, keywords and headlines are also lexemes without position: the index has no positions, so every document
 * with the term had to be read.
 */
const addFields = (type: string): string => `
UPDATE ${type}_search SET terms = terms || coalesce(
  (SELECT array_to_tsvector(array_agg(weights[1] || lexeme)) FROM unnest(terms) WHERE weights[1] IN ('A', 'B', 'C')), '');`;

export const exactFields = SEARCHED.map(addFields).join('');
