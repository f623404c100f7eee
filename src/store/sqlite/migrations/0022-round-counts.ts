/** The numbers of rounds that companies raised, which most companies lack. */
export const roundCounts = `
CREATE INDEX companies_known_rounds ON companies ((document ->> '$.known_rounds'), id)
  WHERE (document ->> '$.known_rounds') IS NOT NULL;
`;
