/** When companies were acquired or closed, which most were not. */
export const statusDates = `
CREATE INDEX companies_status_since ON companies ((document ->> '$.status_since'), id)
  WHERE (document ->> '$.status_since') IS NOT NULL;
`;
