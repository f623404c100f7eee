import { initial } from './0001-initial.ts';
import { keysAndQuotas } from './0002-keys-and-quotas.ts';
import { changes } from './0003-changes.ts';
import { payments } from './0005-payments.ts';
import { accountPages } from './0006-account-pages.ts';
import { searchRuns } from './0007-search-runs.ts';
import { searchDefinitions } from './0008-search-definitions.ts';
import { searchOrder } from './0009-search-order.ts';
import { answers } from './0010-answers.ts';
import { facts } from './0011-facts.ts';
import { duplicates } from './0012-duplicates.ts';
import { claims } from './0013-claims.ts';
import { oauth } from './0014-oauth.ts';
import { values } from './0015-values.ts';
import { deletions } from './0016-deletions.ts';
import { eventEnds } from './0018-event-ends.ts';
import { pendingComputed } from './0019-pending-computed.ts';
import { infixes } from './0020-infixes.ts';
import { unlisted } from './0021-unlisted.ts';
import { roundCounts } from './0022-round-counts.ts';
import { valuations } from './0023-valuations.ts';
import { lastInvestments } from './0024-last-investments.ts';
import { statusDates } from './0025-status-dates.ts';

/** Migration steps, in order. A released step is never edited; a change is a new step. Empty are those that a later one reverts. */
export const migrations: readonly string[] = [
  initial,
  keysAndQuotas,
  changes,
  '',
  payments,
  accountPages,
  searchRuns,
  searchDefinitions,
  searchOrder,
  answers,
  facts,
  duplicates,
  claims,
  oauth,
  values,
  deletions,
  '',
  eventEnds,
  pendingComputed,
  infixes,
  unlisted,
  roundCounts,
  valuations,
  lastInvestments,
  statusDates,
];
