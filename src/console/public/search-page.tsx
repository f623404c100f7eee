import type { Records } from '../../store/port/records.ts';
import { asFunded, keptFilters, recordPath } from '../data/parsed-search.ts';
import { exportList, type SearchOutcome, searchRecords } from '../data/search.ts';
import { SearchResultsPage, searchTitle } from '../data/search-results-page.tsx';
import type { PublicDeps, PublicPage } from './send-page.ts';

type Query = Readonly<Record<string, string>>;

export async function searchPage({ store, clock }: PublicDeps, query: Query): Promise<PublicPage> {
  const outcome = await searchFunded(store.records, query, clock());
  const { query: text } = outcome.parsed;
  const title = searchTitle(outcome);
  return {
    title,
    description: 'Search companies, investors, people and events of Web3, with sources.',
    searched: text,
    kept: recordPath('', { ...outcome.parsed, query: '', given: keptFilters(outcome.parsed) }),
    isListed: Object.keys(query).length === 0,
    body: (
      <>
        <h1 class="sr">{title}</h1>
        <SearchResultsPage outcome={outcome} />
      </>
    ),
  };
}

/** Lists companies with known funding, if any has it and nothing else is chosen. */
async function searchFunded(records: Records, query: Query, now: Date): Promise<SearchOutcome> {
  const outcome = await searchRecords(records, asFunded(query), now);
  return outcome.found?.total === 0 ? searchRecords(records, query, now) : outcome;
}

/** The file of a list, if its address asks for one. Throws `invalid_parameter`. */
export const searchFile = ({ store, clock }: PublicDeps, query: Query): ReturnType<typeof exportList> =>
  exportList(store.records, asFunded(query), clock());
