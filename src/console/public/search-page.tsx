import type { VNode } from 'preact';
import * as z from 'zod';
import { NAMED_TYPES, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import type { Found } from '../../store/port/records.ts';
import { Card, count, Empty, Link } from '../components.tsx';
import { Item } from '../data/browse.tsx';
import type { RecordData } from '../data/values.tsx';
import { Pages, pageNumber } from '../lists.tsx';
import type { PublicDeps, PublicPage } from './visit.ts';

const PAGE_SIZE = 20;
const ALL = 'all';
const asked = z.object({
  type: z.enum([ALL, ...RECORD_TYPES]).catch(ALL),
  query: z.string().trim().max(200).catch('').default(''),
  page: pageNumber(PAGE_SIZE),
});
type Asked = z.output<typeof asked>;

/** The search for everybody: the same matches in the same order as the API's. */
export async function searchPage({ store }: PublicDeps, query: Readonly<Record<string, string>>): Promise<PublicPage> {
  const wanted = asked.parse(query);
  const types = wanted.type === ALL ? NAMED_TYPES : [wanted.type];
  const window = { offset: (wanted.page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
  const found = await store.records.search({ types, text: wanted.query, window });
  return {
    title: wanted.query === '' ? 'Browse' : wanted.query,
    description: 'Search companies, investors, people and events of Web3, with sources.',
    searched: wanted.query,
    isListed: wanted.query === '' && wanted.page === 1,
    body: <SearchBody wanted={wanted} found={found} />,
  };
}

const addressOf = ({ query, type, page }: Asked): string =>
  `/search?${new URLSearchParams({ ...(query !== '' && { query }), ...(type !== ALL && { type }), ...(page > 1 && { page: String(page) }) })}`;

function SearchBody({ wanted, found }: { wanted: Asked; found: Found }): VNode {
  const { results, total, totals } = found;
  return (
    <>
      <h1 class="sr">Search</h1>
      <nav class="kinds" aria-label="Kinds of records">
        {[ALL, ...RECORD_TYPES].map((type) => (
          <Link
            key={type}
            to={addressOf({ ...wanted, type: type as Asked['type'], page: 1 })}
            aria-current={type === wanted.type ? 'page' : undefined}
          >
            {type === ALL ? 'Everything' : type.charAt(0).toUpperCase() + type.slice(1)}
            {wanted.type === ALL && totals[type as RecordType] !== undefined ? (
              <span class="muted"> {count(totals[type as RecordType] ?? 0)}</span>
            ) : null}
          </Link>
        ))}
      </nav>
      {results.length === 0 ? (
        <Card>
          <Empty title="No record matches">
            <p>Try a shorter text, another spelling, or everything instead of one kind.</p>
          </Empty>
        </Card>
      ) : (
        <>
          <p class="muted found">
            {count(total)} {total === 1 ? 'record' : 'records'}
          </p>
          <ul class="records">
            {results.map((json) => {
              const record = JSON.parse(json) as RecordData;
              return <Item key={`${record.type} ${record.id}`} record={record} />;
            })}
          </ul>
          <Pages number={wanted.page} total={total} size={PAGE_SIZE} to={(page) => addressOf({ ...wanted, page })} />
        </>
      )}
    </>
  );
}
