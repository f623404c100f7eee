/** The last days of events, which a period may overlap. */
export const eventEnds = `
CREATE INDEX events_end_date ON events ((document ->> '$.end_date'), id);
`;
