import { csvAnswer } from '../../service/routes/csv.ts';
import { find, findMany, recordPath } from '../data/find.ts';
import { FindPage } from '../data/find-page.tsx';
import type { PublicDeps, PublicPage } from './visit.ts';

type Query = Readonly<Record<string, string>>;

/** The public search, with the same matches and order as the API. */
export async function searchPage({ store }: PublicDeps, query: Query): Promise<PublicPage> {
  const findings = await find(store.records, query);
  const { query: text } = findings.wanted;
  return {
    title: text === '' ? 'Browse' : text,
    description: 'Search companies, investors, people and events of Web3, with sources.',
    searched: text,
    kept: recordPath('', { ...findings.wanted, query: '' }),
    isListed: Object.keys(query).length === 0,
    body: (
      <>
        <h1 class="sr">Search</h1>
        <FindPage findings={findings} />
      </>
    ),
  };
}

/** The top matches of a search as CSV. Throws `invalid_parameter`. */
export async function searchCsv({ store }: PublicDeps, query: Query): Promise<string> {
  const { found, types, wanted } = await findMany(store.records, query);
  return csvAnswer(found, { types, fields: wanted.columns }).data as string;
}
