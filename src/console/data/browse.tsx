import type { VNode } from 'preact';
import * as z from 'zod';
import { entityOf, NAMED_TYPES, RECORD_TYPES, type RecordType } from '../../contract/entities/index.ts';
import { allows } from '../../contract/keys.ts';
import type { Person } from '../../store/port/people.ts';
import type { Found } from '../../store/port/records.ts';
import { Badge, Card, count, Empty, Link, Notice, PageHead, RecordLink } from '../components.tsx';
import { Pages, pageNumber } from '../lists.tsx';
import { Tile } from '../profile/tile.tsx';
import { page, type Reply, type Route, type SignedVisit } from '../reply.ts';
import { forReader } from './access.tsx';
import { isBlank, money, type RecordData } from './values.tsx';

const PAGE_SIZE = 20;
const QUERY_LENGTH_MAX = 200;
const ALL = 'all';

const asked = z.object({
  type: z.enum([ALL, ...RECORD_TYPES]).catch(ALL),
  query: z.string().trim().max(QUERY_LENGTH_MAX).catch('').default(''),
  page: pageNumber(PAGE_SIZE),
});
type Asked = z.output<typeof asked>;

export const browseRoutes: readonly Route[] = [forReader('/account/data', browse)];

async function browse({ deps, query, person }: SignedVisit): Promise<Reply> {
  const wanted = asked.parse(query);
  const { records } = deps.store;
  const window = { offset: (wanted.page - 1) * PAGE_SIZE, limit: PAGE_SIZE };
  const types = wanted.type === ALL ? NAMED_TYPES : [wanted.type as RecordType];
  const found = await records.search({ types, text: wanted.query, window });
  return page('Browse', <Browse wanted={wanted} found={found} person={person} />, { scripts: ['htmx.js'] });
}

interface BrowseProps {
  readonly wanted: Asked;
  readonly found: Found;
  readonly person: Person;
}

function Browse({ wanted, found, person }: BrowseProps): VNode {
  const canWrite = allows(person.level, 'write') && wanted.type !== ALL;
  return (
    <>
      <PageHead
        title="Browse"
        lead="The same search as the API. What you read here is not counted."
        action={
          canWrite ? (
            <Link to={`/account/data/${wanted.type}/new`} class="button primary">
              New {entityOf(wanted.type as RecordType).noun}
            </Link>
          ) : null
        }
      />
      <search>
        <form
          method="get"
          class="search"
          hx-get=""
          hx-trigger="submit, input delay:250ms from:#query, change from:#type"
          hx-select="#results"
          hx-target="#results"
          hx-swap="outerHTML"
          hx-push-url="true"
          hx-sync="this:replace"
        >
          <label for="query" class="sr">
            Search
          </label>
          <input
            id="query"
            name="query"
            type="search"
            value={wanted.query}
            maxlength={QUERY_LENGTH_MAX}
            placeholder="Name, ticker, topic, person…"
            autocomplete="off"
            spellcheck={false}
          />
          <label for="type" class="sr">
            Type
          </label>
          <select id="type" name="type">
            {[ALL, ...RECORD_TYPES].map((type) => (
              <option key={type} value={type} selected={type === wanted.type}>
                {type === ALL ? 'Everything' : type.charAt(0).toUpperCase() + type.slice(1)}
              </option>
            ))}
          </select>
          <button type="submit" class="button primary">
            Search
          </button>
        </form>
      </search>
      <div id="results" aria-live="polite">
        <Results wanted={wanted} found={found} person={person} />
      </div>
    </>
  );
}

function Results({ wanted, found, person }: BrowseProps): VNode {
  const { results, total } = found;
  const pages = Math.ceil(total / PAGE_SIZE);
  const to = (number: number): string =>
    `/account/data?${new URLSearchParams({ type: wanted.type, query: wanted.query, page: String(number) })}`;
  if (results.length === 0) {
    return (
      <Card>
        <Empty title={wanted.query === '' ? 'Nothing here' : 'No record matches'}>
          <p>
            {wanted.query === ''
              ? 'Import a file, or start the service with its data set.'
              : 'Try a shorter text, or another type.'}
          </p>
          {wanted.query === '' && allows(person.level, 'write') ? (
            <p>
              <Link to="/account/import" class="button">
                Import
              </Link>
            </p>
          ) : null}
        </Empty>
      </Card>
    );
  }
  return (
    <>
      {wanted.type === 'rounds' && wanted.query !== '' ? (
        <Notice tone="info">
          Rounds are not searched by words yet, so these are all of them. Search for the company, and open its rounds.
        </Notice>
      ) : null}
      <p class="muted found">
        {count(total)} {total === 1 ? 'record' : 'records'}
        {pages > 1 ? `, page ${wanted.page} of ${count(pages)}` : ''}
      </p>
      <ul class="records">
        {results.map((json) => {
          const record = JSON.parse(json) as RecordData;
          return <Item key={`${record.type} ${record.id}`} record={record} />;
        })}
      </ul>
      <Pages number={wanted.page} total={total} size={PAGE_SIZE} to={to} />
    </>
  );
}

/** One result: what it is, in a line what it does, and the facts that tell it from others. */
export function Item({ record }: { record: RecordData }): VNode {
  const { type, name, slug } = record;
  const line = record['tagline'] ?? record['headline'] ?? record['overview'] ?? '';
  const place = record['location_json'];
  const facts = [
    isBlank(place)
      ? ''
      : Object.values(place as object)
          .filter(Boolean)
          .join(', '),
    isBlank(record['year_founded']) ? '' : `since ${record['year_founded']}`,
    isBlank(record['start_date']) ? '' : String(record['start_date']),
    isBlank(record['total_funding_usd']) ? '' : `${money(record['total_funding_usd'])} known funding`,
    isBlank(record['amount_usd']) ? '' : money(record['amount_usd']),
  ].filter(Boolean);
  return (
    <li>
      <Tile name={name} isRound={type === 'people'} />
      <div>
        <p class="record-name">
          <RecordLink type={type} slug={slug}>
            {name}
          </RecordLink>{' '}
          <Badge>{entityOf(type).noun}</Badge>
        </p>
        {isBlank(line) ? null : <p class="record-line">{String(line).slice(0, 200)}</p>}
        {facts.length > 0 ? <p class="muted record-facts">{facts.join(' · ')}</p> : null}
      </div>
    </li>
  );
}
