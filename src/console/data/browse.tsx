import { entityOf } from '../../contract/entities/index.ts';
import { allows } from '../../contract/keys.ts';
import type { Member } from '../../store/port/members.ts';
import { PageHead, PrimaryLink, Submit } from '../components.tsx';
import { GRANTS_ASIDE } from '../docs/guides.tsx';
import { KeptFields } from '../lists.tsx';
import { fileReply, pageReply, type SignedInRequest } from '../page-route.ts';
import { forReader } from './access-levels.tsx';
import { aggregatePage } from './aggregate-page.tsx';
import { connectionsPage } from './connections-page.tsx';
import { completeName, SearchInput } from './name-completion.tsx';
import { ALL, recordPath } from './parsed-search.ts';
import { exportList } from './record-files.ts';
import { type SearchOutcome, searchRecords } from './search.ts';
import { SearchResultsPage, searchTitle } from './search-results-page.tsx';

export const browseRoutes = [
  forReader('/account/data', browse),
  forReader('/account/data/aggregate', async ({ deps, query }) => {
    const answer = await aggregatePage(deps.store.records, query);
    return 'text' in answer ? fileReply(answer) : pageReply(answer.title, answer.body, { status: answer.status });
  }),
  forReader('/account/data/connections', async ({ deps, query }) => {
    const { title, body } = await connectionsPage(deps.store.records, query);
    return pageReply(title, body);
  }),
  forReader('/account/data/names', async ({ deps, query }) => {
    const offered = await completeName(deps.store.records, query['query'] ?? '', `${deps.base}/account/data`);
    return fileReply({ name: 'names.json', type: 'application/json', text: JSON.stringify(offered) });
  }),
];

async function browse({ deps, query, member, now }: SignedInRequest) {
  const { records } = deps.store;
  const file = await exportList(records, query, now);
  if (file !== undefined) return fileReply(file);
  const outcome = await searchRecords(records, query, now);
  return pageReply(searchTitle(outcome), <Browse outcome={outcome} member={member} />, {
    scripts: ['htmx.js'],
    ...(outcome.refusals.length > 0 && { status: 400 }),
  });
}

function Browse({ outcome, member }: { outcome: SearchOutcome; member: Member }) {
  const { type, query } = outcome.parsed;
  return (
    <>
      <PageHead
        title="Browse"
        lead={`It uses no quota. ${GRANTS_ASIDE}`}
        action={
          allows(member.level, 'write') && type !== ALL ? (
            <PrimaryLink to={`/account/data/${type}/new`}>New {entityOf(type).noun}</PrimaryLink>
          ) : null
        }
      />
      <search>
        <form
          method="get"
          class="search"
          hx-get=""
          hx-trigger="submit, input delay:250ms from:#query"
          hx-select="#results"
          hx-target="#results"
          hx-swap="outerHTML"
          hx-push-url="true"
          hx-sync="this:replace"
        >
          <SearchInput id="query" text={query} />
          <KeptFields search={recordPath('', outcome.parsed, { query: '' })} />
          <Submit>Search</Submit>
        </form>
      </search>
      <div id="results" aria-live="polite">
        <SearchResultsPage outcome={outcome} />
      </div>
    </>
  );
}
