/** Companies whose funding a large import computes at its end. */
export const pendingFunding = `
CREATE TABLE pending_funding (company_id INTEGER PRIMARY KEY) STRICT;
`;
