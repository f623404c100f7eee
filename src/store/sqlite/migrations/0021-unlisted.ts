const TYPES = ['companies', 'people', 'investors', 'events', 'rounds'];

const unlistedIndex = (type: string): string => `
CREATE INDEX ${type}_unlisted_since ON ${type} ((document ->> '$.unlisted_since'), id)
  WHERE (document ->> '$.unlisted_since') IS NOT NULL;`;

/** The few records that no source lists any more, which are stale whatever their date. */
export const unlisted = `${TYPES.map(unlistedIndex).join('')}
`;
