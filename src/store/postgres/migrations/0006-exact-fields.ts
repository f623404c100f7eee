const SEARCHED = ['companies', 'people', 'investors', 'events'];

/**
 * A term in a name, a keyword or a headline is a lexeme of its own beside the one that says where it stands: the index knows
 * nothing of places, so that each document with the term had to be looked at.
 */
const addFields = (type: string): string => `
UPDATE ${type}_search SET terms = terms || coalesce(
  (SELECT array_to_tsvector(array_agg(weights[1] || lexeme)) FROM unnest(terms) WHERE weights[1] IN ('A', 'B', 'C')), '');`;

export const exactFields = SEARCHED.map(addFields).join('');
