/** A table copied unchanged. */
export interface CopiedTable {
  readonly name: string;
  /** Primary key columns, in read order. */
  readonly key: readonly string[];
  /** Whether the database assigns ids. */
  readonly isNumbered?: true;
}

/** All tables except those of the search index, which is rebuilt; referenced tables first. */
export const COPIED_TABLES: readonly CopiedTable[] = [
  { name: 'settings', key: ['name'] },
  { name: 'accounts', key: ['id'], isNumbered: true },
  { name: 'quotas', key: ['id'], isNumbered: true },
  { name: 'keys', key: ['id'], isNumbered: true },
  { name: 'oauth_grants', key: ['id'], isNumbered: true },
  { name: 'oauth_tokens', key: ['id'], isNumbered: true },
  { name: 'members', key: ['id'], isNumbered: true },
  { name: 'invitations', key: ['id'], isNumbered: true },
  { name: 'sessions', key: ['id'], isNumbered: true },
  { name: 'attempts', key: ['subject'] },
  { name: 'companies', key: ['id'] },
  { name: 'people', key: ['id'] },
  { name: 'investors', key: ['id'] },
  { name: 'events', key: ['id'] },
  { name: 'rounds', key: ['id'] },
  { name: 'former_slugs', key: ['type', 'slug'] },
  { name: 'duplicates', key: ['id'], isNumbered: true },
  { name: 'record_keys', key: ['type', 'key', 'id'] },
  { name: 'links', key: ['relation', 'from_id', 'position'] },
  { name: 'pending_funding', key: ['company_id'] },
  { name: 'claims', key: ['source', 'key', 'field'] },
  { name: 'claim_sources', key: ['source'] },
  { name: 'leases', key: ['name'] },
  { name: 'audit', key: ['id'], isNumbered: true },
  { name: 'idempotency', key: ['scope', 'key'] },
  { name: 'payments', key: ['id'], isNumbered: true },
  { name: 'requests', key: ['id'], isNumbered: true },
  { name: 'request_days', key: ['key_id', 'day', 'class'] },
];
