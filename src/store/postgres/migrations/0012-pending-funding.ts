/** Companies whose rounds a large import has changed, and whose funding follows at its end. */
export const pendingFunding = `
CREATE TABLE pending_funding (company_id BIGINT PRIMARY KEY);
`;
