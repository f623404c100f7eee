/** Values of all types and fields, as the words of a sentence are looked up. */
export const values = `
CREATE INDEX label_values_value ON label_values (value);
`;
