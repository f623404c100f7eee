const TEXT = 'TEXT COLLATE "C"';

/**
 * What sources state, apart from the records that are made of it. A claim without a record number is of a record that is
 * not shown, because its source was dropped or is withheld.
 */
export const claims = `
CREATE TABLE claims (
  source ${TEXT} NOT NULL,
  key ${TEXT} NOT NULL,
  field ${TEXT} NOT NULL,
  type ${TEXT} NOT NULL,
  id BIGINT,
  value ${TEXT} NOT NULL,
  as_of ${TEXT},
  seen_at ${TEXT} NOT NULL,
  url ${TEXT} NOT NULL,
  PRIMARY KEY (source, key, field)
);
CREATE INDEX claims_record ON claims (type, id);
CREATE TABLE claim_sources (
  source ${TEXT} PRIMARY KEY,
  trust INTEGER NOT NULL,
  is_restricted INTEGER NOT NULL,
  is_withheld INTEGER NOT NULL,
  state ${TEXT} NOT NULL
);
CREATE TABLE leases (
  name ${TEXT} PRIMARY KEY,
  holder ${TEXT} NOT NULL,
  until ${TEXT} NOT NULL
);
`;
