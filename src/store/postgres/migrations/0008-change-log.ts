const NAMED = ['companies', 'people', 'investors', 'events'];
const TEXT = 'TEXT COLLATE "C"';

/** Fields whose indexes for sorts and bounds are dropped. */
const SORTED: readonly (readonly [string, string])[] = [
  ...NAMED.flatMap((type) => ['name', 'updated_at'].map((field) => [type, field] as const)),
  ['companies', 'year_founded'],
  ['companies', 'total_employees'],
  ['companies', 'total_funding_usd'],
  ['investors', 'year_founded'],
  ['investors', 'investments_count'],
  ['events', 'start_date'],
];

const tables = [
  ...['search_terms', 'search_deletions', 'search_sizes', 'labels'],
  ...NAMED.flatMap((type) => [`${type}_search`, `${type}_search_keys`, `${type}_search_counts`]),
];
const indexes = SORTED.flatMap(([type, field]) => [`${type}_${field}`, `${type}_${field}_desc`]);

/**
 * Index files that follow a change log serve searches and lists, so the tables only used by them are dropped. A writer
 * holds one lock until it commits, so positions in the log are in commit order.
 */
export const changeLog = `
DROP TABLE IF EXISTS ${tables.join(', ')};
DROP INDEX IF EXISTS ${indexes.join(', ')};
CREATE TABLE record_changes (
  seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  type ${TEXT} NOT NULL,
  id BIGINT NOT NULL,
  at TIMESTAMPTZ NOT NULL DEFAULT clock_timestamp()
);
CREATE TABLE quota_positions (quota_id BIGINT PRIMARY KEY, seq BIGINT NOT NULL) WITH (fillfactor = 50);
CREATE FUNCTION announce_record_changes() RETURNS trigger LANGUAGE plpgsql AS
  $$ BEGIN PERFORM pg_notify('web3_bi_changes', ''); RETURN NULL; END $$;
CREATE TRIGGER record_changes_announced AFTER INSERT ON record_changes
  FOR EACH STATEMENT EXECUTE FUNCTION announce_record_changes();
`;
