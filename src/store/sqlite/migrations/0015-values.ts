/** Facet values of all types and fields, by value, to look up the words of a sentence. */
export const values = `
CREATE INDEX label_values_value ON label_values (value);
`;
