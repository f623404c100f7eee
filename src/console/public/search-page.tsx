import { countText, withAnd } from '../../contract/value-text.ts';
import type { Records } from '../../store/port/records.ts';
import { PageHead, SmallLink } from '../components.tsx';
import { ALL, asFunded, keptFilters, recordPath } from '../data/parsed-search.ts';
import { exportList, type RecordFile } from '../data/record-files.ts';
import { type SearchOutcome, searchRecords } from '../data/search.ts';
import { SearchResultsPage, searchTitle } from '../data/search-results-page.tsx';
import type { PageQuery } from '../query.ts';
import { DocsLine } from './docs-line.tsx';
import { EXAMPLE_QUESTIONS } from './example-questions.ts';
import type { PublicDeps, PublicPage } from './send-page.ts';

/** The page of a search, or its file if the address asks for one. Throws `invalid_parameter` for a file. */
export async function searchPage({ store, clock }: PublicDeps, query: PageQuery): Promise<PublicPage | RecordFile> {
  const file = await exportList(store.records, asFunded(query), clock());
  if (file !== undefined) return file;
  const outcome = await searchFunded(store.records, query, clock());
  const { query: text } = outcome.parsed;
  const title = searchTitle(outcome);
  return {
    title,
    description: 'Search companies, investors, people and events of Web3, with sources.',
    searched: text,
    ...(outcome.refusals.length > 0 && { status: 400 }),
    kept: recordPath('', { ...outcome.parsed, query: '', given: keptFilters(outcome.parsed) }),
    isListed: Object.keys(query).length === 0,
    takes: 'says',
    body: (
      <>
        {outcome.groups.length > 0 ? <StartHead totals={outcome.totals} /> : <h1 class="sr">{title}</h1>}
        <DocsLine {...outcome} />
        <SearchResultsPage outcome={outcome} />
      </>
    ),
  };
}

function StartHead({ totals }: Pick<SearchOutcome, 'totals'>) {
  const counts = [...totals].flatMap(([{ type, label }, total]) =>
    type === ALL || total === 0 ? [] : [`${countText(total)} ${label.toLowerCase()}`],
  );
  return (
    <>
      <PageHead title="Search and browse" lead={`${withAnd(counts)}. Ask in words, or choose a kind.`} />
      <p class="actions asks">
        {EXAMPLE_QUESTIONS.map(({ question, path }) => (
          <SmallLink key={question} to={path}>
            {question}
          </SmallLink>
        ))}
      </p>
    </>
  );
}

/** Lists companies with known funding, if any has it and nothing else is chosen. */
async function searchFunded(records: Records, query: PageQuery, now: Date) {
  const outcome = await searchRecords(records, asFunded(query), now);
  return outcome.found.total === 0 ? searchRecords(records, query, now) : outcome;
}
