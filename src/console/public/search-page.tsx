import { csvResponse } from '../../service/routes/csv.ts';
import { recordPath } from '../data/parsed-search.ts';
import { searchForExport, searchRecords } from '../data/search.ts';
import { SearchResultsPage, searchTitle } from '../data/search-results-page.tsx';
import type { PublicDeps, PublicPage } from './send-page.ts';

type Query = Readonly<Record<string, string>>;

export async function searchPage({ store, clock }: PublicDeps, query: Query): Promise<PublicPage> {
  const outcome = await searchRecords(store.records, query, clock());
  const { query: text } = outcome.parsed;
  const title = searchTitle(outcome);
  return {
    title,
    description: 'Search companies, investors, people and events of Web3, with sources.',
    searched: text,
    kept: recordPath('', { ...outcome.parsed, query: '' }),
    isListed: Object.keys(query).length === 0,
    body: (
      <>
        <h1 class="sr">{title}</h1>
        <SearchResultsPage outcome={outcome} />
      </>
    ),
  };
}

/** The top matches of a search as CSV. Throws `invalid_parameter`. */
export async function searchCsv({ store, clock }: PublicDeps, query: Query): Promise<string> {
  const { found, types, parsed } = await searchForExport(store.records, query, clock());
  return csvResponse(found, { types, fields: parsed.columns }).data as string;
}
