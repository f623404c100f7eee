import { initial } from './0001-initial.ts';
import { search } from './0002-search.ts';
import { payments } from './0003-payments.ts';
import { accountPages } from './0004-account-pages.ts';
import { searchMerging } from './0005-search-merging.ts';
import { exactFields } from './0006-exact-fields.ts';
import { searchDefinitions } from './0007-search-definitions.ts';
import { changeLog } from './0008-change-log.ts';
import { duplicates } from './0009-duplicates.ts';
import { claims } from './0010-claims.ts';
import { oauth } from './0011-oauth.ts';
import { pendingFunding } from './0012-pending-funding.ts';

/** Steps of the schema, in order. A step that has been released is never edited: a change is a new step. */
export const migrations: readonly string[] = [
  initial,
  search,
  payments,
  accountPages,
  searchMerging,
  exactFields,
  searchDefinitions,
  changeLog,
  duplicates,
  claims,
  oauth,
  pendingFunding,
];

/** Steps of which the last one takes everything back. A new database is spared them, and the extension that they need. */
export const UNDONE: ReadonlySet<string> = new Set([search, searchMerging, exactFields]);
